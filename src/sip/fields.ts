// Parsed views of the headers that every SIP element looks at. Undefined means absent or malformed: the validator tells which.
import { isToken, skipBlank, splitList } from './header-lists.ts';
import type { SipMessage } from './message.ts';
import { type NameAddr, parseNameAddr, parseNameAddrs } from './name-addr.ts';
import { parseVia, type Via } from './via.ts';

export interface CSeq {
  readonly number: number;
  readonly method: string;
}

/** The largest CSeq number (RFC 3261, 8.1.1.5). */
export const MAX_CSEQ = 2 ** 31 - 1;

const CSEQ_DIGITS = 10;

export function topVia(message: SipMessage): Via | undefined {
  const line = message.headers.get('Via');
  return line === undefined ? undefined : parseVia(line.indexOf(',') < 0 ? line : (splitList(line)[0] ?? ''));
}

export function fromOf(message: SipMessage): NameAddr | undefined {
  return nameAddrOf(message, 'From');
}

export function toOf(message: SipMessage): NameAddr | undefined {
  return nameAddrOf(message, 'To');
}

/** The one name-addr of a header such as Refer-To, Referred-By or P-Asserted-Identity (its first, when it is a list). */
export function nameAddrOf(message: SipMessage, name: string): NameAddr | undefined {
  const value = message.headers.get(name);
  return value === undefined ? undefined : parseNameAddr(value);
}

export function cseqOf(message: SipMessage): CSeq | undefined {
  const value = message.headers.get('CSeq');
  if (value === undefined) return undefined;
  let at = 0;
  let number = 0;
  for (let digit = digitAt(value, at); digit >= 0 && at <= CSEQ_DIGITS; digit = digitAt(value, at)) {
    number = number * 10 + digit;
    at += 1;
  }
  const from = skipBlank(value, at);
  if (at === 0 || at > CSEQ_DIGITS || from === at || number > MAX_CSEQ) return undefined;
  const method = value.slice(from);
  return isToken(method) ? { number, method } : undefined;
}

export function callIdOf(message: SipMessage): string | undefined {
  const value = message.headers.get('Call-ID');
  return value === undefined || value === '' ? undefined : value;
}

/** All contacts, none when there is no Contact; `*` and malformed lines give undefined. */
export function contactsOf(message: SipMessage): NameAddr[] | undefined {
  return parseNameAddrs(message.headers.all('Contact'));
}

/** The members of a header of tokens (Supported, Require, Allow ...), as written, empty ones left out. */
export function tokensOf(message: SipMessage, name: string): string[] {
  return message.headers
    .all(name)
    .flatMap(splitList)
    .filter((token) => token !== '');
}

/** The body as UTF-8; what is none becomes U+FFFD. */
export function bodyText(message: SipMessage): string {
  const { body } = message;
  return body.length === 0 ? '' : Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}

/** -1 where there is none. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}
