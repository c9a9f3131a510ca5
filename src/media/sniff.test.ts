// Sniffing: files that an independent encoder made are known for what they are; everything else is refused, in words.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interop, madeByFfmpeg } from './ffmpeg.rig.ts';
import { loadMp3Encoder } from './mp3.ts';
import { sniffAudio } from './sniff.ts';

const MP3 = ['-c:a', 'libmp3lame', '-b:a', '64k'] as const;
const AAC = ['-c:a', 'aac', '-b:a', '64k'] as const;

function refusal(bytes: Uint8Array): string {
  const sniffed = sniffAudio(bytes);
  return sniffed.ok ? `taken as ${sniffed.value.type}` : sniffed.failure.message;
}

/** Of one second, 8000 samples of 16 bits. */
function wav(change: (view: DataView, bytes: Uint8Array) => void = () => {}): Uint8Array {
  const bytes = new Uint8Array(44 + 16_000);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string): void => bytes.set(Buffer.from(text, 'latin1'), at);
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 16_000, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, 16_000, true);
  change(view, bytes);
  return bytes;
}

describe.runIf(interop)('files of ffmpeg', () => {
  it.each([
    ['MP3', 'a.mp3', MP3],
    ['MP3', 'variable.mp3', ['-c:a', 'libmp3lame', '-q:a', '5']],
    ['MP3', 'stereo.mp3', [...MP3, '-ac', '2', '-ar', '44100']],
    [
      'MP3',
      'tagged.mp3',
      [...MP3, '-id3v2_version', '4', '-metadata', 'title=Wir sind gleich da', '-write_id3v1', '1'],
    ],
    ['MP3', 'low.mp3', ['-c:a', 'libmp3lame', '-ar', '8000', '-b:a', '8k']],
    ['MP4', 'a.m4a', AAC],
    ['MP4', 'a.mp4', [...AAC, '-movflags', '+faststart']],
    ['WAV', 'a.wav', []],
    ['WAV', 'float.wav', ['-c:a', 'pcm_f32le', '-ac', '2']],
    ['WAV', 'law.wav', ['-c:a', 'pcm_mulaw', '-ar', '8000']],
    ['WAV', 'many.wav', ['-ac', '6']],
    ['AAC', 'a.aac', AAC],
  ])('%s: %s', (type, name, coded) => {
    const sniffed = sniffAudio(madeByFfmpeg(name, 3, ...coded));
    expect(sniffed).toMatchObject({ ok: true, value: { type } });
    // Encoders fill up whole frames at both ends.
    if (sniffed.ok) expect(Math.abs((sniffed.value.seconds ?? 0) - 3)).toBeLessThan(0.3);
  });

  it.each([
    ['a.ogg', ['-c:a', 'libvorbis'], 'The file is an Ogg file. Expected MP3, MP4, WAV or AAC.'],
    ['a.flac', [], 'The file is a FLAC file. Expected MP3, MP4, WAV or AAC.'],
    ['a.mp2', ['-c:a', 'mp2'], 'The MPEG audio is MPEG audio of layer 2, not III. Expected MP3, MP4, WAV or AAC.'],
    ['adpcm.wav', ['-c:a', 'adpcm_ms'], expect.stringContaining('The WAV file has samples in format 2')],
    ['a.aiff', [], 'The file is an AIFF file. Expected MP3, MP4, WAV or AAC.'],
  ])('%s is refused', (name, coded, message) => {
    expect(refusal(madeByFfmpeg(name, 1, ...coded))).toEqual(message);
  });

  it('a film without sound is refused', () => {
    const film = ['-f', 'lavfi', '-i', 'color=size=32x32:duration=1', '-map', '1:v', '-c:v', 'libx264'];
    expect(refusal(madeByFfmpeg('film.mp4', 1, ...film))).toMatch(/^The MP4 file has no track of sound/);
  });

  it.each([
    ['a.mp3', MP3],
    ['a.m4a', AAC],
    ['a.wav', []],
    ['a.aac', AAC],
  ])('%s cut short anywhere is refused, or is a whole shorter file', (name, coded) => {
    const whole = madeByFfmpeg(name, 1, ...coded);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
        const sniffed = sniffAudio(whole.subarray(0, length));
        if (!sniffed.ok) expect(sniffed.failure.message).toMatch(/Expected MP3, MP4, WAV or AAC\.$/);
        else expect(['MP3', 'AAC']).toContain(sniffed.value.type);
      }),
      { numRuns: 200 },
    );
    // The last byte is missed.
    expect(sniffAudio(whole.subarray(0, -1)).ok).toBe(false);
  });
});

