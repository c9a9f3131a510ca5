// A call of the past as a short script, read off its call record: who called whom, when, and how it ended. Runs nothing.
import type { Cdr } from '../contract/resources/history.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { ID_BLOCK } from '../kernel/ids.ts';
import { parseUtc } from '../kernel/time.ts';

export interface PastParty {
  /** Null for somebody on the public network. */
  readonly userId: number | null;
  /** Extension of a user, number of an outsider. */
  readonly number: string;
  readonly name: string;
}

/** Why nobody answered: what the called party did, or that the caller gave up. */
export type Unanswered = 'busy' | 'decline' | 'unavailable' | 'ring' | 'absent' | 'cancelled';

export interface PastScript {
  readonly liveId: number;
  readonly customerId: number;
  /** ms since 1970. */
  readonly startedAt: number;
  /** By the caller's phone, by the public network, or by a command that rings the caller first. */
  readonly placedBy: 'phone' | 'network' | 'command';
  /** The called party's voicemail took the call, and its phone never rang. */
  readonly isVoicemail: boolean;
  readonly caller: PastParty;
  readonly callee: PastParty;
  /** The number that the public network dialled. */
  readonly dialled: string;
  /** What a user's call shows to the outside; empty: the extension. */
  readonly shown: string;
  /** From the start to the answer, or to the end when nobody answered. */
  readonly ringMs: number;
  readonly end: { readonly talkMs: number; readonly held: PastHold | undefined } | Unanswered;
  /** False when the called party's phone never said that it rings. */
  readonly rings: boolean;
}

/** ms from the answer on. */
export interface PastHold {
  readonly atMs: number;
  readonly forMs: number;
}

/** Longer calls have no script: every hour of them is lived through, registrations and all. */
export const LONGEST_CALL_S = 24 * 3600;

/** Calls at other places of the exchange say too little of what was done there. */
const ACTED: readonly string[] = ['USER_LOCAL', 'PSTN_CALL', 'VOICEMAIL'];

const UNANSWERED: Readonly<Record<string, Unanswered>> = {
  'User busy': 'busy',
  'Call rejected': 'decline',
  'No user responding': 'unavailable',
  'No answer': 'ring',
  'Subscriber absent': 'absent',
  'Originator cancel': 'cancelled',
};

/**
 * What the record does not tell is decided by rule: the caller hangs up; of every five calls of a minute or more one was on
 * hold for a sixth of the time. `dialled` gives the number by which the outside reaches a user. `not_found` says why there
 * is no script.
 */
export function scriptOf(customerId: number, cdr: Cdr, dialled: (userId: number) => string): Result<PastScript> {
  const startedAt = parseUtc(cdr.calldate);
  const [caller, callee] = [partyOf(cdr.src_id, cdr.src, cdr.src_name), partyOf(cdr.dst_id, cdr.dst, cdr.dst_name)];
  const placedBy = cdr.destination === 'webcall' ? 'command' : caller.userId === null ? 'network' : 'phone';
  const end = endOf(cdr);
  const isVoicemail = cdr.disposition === 'VM';
  const why =
    startedAt === undefined || !(cdr.duration >= cdr.billsec && cdr.billsec >= 0 && cdr.duration <= LONGEST_CALL_S)
      ? 'it has no times that a call could have had'
      : end === undefined
        ? `nobody can tell how a call ends with "${cdr.t_cause}"`
        : Math.floor(cdr.live_id / ID_BLOCK) !== customerId
          ? 'its live id is none of its account'
          : placedBy === 'network' && callee.userId === null
            ? 'no user took part in it'
            : !ACTED.includes(cdr.context) || (cdr.context === 'VOICEMAIL' && !isVoicemail)
              ? 'nobody knows what was done in it but talk'
              : undefined;
  if (why !== undefined || startedAt === undefined || end === undefined) return noTrace(why ?? 'it tells too little');
  return success({
    ...{ liveId: cdr.live_id, customerId, startedAt, placedBy, caller, callee, end, isVoicemail },
    dialled: callee.userId === null ? '' : dialled(callee.userId),
    shown: shownIn(cdr, caller),
    ringMs: (cdr.duration - cdr.billsec) * 1000,
    rings: cdr.disposition !== 'INITIAL',
  });
}

/** The answer for a record of the past whose signalling cannot be made. */
export function noTrace(why: string): Result<never> {
  return failure('not_found', `This call of the past has no trace: ${why}.`);
}

function partyOf(id: string, number: string, name: string): PastParty {
  const userId = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
  return { userId, number, name };
}

/** The number in `"Name" <number>`, when it is another one than the extension. */
function shownIn({ clid }: Cdr, { number }: PastParty): string {
  const shown = /<\+?(\d{3,15})>$/.exec(clid)?.[1] ?? '';
  return shown === number ? '' : shown;
}

function endOf({ billsec, disposition, t_cause, live_id }: Cdr): PastScript['end'] | undefined {
  const isAnswered = billsec > 0 || !['INITIAL', 'RINGING'].includes(disposition);
  if (!isAnswered) return UNANSWERED[t_cause];
  if (t_cause !== 'Normal clearing') return undefined;
  const talkMs = billsec * 1000;
  const isHeld = billsec >= 60 && disposition !== 'VM' && live_id % 5 === 0;
  return { talkMs, held: isHeld ? { atMs: talkMs / 2, forMs: Math.floor(billsec / 6) * 1000 } : undefined };
}
