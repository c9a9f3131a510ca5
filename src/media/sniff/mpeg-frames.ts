// MPEG audio as frames, one after the other: MP3 (layer III) and AAC in ADTS. Reads headers only.
import { type Reading, viewOf, wordAt } from './sound.ts';

/** A file that has fewer frames than this could be anything with the right two bytes. */
const FEWEST_FRAMES = 2;

interface Frame {
  /** With its header. */
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  /** What must not change within a file. */
  readonly kind: string;
}

/** Twelve or eleven set bits begin a frame of either. */
export function isFrame(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
}

/** The frames from an offset on, to the end of the file or the tags there. */
export function readFrames(bytes: Uint8Array, start: number): Reading {
  const isAac = ((bytes[start + 1] ?? 0) & 0xf6) === 0xf0;
  const read = isAac ? adtsFrame : layer3Frame;
  const end = endOfFrames(bytes, start);
  let frames = 0;
  let seconds = 0;
  let kind: string | undefined;
  for (let at = start; at < end; frames += 1) {
    const frame = read(bytes, at);
    if (typeof frame === 'string') return frames === 0 ? frame : `is broken at byte ${at}: ${frame}`;
    if (frame.kind !== (kind ?? frame.kind)) return `changes its format at byte ${at}`;
    if (at + frame.bytes > end) return 'ends in the middle of a frame';
    kind = frame.kind;
    if (frames > 0 || !tellsOfFile(bytes, at, frame)) seconds += frame.samples / frame.sampleRate;
    at += frame.bytes;
  }
  if (frames < FEWEST_FRAMES) return 'has no two frames of sound';
  return { type: isAac ? 'AAC' : 'MP3', seconds };
}

/** Samples per second by version (2.5, none, 2, 1) and index: ISO 11172-3, 2.4.2.3, and its extensions. */
const RATES = [[11_025, 12_000, 8000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]] as const;
const VERSION_1 = 3;
const LAYER_3 = 1;
/** kbit/s of layer III by index. 0 would be a free format, which is not told apart from noise. */
const KILOBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KILOBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MONO = 3;

function layer3Frame(bytes: Uint8Array, at: number): Frame | string {
  const [second = 0, third = 0, fourth = 0] = bytes.subarray(at + 1, at + 4);
  if (at + 4 > bytes.length) return 'ends in the middle of a frame';
  if (!isFrame(bytes, at)) return 'no frame begins there';
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  if (layer !== LAYER_3) return `is MPEG audio of layer ${layer === 0 ? 'unknown' : 4 - layer}, not III`;
  const sampleRate = RATES[version]?.[(third >> 2) & 3];
  const kilobits = (version === VERSION_1 ? KILOBITS_1 : KILOBITS_2)[third >> 4] ?? 0;
  if (sampleRate === undefined || kilobits === 0) return 'has a frame of no known rate';
  const samples = version === VERSION_1 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return {
    bytes: Math.floor((samples * kilobits * 125) / sampleRate) + padding,
    samples,
    sampleRate,
    kind: `${version}/${sampleRate}/${fourth >> 6 === MONO}`,
  };
}

/** The first frame of many MP3 files holds no sound but what encoders tell of the file. */
function tellsOfFile(bytes: Uint8Array, at: number, { bytes: length }: Frame): boolean {
  const version = ((bytes[at + 1] ?? 0) >> 3) & 3;
  const isMono = (bytes[at + 3] ?? 0) >> 6 === MONO;
  const sideBytes = version === VERSION_1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const isLayer3 = (((bytes[at + 1] ?? 0) >> 1) & 3) === LAYER_3;
  return isLayer3 && length > sideBytes + 8 && ['Xing', 'Info'].includes(wordAt(bytes, at + 4 + sideBytes));
}

/** ISO 14496-3, 1.6.3.4. */
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const ADTS_HEADER = 7;

// ISO 13818-7, 6.2: sync, layer 0, the sizes of the frame.
function adtsFrame(bytes: Uint8Array, at: number): Frame | string {
  if (at + ADTS_HEADER > bytes.length) return 'ends in the middle of a frame';
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = bytes.subarray(at);
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return 'no frame begins there';
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  if (sampleRate === undefined) return 'has a frame of no known rate';
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (length <= ADTS_HEADER) return 'has a frame without content';
  const channels = ((third & 1) << 2) | (fourth >> 6);
  return {
    bytes: length,
    samples: 1024 * ((seventh & 3) + 1),
    sampleRate,
    kind: `${second & 8}/${third >> 6}/${sampleRate}/${channels}`,
  };
}

const ID3V1_BYTES = 128;
const APE_BYTES = 32;

/** Without an ID3v1 tag, and an APE tag before it. */
function endOfFrames(bytes: Uint8Array, start: number): number {
  let end = bytes.length;
  if (end - ID3V1_BYTES >= start && wordAt(bytes, end - ID3V1_BYTES, 3) === 'TAG') end -= ID3V1_BYTES;
  if (end - APE_BYTES >= start && wordAt(bytes, end - APE_BYTES, 8) === 'APETAGEX') {
    const footer = viewOf(bytes);
    const [size, flags] = [footer.getUint32(end - 20, true), footer.getUint32(end - 12, true)];
    const hasHeader = flags >>> 31 === 1;
    end = Math.max(start, end - size - (hasHeader ? APE_BYTES : 0));
  }
  return end;
}

const ID3_HEADER = 10;

/** Where the ID3v2 tags at the beginning end; undefined when one goes beyond the file (ID3v2.4, 3.1). */
export function afterTags(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (wordAt(bytes, at, 3) === 'ID3' && at + ID3_HEADER <= bytes.length) {
    const sizes = bytes.subarray(at + 6, at + ID3_HEADER);
    if (sizes.some((byte) => byte > 0x7f)) return undefined;
    const hasFooter = ((bytes[at + 5] ?? 0) & 0x10) !== 0;
    at += ID3_HEADER + sizes.reduce((size, byte) => size * 128 + byte, 0) + (hasFooter ? ID3_HEADER : 0);
    if (at > bytes.length) return undefined;
  }
  return at;
}
