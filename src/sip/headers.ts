// Ordered header fields, looked up by their full name in any case; compact names are expanded (RFC 3261, 7.3). Unknown ones are kept.
import { type HeaderName, headerName } from './header-names.ts';

export interface HeaderField {
  /** As it is written on the wire. */
  readonly name: string;
  readonly value: string;
}

interface Field extends HeaderField {
  readonly key: string;
}

export class Headers {
  #fields: Field[] = [];

  static of(fields: ReadonlyArray<readonly [name: string, value: string]>): Headers {
    const headers = new Headers();
    for (const [name, value] of fields) headers.append(name, value);
    return headers;
  }

  /** The first value under that name, as written. */
  get(name: string): string | undefined {
    const key = headerName(name).key;
    for (const field of this.#fields) if (field.key === key) return field.value;
    return undefined;
  }

  /** Every field value under that name, one per header line, in order. A line may itself hold a list. */
  all(name: string): string[] {
    const key = headerName(name).key;
    const values: string[] = [];
    for (const field of this.#fields) if (field.key === key) values.push(field.value);
    return values;
  }

  /** How many lines carry that name. */
  count(name: string): number {
    const key = headerName(name).key;
    let lines = 0;
    for (const field of this.#fields) if (field.key === key) lines += 1;
    return lines;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Adds a line at the end. Line breaks in the value become spaces: no value can start a header of its own. */
  append(name: string, value: string): this {
    this.#fields.push(fieldOf(name, value));
    return this;
  }

  /** Adds a line as it was read from the wire, its name resolved and its value free of line ends. For the parser. */
  appendRead(name: HeaderName, value: string): void {
    this.#fields.push({ key: name.key, name: name.name, value });
  }

  /** Adds a line before all others of its name (Via, Record-Route). */
  prepend(name: string, value: string): this {
    this.#fields.unshift(fieldOf(name, value));
    return this;
  }

  /** Adds all lines of that name of another message, in order. */
  appendFrom(source: Headers, name: string): this {
    const key = headerName(name).key;
    for (const field of source.#fields) if (field.key === key) this.#fields.push(field);
    return this;
  }

  /** Replaces all lines of that name by one, in the place of the first. */
  set(name: string, value: string): this {
    const field = fieldOf(name, value);
    const at = this.#fields.findIndex((other) => other.key === field.key);
    if (at < 0) this.#fields.push(field);
    else {
      this.#fields = this.#fields.filter((other, index) => index <= at || other.key !== field.key);
      this.#fields[at] = field;
    }
    return this;
  }

  delete(name: string): this {
    const key = headerName(name).key;
    this.#fields = this.#fields.filter((field) => field.key !== key);
    return this;
  }

  /** How many lines there are. */
  get size(): number {
    return this.#fields.length;
  }

  [Symbol.iterator](): IterableIterator<HeaderField> {
    return this.#fields[Symbol.iterator]();
  }

  copy(): Headers {
    const headers = new Headers();
    headers.#fields = this.#fields.slice();
    return headers;
  }

  /** The lines as they go on the wire, each with its CRLF, but for Content-Length, which is the serialiser's. */
  toWire(): string {
    let text = '';
    for (const field of this.#fields) {
      if (field.key !== 'content-length') text += `${field.name}: ${field.value}\r\n`;
    }
    return text;
  }
}

/** The one key under which a header is kept, whether its name was written in full, in short, or in capitals. */
export function headerKey(name: string): string {
  return headerName(name).key;
}

/** The text on one line: what a user typed into a name must not become a header (RFC 3261, 26.1). */
export function onOneLine(text: string): string {
  if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) return text;
  return text.replace(/[\r\n]+[ \t]*/g, ' ');
}

function fieldOf(name: string, value: string): Field {
  const known = headerName(name);
  return { key: known.key, name: known.name, value: onOneLine(value) };
}
