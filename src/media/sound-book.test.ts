// The sounds of the exchange: how long they are, whoever makes them, and that no two prompts are alike.
import { describe, expect, it } from 'vitest';
import { heard, interop, madeByFfmpeg, strength } from './ffmpeg.rig.ts';
import { digitPrompts, PROMPTS, type PromptName, speechMs } from './prompts.ts';
import { SoundBook, type Voices } from './sound-book.ts';
import { KEYS, keySound, tone } from './tones.ts';
import { decodeWav } from './wav.ts';

const names = Object.keys(PROMPTS) as PromptName[];
const floats = (samples: Int16Array): Float32Array => Float32Array.from(samples, (sample) => sample / 32_768);

/** A voice that answers when it is told to. */
function voice() {
  const asked: string[] = [];
  const answers: Array<(bytes: Uint8Array | undefined) => void> = [];
  const voices: Voices = {
    speak: (text, done) => {
      asked.push(text);
      answers.push(done);
    },
    decode: (_, kind, done) => {
      asked.push(kind);
      answers.push((bytes) => done(bytes && Int16Array.from(bytes)));
    },
  };
  return { asked, answers, voices };
}

/** A second of 16 bits, as loud as told. */
function wav(loud: number, seconds = 1): Uint8Array {
  const bytes = Buffer.alloc(44 + 16_000 * seconds);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(16_000 * seconds, 40);
  for (let at = 44; at < bytes.length; at += 2) bytes.writeInt16LE(loud, at);
  return bytes;
}

describe('a prompt', () => {
  it('is as long as the catalogue says, and a melody of its own', () => {
    const book = new SoundBook();
    const melodies = names.map((name) => {
      const sound = book.prompt(name);
      expect([sound.name, sound.samples().length]).toEqual([`prompt/${name}`, PROMPTS[name].ms * 8]);
      return sound.samples().join();
    });
    expect(new Set(melodies).size).toBe(names.length);
    expect(new SoundBook().prompt('invalid').samples()).toEqual(book.prompt('invalid').samples());
  });

  it('is followed by a number, digit by digit', () => {
    const sound = new SoundBook().promptWithNumber('position', 12);
    expect([sound.name, sound.durationMs, sound.samples().length]).toEqual(['prompt/position/12', 3500, 28_000]);
    expect(digitPrompts(105)).toEqual(['digit-1', 'digit-0', 'digit-5']);
    expect([digitPrompts(-1), digitPrompts(Number.NaN)]).toEqual([['digit-0'], ['digit-0']]);
  });

  it('is spoken where there is a voice, for who asks again when it is there, and as long as before', () => {
    const { asked, answers, voices } = voice();
    const sound = new SoundBook(voices).prompt('goodbye');
    expect(asked).toEqual([]);
    const melody = sound.samples();
    expect([asked, sound.isUnderWay?.()]).toEqual([['Goodbye.'], true]);
    answers[0]?.(wav(5000, 2));
    expect(sound.isUnderWay?.()).toBe(false);
    expect([...new Set(sound.samples())]).toEqual([5000]);
    expect(sound.samples().length).toBe(melody.length);
    expect(asked).toHaveLength(1);
  });

  it('stays a melody when the voice fails', () => {
    const { answers, voices } = voice();
    const sound = new SoundBook(voices).prompt('goodbye');
    const melody = sound.samples();
    answers[0]?.(undefined);
    expect([sound.samples(), sound.isUnderWay?.()]).toEqual([melody, false]);
  });
});

describe('a text', () => {
  it('is as long as its characters are, whether somebody speaks or not', () => {
    expect([speechMs(''), speechMs('Hello'), speechMs('x'.repeat(10_000))]).toEqual([300, 700, 60_000]);
    const { voices } = voice();
    for (const book of [new SoundBook(), new SoundBook(voices)]) expect(book.text('Hello').durationMs).toBe(700);
  });
});

