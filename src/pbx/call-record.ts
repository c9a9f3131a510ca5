// A live call as the API publishes it, and the record that it leaves. Pure.
import {
  type CallContext,
  callStateCodes,
  codeOf,
  type Direction,
  directionCodes,
  monitorStateCodes,
} from '../contract/codes.ts';
import type { LiveCall } from '../contract/resources/calls.ts';
import type { Cdr } from '../contract/resources/history.ts';
import { utcText } from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import type { CallState } from './events.ts';
import type { Leg } from './leg.ts';
import type { Party } from './party.ts';
import { MIN_CHARGE } from './rates.ts';
import { chargeOf, rateNow, tollsOf } from './tolls.ts';

/** Which media server of the installation: there is one. */
const SERVER_ID = 1;

/** The id of a user, a place of the exchange or a contact as `src_id` and `dst_id` write it; empty for other outsiders. */
export function partyId({ userId, placeId, contactId }: Party): string {
  if (contactId !== undefined) return `contact:${contactId}`;
  return String(userId ?? placeId ?? '');
}

/** Contexts of what is neither a user nor the public network. */
const contextOfPlace: Readonly<Partial<Record<Party['kind'], CallContext>>> = {
  group: 'RING_GROUP',
  'follow-me': 'FOLLOW_ME',
  ivr: 'IVR',
  queue: 'QUEUE',
  voicemail: 'VOICEMAIL',
  mailbox: 'VOICEMAIL',
  conference: 'CONFERENCE',
  echo: 'TEST_CALL',
};

export function contextOf(call: Call): CallContext {
  const place = contextOfPlace[call.dst.kind];
  if (place !== undefined) return place;
  return call.src.kind === 'public' || call.dst.kind === 'public' ? 'PSTN_CALL' : 'USER_LOCAL';
}

/** Calls that a website asked for have words of their own. */
function directionOf({ origin, direction }: Call): Direction {
  return origin === 'webcall' || origin === 'callmeback' ? origin : direction;
}

function endpoint(leg: Leg | undefined): { ua: string; codec: string; contact: string; callId: string } {
  if (leg === undefined) return { ua: '', codec: '', contact: '', callId: '' };
  return {
    ua: leg.product,
    codec: leg.media.codec,
    contact: leg.session.remoteContact,
    callId: leg.session.callId,
  };
}

/** Live Call, as published: numbers for states, seconds since 1970 for times, 0 for what has not happened. */
export function liveCallRecord(call: Call, nowMs: number): LiveCall {
  const src = endpoint(call.srcLeg);
  const dst = endpoint(call.dstLeg);
  return {
    id: call.id,
    parent_id: call.parentId,
    state: codeOf(callStateCodes, call.phase === 'NEW' ? 'INITIAL' : (call.phase satisfies CallState)),
    destination: codeOf(directionCodes, directionOf(call)),
    monitor_state: codeOf(monitorStateCodes, call.conversation.recording),
    queue_state: call.queueState,
    context: contextOf(call),
    clid: call.clid,
    start_time: Math.floor(call.startedAt / 1000),
    connected_at: call.connectedAt === null ? 0 : Math.floor(call.connectedAt / 1000),
    duration: call.durationS(nowMs),
    src: call.src.number,
    src_id: partyId(call.src),
    src_name: call.src.name,
    src_ua: src.ua,
    src_codec: src.codec,
    src_contact: src.contact,
    src_call_id: src.callId,
    src_rate: call.srcRate,
    dst: call.dst.number,
    dst_id: partyId(call.dst),
    dst_name: call.dst.name,
    dst_ua: dst.ua,
    dst_codec: dst.codec,
    dst_contact: dst.contact,
    dst_call_id: dst.callId,
    dst_rate: rateNow(call),
    dst_connection: 0,
    min_charge: rateNow(call) === 0 ? 0 : MIN_CHARGE,
    referred_by: call.referredBy,
  };
}

/**
 * Whose record it is: the user who made the call; of one from outside the user who was called, for whom it was led on, or who
 * transferred it to where no user is.
 */
export function userOf(call: Call): number {
  return call.src.userId ?? call.dst.userId ?? call.forUserId ?? call.transferredBy ?? 0;
}

/** Inbound calls that nobody answered are missed ones, but for those that another member of a group answered. */
export function typeOf(call: Call): Cdr['type'] {
  if (call.direction === 'out') return 'O';
  return call.isAnswered || call.phase === 'HANGUP' ? 'I' : 'M';
}

/** A user may wish that calls to a group which it did not answer leave no record of its own (`log_missed_calls`). */
export function isUnlogged(
  { users }: Store,
  isForGroup: boolean,
  { type, dst_id }: Pick<Cdr, 'type' | 'dst_id'>,
): boolean {
  return isForGroup && type === 'M' && users.get(Number(dst_id))?.log_missed_calls === false;
}

/** How far the call came: the state before its end. */
function dispositionOf(call: Call, lastState: CallState): Cdr['disposition'] {
  if (call.isAnswered) return call.dst.kind === 'voicemail' ? 'VM' : 'CONNECTED';
  return lastState === 'RINGING' ? 'RINGING' : 'INITIAL';
}

/** The CDR of a call that has ended. `lastState` is the state that its end left. */
export function cdrOf(call: Call, id: number, lastState: CallState): Cdr {
  const src = endpoint(call.srcLeg);
  const dst = endpoint(call.dstLeg);
  const endedAt = call.endedAt ?? call.startedAt;
  const billsec = call.billsecS(endedAt);
  return {
    id,
    duration: call.durationS(endedAt),
    live_id: call.id,
    parent_live_id: call.parentId,
    user_id: userOf(call),
    sip_endpoint_id: userOf(call),
    server_id: SERVER_ID,
    type: typeOf(call),
    calldate: utcText(call.startedAt),
    clid: call.clid,
    src_id: partyId(call.src),
    src_name: call.src.name,
    src: call.src.number,
    src_ua: src.ua,
    src_codec: src.codec,
    dst_id: partyId(call.dst),
    dst: call.dst.number,
    dst_name: call.dst.name,
    dst_ua: dst.ua,
    dst_codec: dst.codec,
    billsec,
    disposition: dispositionOf(call, lastState),
    destination: directionOf(call),
    context: contextOf(call),
    rate: rateNow(call),
    charge: chargeOf(tollsOf(call), endedAt),
    t_cause: call.cause?.text ?? '',
    info: '',
    call_id: call.id,
  };
}
