// The length of MP3 files by the heads of their frames, against heads written out by hand from the tables of the standard.
import { describe, expect, it } from 'vitest';
import { mp3Seconds } from './mp3-frames.ts';

/** A frame of that head, filled up to its length. */
function frame(head: readonly number[], bytes: number): Buffer {
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length)]);
}

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz, no padding: 417 bytes, 1152 samples. */
const MPEG_1 = frame([0xff, 0xfb, 0x90, 0x00], 417);
/** MPEG 2.5 layer III, 32 kbit/s, 8 kHz, one channel: 288 bytes, 576 samples. */
const MPEG_25 = frame([0xff, 0xe3, 0x48, 0xc0], 288);

describe('the length of an MP3 file', () => {
  it.each([
    ['two seconds and a bit at 44.1 kHz', Buffer.concat(Array.from({ length: 77 }, () => MPEG_1)), 2.0114],
    ['a second at 8 kHz', Buffer.concat(Array.from({ length: 14 }, () => MPEG_25)), 1.008],
    [
      'the same behind a tag',
      Buffer.concat([
        Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2]),
        Buffer.alloc(130),
        ...Array.from({ length: 14 }, () => MPEG_25),
      ]),
      1.008,
    ],
  ])('is %s', (_what, file, seconds) => {
    expect(mp3Seconds(file)).toBeCloseTo(seconds, 3);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['JSON', Buffer.from('{"message": "no such recording"}')],
    ['WAV', Buffer.from('RIFF\u0024\u0000\u0000\u0000WAVEfmt ')],
    ['one frame alone', MPEG_1],
    ['layer II', Buffer.concat([frame([0xff, 0xfd, 0x90, 0x00], 417), frame([0xff, 0xfd, 0x90, 0x00], 417)])],
    ['an endless tag', Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 127, 127, 127, 127])],
  ])('is none of %s', (_what, file) => {
    expect(mp3Seconds(file)).toBeUndefined();
  });
});