describe('an upload', () => {
  it('is its own sound, as long as the file', () => {
    const sound = new SoundBook().upload('ivr/1', Buffer.from(wav(700, 3)).toString('base64'));
    expect([sound.name, sound.durationMs]).toEqual(['upload/ivr/1', 3000]);
    expect([...new Set(sound.samples())]).toEqual([700]);
  });

  it('is another one when other bytes have the same name', () => {
    const book = new SoundBook();
    const [one, other] = [wav(1), wav(2)].map((file) => book.upload('ivr/1', Buffer.from(file).toString('base64')));
    expect([one?.samples()[0], other?.samples()[0]]).toEqual([1, 2]);
  });

  it('is a melody where it is no sound at all', () => {
    const sound = new SoundBook().upload('ivr/1', 'bm8gc291bmQ=');
    expect([sound.durationMs, sound.samples().length]).toEqual([3000, 24_000]);
  });

  it.runIf(interop)('is decoded by the machine when it is no WAV', () => {
    const { asked, answers, voices } = voice();
    const file = Buffer.from(madeByFfmpeg('a.mp3', 2, '-c:a', 'libmp3lame')).toString('base64');
    const sound = new SoundBook(voices).upload('ivr/1', file);
    expect(Math.abs(sound.durationMs - 2000)).toBeLessThan(150);
    sound.samples();
    answers[0]?.(Uint8Array.of(7, 8, 9));
    expect([asked, ...sound.samples().subarray(0, 4)]).toEqual([['MP3'], 7, 8, 9, 0]);
  });
});

describe('a name of the journal', () => {
  it('stands for the same sound again', () => {
    const book = new SoundBook();
    expect(book.named('prompt/invalid', 2000).samples()).toEqual(book.prompt('invalid').samples());
    expect(book.named('music', 3000)).toBe(book.music());
    expect(book.named('tone/beep', 400).samples()).toEqual(book.tone('beep').samples());
    expect(book.named('prompt/position/12', 3500).samples()).toEqual(book.promptWithNumber('position', 12).samples());
    const upload = book.upload('ivr/1', Buffer.from(wav(7)).toString('base64'));
    expect(book.named('upload/ivr/1', 1000)).toBe(upload);
  });

  it('is a melody as long where it cannot be made again', () => {
    for (const name of ['upload/ivr/9', 'prompt/hasOwnProperty', 'prompt/position/x', 'tone/none', 'whatever', ''])
      expect(new SoundBook().named(name, 500).samples()).toHaveLength(4000);
  });
});

describe('tones', () => {
  it.each([
    ['1', 697, 1209],
    ['0', 941, 1336],
    ['*', 941, 1209],
    ['#', 941, 1477],
    ['D', 941, 1633],
  ] as const)('of key %s are %i and %i Hz (ITU-T Q.23)', (key, low, high) => {
    const samples = floats(keySound(key, 100).samples());
    expect(strength(samples, low)).toBeGreaterThan(0.1);
    expect(strength(samples, high)).toBeGreaterThan(0.1);
    expect(strength(samples, 600)).toBeLessThan(0.02);
  });

  it('are told apart by all keys', () => {
    expect(new Set(KEYS.map((key) => keySound(key, 50).samples().join())).size).toBe(16);
  });

  it('of call progress sound at 425 Hz, and pause', () => {
    const ringback = floats(tone('ringback').samples());
    expect(ringback.length).toBe(40_000);
    expect(strength(ringback.subarray(0, 8000), 425)).toBeGreaterThan(0.2);
    expect(Math.max(...ringback.subarray(8000))).toBe(0);
  });
});

describe.runIf(interop)('WAV files of ffmpeg', () => {
  it.each([
    ['pcm_s16le', 44_100, 2],
    ['pcm_u8', 8000, 1],
    ['pcm_s24le', 16_000, 1],
    ['pcm_s32le', 22_050, 1],
    ['pcm_f32le', 48_000, 6],
    ['pcm_f64le', 11_025, 1],
    ['pcm_alaw', 8000, 1],
    ['pcm_mulaw', 6000, 2],
  ])('%s at %i Hz, %i channels, are heard as ffmpeg hears them', (codec, rate, channels) => {
    const file = madeByFfmpeg('a.wav', 1, '-c:a', codec, '-ar', `${rate}`, '-ac', `${channels}`);
    const ours = floats(decodeWav(file) ?? new Int16Array(0));
    const theirs = heard(file);
    expect(Math.abs(ours.length - theirs.length)).toBeLessThan(40);
    expect(strength(ours, 440)).toBeGreaterThan(20 * strength(ours, 600));
    // Of several channels ffmpeg's one is louder: a sum, and no mean.
    if (channels === 1) expect(strength(ours, 440) / strength(theirs, 440)).toBeCloseTo(1, 1);
  });
});

describe('what is no WAV', () => {
  it('is not decoded', () => {
    for (const bytes of [new Uint8Array(0), Buffer.from('RIFF'), wav(1).subarray(0, 50)])
      expect(decodeWav(bytes)).toBeUndefined();
  });
});
