// What is owed to a bad message: the status of a request that breaks RFC 3261, the reason to drop a response. Keeps no state, sends nothing.
import { cseqOf, tokensOf, topVia } from './fields.ts';
import { isToken, splitList } from './header-lists.ts';
import { SIP_VERSION, type SipMessage, type SipRequest, type SipResponse } from './message.ts';
import { isPlainNameAddr, type NameAddr, parseNameAddr, parseNameAddrs } from './name-addr.ts';
import { reasonPhrase } from './reasons.ts';
import { MIN_SE_S, sessionExpiresOf } from './session-timer.ts';
import { MAGIC_COOKIE } from './transaction-match.ts';
import { isPlainUri, parseUri } from './uri.ts';
import { parseVia, type Via } from './via.ts';

/** The answer owed to a request: never send it to an ACK. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
}

/** What the validator must know of the user agent it speaks for. What is absent is not checked. */
export interface Knowledge {
  /** Methods that are answered, for 405 and Allow. */
  readonly methods?: readonly string[];
  /** Option tags that may be required, for 420 and Unsupported. */
  readonly extensions?: readonly string[];
  /** Body types that are understood, for 415 and Accept (type/subtype in small letters). */
  readonly contentTypes?: readonly string[];
  /** Request-URI schemes, for 416. Default: sip, sips and tel. */
  readonly schemes?: readonly string[];
  /** True when requests are passed on: Max-Forwards 0 is then 483 (RFC 3261, 16.3). */
  readonly forwards?: boolean;
}

/** More Via values than this is a loop or an attack. */
export const MAX_VIAS = 70;

// RFC 3261, 8.1.1 and 20: the first four must be there, none of them twice. One bit each.
const REPLACES = 256;
const COUNTED = new Map([
  ['From', 1],
  ['To', 2],
  ['Call-ID', 4],
  ['CSeq', 8],
  ['Max-Forwards', 16],
  ['Content-Length', 32],
  ['Content-Type', 64],
  ['Expires', 128],
  ['Replaces', REPLACES],
]);
const MANDATORY = 15;
const SCHEMES = ['sip', 'sips', 'tel'];

/** The refusal owed, or undefined when the request is in order. The first fault in the order of RFC 3261, 16.3 and 8.2 counts. `top`: the first Via, when it has been read already. */
export function validateRequest(request: SipRequest, knowledge: Knowledge = {}, top?: Via): Refusal | undefined {
  return (
    versionFault(request) ??
    headerFault(request, top) ??
    bad(addressFault(request)) ??
    uriFault(request, knowledge) ??
    hopsFault(request, knowledge) ??
    bad(lengthFault(request)) ??
    abilityFault(request, knowledge)
  );
}

/** Why the response must be dropped, or undefined when it is in order (RFC 3261, 8.1.3 and 18.1.2). */
export function validateResponse(response: SipResponse, top?: Via): string | undefined {
  if (response.status < 100 || response.status > 699) return `no such status as ${response.status}`;
  if (!isOurVersion(response.version)) return `not of version ${SIP_VERSION}`;
  const counts = countFault(response);
  if (counts !== undefined) return counts;
  const vias = countVias(response, top);
  if (vias === 0) return 'Malformed Via';
  // RFC 3261, 8.1.3.3: it was meant for someone behind us.
  if (vias > 1) return 'more than one Via';
  if (cseqOf(response) === undefined) return 'Malformed CSeq';
  return addressFault(response) ?? lengthFault(response);
}

function versionFault(request: SipRequest): Refusal | undefined {
  if (isOurVersion(request.version)) return undefined;
  if (request.version?.trim() !== request.version) return bad('Blanks after the SIP version');
  return refusal(505);
}

function isOurVersion(version: string | undefined): boolean {
  return version === undefined || version === SIP_VERSION || version.toUpperCase() === SIP_VERSION;
}

