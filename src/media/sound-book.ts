// Every sound that the exchange plays, by name: prompts, numbers, texts, uploads, tones, music. Knows no call, and speaks only if it is given a voice.
import { isLanguage, type Language, markerOf, promptWords } from './languages.ts';
import { digitPrompts, PROMPTS, type PromptName, speechMs } from './prompts.ts';
import { sniffAudio } from './sniff.ts';
import { inSequence, type Sound, soundOf } from './sound.ts';
import { isTone, melody, type ToneName, tone } from './tones.ts';
import { music } from './tunes.ts';
import { decodeWav } from './wav.ts';

type Kind = 'MP3' | 'MP4' | 'AAC';

/** Programs that know more of sound than we do; each tells undefined when it could not. */
export interface Voices {
  /** Reads a text aloud in a language: a WAV file. */
  speak(text: string, language: Language, done: (wav: Uint8Array | undefined) => void): void;
  /** Decodes a file that is no WAV: samples of 16 bits, one channel, 8000 a second. */
  decode(file: Uint8Array, kind: Kind, done: (samples: Int16Array | undefined) => void): void;
}

/** Texts and uploads that are kept; the one last asked for goes last. */
const KEPT_SOUNDS = 50;
/** An upload whose file does not say how long it is counts as so long; a longer one than the other is cut there. */
const UNTOLD_MS = 3000;
export const LONGEST_UPLOAD_MS = 180_000;
/** Of a text, what its name tells. */
const NAMED_CHARACTERS = 200;

export class SoundBook {
  readonly #voices: Voices | undefined;
  readonly #prompts = new Map<string, Sound>();
  readonly #kept = new Map<string, { readonly source: string; readonly sound: Sound }>();
  readonly #music = music();
  /** By the name of the class; the one last asked for goes last. */
  readonly #tunes = new Map<string, Sound>();

  constructor(voices?: Voices) {
    this.#voices = voices;
  }

  /** A prompt of the catalogue: spoken where there is a voice, else a melody of its own; always as long as the catalogue says. */
  prompt(name: PromptName, language: Language = 'en'): Sound {
    const full = `${kindIn('prompt', language)}/${name}`;
    const known = this.#prompts.get(full);
    if (known !== undefined) return known;
    const sound = this.#worded(full, promptWords(name, language), PROMPTS[name].ms, language);
    this.#prompts.set(full, sound);
    return sound;
  }

  /** A prompt and a number after it, digit by digit: `promptWithNumber('position', 12)` is the prompt, one, two. */
  promptWithNumber(name: PromptName, number: number, language: Language = 'en'): Sound {
    const names = [name, ...digitPrompts(number)];
    return inSequence(
      `${kindIn('prompt', language)}/${name}/${number}`,
      names.map((each) => this.prompt(each, language)),
    );
  }

  /** A text that somebody wrote, `speechMs` long, read in a language. */
  text(text: string, language: Language = 'en'): Sound {
    const name = `${kindIn('text', language)}/${text.slice(0, NAMED_CHARACTERS)}`;
    return this.#keep(name, text, () => this.#worded(name, text, speechMs(text), language));
  }

  /** An uploaded file in Base64, as long as the file says; `name` says where it is from: `vmannouncements/12`. */
  upload(name: string, base64: string): Sound {
    return this.#keep(`upload/${name}`, base64, () => this.#decoded(`upload/${name}`, base64));
  }

  tone(name: ToneName): Sound {
    return tone(name);
  }

  /** Music on hold, to be repeated: that of a class, by its name, or the standard one. */
  music(className?: string): Sound {
    if (className === undefined) return this.#music;
    const tune = this.#tunes.get(className) ?? music(className);
    this.#tunes.delete(className);
    this.#tunes.set(className, tune);
    const [oldest] = this.#tunes.keys();
    if (this.#tunes.size > KEPT_SOUNDS && oldest !== undefined) this.#tunes.delete(oldest);
    return tune;
  }

  /** What a name of the journal stands for, as far as it can be made again; else a melody as long. */
  named(name: string, durationMs: number): Sound {
    const [head = '', rest = ''] = [name.split('/', 1)[0], name.slice(name.indexOf('/') + 1)];
    const [kind = '', spoken = 'en'] = head.split(':');
    const language = isLanguage(spoken) ? spoken : 'en';
    if (kind === 'music') return this.music(name === kind ? undefined : rest);
    if (kind === 'prompt' && isPrompt(rest)) return this.prompt(rest, language);
    if (kind === 'tone' && isTone(rest)) return tone(rest);
    const [prompt = '', number = ''] = rest.split('/');
    if (kind === 'prompt' && isPrompt(prompt) && /^\d{1,9}$/.test(number))
      return this.promptWithNumber(prompt, Number(number), language);
    const kept = this.#kept.get(name)?.sound;
    if (kept?.durationMs === durationMs) return kept;
    return soundOf(name, durationMs, () => melody(name, durationMs, markerOf(language)));
  }

  #worded(name: string, words: string, ms: number, language: Language): Sound {
    const voices = this.#voices;
    const ask = (done: (samples: Int16Array | undefined) => void): void =>
      voices?.speak(words, language, (wav) => done(wav === undefined ? undefined : decodeWav(wav)));
    return lateSound(name, ms, voices && ask, markerOf(language));
  }

  #decoded(name: string, base64: string): Sound {
    const file = Buffer.from(base64, 'base64');
    const sniffed = sniffAudio(file);
    const seconds = sniffed.ok ? sniffed.value.seconds : undefined;
    const ms = Math.min(LONGEST_UPLOAD_MS, seconds === undefined ? UNTOLD_MS : Math.round(seconds * 1000));
    if (!sniffed.ok) return soundOf(name, ms, () => melody(name, ms));
    const { type } = sniffed.value;
    if (type === 'WAV') return soundOf(name, ms, () => decodeWav(file) ?? melody(name, ms));
    const voices = this.#voices;
    return lateSound(name, ms, voices && ((done) => voices.decode(file, type, done)));
  }

  #keep(name: string, source: string, make: () => Sound): Sound {
    const known = this.#kept.get(name);
    this.#kept.delete(name);
    const kept = known?.source === source ? known : { source, sound: make() };
    this.#kept.set(name, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_SOUNDS && oldest !== undefined) this.#kept.delete(oldest);
    return kept.sound;
  }
}

/** Asked for when somebody listens for the first time; until it is there, and when it cannot be made, it is its melody. */
function lateSound(
  name: string,
  durationMs: number,
  ask: ((done: (samples: Int16Array | undefined) => void) => void) | undefined,
  markerHertz?: number,
): Sound {
  let sound = soundOf(name, durationMs, () => melody(name, durationMs, markerHertz));
  if (ask === undefined) return sound;
  let state: 'new' | 'under way' | 'done' = 'new';
  const arrived = (samples: Int16Array | undefined): void => {
    state = 'done';
    if (samples !== undefined) sound = soundOf(name, durationMs, () => samples);
  };
  return {
    name,
    durationMs,
    isUnderWay: () => state === 'under way',
    samples: () => {
      if (state === 'new') {
        state = 'under way';
        ask(arrived);
      }
      return sound.samples();
    },
  };
}

/** What the names of a language's sounds begin with: English goes without saying. */
function kindIn(kind: 'prompt' | 'text', language: Language): string {
  return language === 'en' ? kind : `${kind}:${language}`;
}

function isPrompt(name: string): name is PromptName {
  return Object.hasOwn(PROMPTS, name);
}
