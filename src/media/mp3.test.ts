// MP3: the length that was announced, and what an independent player hears in it.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mp3Bytes, recordingFormat } from '../contract/recording-format.ts';
import { heard, interop, loudness, probe, strength } from './ffmpeg.rig.ts';
import { loadMp3Encoder, type Mp3Encoder } from './mp3.ts';

let encoder: Mp3Encoder;
beforeAll(async () => {
  encoder = await loadMp3Encoder();
});

function* tone(samples: number, piece = 8000, hertz = 440): Generator<Float32Array> {
  for (let start = 0; start < samples; start += piece) {
    yield Float32Array.from(
      { length: Math.min(piece, samples - start) },
      (_, at) => 0.3 * Math.sin((2 * Math.PI * hertz * (start + at)) / recordingFormat.sampleRate),
    );
  }
}

function fileOf(samples: number, piece?: number): Buffer {
  return Buffer.concat([...encoder.encode(tone(samples, piece))]);
}

describe('the length of a recording', () => {
  it.each([
    [0, 576],
    [0.1, 1152],
    [1, 4608],
    [61, 244_800],
    [600, 2_400_768],
    [3600, 14_400_576],
  ])('of %d s is %d bytes', (seconds, bytes) => {
    expect(mp3Bytes(seconds)).toBe(bytes);
  });

  it.each([0, 0.1, 1, 2, 5, 61, 600])('of %d s is what the encoder writes', (seconds) => {
    expect(fileOf(seconds * 8000).length).toBe(mp3Bytes(seconds));
  });

  it('is that of the encoder for any number of samples', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (samples) => {
        expect(fileOf(samples).length).toBe(mp3Bytes(samples / 8000));
      }),
      { numRuns: 150 },
    );
  });
});

describe('the MP3 file', () => {
  it('is the same however the samples are cut, and after an abandoned one', () => {
    const whole = fileOf(24_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), (piece) => {
        encoder.encode(tone(8000, 500, 1000)).next();
        expect(fileOf(24_000, piece).equals(whole)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('is made of frames alone: MPEG 2.5, layer III, 32 kbit/s, 8 kHz, one channel, 288 bytes each', () => {
    const bytes = fileOf(16_000);
    expect(bytes.length % 288).toBe(0);
    for (let at = 0; at < bytes.length; at += 288) expect(bytes.subarray(at, at + 3).toString('hex')).toBe('ffe348');
  });

  it.runIf(interop).each([1, 2, 61])('of %d s is one for ffprobe', (seconds) => {
    const { duration, ...told } = probe(fileOf(seconds * 8000));
    expect(told).toEqual({ codec: 'mp3', sampleRate: 8000, channels: 1, bitRate: 32_000 });
    expect(Math.abs(duration - seconds)).toBeLessThanOrEqual(0.25);
  });

  it.runIf(interop)('sounds as it was spoken', () => {
    const samples = heard(fileOf(16_000)).subarray(4000, 12_000);
    // LAME takes a twentieth off, against clipping.
    expect(loudness(samples)).toBeCloseTo((0.95 * 0.3) / Math.SQRT2, 2);
    expect(strength(samples, 440)).toBeGreaterThan(0.27);
    expect(strength(samples, 1000)).toBeLessThan(0.01);
  });
});
