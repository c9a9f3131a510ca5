// G.711: 16-bit samples to mu-law and A-law and back, by tables. Knows no packet.

export type Law = 'PCMU' | 'PCMA';

/** What the codes of silence look like: the smallest step above zero of each law. */
export const SILENCE: Readonly<Record<Law, number>> = { PCMU: 0xff, PCMA: 0xd5 };

// G.711, table 2: sign, segment and step, all inverted; 33 (of 14 bits) moves each segment to a power of two.
const MU_BIAS = 33;
// G.711, table 1: sign, segment and step; every other bit is inverted on the line.
const A_LINE = 0x55;
const MU_LINEAR = Int16Array.from({ length: 256 }, (_, code) => muLawStep(code));
const A_LINEAR = Int16Array.from({ length: 256 }, (_, code) => aLawStep(code));
/** By the upper 14 and 13 bits of a sample: all that the laws look at. */
const TO_MU = Uint8Array.from({ length: 1 << 14 }, (_, index) => muLawCode(((index << 18) >> 18) * 4));
const TO_A = Uint8Array.from({ length: 1 << 13 }, (_, index) => aLawCode(((index << 19) >> 19) * 8));

export function muLawToLinear(code: number): number {
  return MU_LINEAR[code & 0xff] ?? 0;
}

export function aLawToLinear(code: number): number {
  return A_LINEAR[code & 0xff] ?? 0;
}

/** `sample`: 16 bits, signed. */
export function linearToMuLaw(sample: number): number {
  return TO_MU[(sample >> 2) & 0x3fff] ?? 0;
}

export function linearToALaw(sample: number): number {
  return TO_A[(sample >> 3) & 0x1fff] ?? 0;
}

export function encode(law: Law, samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  const code = law === 'PCMU' ? linearToMuLaw : linearToALaw;
  for (let at = 0; at < samples.length; at += 1) codes[at] = code(samples[at] ?? 0);
  return codes;
}

export function decode(law: Law, codes: Uint8Array): Int16Array {
  const samples = new Int16Array(codes.length);
  const table = law === 'PCMU' ? MU_LINEAR : A_LINEAR;
  for (let at = 0; at < codes.length; at += 1) samples[at] = table[codes[at] ?? 0] ?? 0;
  return samples;
}

function muLawStep(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 7;
  const magnitude = (((2 * (bits & 15) + MU_BIAS) << segment) - MU_BIAS) * 4;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

function muLawCode(sample: number): number {
  const magnitude = Math.min(8158, sample < 0 ? -sample >> 2 : sample >> 2) + MU_BIAS;
  const segment = 31 - Math.clz32(magnitude) - 5;
  const bits = (segment << 4) | ((magnitude >> (segment + 1)) & 15) | (sample < 0 ? 0x80 : 0);
  return ~bits & 0xff;
}

function aLawStep(code: number): number {
  const bits = code ^ A_LINE;
  const segment = (bits >> 4) & 7;
  const step = 2 * (bits & 15) + 1;
  const magnitude = (segment === 0 ? step : (step + 32) << (segment - 1)) * 8;
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
}

function aLawCode(sample: number): number {
  const positive = sample >= 0;
  // One's complement for the negative half, so that both halves have as many steps.
  const magnitude = (positive ? sample : ~sample) >> 4;
  const segment = magnitude < 32 ? (magnitude < 16 ? 0 : 1) : 31 - Math.clz32(magnitude) - 3;
  const step = segment < 2 ? magnitude & 15 : (magnitude >> (segment - 1)) & 15;
  return ((positive ? 0x80 : 0) | (segment << 4) | step) ^ A_LINE;
}
