// Bytes to SIP messages (RFC 3261, 7 and 18.3). Rejects only what cannot be represented: what is owed to a bad message is validate.ts's business.
import { headerNameIn } from './header-names.ts';
import { Headers } from './headers.ts';
import { NO_BODY, SIP_VERSION, type SipMessage } from './message.ts';

/** The largest message, headers and body together: what a UDP datagram can hold. */
export const MAX_MESSAGE_BYTES = 65_536;
/** The most header lines in a request. */
export const MAX_HEADERS = 256;
/** A response repeats many of its request, and has some of its own: Contact, Allow, Supported, Server and such. */
export const MAX_RESPONSE_HEADERS = MAX_HEADERS + 16;

export type ParseResult =
  | { readonly ok: true; readonly message: SipMessage }
  | { readonly ok: false; readonly why: string };

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/**
 * Reads one message from one datagram, frame or framed piece of a stream. Never throws.
 *
 * Header values are kept as written, without the white space around them; a folded value is joined by single spaces.
 * Lines may end in LF alone and the message may begin with empty lines. Bytes that are no UTF-8 become U+FFFD in
 * headers; the body is a view of `bytes`, not a copy, cut to Content-Length when more arrived. When less arrived
 * (or Content-Length is no number) the body is all there is.
 */
export function parseMessage(bytes: Uint8Array): ParseResult {
  if (bytes.length > MAX_MESSAGE_BYTES) return no(`longer than ${MAX_MESSAGE_BYTES} bytes`);
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  // One character a byte: offsets in the text are offsets in the bytes.
  if (text.length === bytes.length) return parseText(text, buffer, -1);
  const bodyAt = endOfHead(buffer);
  if (bodyAt < 0) return no('no empty line after the headers');
  return parseText(buffer.toString('utf8', 0, bodyAt), buffer, bodyAt);
}

/** `bodyAt` is where the body begins in the bytes, or -1 when the text's own offsets tell. */
function parseText(text: string, bytes: Buffer, bodyAt: number): ParseResult {
  let at = 0;
  while (text.charCodeAt(at) === CR || text.charCodeAt(at) === LF) at += 1;
  const startEnd = text.indexOf('\n', at);
  if (startEnd < 0) return no('no start line');
  const startLine = text.slice(at, text.charCodeAt(startEnd - 1) === CR ? startEnd - 1 : startEnd);
  const first = startLine.indexOf(' ');
  if (first <= 0) return no('no start line');
  const headers = new Headers();
  const isResponse = isVersion(startLine, 0, first);
  const read = readHeaders(text, startEnd + 1, headers, isResponse ? MAX_RESPONSE_HEADERS : MAX_HEADERS);
  if (typeof read === 'string') return no(read);
  const body = cutBody(bytes, bodyAt < 0 ? read : bodyAt, headers);
  return isResponse ? statusLine(startLine, first, headers, body) : requestLine(startLine, first, headers, body);
}

/** Where the body begins in the text, or why there are no headers. */
function readHeaders(text: string, from: number, headers: Headers, limit: number): number | string {
  let at = from;
  for (let lines = 0; ; lines += 1) {
    const code = text.charCodeAt(at);
    if (code === LF) return at + 1;
    if (code === CR && text.charCodeAt(at + 1) === LF) return at + 2;
    if (lines >= limit) return `more than ${limit} headers`;
    let end = text.indexOf('\n', at);
    if (end < 0) return 'no empty line after the headers';
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > end) {
      headers.flaw ??= 'Header line without a colon';
      at = end + 1;
      continue;
    }
    let next = text.charCodeAt(end + 1);
    const folded = next === SPACE || next === TAB;
    while (next === SPACE || next === TAB) {
      end = text.indexOf('\n', end + 1);
      if (end < 0) return 'no empty line after the headers';
      next = text.charCodeAt(end + 1);
    }
    let nameEnd = colon;
    while (nameEnd > at && isBlank(text.charCodeAt(nameEnd - 1))) nameEnd -= 1;
    if (nameEnd === at) {
      headers.flaw ??= 'Header line without a name';
      at = end + 1;
      continue;
    }
    const value = folded ? unfolded(text, colon + 1, end) : trimmed(text, colon + 1, end);
    headers.appendRead(headerNameIn(text, at, nameEnd), value);
    at = end + 1;
  }
}

// RFC 3261, 7.2.
function statusLine(line: string, first: number, headers: Headers, body: Uint8Array): ParseResult {
  const second = line.indexOf(' ', first + 1);
  const digits = line.slice(first + 1, second < 0 ? undefined : second);
  if (!/^\d{1,15}$/.test(digits)) return no('the status line has no status code');
  const reason = second < 0 ? '' : line.slice(second + 1);
  const version = versionOf(line.slice(0, first));
  return { ok: true, message: { kind: 'response', status: Number(digits), reason, version, headers, body } };
}

// RFC 3261, 7.1. Blanks too many are kept in the URI or the version, for the validator to see.
function requestLine(line: string, first: number, headers: Headers, body: Uint8Array): ParseResult {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
  const last = line.lastIndexOf(' ', end - 1);
  if (last <= first || !isVersion(line, last + 1, end)) return no('no start line');
  const message: SipMessage = {
    kind: 'request',
    method: line.slice(0, first),
    uri: line.slice(first + 1, last),
    version: versionOf(line.slice(last + 1)),
    headers,
    body,
  };
  return { ok: true, message };
}

/** SIP/digits.digits in any case between two offsets. */
function isVersion(line: string, from: number, to: number): boolean {
  if (line.startsWith(SIP_VERSION, from) && to - from === SIP_VERSION.length) return true;
  return to - from <= 32 && /^SIP\/\d+\.\d+$/i.test(line.slice(from, to));
}

/** The shared constant for the usual version, so that a message holds no copy of its own. */
function versionOf(written: string): string {
  return written === SIP_VERSION ? SIP_VERSION : written;
}

// RFC 3261, 18.3: on a datagram Content-Length only cuts.
function cutBody(bytes: Buffer, at: number, headers: Headers): Uint8Array {
  if (at >= bytes.length) return NO_BODY;
  const declared = headers.get('Content-Length');
  if (declared === '0') return NO_BODY;
  const length = declared !== undefined && /^\d{1,9}$/.test(declared) ? Number(declared) : bytes.length;
  // Copied: who keeps a request for the length of a call would keep all that came in the same piece of memory.
  return new Uint8Array(bytes.subarray(at, Math.min(bytes.length, at + length)));
}

/** The offset after the empty line that ends the headers, or -1. */
function endOfHead(bytes: Uint8Array): number {
  let at = 0;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, end + 1)) {
    if (bytes[end + 1] === LF) return end + 2;
    if (bytes[end + 1] === CR && bytes[end + 2] === LF) return end + 3;
  }
  return -1;
}

/** What is between two offsets, without the blanks around it. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

// RFC 3261, 7.3.1: a fold is as good as one space. No regular expression: long runs of blanks would make it slow.
function unfolded(text: string, from: number, to: number): string {
  const pieces: string[] = [];
  let at = from;
  while (at < to) {
    const eol = text.indexOf('\n', at);
    const end = eol < 0 || eol > to ? to : eol;
    const piece = trimmed(text, at, end);
    if (piece !== '') pieces.push(piece);
    at = end + 1;
  }
  return pieces.join(' ');
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CR || code === LF;
}

function no(why: string): ParseResult {
  return { ok: false, why };
}
