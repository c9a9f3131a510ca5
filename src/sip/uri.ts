// SIP, SIPS and tel URIs (RFC 3261, 19.1; RFC 3966). Does not resolve hosts.
import { NO_PARAMS, type Params } from './header-lists.ts';

export interface SipUri {
  /** In small letters: sip, sips, tel or another. */
  readonly scheme: string;
  /** Unescaped. Of a tel URI the number. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** In small letters, IPv6 with brackets; empty for schemes other than sip and sips. */
  readonly host: string;
  readonly port: number | undefined;
  /** URI parameters by name in small letters, values unescaped. */
  readonly params: Params;
  /** The headers after `?`, by name in small letters, unescaped. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of other schemes all that follows the colon, as written; else empty. */
  readonly opaque: string;
}

const SCHEME = /^[a-z][a-z\d+.-]*$/i;
/** Blanks, controls, quotes and angle brackets. */
const FORBIDDEN = /[^!#-;=?-~\u0080-\uffff]/;
const HOST_PORT = /^([a-z\d](?:[\w.-]*[a-z\d])?\.?|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i;
/** The everyday forms of a SIP URI, as a pattern for any case. */
export const PLAIN_URI = String.raw`sips?:(?:[\w.+-]+@)?[a-z\d](?:[\w.-]*[a-z\d])?(?::\d{1,4})?(?:;[\w.-]+(?:=[\w.-]+)?)*`;
const PLAIN = new RegExp(`^${PLAIN_URI}$`, 'i');
const BAD_ESCAPE = /%(?![\da-f]{2})/i;

/** Undefined for anything that is no URI. A scheme unknown to us is no error: its rest is `opaque`. */
export function parseUri(text: string): SipUri | undefined {
  const colon = text.indexOf(':');
  const written = text.slice(0, Math.max(0, colon));
  const scheme = written === 'sip' ? 'sip' : written.toLowerCase();
  if (!SCHEME.test(scheme) || FORBIDDEN.test(text)) return undefined;
  const rest = text.slice(colon + 1);
  if (rest === '') return undefined;
  if (scheme === 'sip' || scheme === 'sips') return parseSip(scheme, rest);
  if (scheme === 'tel') return parseTel(rest);
  return { ...BLANK, scheme, opaque: rest };
}

/** True for the everyday forms of a SIP URI, without parsing: where only its soundness matters. False means: parse it. */
export function isPlainUri(text: string): boolean {
  return PLAIN.test(text);
}

/** The URI as text, with escapes where they are needed. */
export function formatUri(uri: SipUri): string {
  let text = `${uri.scheme}:`;
  if (uri.scheme !== 'sip' && uri.scheme !== 'sips' && uri.scheme !== 'tel') return text + uri.opaque;
  if (uri.user !== undefined) text += escaped(uri.user, /[^\w\-.!~*'()&=+$,;?/]/gu);
  if (uri.password !== undefined) text += `:${escaped(uri.password, /[^\w\-.!~*'()&=+$,]/gu)}`;
  if (uri.scheme !== 'tel') text += uri.user === undefined ? uri.host : `@${uri.host}`;
  if (uri.port !== undefined) text += `:${uri.port}`;
  for (const [name, value] of uri.params) {
    text += `;${escaped(name, NOT_IN_PARAM)}${value === true ? '' : `=${escaped(value, NOT_IN_PARAM)}`}`;
  }
  let mark = '?';
  for (const [name, value] of uri.headers) {
    text += `${mark}${escaped(name, NOT_IN_HEADER)}=${escaped(value, NOT_IN_HEADER)}`;
    mark = '&';
  }
  return text;
}

// RFC 3261, 19.1.4.
/**
 * Whether two URIs, as written, are equivalent: user and password to the letter, all else in any case; user, ttl,
 * method, maddr and transport must be in both or neither, other parameters only agree where both have them.
 */
export function sameUri(a: string, b: string): boolean {
  if (a === b) return true;
  const left = parseUri(a);
  const right = parseUri(b);
  if (left === undefined || right === undefined || left.scheme !== right.scheme) return false;
  if (left.opaque !== right.opaque || left.host !== right.host || left.port !== right.port) return false;
  if (left.scheme === 'tel' && digits(left.user) !== digits(right.user)) return false;
  if (left.scheme !== 'tel' && writtenUser(a) !== writtenUser(b)) return false;
  return sameParams(left, right) && sameHeaders(left, right);
}

const NO_HEADERS: SipUri['headers'] = new Map();
const BLANK = {
  ...{ user: undefined, password: undefined, host: '', port: undefined, opaque: '' },
  ...{ params: NO_PARAMS, headers: NO_HEADERS },
};
const NOT_IN_PARAM = /[^\w\-.!~*'()[\]/:&+$]/gu;
const NOT_IN_HEADER = /[^\w\-.!~*'()[\]/?:+$]/gu;
const DECISIVE = ['user', 'ttl', 'method', 'maddr', 'transport'];

function parseSip(scheme: string, rest: string): SipUri | undefined {
  const at = rest.indexOf('@');
  if (at === 0) return undefined;
  const userinfo = at < 0 ? undefined : rest.slice(0, at);
  const mark = rest.indexOf('?', at + 1);
  const semicolon = rest.indexOf(';', at + 1);
  const paramsEnd = mark < 0 ? rest.length : mark;
  const hostEnd = semicolon < 0 || semicolon > paramsEnd ? paramsEnd : semicolon;
  const hostPort = HOST_PORT.exec(rest.slice(at + 1, hostEnd));
  if (hostPort === null || Number(hostPort[2] ?? 0) > 65_535) return undefined;
  const params = parseUriParams(rest.slice(hostEnd, paramsEnd));
  const headers = mark < 0 ? NO_HEADERS : parseUriHeaders(rest.slice(mark + 1));
  if (params === undefined || headers === undefined) return undefined;
  let user: string | undefined;
  let password: string | undefined;
  if (userinfo !== undefined) {
    const colon = userinfo.indexOf(':');
    user = unescaped(colon < 0 ? userinfo : userinfo.slice(0, colon));
    if (user === undefined || user === '') return undefined;
    if (colon >= 0) {
      password = unescaped(userinfo.slice(colon + 1));
      if (password === undefined) return undefined;
    }
  }
  const port = hostPort[2] === undefined ? undefined : Number(hostPort[2]);
  return { scheme, user, password, host: (hostPort[1] ?? '').toLowerCase(), port, params, headers, opaque: '' };
}

// RFC 3966: the number, then parameters.
function parseTel(rest: string): SipUri | undefined {
  const semicolon = rest.indexOf(';');
  const user = semicolon < 0 ? rest : rest.slice(0, semicolon);
  const params = semicolon < 0 ? NO_PARAMS : parseUriParams(rest.slice(semicolon));
  if (params === undefined || !/^\+?[\da-f*#().-]+$/i.test(user)) return undefined;
  return { ...BLANK, scheme: 'tel', user, params };
}

function parseUriParams(text: string): Params | undefined {
  if (text === '') return NO_PARAMS;
  const params = new Map<string, string | true>();
  for (const part of text.slice(1).split(';')) {
    const equals = part.indexOf('=');
    const name = unescaped(equals < 0 ? part : part.slice(0, equals))?.toLowerCase();
    const value = equals < 0 ? true : unescaped(part.slice(equals + 1));
    if (name === undefined || name === '' || value === undefined) return undefined;
    if (!params.has(name)) params.set(name, value);
  }
  return params;
}

function parseUriHeaders(text: string): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    if (equals <= 0) return undefined;
    const name = unescaped(part.slice(0, equals))?.toLowerCase();
    const value = unescaped(part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    headers.set(name, value);
  }
  return headers;
}

function unescaped(text: string): string | undefined {
  if (text.indexOf('%') < 0) return text;
  if (BAD_ESCAPE.test(text)) return undefined;
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function escaped(text: string, forbidden: RegExp): string {
  return text.replace(forbidden, (character) => encodeURIComponent(character.isWellFormed() ? character : '\ufffd'));
}

function digits(number: string | undefined): string | undefined {
  return number?.replace(/[().-]/g, '').toLowerCase();
}

/** User and password as written, but for escapes of characters that need none. */
function writtenUser(text: string): string {
  const start = text.indexOf(':') + 1;
  return text
    .slice(start, Math.max(start, text.indexOf('@') + 1))
    .replace(/%([\da-f]{2})/gi, (triplet, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w\-.!~*'()]/.test(character) ? character : triplet.toUpperCase();
    });
}

function sameParams(a: SipUri, b: SipUri): boolean {
  for (const name of DECISIVE) if (a.params.has(name) !== b.params.has(name)) return false;
  for (const [name, value] of a.params) {
    const other = b.params.get(name);
    if (other !== undefined && String(value).toLowerCase() !== String(other).toLowerCase()) return false;
  }
  return true;
}

function sameHeaders(a: SipUri, b: SipUri): boolean {
  if (a.headers.size !== b.headers.size) return false;
  for (const [name, value] of a.headers) if (b.headers.get(name) !== value) return false;
  return true;
}
