// What calls leave behind: CDRs, media sessions and their MSDRs, and the durations of web calls. Writes to the store only.
import type { Clock } from '../kernel/clock.ts';
import { utcText } from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import { cdrOf, isUnlogged, partyId, typeOf } from './call-record.ts';
import type { Cause } from './causes.ts';
import type { CallState } from './events.ts';
import type { Leg } from './leg.ts';
import { digitsOf } from './party.ts';
import type { Place } from './place.ts';
import { chargeFor, rateFor } from './rates.ts';
import { trackCall } from './tracked-calls.ts';

export class Bookkeeper {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #sessions = new Map<Leg, number>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Media sessions that are open: none when no call is live. */
  get openSessions(): number {
    return this.#sessions.size;
  }

  /** The one CDR of a call; none when its account is gone. `lastState` is the state that its end left. */
  callEnded(call: Call, lastState: CallState): void {
    if (this.#store.customers.get(call.customerId) === undefined) return;
    const outcome = { type: typeOf(call), dst_id: partyId(call.dst) };
    if (isUnlogged(this.#store, call.isForGroup, outcome)) return;
    const { cdrs } = this.#store;
    const cdr = cdrs.insert(call.customerId, cdrOf(call, cdrs.nextId(call.customerId), lastState));
    trackCall(this.#store, call, cdr);
    if (call.webcallId !== null) this.#settleWebcall(call, call.webcallId);
  }

  /** Only a user's leg has a media session of ours: the far side of the trunk is the network's. */
  mediaStarted(call: Call, leg: Leg): void {
    leg.answeredAt ??= this.#clock.now();
    if (leg === call.dstLeg) this.#nameCallee(call, leg);
    if (leg.party.userId === null || this.#sessions.has(leg)) return;
    const { mediasessions } = this.#store;
    const id = mediasessions.nextId(call.customerId);
    const at = utcText(this.#clock.now());
    mediasessions.insert(call.customerId, {
      id,
      call_id: leg.session.callId,
      src_id: partyId(call.src),
      src_ua: call.srcLeg?.product ?? '',
      dst_id: partyId(call.dst),
      dst_ua: call.dstLeg?.product ?? '',
      status: 'active',
      type: 'audio',
      created_at: at,
      updated_at: at,
      duration: 0,
      user: leg.party.userId,
    });
    this.#sessions.set(leg, id);
  }

  /** The session of a caller who was answered first (click to call) began before anybody knew the callee's phone. */
  #nameCallee(call: Call, callee: Leg): void {
    const id = call.srcLeg === undefined ? undefined : this.#sessions.get(call.srcLeg);
    if (id !== undefined) this.#store.mediasessions.update(id, { dst_ua: callee.product });
  }

  mediaEnded(call: Call, leg: Leg, cause: Cause): void {
    const id = this.#sessions.get(leg);
    if (id === undefined) return;
    this.#sessions.delete(leg);
    const now = this.#clock.now();
    const duration = Math.floor((now - (leg.answeredAt ?? now)) / 1000);
    const session = this.#store.mediasessions.update(id, { status: 'ended', duration, updated_at: utcText(now) });
    if (session === undefined) return;
    const { msdrs } = this.#store;
    msdrs.insert(call.customerId, {
      id: msdrs.nextId(call.customerId),
      media_session_id: id,
      user_id: session.user,
      call_id: session.call_id,
      duration,
      created_at: session.created_at,
      type: session.type,
      src: call.src.number,
      src_id: session.src_id,
      src_ua: session.src_ua,
      dst: call.dst.number,
      dst_id: session.dst_id,
      dst_ua: session.dst_ua,
      t_cause: cause.text,
    });
  }

  #settleWebcall(call: Call, webcallId: number): void {
    const endedAt = call.endedAt ?? this.#clock.now();
    const spoke = (leg: Leg | undefined): number =>
      leg === undefined || leg.answeredAt === null ? 0 : Math.floor((endedAt - leg.answeredAt) / 1000);
    const webcall = this.#store.webcalls.get(webcallId);
    if (webcall === undefined) return;
    const from = spoke(call.srcLeg);
    const to = spoke(call.dstLeg);
    const fromCharge = chargeFor(webcall.from_rate, from);
    const toCharge = chargeFor(webcall.to_rate, to);
    this.#store.webcalls.update(webcallId, {
      from_duration: from,
      to_duration: to,
      from_charge: fromCharge,
      to_charge: toCharge,
      charge: Math.round((fromCharge + toCharge) * 10_000) / 10_000,
    });
  }
}

/** The rate of calling there: all that is ours costs nothing. */
export function rateOf(place: Place): number {
  return place.kind === 'public' ? rateFor(digitsOf(place.number)) : 0;
}
