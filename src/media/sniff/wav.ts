// RIFF/WAVE: a chunk that tells the format, and one with samples. Finds the samples and reads none.
import { type Reading, viewOf, wordAt } from './sound.ts';

/** Format tags of what can be decoded: linear samples, floats, A-law, mu-law. */
const FORMATS: ReadonlySet<number> = new Set([1, 3, 6, 7]);
/** The tag is in the extension. */
const EXTENSIBLE = 0xfffe;
const HIGHEST_RATE = 384_000;

export interface WavFormat {
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly blockBytes: number;
  readonly bits: number;
}

export function isWav(bytes: Uint8Array): boolean {
  return wordAt(bytes, 0) === 'RIFF' && wordAt(bytes, 8) === 'WAVE';
}

export function readWav(bytes: Uint8Array): Reading {
  const parts = wavParts(bytes);
  if (typeof parts === 'string') return parts;
  const { format, data } = parts;
  return { type: 'WAV', seconds: Math.floor(data.length / format.blockBytes) / format.sampleRate };
}

/** The format and the bytes that are samples, or why there are none: a clause without a subject. */
export function wavParts(bytes: Uint8Array): { readonly format: WavFormat; readonly data: Uint8Array } | string {
  if (!isWav(bytes)) return 'is no WAV file';
  const view = viewOf(bytes);
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) return `announces ${end} bytes and has ${bytes.length}`;
  let format: WavFormat | undefined;
  for (let at = 12; at + 8 <= end; ) {
    const [name, size] = [wordAt(bytes, at), view.getUint32(at + 4, true)];
    if (at + 8 + size > end) return `has a part of ${size} bytes of which ${end - at - 8} are there`;
    if (name === 'fmt ') {
      if (size < 16) return 'does not tell its format';
      format = formatAt(view, at + 8, size);
      const why = whyNot(format);
      if (why !== undefined) return why;
    } else if (name === 'data') {
      if (format === undefined) return 'has samples before it tells their format';
      if (size < format.blockBytes) return 'has no samples';
      return { format, data: bytes.subarray(at + 8, at + 8 + size) };
    }
    // Parts begin at even offsets.
    at += 8 + size + (size % 2);
  }
  return format === undefined ? 'does not tell its format' : 'has no samples';
}

function formatAt(view: DataView, at: number, size: number): WavFormat {
  const tag = view.getUint16(at, true);
  return {
    tag: tag === EXTENSIBLE && size >= 40 ? view.getUint16(at + 24, true) : tag,
    channels: view.getUint16(at + 2, true),
    sampleRate: view.getUint32(at + 4, true),
    blockBytes: view.getUint16(at + 12, true),
    bits: view.getUint16(at + 14, true),
  };
}

function whyNot({ tag, channels, sampleRate, blockBytes, bits }: WavFormat): string | undefined {
  if (!FORMATS.has(tag)) return `has samples in format ${tag}, which is neither linear nor float nor A-law nor mu-law`;
  if (sampleRate < 1 || sampleRate > HIGHEST_RATE) return `has ${sampleRate} samples a second`;
  if (channels < 1 || bits < 8 || blockBytes !== channels * Math.ceil(bits / 8))
    return `has ${channels} channels of ${bits} bits in ${blockBytes} bytes, which does not add up`;
  return undefined;
}
