// The sounds of the exchange: how long they are, whoever makes them, and that no two prompts are alike.
import { describe, expect, it } from 'vitest';
import { languageCodes } from '../contract/codes.ts';
import { heard, interop, madeByFfmpeg, strength } from './ffmpeg.rig.ts';
import { type Language, languageOf, markerOf, promptWords } from './languages.ts';
import { digitPrompts, PROMPTS, type PromptName, speechMs } from './prompts.ts';
import { SoundBook, type Voices } from './sound-book.ts';
import { KEYS, keySound, tone } from './tones.ts';
import { music, tuneOf } from './tunes.ts';
import { wavFile } from './wav.rig.ts';
import { decodeWav } from './wav.ts';

const names = Object.keys(PROMPTS) as PromptName[];
const floats = (samples: Int16Array): Float32Array => Float32Array.from(samples, (sample) => sample / 32_768);

/** A voice that answers when it is told to. */
function voice() {
  const asked: string[] = [];
  const languages: string[] = [];
  const answers: Array<(bytes: Uint8Array | undefined) => void> = [];
  const voices: Voices = {
    speak: (text, language, done) => {
      asked.push(text);
      languages.push(language);
      answers.push(done);
    },
    decode: (_, kind, done) => {
      asked.push(kind);
      answers.push((bytes) => done(bytes && Int16Array.from(bytes)));
    },
  };
  return { asked, languages, answers, voices };
}

/** A second of 16 bits, as loud as told. */
function wav(loud: number, seconds = 1): Uint8Array {
  return wavFile(8000 * seconds, () => loud);
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

describe('a language', () => {
  const languages = languageCodes.words;
  /** The first 300 ms of a prompt. */
  const begins = (language: Language): Float32Array =>
    floats(new SoundBook().prompt('goodbye', language).samples()).subarray(0, 2400);

  it.each(languages.filter((language) => language !== 'en'))(
    '%s has its own words, its own tone, and the same times',
    (language) => {
      const book = new SoundBook();
      for (const name of names) {
        const [own, english] = [book.prompt(name, language), book.prompt(name)];
        expect([own.name, own.durationMs]).toEqual([`prompt:${language}/${name}`, english.durationMs]);
        expect(promptWords(name, language)).not.toBe('');
        expect(own.samples().join()).not.toBe(english.samples().join());
      }
      const differing = names.filter((name) => promptWords(name, language) !== promptWords(name, 'en'));
      expect(differing.length).toBeGreaterThan(names.length - 3);
    },
  );

  it('is told by the tone with which its melodies begin: 1200 Hz and 70 more for each code', () => {
    const tones = [1340, 1410, 1480, 1550, 1620, 1690, 1760];
    expect(languages.map(markerOf)).toEqual([undefined, ...tones]);
    tones.forEach((hertz, index) => {
      const language = languages[index + 1] ?? 'en';
      expect(strength(begins(language), hertz)).toBeGreaterThan(0.2);
      for (const other of tones) if (other !== hertz) expect(strength(begins(language), other)).toBeLessThan(0.02);
      expect(strength(begins('en'), hertz)).toBeLessThan(0.02);
    });
  });

  it('is that of the voice', () => {
    const { asked, languages: spoken, voices } = voice();
    const book = new SoundBook(voices);
    book.prompt('goodbye', 'de').samples();
    book.text('Guten Tag', 'de').samples();
    book.text('Good day').samples();
    expect([asked, spoken]).toEqual([
      ['Auf Wiederhören.', 'Guten Tag', 'Good day'],
      ['de', 'de', 'en'],
    ]);
  });

  it('is read off what somebody wrote, with a region or not; English is what is left', () => {
    expect(['de', 'de-AT', 'PT_BR', ' nl ', 'xx', '', 'toString'].map(languageOf)).toEqual([
      ...['de', 'de', 'pt', 'nl', 'en', 'en', 'en'],
    ]);
  });
});

describe('music', () => {
  it('is another tune for another class, and the same for the same', () => {
    const classes = ['Piano', 'Guitar', 'Jazz', 'Christmas', 'piano'];
    const tunes = [undefined, ...classes].map((name) => music(name).samples().join());
    expect(new Set(tunes).size).toBe(6);
    expect(music('Piano').samples()).toEqual(new SoundBook().music('Piano').samples());
    expect(music('Piano').name).toBe('music/Piano');
    expect(music().name).toBe('music');
  });

  it('sounds at the notes of its tune, one after the other', () => {
    const { hertz, beatMs } = tuneOf('Piano');
    const samples = floats(music('Piano').samples());
    expect(samples.length).toBe(hertz.length * beatMs * 8);
    hertz.forEach((note, at) => {
      const beat = samples.subarray(at * beatMs * 8, (at + 1) * beatMs * 8);
      expect(strength(beat, note)).toBeGreaterThan(0.05);
      expect(strength(beat, 261.63 * 2 ** (1 / 24))).toBeLessThan(strength(beat, note) / 3);
    });
  });

  it('of classes that were long not asked for is made again', () => {
    const book = new SoundBook();
    const first = book.music('class 0');
    for (let at = 1; at <= 60; at += 1) book.music(`class ${at}`);
    expect(book.music('class 0')).not.toBe(first);
    expect(book.music('class 0').samples()).toEqual(first.samples());
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
    expect(book.named('music/A/B', 3000)).toBe(book.music('A/B'));
    expect(book.named('prompt:de/invalid', 2000)).toBe(book.prompt('invalid', 'de'));
    expect(book.named('prompt:fr/position/3', 3000).samples()).toEqual(
      book.promptWithNumber('position', 3, 'fr').samples(),
    );
    expect(book.named('text:it/Buongiorno', 1000).samples()).toEqual(
      new SoundBook().text('Buongiorno', 'it').samples(),
    );
    expect(book.named('prompt:xx/invalid', 2000)).toBe(book.prompt('invalid'));
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
