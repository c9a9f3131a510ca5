// What a user does at a phone: the acts, their reading, and which of the phone's calls each one means. Knows no registration.
import { failure, type Result, success } from '../kernel/errors.ts';
import { isDialled, isDigits, MAX_DIGITS } from './behaviour.ts';
import type { PhoneCall } from './phone-call.ts';

export const CALL_ACTS = ['answer', 'reject', 'hold', 'resume', 'transfer', 'join', 'digits', 'hangup'] as const;
export const ACTS = ['call', ...CALL_ACTS, 'register', 'unregister'] as const;
export type ActName = (typeof ACTS)[number];

export interface Act {
  readonly act: ActName;
  /** Whom to call or to transfer to. */
  readonly to?: string;
  /** Keys to press. */
  readonly digits?: string;
  /** Of `call`: the INVITE goes without an offer (RFC 3264, 4). */
  readonly offer?: 'late';
  /** Of `hold` and `resume`: in place of a re-INVITE (RFC 3311). */
  readonly by?: 'UPDATE';
  /** Of `register`: for how many seconds is asked. */
  readonly expires_s?: number;
}

export interface ActAnswer {
  /** Call-ID of the call that the act was about. */
  readonly sipCallId?: string;
}

/** Reads an act. `invalid` names every member that is unknown, missing or of a wrong type. */
export function parseAct(input: unknown): Result<Act> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return failure('invalid', 'An act must be an object.', ['body: expected an object with act']);
  }
  const { act, to, digits, offer, by, expires_s: expiresS, ...unknown } = input as Record<string, unknown>;
  const members = 'act, to, digits, offer, by, expires_s';
  const problems = Object.keys(unknown).map((name) => `${name}: unknown, expected one of ${members}`);
  const known = ACTS.find((name) => name === act);
  if (known === undefined) problems.push(`act: expected one of ${ACTS.join(', ')}`);
  if (to !== undefined && !isDialled(to)) {
    problems.push('to: expected a number or an extension: digits, * and #, with or without +');
  }
  if (digits !== undefined && !isDigits(digits)) {
    problems.push(`digits: expected 1 to ${MAX_DIGITS} of the keys 0-9, *, #, A-D`);
  }
  if (offer !== undefined && offer !== 'late') problems.push('offer: expected late');
  if (by !== undefined && by !== 'UPDATE') problems.push('by: expected UPDATE');
  if (expiresS !== undefined && !isExpiry(expiresS))
    problems.push(`expires_s: expected whole seconds from 1 to ${MAX_EXPIRES_S}`);
  if (to === undefined && (known === 'call' || known === 'transfer')) problems.push(`to: missing, ${known} needs it`);
  if (digits === undefined && known === 'digits') problems.push('digits: missing, digits needs them');
  if (problems.length > 0) return failure('invalid', 'The act is not valid.', problems);
  return success(input as Act);
}

/** The longest time that a phone asks for. */
export const MAX_EXPIRES_S = 86_400;

function isExpiry(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_EXPIRES_S;
}

/** Does an act on the one of the phone's calls that its user would mean. `who` names the phone in refusals. */
export function actOnCalls(calls: readonly PhoneCall[], act: Act, who: string): Result<ActAnswer> {
  if (act.act === 'join') return join(calls, who);
  const call = calls[callMeant(calls, act.act)];
  if (call === undefined) return failure('conflict', `${who} has ${missing(act.act)}.`);
  const { sipCallId } = call;
  const done = perform(call, act);
  return done.ok ? success({ sipCallId }) : done;
}

/** Sends the party on hold to whom the user talks to, or calls, on the newest of the other calls. */
function join(calls: readonly PhoneCall[], who: string): Result<ActAnswer> {
  const held = calls.findLast((call) => call.held && call.state === 'connected');
  if (held === undefined) return failure('conflict', `${who} has no call on hold.`);
  const other = calls.findLast((call) => call !== held && (call.state === 'connected' || call.state === 'ringback'));
  if (other === undefined) return failure('conflict', `${who} has nobody to join the party on hold with.`);
  const done = held.joinWith(other);
  return done.ok ? success({ sipCallId: held.sipCallId }) : done;
}

function perform(call: PhoneCall, act: Act): Result<void> {
  switch (act.act) {
    case 'answer':
      return call.answer();
    case 'reject':
      return call.reject();
    case 'hold':
      return call.hold(act.by);
    case 'resume':
      return call.resume(act.by);
    case 'transfer':
      return call.transfer(act.to ?? '');
    case 'digits':
      return call.digits(act.digits ?? '');
    case 'hangup':
      return success(call.hangUp());
    default:
      return failure('invalid', `${act.act} is not done on a call.`);
  }
}

/** The oldest call that rings; the newest that is held; for all else the newest that the user talks on, or has at all. */
function callMeant(calls: readonly PhoneCall[], act: ActName): number {
  if (act === 'answer' || act === 'reject') return calls.findIndex((call) => call.state === 'ringing');
  if (act === 'resume') return calls.findLastIndex((call) => call.held);
  const talking = calls.findLastIndex((call) => call.state === 'connected' && !call.held);
  if (talking >= 0) return talking;
  if (act === 'hold') return calls.findLastIndex((call) => call.state === 'connected');
  return calls.length - 1;
}

function missing(act: ActName): string {
  if (act === 'answer' || act === 'reject') return 'no call that rings';
  if (act === 'resume') return 'no call on hold';
  if (act === 'hold') return 'no connected call';
  return 'no call';
}
