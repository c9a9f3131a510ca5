// What a simulated phone does when it is called, as the control API and scenarios write it. Knows no SIP session.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import { failure, type Result, success } from '../kernel/errors.ts';

export const ON_CALL = [
  'answer',
  'busy',
  'decline',
  'unavailable',
  'ring',
  'silent',
  'redirect',
  'early_media',
] as const;
export type OnCall = (typeof ON_CALL)[number];

export const AFTER_TALK = ['hangup', 'hold', 'transfer'] as const;
export type AfterTalk = (typeof AFTER_TALK)[number];

export interface Behaviour {
  /**
   * `answer`: 180 at once, 200 after `after_ms`. `busy` 486, `decline` 603, `unavailable` 480, `redirect` 302 to `to`:
   * at once, or after ringing for `after_ms`. `early_media`: 183 with SDP at once (RFC 3261, 13.2.1), 200 after `after_ms`. `ring`: 180 and never an answer. `silent`: not a word, not even 100.
   */
  readonly on_call: OnCall;
  /** How long the phone rings first, in ms. Default 2000 for `answer` and `early_media`, else 0. */
  readonly after_ms?: number;
  /** Where `redirect` and `transfer` send the caller: a number or an extension. */
  readonly to?: string;
  /** How long to talk from the answer on, in ms, before `then`. Default: for ever, or 0 when `then` is given. */
  readonly talk_ms?: number;
  /** Default `hangup` when `talk_ms` is given. */
  readonly then?: AfterTalk;
  /** Pressed once connected, one each 200 ms. */
  readonly digits?: string;
}

export const DEFAULT_BEHAVIOUR: Behaviour = { on_call: 'answer', after_ms: 2000 };

/** How long `answer` rings when it does not say. */
export const DEFAULT_ANSWER_MS = 2000;

/** The longest `after_ms` and `talk_ms`: a day. */
export const MAX_BEHAVIOUR_MS = 86_400_000;

export const MAX_DIGITS = 64;

const DIALLED = /^\+?[0-9*#]{1,20}$/;
const DTMF = /^[0-9*#A-D]+$/;

type Check = (value: unknown) => string | undefined;

const MEMBERS: Readonly<Record<keyof Behaviour, Check>> = {
  on_call: (value) => oneOf(ON_CALL, value),
  after_ms: milliseconds,
  to: (value) => (isDialled(value) ? undefined : 'a number or an extension: digits, * and #, with or without +'),
  talk_ms: milliseconds,
  then: (value) => oneOf(AFTER_TALK, value),
  digits: (value) => (isDigits(value) ? undefined : `1 to ${MAX_DIGITS} of the keys 0-9, *, #, A-D`),
};

/** True for what a phone's user can key in as a destination. */
export function isDialled(value: unknown): value is string {
  return typeof value === 'string' && DIALLED.test(value);
}

/** True for keys that can be sent as DTMF. */
export function isDigits(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_DIGITS && DTMF.test(value);
}

/** Reads a behaviour, or its `on_call` word alone. `invalid` names every member that is unknown, missing or of a wrong type. */
export function parseBehaviour(input: unknown): Result<Behaviour> {
  const members = typeof input === 'string' ? { on_call: input } : input;
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    return failure('invalid', 'behaviour must be an object or one of its on_call words.', [
      `behaviour: expected an object or ${words(ON_CALL)}`,
    ]);
  }
  const problems: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (!isMember(name)) problems.push(`behaviour.${name}: unknown, expected ${words(Object.keys(MEMBERS))}`);
    else {
      const expected = MEMBERS[name](value);
      if (expected !== undefined) problems.push(`behaviour.${name}: expected ${expected}`);
    }
  }
  const behaviour = members as Behaviour;
  if (behaviour.on_call === undefined) problems.push(`behaviour.on_call: missing, expected ${words(ON_CALL)}`);
  const needsTo = behaviour.on_call === 'redirect' || behaviour.then === 'transfer';
  if (needsTo && behaviour.to === undefined) {
    const who = behaviour.on_call === 'redirect' ? 'on_call redirect' : 'then transfer';
    problems.push(`behaviour.to: missing, ${who} needs a number or an extension`);
  }
  if (problems.length > 0) return failure('invalid', 'The behaviour is not valid.', problems);
  return success({ ...behaviour });
}

/** When and how a connected call ends by itself; undefined: it goes on until somebody ends it. */
export function afterTalk(behaviour: Behaviour): { readonly talkMs: number; readonly next: AfterTalk } | undefined {
  if (behaviour.talk_ms === undefined && behaviour.then === undefined) return undefined;
  return { talkMs: behaviour.talk_ms ?? 0, next: behaviour.then ?? 'hangup' };
}

function isMember(name: string): name is keyof Behaviour {
  return Object.hasOwn(MEMBERS, name);
}

function milliseconds(value: unknown): string | undefined {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_BEHAVIOUR_MS;
  return fits ? undefined : `whole milliseconds from 0 to ${MAX_BEHAVIOUR_MS}`;
}

function oneOf(allowed: readonly string[], value: unknown): string | undefined {
  return typeof value === 'string' && allowed.includes(value) ? undefined : words(allowed);
}

function words(allowed: readonly string[]): string {
  return `one of ${allowed.join(', ')}`;
}
