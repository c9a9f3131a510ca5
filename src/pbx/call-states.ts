// The call state table: which signalling moves a live call where, and which event that raises. Data and one pure function.
import type { CallEventName, CallState } from './events.ts';

/** NEW is a call that was routed but of which no INVITE has left yet; REST never shows it. */
export type Phase = CallState | 'NEW';

export type CallInput =
  /** An INVITE left for an endpoint. */
  | 'invited'
  /** The click-to-call originator answered. */
  | 'accepted'
  /** The called endpoint sent a provisional. */
  | 'ringing'
  /** The called endpoint sent 200. */
  | 'answered'
  /** The first party put the call on hold: an offer with sendonly, inactive or 0.0.0.0. */
  | 'held'
  /** The last holder resumed. */
  | 'resumed'
  /** An answered call is over. */
  | 'ended'
  /** A call that nobody answered is over. */
  | 'unanswered'
  /** A phone that rang for a group is to ring no more: another member has answered. */
  | 'elsewhere';

/** `unanswered` raises call.missed for a call to a user and call.failed for one to the public network. */
type RowEvent = CallEventName | 'call.missed or call.failed' | null;

export interface TransitionRow {
  readonly from: Phase;
  readonly input: CallInput;
  readonly to: Phase;
  readonly event: RowEvent;
  readonly signalling: string;
}

const row = (from: Phase, input: CallInput, to: Phase, event: RowEvent, signalling: string): TransitionRow => ({
  from,
  input,
  to,
  event,
  signalling,
});

const UNANSWERED = 'call.missed or call.failed';

export const callStateTable: readonly TransitionRow[] = [
  row('NEW', 'invited', 'INITIAL', 'call.initial', 'first INVITE sent to an endpoint'),
  row('NEW', 'unanswered', 'FAILED', UNANSWERED, 'nobody to send an INVITE to: 480 to the caller'),

  row('INITIAL', 'invited', 'INITIAL', null, 'INVITE sent to a further endpoint'),
  row('INITIAL', 'accepted', 'ACCEPTED', null, '200 from the click-to-call originator'),
  row('INITIAL', 'ringing', 'RINGING', 'call.ringing', '180 or 183 from the called endpoint'),
  row('INITIAL', 'answered', 'CONNECTED', 'call.connected', '200 from the called endpoint'),
  row('INITIAL', 'unanswered', 'FAILED', UNANSWERED, '4xx-6xx, CANCEL or silence'),
  row('INITIAL', 'elsewhere', 'HANGUP', 'call.hangup', 'CANCEL with Reason SIP;cause=200: answered by another member'),

  row('ACCEPTED', 'invited', 'ACCEPTED', null, 'INVITE sent to the destination'),
  row('ACCEPTED', 'ringing', 'RINGING', 'call.ringing', '180 or 183 from the destination'),
  row('ACCEPTED', 'answered', 'CONNECTED', 'call.connected', '200 from the destination'),
  row('ACCEPTED', 'unanswered', 'FAILED', UNANSWERED, '4xx-6xx from the destination, or BYE from the originator'),
  row('ACCEPTED', 'elsewhere', 'HANGUP', 'call.hangup', 'BYE to the originator, whose party took its place'),

  row('RINGING', 'invited', 'RINGING', null, 'INVITE sent to a further endpoint'),
  row('RINGING', 'ringing', 'RINGING', null, 'a further provisional'),
  row('RINGING', 'answered', 'CONNECTED', 'call.connected', '200 from the called endpoint'),
  row('RINGING', 'unanswered', 'FAILED', UNANSWERED, '4xx-6xx, CANCEL or ring time over'),
  row('RINGING', 'elsewhere', 'HANGUP', 'call.hangup', 'CANCEL with Reason SIP;cause=200: answered by another member'),

  row('CONNECTED', 'held', 'ON_HOLD', 'call.hold', 're-INVITE with a=sendonly (or inactive, or 0.0.0.0)'),
  row('CONNECTED', 'ended', 'HANGUP', 'call.hangup', 'BYE, or a dialog that was lost'),

  row('ON_HOLD', 'held', 'ON_HOLD', null, 're-INVITE of the other party, also holding'),
  row('ON_HOLD', 'resumed', 'CONNECTED', 'call.unhold', 're-INVITE with a=sendrecv from the last holder'),
  row('ON_HOLD', 'ended', 'HANGUP', 'call.hangup', 'BYE, or a dialog that was lost'),
];

const byFromAndInput = new Map(callStateTable.map((entry) => [`${entry.from} ${entry.input}`, entry]));

export interface Move {
  readonly to: Phase;
  readonly event: CallEventName | null;
}

/** Where `input` moves a call that is in `from`; undefined when the table has no such row and the call stays as it is. */
export function moveCall(from: Phase, input: CallInput, direction: 'in' | 'out'): Move | undefined {
  const found = byFromAndInput.get(`${from} ${input}`);
  if (found === undefined) return undefined;
  const event = found.event === UNANSWERED ? (direction === 'out' ? 'call.failed' : 'call.missed') : found.event;
  return { to: found.to, event };
}

export function isOver(phase: Phase): boolean {
  return phase === 'HANGUP' || phase === 'FAILED';
}

/** True while the parties talk, and of calls that were hung up: none of them is ever missed or failed. */
export function isAnswered(phase: Phase): boolean {
  return phase === 'CONNECTED' || phase === 'ON_HOLD' || phase === 'HANGUP';
}
