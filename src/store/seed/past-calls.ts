// The calls that a seeded account has already had: who called whom, when, for how long, and how it ended. Writes no records.
import type { Cdr } from '../../contract/resources/history.ts';
import type { Random } from '../../kernel/random.ts';
import { outsideNumber } from './numbers.ts';
import { momentOf, workUntil } from './office-hours.ts';
import type { SeededUser } from './people.ts';

/** Greeting and tone of a voicemail box, in whole seconds: the message begins after them. */
export const BEFORE_MESSAGE_S = 6;
const YEAR_MS = 365 * 86_400_000;
const HOUR_MS = 3_600_000;
const RING_TIME_S = 20;

export interface PastParty {
  /** Null for somebody on the public network. */
  readonly userId: number | null;
  readonly number: string;
  readonly name: string;
}

export interface PastCall {
  readonly startedAt: number;
  readonly src: PastParty;
  readonly dst: PastParty;
  readonly destination: 'in' | 'out' | 'webcall';
  readonly ringS: number;
  /** 0: nobody answered. */
  readonly talkS: number;
  readonly disposition: Cdr['disposition'];
  readonly cause: string;
  /** The caller came here from the call before, which nobody answered. */
  readonly visit?: 'voicemail';
}

export interface PastPlan {
  readonly users: readonly SeededUser[];
  readonly nameOf: (userId: number) => string;
  readonly random: Random;
  /** Who has called and was called. */
  readonly outsiders: ReadonlyArray<{ readonly number: string; readonly name: string }>;
  readonly nowMs: number;
  readonly count: number;
}

type Kind =
  | 'answered in'
  | 'missed in'
  | 'voicemail in'
  | 'answered out'
  | 'busy out'
  | 'internal'
  | 'internal missed'
  | 'webcall';

/** Repeated until there are enough, so that every kind is there whatever the seed. */
const PATTERN: readonly Kind[] = [
  'answered in',
  'answered out',
  'internal',
  'missed in',
  'answered in',
  'busy out',
  'answered out',
  'webcall',
  'internal missed',
  'voicemail in',
];

/**
 * `count` calls, oldest first, over the office hours of the last year; the last one some hours ago. One that ends in a voicemail box is
 * followed by the visit there, which counts as a call. A user alone has outside calls in place of internal ones.
 */
export function* inventPastCalls(plan: PastPlan): IterableIterator<PastCall> {
  const people = plan.outsiders.map(({ number, name }) => ({ userId: null, number, name }));
  const lastAt = plan.nowMs - 4 * HOUR_MS;
  const until = workUntil(lastAt);
  const step = (until - workUntil(lastAt - YEAR_MS)) / plan.count;
  for (let made = 0, turn = 0; made < plan.count; turn += 1) {
    const kind = PATTERN[turn % PATTERN.length] ?? 'answered in';
    const startedAt = wholeSecond(Math.min(lastAt, momentOf(until - (plan.count - made - plan.random.float()) * step)));
    const call = inventCall(plan, kind, people, startedAt);
    yield call;
    made += 1;
    if (kind !== 'voicemail in' || made === plan.count) continue;
    yield visitToVoicemail(plan, call);
    made += 1;
  }
}

function visitToVoicemail({ random }: PastPlan, missed: PastCall): PastCall {
  const startedAt = missed.startedAt + missed.ringS * 1000;
  const talkS = BEFORE_MESSAGE_S + 2 + random.int(50);
  return { ...missed, startedAt, ringS: 0, talkS, disposition: 'VM', cause: 'Normal clearing', visit: 'voicemail' };
}

function inventCall(plan: PastPlan, kind: Kind, people: readonly PastParty[], startedAt: number): PastCall {
  const { random, users } = plan;
  const at = random.int(users.length);
  const user = partyOf(plan, users[at]);
  const other = partyOf(plan, users[(at + 1 + random.int(Math.max(1, users.length - 1))) % users.length]);
  const outsider = people[random.int(people.length)] ?? user;
  const alone = users.length < 2;
  const answered = { ringS: 2 + random.int(12), talkS: 5 + random.int(600), disposition: 'CONNECTED' } as const;
  const ended = { ...answered, cause: 'Normal clearing', startedAt };
  const missed = { ringS: RING_TIME_S, talkS: 0, disposition: 'RINGING', cause: 'No answer', startedAt } as const;
  switch (kind) {
    case 'answered in':
      return { ...ended, src: outsider, dst: user, destination: 'in' };
    case 'missed in':
    case 'voicemail in':
      return { ...missed, src: outsider, dst: user, destination: 'in' };
    case 'answered out':
      return { ...ended, src: user, dst: outsider, destination: 'out' };
    case 'busy out':
      return {
        ...{ startedAt, src: user, dst: outsider, destination: 'out' },
        ...{ ringS: 1, talkS: 0, disposition: 'INITIAL', cause: 'User busy' },
      };
    case 'internal':
      return { ...ended, src: alone ? outsider : other, dst: user, destination: 'in' };
    case 'internal missed':
      return { ...missed, src: alone ? outsider : other, dst: user, destination: 'in' };
    case 'webcall':
      return { ...ended, src: user, dst: outsider, destination: 'webcall' };
  }
}

function partyOf(plan: PastPlan, user: SeededUser | undefined): PastParty {
  if (user === undefined) return { userId: null, number: outsideNumber(0), name: '' };
  return { userId: user.user_id, number: user.ext, name: plan.nameOf(user.user_id) };
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
