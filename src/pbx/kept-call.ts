// What must be known of a live call so that its records and its last event can be written when the exchange is gone. Pure.
import type { Cdr } from '../contract/resources/history.ts';
import type { Call } from './call.ts';
import { cdrOf } from './call-record.ts';
import type { Phase } from './call-states.ts';
import type { CallEvent } from './events.ts';
import type { Leg } from './leg.ts';
import { type Toll, tollsOf } from './tolls.ts';

/** Plain data: it may be written down and read back. */
export interface KeptCall {
  readonly phase: Phase;
  /** The CDR as far as it is known: without id, durations, charge and cause. */
  readonly cdr: Cdr;
  /** A member of a ring group is rung. */
  readonly isForGroup: boolean;
  /** What its events say. */
  readonly facts: Omit<CallEvent, 'kind' | 'id' | 'name' | 'seq'>;
  readonly webcallId: number | null;
  /** What it costs, and since when. A file that was written by an older version has none: then the rate of the CDR counts. */
  readonly tolls?: readonly Toll[];
  readonly legs: { readonly src: KeptLeg | null; readonly dst: KeptLeg | null };
}

export interface KeptLeg {
  /** Call-ID of its dialog: how its media session is found. */
  readonly sipCallId: string;
  readonly answeredAt: number | null;
}

export function keptCall(call: Call, facts: KeptCall['facts']): KeptCall {
  return {
    phase: call.phase,
    cdr: cdrOf(call, 0, call.phase === 'NEW' ? 'INITIAL' : call.phase),
    isForGroup: call.isForGroup,
    facts,
    webcallId: call.webcallId,
    tolls: tollsOf(call),
    legs: { src: keptLeg(call.srcLeg), dst: keptLeg(call.dstLeg) },
  };
}

function keptLeg(leg: Leg | undefined): KeptLeg | null {
  return leg === undefined ? null : { sipCallId: leg.session.callId, answeredAt: leg.answeredAt };
}
