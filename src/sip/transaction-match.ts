// What transaction and dialog matching need of an incoming message, read once (RFC 3261, 17.1.3 and 17.2.3). Keeps no state.
import { cseqOf, topVia } from './fields.ts';
import type { Flow } from './flow.ts';
import { isToken } from './header-lists.ts';
import type { SipMessage, SipRequest } from './message.ts';
import { parseNameAddr, tagOf } from './name-addr.ts';
import type { Via } from './via.ts';

/** With this a branch is unique in space and time (RFC 3261, 8.1.1.7). */
export const MAGIC_COOKIE = 'z9hG4bK';

/** An incoming message and its coordinates. What is absent or malformed is empty: the validator names it. */
export interface Arrival {
  readonly flow: Flow;
  readonly bytes: Uint8Array;
  readonly via: Via;
  readonly callId: string;
  readonly fromTag: string;
  readonly toTag: string;
  readonly cseq: number;
  /** The method of CSeq. */
  readonly method: string;
  /** Under which a request's server transaction is kept; an ACK and a CANCEL have the key of their INVITE and their own. */
  readonly key: string;
}

/** Undefined without a readable top Via: such a message can be neither matched nor answered. */
export function readArrival(message: SipMessage, flow: Flow, bytes: Uint8Array): Arrival | undefined {
  const via = topVia(message);
  if (via === undefined) return undefined;
  const cseq = cseqOf(message);
  const callId = message.headers.get('Call-ID') ?? '';
  const fromTag = tagIn(message.headers.get('From'));
  const toTag = tagIn(message.headers.get('To'));
  const number = cseq?.number ?? 0;
  const method = cseq?.method ?? '';
  const key = message.kind === 'request' ? serverKey(message, via, callId, fromTag, number) : '';
  return { flow, bytes, via, callId, fromTag, toTag, cseq: number, method, key };
}

/** The tag of a From or To. Read at a glance where it is written as everybody does, with all care otherwise. */
export function tagIn(value: string | undefined): string {
  if (value === undefined) return '';
  const close = value.lastIndexOf('>');
  if (close >= 0 && value.length === close + 1) return '';
  if (close >= 0 && value.startsWith(';tag=', close + 1)) {
    const tag = value.slice(close + 6);
    if (isToken(tag)) return tag;
  }
  const address = parseNameAddr(value);
  return (address && tagOf(address)) ?? '';
}

/** The key of the INVITE that a CANCEL is about (RFC 3261, 9.2). */
export function keyOfCancelled(key: string): string {
  return key.endsWith(' CANCEL') ? `${key.slice(0, -' CANCEL'.length)} INVITE` : key;
}

function serverKey(request: SipRequest, via: Via, callId: string, fromTag: string, cseq: number): string {
  const method = request.method === 'ACK' ? 'INVITE' : request.method;
  if (via.branch?.startsWith(MAGIC_COOKIE) === true && via.branch.length > MAGIC_COOKIE.length) {
    return `${via.branch} ${via.host}:${via.port ?? ''} ${method}`;
  }
  // RFC 2543 peers: no unique branch. The To tag is left out, for an ACK carries the one that we gave.
  return `${request.uri} ${callId} ${fromTag} ${cseq} ${request.headers.get('Via') ?? ''} ${method}`;
}

/** Same value, different transaction: the request came twice by different ways (RFC 3261, 8.2.2.2). Only where there is no To tag. */
export function mergeKeyOf(at: Arrival): string | undefined {
  return at.toTag === '' ? `${at.callId} ${at.fromTag} ${at.cseq} ${at.method}` : undefined;
}
