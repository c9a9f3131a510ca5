// The end of calls that were live when the exchange went down: their CDRs, MSDRs and last events, written by the next one. Sends no SIP.
import type { MediaSession } from '../contract/resources/calls.ts';
import { parseUtc, utcText } from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import type { CallBook } from './call-book.ts';
import { isUnlogged } from './call-record.ts';
import { isAnswered, moveCall } from './call-states.ts';
import { RESTARTED } from './causes.ts';
import type { CallState } from './events.ts';
import type { KeptCall, KeptLeg } from './kept-call.ts';
import { chargeFor } from './rates.ts';
import { chargeOf } from './tolls.ts';

export interface LostCallsDeps {
  readonly store: Store;
  readonly calls: Pick<CallBook, 'publish'>;
}

/** Ends them all at `interruptedAt` (ms since 1970) or when they were seen last, and every media session that is still open: none of them has survived. */
export function endLostCalls({ store, calls }: LostCallsDeps, lost: readonly KeptCall[], interruptedAt: number): void {
  const byDialog = new Map<string, KeptCall>();
  for (const call of lost) {
    const endedAt = Math.max(interruptedAt, call.facts.at);
    for (const leg of [call.legs.src, call.legs.dst]) if (leg !== null) byDialog.set(leg.sipCallId, call);
    raiseEnd(calls, call, endedAt);
    writeCdr(store, call, endedAt);
    settleWebcall(store, call, endedAt);
  }
  for (const [customerId, session] of [...store.mediasessions.entries()])
    if (session.status === 'active')
      endSession(store, customerId, session, byDialog.get(session.call_id), interruptedAt);
}

function raiseEnd(calls: LostCallsDeps['calls'], { phase, facts }: KeptCall, endedAt: number): void {
  const move = moveCall(phase, isAnswered(phase) ? 'ended' : 'unanswered', facts.direction);
  const name = move?.event;
  if (move === undefined || name === null || name === undefined) return;
  const end = {
    ...facts,
    at: endedAt,
    state: move.to as CallState,
    durationS: secondsBetween(facts.startedAt, endedAt),
    cause: RESTARTED.text,
    terminatedBy: null,
  };
  calls.publish((seq, id) => ({ kind: 'call', id, name, seq, ...end }));
}

function writeCdr(store: Store, { cdr, facts, isForGroup, tolls }: KeptCall, endedAt: number): void {
  if (isUnlogged(store, isForGroup, cdr)) return;
  const { cdrs } = store;
  const { customerId, startedAt, connectedAt } = facts;
  const billsec = secondsBetween(connectedAt, endedAt);
  cdrs.insert(customerId, {
    ...cdr,
    id: cdrs.nextId(customerId),
    duration: secondsBetween(startedAt, endedAt),
    billsec,
    charge: tolls === undefined ? chargeFor(cdr.rate, billsec) : chargeOf(tolls, endedAt),
    t_cause: RESTARTED.text,
  });
}

function settleWebcall({ webcalls }: Store, { webcallId, legs }: KeptCall, endedAt: number): void {
  const webcall = webcallId === null ? undefined : webcalls.get(webcallId);
  if (webcall === undefined) return;
  const spoke = (leg: KeptLeg | null): number => secondsBetween(leg?.answeredAt ?? null, endedAt);
  const [from, to] = [spoke(legs.src), spoke(legs.dst)];
  const [fromCharge, toCharge] = [chargeFor(webcall.from_rate, from), chargeFor(webcall.to_rate, to)];
  webcalls.update(webcall.id, {
    from_duration: from,
    to_duration: to,
    from_charge: fromCharge,
    to_charge: toCharge,
    charge: Math.round((fromCharge + toCharge) * 10_000) / 10_000,
  });
}

function endSession(
  { mediasessions, msdrs }: Store,
  customerId: number,
  session: MediaSession,
  call: KeptCall | undefined,
  endedAt: number,
): void {
  const legs = call === undefined ? [] : [call.legs.src, call.legs.dst];
  const leg = legs.find((one) => one?.sipCallId === session.call_id);
  const duration = secondsBetween(leg?.answeredAt ?? parseUtc(session.created_at) ?? null, endedAt);
  mediasessions.update(session.id, { status: 'ended', duration, updated_at: utcText(endedAt) });
  msdrs.insert(customerId, {
    id: msdrs.nextId(customerId),
    media_session_id: session.id,
    user_id: session.user,
    call_id: session.call_id,
    duration,
    created_at: session.created_at,
    type: session.type,
    src: call?.cdr.src ?? '',
    src_id: session.src_id,
    src_ua: session.src_ua,
    dst: call?.cdr.dst ?? '',
    dst_id: session.dst_id,
    dst_ua: session.dst_ua,
    t_cause: RESTARTED.text,
  });
}

/** Whole seconds; 0 when it never began. */
function secondsBetween(startMs: number | null, endMs: number): number {
  return startMs === null ? 0 : Math.max(0, Math.floor((endMs - startMs) / 1000));
}
