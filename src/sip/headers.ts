// Ordered header fields, looked up by their full name in any case; compact names are expanded (RFC 3261, 7.3). Unknown ones are kept.
import { type HeaderName, headerName } from './header-names.ts';

export interface HeaderField {
  /** As it is written on the wire. */
  readonly name: string;
  readonly value: string;
}

/** Names and values side by side, not an object a line: a live call keeps several messages, and each passes many hands. */
export class Headers {
  #names: HeaderName[] = [];
  #values: string[] = [];
  /** What the reader found that is no header field, in words; the fields around it are kept and validate.ts refuses the message. */
  flaw: string | undefined;

  static of(fields: ReadonlyArray<readonly [name: string, value: string]>): Headers {
    const headers = new Headers();
    for (const [name, value] of fields) headers.append(name, value);
    return headers;
  }

  /** The first value under that name, as written. */
  get(name: string): string | undefined {
    const at = this.#indexOf(headerName(name));
    return at < 0 ? undefined : this.#values[at];
  }

  /** Every field value under that name, one per header line, in order. A line may itself hold a list. */
  all(name: string): string[] {
    const wanted = headerName(name);
    const first = this.#indexOf(wanted);
    if (first < 0) return [];
    // Nearly always one: a list that is grown has room for seventeen.
    const values = [this.#values[first] ?? ''];
    for (let at = this.#indexOf(wanted, first + 1); at >= 0; at = this.#indexOf(wanted, at + 1)) {
      values.push(this.#values[at] ?? '');
    }
    return values;
  }

  /** How many lines carry that name. */
  count(name: string): number {
    const { key } = headerName(name);
    let lines = 0;
    for (const other of this.#names) if (other.key === key) lines += 1;
    return lines;
  }

  has(name: string): boolean {
    return this.#indexOf(headerName(name)) >= 0;
  }

  /** Adds a line at the end. Line breaks in the value become spaces: no value can start a header of its own. */
  append(name: string, value: string): this {
    this.#names.push(headerName(name));
    this.#values.push(onOneLine(value));
    return this;
  }

  /** Adds a line as it was read from the wire, its name resolved and its value free of line ends. For the parser. */
  appendRead(name: HeaderName, value: string): void {
    this.#names.push(name);
    this.#values.push(value);
  }

  /** Adds a line before all others of its name (Via, Record-Route). */
  prepend(name: string, value: string): this {
    this.#names.unshift(headerName(name));
    this.#values.unshift(onOneLine(value));
    return this;
  }

  /** Adds all lines of that name of another message, in order. */
  appendFrom(source: Headers, name: string): this {
    const wanted = headerName(name);
    for (let at = source.#indexOf(wanted); at >= 0; at = source.#indexOf(wanted, at + 1)) {
      this.appendRead(source.#names[at] ?? wanted, source.#values[at] ?? '');
    }
    return this;
  }

  /** Replaces all lines of that name by one, in the place of the first. */
  set(name: string, value: string): this {
    const wanted = headerName(name);
    const at = this.#indexOf(wanted);
    if (at < 0) return this.append(name, value);
    if (this.#indexOf(wanted, at + 1) >= 0) this.#keep((key, index) => index <= at || key !== wanted.key);
    this.#names[at] = wanted;
    this.#values[at] = onOneLine(value);
    return this;
  }

  delete(name: string): this {
    const { key } = headerName(name);
    this.#keep((other) => other !== key);
    return this;
  }

  /** How many lines there are. */
  get size(): number {
    return this.#names.length;
  }

  *[Symbol.iterator](): IterableIterator<HeaderField> {
    for (const [at, { name }] of this.#names.entries()) yield { name, value: this.#values[at] ?? '' };
  }

  /** The names of all lines, in order; known ones in their usual writing. */
  get names(): readonly Pick<HeaderName, 'name'>[] {
    return this.#names;
  }

  copy(): Headers {
    const headers = new Headers();
    headers.#names = this.#names.slice();
    headers.#values = this.#values.slice();
    return headers;
  }

  /** The lines as they go on the wire, each with its CRLF, but for Content-Length, which is the serialiser's. */
  toWire(): string {
    let text = '';
    for (let at = 0; at < this.#names.length; at += 1) {
      const name = this.#names[at] ?? CONTENT_LENGTH;
      if (name !== CONTENT_LENGTH) text += `${name.label}${this.#values[at]}\r\n`;
    }
    return text;
  }

  /** A name that SIP knows is one object, so that its key is not looked at. */
  #indexOf(wanted: HeaderName, from = 0): number {
    if (wanted.known) return this.#names.indexOf(wanted, from);
    return this.#names.findIndex(({ key }, at) => at >= from && key === wanted.key);
  }

  #keep(wanted: (key: string, index: number) => boolean): void {
    const values = this.#values;
    this.#values = values.filter((_, index) => wanted(this.#names[index]?.key ?? '', index));
    this.#names = this.#names.filter(({ key }, index) => wanted(key, index));
  }
}

const CONTENT_LENGTH = headerName('Content-Length');

/** The one key under which a header is kept, whether its name was written in full, in short, or in capitals. */
export function headerKey(name: string): string {
  return headerName(name).key;
}

/**
 * The same text in memory of its own. What is read from a message is a window on its whole text: a name kept in a call
 * record, or a tag in a dialog, would keep a kilobyte alive.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** The text on one line: what a user typed into a name must not become a header (RFC 3261, 26.1). */
export function onOneLine(text: string): string {
  if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) return text;
  return text.replace(/[\r\n]+[ \t]*/g, ' ');
}
