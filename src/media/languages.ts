// The languages in which the exchange speaks: what each of its prompts says in them, and what tells one where nobody speaks. Makes no sound.
import { languageCodes } from '../contract/codes.ts';
import { PROMPTS, type PromptName } from './prompts.ts';
import { de } from './words/de.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { it } from './words/it.ts';
import { nl } from './words/nl.ts';
import { pl } from './words/pl.ts';
import { pt } from './words/pt.ts';

export type Language = keyof typeof languageCodes.codes;

const TRANSLATED: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<PromptName, string>>>> = {
  ...{ de, fr, es, it, nl, pl, pt },
};

/** Where the melodies of a language begin, by its code: none of these is a tone of anything else. Hz. */
const MARKER_BASE = 1200;
const MARKER_STEP = 70;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languageCodes.codes, text);
}

/** The language that somebody has written, with a region or not: `de`, `de-AT`, `de_CH`. English when it is none of ours. */
export function languageOf(written: string): Language {
  const [word = ''] = written.trim().toLowerCase().split(/[-_]/, 1);
  return isLanguage(word) ? word : 'en';
}

export function promptWords(name: PromptName, language: Language): string {
  return language === 'en' ? PROMPTS[name].words : TRANSLATED[language][name];
}

/** The tone with which melodies in that language begin; English ones have none. Hz. */
export function markerOf(language: Language): number | undefined {
  return language === 'en' ? undefined : MARKER_BASE + MARKER_STEP * languageCodes.codes[language];
}