function headerFault(request: SipRequest, top: Via | undefined): Refusal | undefined {
  const counts = countFault(request);
  if (counts !== undefined) return bad(counts);
  if (countVias(request, top) === 0) return bad('Malformed Via');
  // A cookie without anything after it identifies no transaction (RFC 3261, 8.1.1.7).
  if ((top ?? topVia(request))?.branch === MAGIC_COOKIE) return bad('Empty branch in Via');
  const cseq = cseqOf(request);
  if (cseq === undefined) return bad('Malformed CSeq');
  if (!isToken(request.method)) return bad('Malformed method');
  return cseq.method === request.method ? undefined : bad('CSeq method does not match');
}

function countFault(message: SipMessage): string | undefined {
  const { headers } = message;
  if (headers.flaw !== undefined) return headers.flaw;
  let seen = 0;
  // Known names are in their usual writing here, however they came.
  for (const { name } of headers.names) {
    const bit = COUNTED.get(name) ?? 0;
    if ((seen & bit) !== 0) return `More than one ${name}`;
    seen |= bit;
  }
  if ((seen & MANDATORY) !== MANDATORY) {
    for (const [name, bit] of COUNTED) if ((seen & bit) === 0) return `Missing ${name}`;
  }
  // RFC 3891, 3: in an INVITE only.
  if ((seen & REPLACES) !== 0 && message.kind === 'request' && message.method !== 'INVITE') return 'Misplaced Replaces';
  if (!/^\S+$/.test(headers.get('Call-ID') ?? '')) return 'Malformed Call-ID';
  return headers.has('Via') ? undefined : 'Missing Via';
}

/** How many Via values there are; 0 when one of them is malformed or there are too many. `top` is the first one, when it has been read already. */
function countVias(message: SipMessage, top: Via | undefined): number {
  let vias = 0;
  for (const line of message.headers.all('Via')) {
    for (const value of splitList(line)) {
      const isSound = (vias === 0 && top !== undefined) || parseVia(value) !== undefined;
      if (!isSound || vias >= MAX_VIAS) return 0;
      vias += 1;
    }
  }
  return vias;
}

function addressFault(message: SipMessage): string | undefined {
  const { headers } = message;
  if (!isAddress(headers.get('From'))) return 'Malformed From';
  if (!isAddress(headers.get('To'))) return 'Malformed To';
  for (const name of WITH_ADDRESSES) {
    if (!headers.has(name)) continue;
    const lines = headers.all(name);
    const isStar = name === 'Contact' && lines.length === 1 && lines[0] === '*';
    if (!isStar && !lines.every(areAddresses)) return `Malformed ${name}`;
  }
  return undefined;
}

const WITH_ADDRESSES = ['Contact', 'Route', 'Record-Route'] as const;

function isAddress(written: string | undefined): boolean {
  if (written === undefined) return false;
  return isPlainNameAddr(written) || hasSoundUri(parseNameAddr(written));
}

/** A line of addresses with commas between them. */
function areAddresses(line: string): boolean {
  return isPlainNameAddr(line) || parseNameAddrs([line])?.every(hasSoundUri) === true;
}

function hasSoundUri(address: NameAddr | undefined): boolean {
  return address !== undefined && (isPlainUri(address.uri) || parseUri(address.uri) !== undefined);
}

// RFC 3261, 8.2.2.1 and 19.1.5: no headers in a Request-URI.
function uriFault(request: SipRequest, knowledge: Knowledge): Refusal | undefined {
  if (knowledge.schemes === undefined && isPlainUri(request.uri)) return undefined;
  const uri = parseUri(request.uri);
  if (uri === undefined) return bad('Malformed Request-URI');
  if (!(knowledge.schemes ?? SCHEMES).includes(uri.scheme)) return refusal(416);
  return uri.headers.size > 0 ? bad('Headers in the Request-URI') : undefined;
}