describe('our own files', () => {
  it('are MP3', async () => {
    const bytes = Buffer.concat([...(await loadMp3Encoder()).encode([new Float32Array(16_000)])]);
    expect(sniffAudio(bytes)).toMatchObject({ ok: true, value: { type: 'MP3' } });
  });

  it('WAV of one second', () => {
    expect(sniffAudio(wav())).toEqual({ ok: true, value: { type: 'WAV', seconds: 1 } });
  });
});

describe('refused with the reason', () => {
  const frame = [0xff, 0xe3, 0x48, 0xc4];
  it.each<[string, Uint8Array, string | RegExp]>([
    ['nothing', new Uint8Array(0), 'The file is empty. Expected MP3, MP4, WAV or AAC.'],
    [
      'a mebibyte of zeros',
      new Uint8Array(1024 * 1024),
      'The file is of no known kind. Expected MP3, MP4, WAV or AAC.',
    ],
    ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), /^The file is a PNG image\./],
    ['text', Buffer.from('This is no sound at all.'), /^The file is of no known kind\./],
    ['a name that is longer than the content', Buffer.from('RIFF'), /^The file is of no known kind\./],
    ['the beginning of a frame', Uint8Array.from(frame), /^The MPEG audio ends in the middle of a frame\./],
    [
      'one frame alone',
      Uint8Array.from({ length: 288 }, (_, at) => frame[at] ?? 0),
      /^The MPEG audio has no two frames/,
    ],
    [
      'a frame and zeros',
      Uint8Array.from({ length: 999 }, (_, at) => frame[at] ?? 0),
      /^The MPEG audio is broken at byte 288/,
    ],
    ['all bits set', new Uint8Array(1000).fill(0xff), /^The MPEG audio/],
    [
      'a tag without end',
      Buffer.from('ID3\x04\x00\x00\x7f\x7f\x7f\x7f', 'latin1'),
      /an ID3 tag that is larger than the file/,
    ],
    [
      'an MP4 of a name alone',
      Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0', 'latin1'),
      /^The MP4 file has no table of contents/,
    ],
    ['an MP4 box beyond the file', Buffer.from('\x7f\0\0\x10ftypM4A \0\0\0\0', 'latin1'), /larger than the file/],
    ['an MP4 box of no size', Buffer.from('\0\0\0\x02ftypM4A \0\0\0\0', 'latin1'), /larger than the file/],
    [
      'a WAV that announces more',
      wav((view) => view.setUint32(4, 99_999, true)),
      /announces 100007 bytes and has 16044/,
    ],
    [
      'samples that are not there',
      wav((view) => view.setUint32(40, 16_001, true)),
      /a part of 16001 bytes of which 16000/,
    ],
    ['no samples', wav((view) => view.setUint32(40, 0, true)), /has no samples/],
    [
      'samples before the format',
      wav((_, bytes) => bytes.set(Buffer.from('data'), 12)),
      /before it tells their format/,
    ],
    ['no channel', wav((view) => view.setUint16(22, 0, true)), /has 0 channels of 16 bits in 2 bytes/],
    ['no rate', wav((view) => view.setUint32(24, 0, true)), /has 0 samples a second/],
  ])('%s', (_, bytes, message) => {
    expect(refusal(bytes)).toMatch(message);
  });

  it('whatever it is, never by an exception', () => {
    const beginnings = [
      'RIFF\x10\0\0\0WAVEfmt ',
      '\0\0\0\x10ftypM4A \0\0\0\0',
      'ID3\x04\0\0\0\0\0\x02',
      '\xff\xfb\x90',
      '\xff\xf1\x50',
    ];
    const beginning = fc.constantFrom('', ...beginnings).map((text) => Buffer.from(text, 'latin1'));
    fc.assert(
      fc.property(beginning, fc.uint8Array({ maxLength: 600 }), (first, rest) => {
        expect(refusal(Buffer.concat([first, rest]))).toMatch(/Expected MP3, MP4, WAV or AAC\.$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('in time that grows with the file, not faster', () => {
    const boxes = Buffer.alloc(1024 * 1024);
    for (let at = 0; at < boxes.length; at += 8) boxes.set([0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70], at);
    expect(refusal(boxes)).toMatch(/does not tell its brand/);
  });
});

describe('a changed byte', () => {
  it('in the frames of an MP3 is no longer a file, or still one: nothing else', async () => {
    const whole = Buffer.concat([...(await loadMp3Encoder()).encode([new Float32Array(8000)])]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = Uint8Array.from(whole);
        changed[at] = value;
        const sniffed = sniffAudio(changed);
        if (sniffed.ok) expect(sniffed.value.type).toBe('MP3');
      }),
    );
  });
});
