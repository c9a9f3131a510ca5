// A sound book opened at one language: whoever speaks to a party speaks so. Knows no user.
import type { Language } from './languages.ts';
import type { PromptName } from './prompts.ts';
import type { Sound } from './sound.ts';
import type { SoundBook } from './sound-book.ts';

export class Tongue {
  readonly #book: SoundBook;
  readonly #language: Language;

  constructor(book: SoundBook, language: Language) {
    this.#book = book;
    this.#language = language;
  }

  prompt(name: PromptName): Sound {
    return this.#book.prompt(name, this.#language);
  }

  promptWithNumber(name: PromptName, number: number): Sound {
    return this.#book.promptWithNumber(name, number, this.#language);
  }

  text(text: string): Sound {
    return this.#book.text(text, this.#language);
  }
}
