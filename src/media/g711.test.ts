// G.711 against the values of the recommendation, and against an independent codec.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { interop } from './ffmpeg.rig.ts';
import { aLawToLinear, decode, encode, linearToALaw, linearToMuLaw, muLawToLinear } from './g711.ts';

const CODES = Uint8Array.from({ length: 256 }, (_, code) => code);
/** Where an A-law code stands among all, by the sample that it is for. */
const RANKS = Array.from(
  CODES,
  (code) => [...CODES].filter((other) => aLawToLinear(other) < aLawToLinear(code)).length,
);
const SAMPLES = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768);

describe('mu-law', () => {
  // ITU-T G.711, table 2a: the decoder's output of 14 bits, here in 16.
  it.each([
    [0x80, 8031 * 4],
    [0x8f, 4191 * 4],
    [0xff, 0],
    [0xfe, 2 * 4],
    [0x00, -8031 * 4],
    [0x7f, 0],
  ])('code %i is %i', (code, sample) => {
    expect(muLawToLinear(code)).toBeCloseTo(sample, 10);
  });

  it('has for silence the code of silence', () => {
    expect(linearToMuLaw(0)).toBe(0xff);
  });
});

describe('A-law', () => {
  // ITU-T G.711, table 1a: 13 bits, here in 16, with the even bits inverted as on the line.
  it.each([
    [0xaa, 4032 * 8],
    [0xd5, 8],
    [0x55, -8],
    [0x2a, -4032 * 8],
  ])('code %i is %i', (code, sample) => {
    expect(aLawToLinear(code)).toBe(sample);
  });

  it('has for silence the code of silence', () => {
    expect(linearToALaw(0)).toBe(0xd5);
  });
});

describe.each([
  ['PCMU', 132, 32_124],
  ['PCMA', 16, 32_256],
] as const)('%s', (law, smallest, largest) => {
  it('gives each code back for the sample that it stands for', () => {
    const again = encode(law, decode(law, CODES));
    // Mu-law has two codes for zero.
    const expected = law === 'PCMU' ? CODES.map((code) => (code === 0x7f ? 0xff : code)) : CODES;
    expect([...again]).toEqual([...expected]);
  });

  it('is never further from the sample than half a step, and rises with it', () => {
    const heard = decode(law, encode(law, SAMPLES));
    heard.forEach((value, at) => {
      const sample = SAMPLES[at] ?? 0;
      const step = Math.max(smallest, Math.abs(sample) / 16);
      if (Math.abs(sample) <= largest) expect(Math.abs(value - sample), `${sample}`).toBeLessThanOrEqual(step);
      if (at > 0 && value < (heard[at - 1] ?? 0)) throw new Error(`falls at ${sample}`);
    });
  });
});

describe.runIf(interop)('ffmpeg', () => {
  const coded = (args: readonly string[], input: Uint8Array): Uint8Array => {
    const { stdout, status } = spawnSync('ffmpeg', ['-v', 'error', ...args, '-'], { input, maxBuffer: 1 << 24 });
    expect(status).toBe(0);
    return Uint8Array.from(stdout);
  };

  it.each([
    ['PCMU', 'mulaw'],
    ['PCMA', 'alaw'],
  ] as const)('decodes each code of %s to the same sample', (law, format) => {
    const raw = coded(['-f', format, '-ar', '8000', '-i', '-', '-f', 's16le'], CODES);
    const theirs = new Int16Array(raw.buffer, raw.byteOffset, 256);
    expect([...decode(law, CODES)]).toEqual([...theirs]);
  });

  it.each([
    ['PCMU', 'mulaw'],
    ['PCMA', 'alaw'],
  ] as const)('encodes all samples in %s to the same codes, but for those where two are as near', (law, format) => {
    const theirs = coded(['-f', 's16le', '-ar', '8000', '-i', '-', '-f', format], new Uint8Array(SAMPLES.buffer));
    const ours = encode(law, SAMPLES);
    const rank = (code: number): number => (law === 'PCMU' ? (code < 128 ? code : 383 - code) : (RANKS[code] ?? 0));
    const apart = [...ours].filter((code, at) => code !== theirs[at]);
    expect(apart.length / SAMPLES.length).toBeLessThan(0.02);
    for (const [at, code] of ours.entries())
      if (Math.abs(rank(code) - rank(theirs[at] ?? 0)) > 1) throw new Error(`${SAMPLES[at]}: ${code}, ${theirs[at]}`);
  });
});
