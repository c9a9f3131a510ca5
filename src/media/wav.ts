// WAV to the samples of a telephone: linear, float, A-law and mu-law, any rate, any number of channels. Trusts no byte of the file.
import { aLawToLinear, muLawToLinear } from './g711.ts';
import { type WavFormat, wavParts } from './sniff/wav.ts';
import { SOUND_RATE } from './sound.ts';

/** Samples that are made of one file at most: three minutes. */
const MOST_SAMPLES = 180 * SOUND_RATE;

/** One channel, the mean of all. Undefined for what is no WAV, or has samples that nobody here can read. */
export function decodeWav(bytes: Uint8Array): Int16Array | undefined {
  const parts = wavParts(bytes);
  if (typeof parts === 'string') return undefined;
  const { format, data } = parts;
  const read = readerOf(format);
  if (read === undefined) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const frames = Math.floor(data.length / format.blockBytes);
  const frameAt = (frame: number): number => {
    let sum = 0;
    for (let channel = 0; channel < format.channels; channel += 1)
      sum += read(view, frame * format.blockBytes + (channel * format.blockBytes) / format.channels);
    return sum / format.channels;
  };
  return resampled(frameAt, frames, format.sampleRate);
}

/** Each sample is the mean of the stretch that it stands for (coming from more), or lies between its neighbours (from fewer). */
function resampled(frameAt: (frame: number) => number, frames: number, rate: number): Int16Array {
  const step = rate / SOUND_RATE;
  const samples = new Int16Array(Math.min(MOST_SAMPLES, Math.floor(frames / step)));
  for (let at = 0; at < samples.length; at += 1) {
    const from = at * step;
    samples[at] = Math.round(step > 1 ? meanOf(frameAt, from, from + step, frames) : between(frameAt, from, frames));
  }
  return samples;
}

function meanOf(frameAt: (frame: number) => number, from: number, to: number, frames: number): number {
  const [first, end] = [Math.floor(from), Math.min(frames, Math.max(Math.floor(from) + 1, Math.floor(to)))];
  let sum = 0;
  for (let frame = first; frame < end; frame += 1) sum += frameAt(frame);
  return sum / (end - first);
}

function between(frameAt: (frame: number) => number, at: number, frames: number): number {
  const before = Math.floor(at);
  const part = at - before;
  return frameAt(before) * (1 - part) + frameAt(Math.min(frames - 1, before + 1)) * part;
}

/** Reads one sample at an offset, 16 bits wide. */
type Reader = (view: DataView, at: number) => number;

const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;

function readerOf({ tag, bits }: WavFormat): Reader | undefined {
  if (tag === A_LAW && bits === 8) return (view, at) => aLawToLinear(view.getUint8(at));
  if (tag === MU_LAW && bits === 8) return (view, at) => muLawToLinear(view.getUint8(at));
  if (tag === FLOAT && bits === 32) return (view, at) => fromFloat(view.getFloat32(at, true));
  if (tag === FLOAT && bits === 64) return (view, at) => fromFloat(view.getFloat64(at, true));
  if (tag !== PCM) return undefined;
  if (bits === 8) return (view, at) => (view.getUint8(at) - 128) << 8;
  if (bits === 16) return (view, at) => view.getInt16(at, true);
  if (bits === 24) return (view, at) => view.getInt16(at + 1, true);
  if (bits === 32) return (view, at) => view.getInt16(at + 2, true);
  return undefined;
}

function fromFloat(value: number): number {
  return Number.isFinite(value) ? Math.max(-32_768, Math.min(32_767, value * 32_768)) : 0;
}
