// The grammar that header values share: lists, parameters, quoted strings, tokens (RFC 3261, 25.1). Knows no particular header.

/** Parameters by their name in small letters; the value as written (quotes kept), or true when there is none. */
export type Params = ReadonlyMap<string, string | true>;

/** The one empty map of all values without parameters. */
export const NO_PARAMS: Params = new Map();

/** More parameters than this on one value and it counts as malformed. */
export const MAX_PARAMS = 64;

const QUOTE = 34;
const COMMA = 44;
const SEMICOLON = 59;
const LESS = 60;
const GREATER = 62;
const BACKSLASH = 92;

const TOKEN = /^[\w\-.!%*+`'~]+$/;
const LOOSE_VALUE = /^[^\s",;<>]*$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The members of a comma-separated list: commas within quotes or angle brackets do not count. Empty members are kept. */
export function splitList(value: string): string[] {
  if (value.indexOf(',') < 0) return [value.trim()];
  const members: string[] = [];
  let from = 0;
  let bracketed = false;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === QUOTE && !bracketed) at = endOfQuoted(value, at) - 1;
    else if (code === LESS) bracketed = true;
    else if (code === GREATER) bracketed = false;
    else if (code === COMMA && !bracketed) {
      members.push(value.slice(from, at).trim());
      from = at + 1;
    }
  }
  members.push(value.slice(from).trim());
  return members;
}

/** The offset after the closing quote of the quoted string that opens at `at`; past the end when it never closes. */
export function endOfQuoted(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end + 1;
  }
  return text.length + 1;
}

/** Reads `;name=value;name ...` from an offset to the end. Undefined when it is anything else. The first of a name counts. */
export function parseParams(text: string, from: number): Params | undefined {
  let params: Map<string, string | true> | undefined;
  const isSound = eachParam(text, from, (key, value) => {
    params ??= new Map();
    if (params.size >= MAX_PARAMS) return false;
    if (!params.has(key)) params.set(key, value);
    return true;
  });
  return isSound ? (params ?? NO_PARAMS) : undefined;
}

/** Shows each of `;name=value;name ...`, the name in small letters, until `take` returns false. False when it did, and for anything else. */
export function eachParam(text: string, from: number, take: (key: string, value: string | true) => boolean): boolean {
  let at = skipBlank(text, from);
  while (at < text.length) {
    if (text.charCodeAt(at) !== SEMICOLON) return false;
    const end = endOfParam(text, at + 1);
    const equals = text.indexOf('=', at + 1);
    const bare = equals < 0 || equals > end;
    const name = text.slice(at + 1, bare ? end : equals).trim();
    if (!isToken(name)) return false;
    const value = bare ? true : text.slice(equals + 1, end).trim();
    if (value !== true && !isParamValue(value)) return false;
    if (!take(name.toLowerCase(), value)) return false;
    at = end;
  }
  return true;
}

export function formatParams(params: ReadonlyMap<string, string | true>): string {
  let text = '';
  for (const [name, value] of params) text += value === true ? `;${name}` : `;${name}=${value}`;
  return text;
}

/** The text of a quoted string without its quotes and escapes; any other text as it is. */
export function unquote(text: string): string {
  if (text.charCodeAt(0) !== QUOTE || text.length < 2) return text;
  const inner = text.slice(1, -1);
  return inner.indexOf('\\') < 0 ? inner : inner.replace(/\\([\s\S])/g, '$1');
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1;
  return at;
}

function endOfParam(text: string, from: number): number {
  const end = text.indexOf(';', from);
  const quoteAt = text.indexOf('"', from);
  if (quoteAt < 0 || (end >= 0 && quoteAt > end)) return end < 0 ? text.length : end;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfQuoted(text, at) - 1;
    else if (code === SEMICOLON) return at;
  }
  return text.length;
}

/** Looser than gen-value, as phones are: base64 tags and the like; but white space, commas and brackets only in quotes. */
function isParamValue(value: string): boolean {
  if (value.charCodeAt(0) === QUOTE) return endOfQuoted(value, 0) === value.length;
  return LOOSE_VALUE.test(value);
}
