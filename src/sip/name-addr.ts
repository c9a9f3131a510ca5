// Name-addr and addr-spec with header parameters: From, To, Contact, Route, Refer-To (RFC 3261, 20.10). Looks into the URI only to know everyday ones.
import {
  endOfQuoted,
  formatParams,
  type Params,
  parseParams,
  quote,
  skipBlank,
  splitList,
  unquote,
} from './header-lists.ts';
import { PLAIN_URI } from './uri.ts';

export interface NameAddr {
  /** Without quotes and escapes; empty when there is none. */
  readonly displayName: string;
  /** As written between the angle brackets, or before the first parameter. */
  readonly uri: string;
  /** Header parameters (not those of the URI). */
  readonly params: Params;
}

const DISPLAY_TOKENS = /^[\w\-.!%*+`'~ \t\u0080-\uffff]*$/;
const NOT_IN_URI = /[\s<>"]/;

/** A SIP URI in its everyday form between brackets, with or without a name before it and plain parameters after it. */
const PLAIN = new RegExp(
  String.raw`^(?:"[^"\\]*" ?|[\w\-.!%*+ ]*)<${PLAIN_URI}>(?:;[\w\-.]+(?:=[\w\-.!%*+~]+)?){0,16}$`,
  'i',
);

/** True for the everyday forms of a name-addr with a sound URI, without parsing. False means: parse it. */
export function isPlainNameAddr(text: string): boolean {
  return PLAIN.test(text);
}

/** Undefined for anything that is neither name-addr nor addr-spec: unbalanced quotes or brackets, blanks in the URI. */
export function parseNameAddr(text: string): NameAddr | undefined {
  const start = skipBlank(text, 0);
  let displayName = '';
  let open: number;
  if (text.charCodeAt(start) === 34) {
    const end = endOfQuoted(text, start);
    if (end > text.length) return undefined;
    displayName = unquote(text.slice(start, end));
    open = skipBlank(text, end);
    if (text.charCodeAt(open) !== 60) return undefined;
  } else {
    open = text.indexOf('<', start);
    if (open < 0) return parseAddrSpec(text, start);
    if (open > start) {
      displayName = text.slice(start, open).trim();
      if (!DISPLAY_TOKENS.test(displayName)) return displayName.includes(';') ? parseAddrSpec(text, start) : undefined;
    }
  }
  const close = text.indexOf('>', open);
  if (close < 0) return undefined;
  return withParams(displayName, text.slice(open + 1, close), text, close + 1);
}

/** Every member of every line. Undefined when one of them is malformed. */
export function parseNameAddrs(values: readonly string[]): NameAddr[] | undefined {
  const addresses: NameAddr[] = [];
  for (const value of values) {
    for (const member of splitList(value)) {
      const address = parseNameAddr(member);
      if (address === undefined) return undefined;
      addresses.push(address);
    }
  }
  return addresses;
}

/** Always with angle brackets; the display name quoted. */
export function formatNameAddr(address: NameAddr): string {
  const name = address.displayName === '' ? '' : `${quote(address.displayName)} `;
  return `${name}<${address.uri}>${formatParams(address.params)}`;
}

/** The tag of a From or To; undefined when it has none. */
export function tagOf(address: NameAddr): string | undefined {
  const tag = address.params.get('tag');
  return typeof tag === 'string' && tag !== '' ? tag : undefined;
}

// RFC 3261, 20: without brackets a semicolon begins a header parameter, and a URI has neither headers nor commas.
function parseAddrSpec(text: string, start: number): NameAddr | undefined {
  const semicolon = text.indexOf(';', start);
  const end = semicolon < 0 ? text.length : semicolon;
  const uri = text.slice(start, end).trim();
  return uri.includes('?') || uri.includes(',') ? undefined : withParams('', uri, text, end);
}

function withParams(displayName: string, uri: string, text: string, paramsAt: number): NameAddr | undefined {
  if (uri === '' || NOT_IN_URI.test(uri)) return undefined;
  const params = parseParams(text, paramsAt);
  return params === undefined ? undefined : { displayName, uri, params };
}