function hopsFault(request: SipRequest, knowledge: Knowledge): Refusal | undefined {
  const written = request.headers.get('Max-Forwards');
  // An RFC 2543 peer sends none.
  if (written === undefined) return undefined;
  if (!/^\d{1,9}$/.test(written) || Number(written) > 255) return bad('Malformed Max-Forwards');
  return knowledge.forwards === true && Number(written) === 0 ? refusal(483) : undefined;
}

// RFC 3261, 18.3.
function lengthFault(message: SipMessage): string | undefined {
  const written = message.headers.get('Content-Length');
  if (written === undefined) return undefined;
  if (!/^\d{1,9}$/.test(written)) return 'Malformed Content-Length';
  return Number(written) > message.body.length ? 'Content-Length larger than the body' : undefined;
}

// RFC 3261, 8.2: method, extensions, content. ACK and CANCEL are never refused for these.
function abilityFault(request: SipRequest, knowledge: Knowledge): Refusal | undefined {
  if (request.method === 'ACK' || request.method === 'CANCEL') return undefined;
  const { methods, extensions, contentTypes } = knowledge;
  if (methods !== undefined && !methods.includes(request.method)) return refusal(405, [['Allow', methods.join(', ')]]);
  if (extensions !== undefined) {
    const unknown = tokensOf(request, 'Require').filter((tag) => !extensions.includes(tag.toLowerCase()));
    if (unknown.length > 0) return refusal(420, [['Unsupported', unknown.join(', ')]]);
  }
  return timerFault(request, extensions) ?? (contentTypes && contentFault(request, contentTypes));
}

// RFC 4028, 9: too short an interval is 422, but only to who would understand it.
function timerFault(request: SipRequest, extensions: readonly string[] | undefined): Refusal | undefined {
  if (!request.headers.has('Session-Expires') || extensions?.includes('timer') !== true) return undefined;
  if (request.method !== 'INVITE' && request.method !== 'UPDATE') return undefined;
  const expires = sessionExpiresOf(request);
  if (expires === undefined) return undefined;
  if (expires === 'malformed') return bad('Malformed Session-Expires');
  if (expires.seconds >= MIN_SE_S || !tokensOf(request, 'Supported').includes('timer')) return undefined;
  return refusal(422, [['Min-SE', String(MIN_SE_S)]]);
}

// RFC 3261, 8.2.3 and 21.4.6.
function contentFault(request: SipRequest, known: readonly string[]): Refusal | undefined {
  if (request.method === 'INVITE' && request.headers.has('Accept') && !acceptsOneOf(request, known))
    return refusal(406);
  if (request.body.length === 0) return undefined;
  if (/;\s*handling\s*=\s*optional/i.test(request.headers.get('Content-Disposition') ?? '')) return undefined;
  const type = request.headers.get('Content-Type');
  if (type === undefined) return bad('Missing Content-Type');
  if (!known.includes(type) && !known.includes(mediaType(type))) return refusal(415, [['Accept', known.join(', ')]]);
  const encoding = request.headers.get('Content-Encoding');
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return undefined;
  return refusal(415, [['Accept-Encoding', 'identity']]);
}

function acceptsOneOf(request: SipRequest, known: readonly string[]): boolean {
  const ranges = tokensOf(request, 'Accept').map(mediaType);
  return ranges.some(
    (range) =>
      range === '*/*' ||
      known.includes(range) ||
      (range.endsWith('/*') && known.some((type) => type.startsWith(range.slice(0, -1)))),
  );
}

/** type/subtype in small letters, without parameters. */
function mediaType(value: string): string {
  return (value.split(';', 1)[0] ?? '').replace(/\s/g, '').toLowerCase();
}

function bad(reason: string | undefined): Refusal | undefined {
  return reason === undefined ? undefined : { status: 400, reason };
}

function refusal(status: number, fields?: ReadonlyArray<readonly [string, string]>): Refusal {
  const reason = reasonPhrase(status);
  return fields === undefined ? { status, reason } : { status, reason, headers: fields };
}
