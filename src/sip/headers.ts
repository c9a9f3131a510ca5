// Ordered header fields, looked up by their full name in any case; compact names are expanded (RFC 3261, 7.3). Unknown ones are kept.

const COMPACT: Readonly<Record<string, string>> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
};

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
    const key = headerKey(name);
    for (const field of this.#fields) if (field.key === key) return field.value;
    return undefined;
  }

  /** Every field value under that name, one per header line, in order. A line may itself hold a list. */
  all(name: string): string[] {
    const key = headerKey(name);
    const values: string[] = [];
    for (const field of this.#fields) if (field.key === key) values.push(field.value);
    return values;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Adds a line at the end. */
  append(name: string, value: string): this {
    this.#fields.push({ key: headerKey(name), name: COMPACT[name.toLowerCase()] ?? name, value });
    return this;
  }

  /** Adds a line before all others of its name (Via, Record-Route). */
  prepend(name: string, value: string): this {
    this.#fields.unshift({ key: headerKey(name), name: COMPACT[name.toLowerCase()] ?? name, value });
    return this;
  }

  /** Replaces all lines of that name by one, in the place of the first. */
  set(name: string, value: string): this {
    const key = headerKey(name);
    const at = this.#fields.findIndex((field) => field.key === key);
    if (at < 0) return this.append(name, value);
    const field = { key, name: COMPACT[name.toLowerCase()] ?? name, value };
    this.#fields = this.#fields.filter((other, index) => index <= at || other.key !== key);
    this.#fields[at] = field;
    return this;
  }

  delete(name: string): this {
    const key = headerKey(name);
    this.#fields = this.#fields.filter((field) => field.key !== key);
    return this;
  }

  [Symbol.iterator](): IterableIterator<HeaderField> {
    return this.#fields[Symbol.iterator]();
  }

  copy(): Headers {
    const headers = new Headers();
    headers.#fields = this.#fields.slice();
    return headers;
  }
}

/** The one key under which a header is kept, whether its name was written in full, in short, or in capitals. */
export function headerKey(name: string): string {
  const lower = name.toLowerCase();
  return lower.length === 1 ? (COMPACT[lower]?.toLowerCase() ?? lower) : lower;
}
