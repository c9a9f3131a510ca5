// What transaction and dialog matching need of an incoming message, read once (RFC 3261, 17.1.3 and 17.2.3). Keeps no state.
import { callIdOf, cseqOf, fromOf, toOf, topVia } from './fields.ts';
import type { Flow } from './flow.ts';
import type { SipMessage, SipRequest } from './message.ts';
import { tagOf } from './name-addr.ts';
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
  const from = fromOf(message);
  const to = toOf(message);
  const callId = callIdOf(message) ?? '';
  const fromTag = (from && tagOf(from)) ?? '';
  const arrival = { flow, bytes, via, callId, fromTag, toTag: (to && tagOf(to)) ?? '', cseq: cseq?.number ?? 0 };
  const method = cseq?.method ?? '';
  return { ...arrival, method, key: message.kind === 'request' ? serverKey(message, arrival) : '' };
}

type Coordinates = Omit<Arrival, 'key' | 'method'>;

function serverKey(request: SipRequest, at: Coordinates): string {
  return `${keyStem(request, at)} ${request.method === 'ACK' ? 'INVITE' : request.method}`;
}

/** The key of the INVITE that a CANCEL is about (RFC 3261, 9.2). */
export function keyOfCancelled(key: string): string {
  return key.endsWith(' CANCEL') ? `${key.slice(0, -' CANCEL'.length)} INVITE` : key;
}

function keyStem(request: SipRequest, at: Coordinates): string {
  const { via } = at;
  if (via.branch?.startsWith(MAGIC_COOKIE) === true && via.branch.length > MAGIC_COOKIE.length) {
    return `${via.branch} ${via.host}:${via.port ?? ''}`;
  }
  // RFC 2543 peers: no unique branch. The To tag is left out, for an ACK carries the one that we gave.
  return `${request.uri} ${at.callId} ${at.fromTag} ${at.cseq} ${request.headers.get('Via') ?? ''}`;
}

/** Same value, different transaction: the request came twice by different ways (RFC 3261, 8.2.2.2). Only where there is no To tag. */
export function mergeKeyOf(at: Arrival): string | undefined {
  return at.toTag === '' ? `${at.callId} ${at.fromTag} ${at.cseq} ${at.method}` : undefined;
}
