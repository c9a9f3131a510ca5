// A ring group rings its members' phones for one caller, in the order of its strategy. Knows neither who the caller is nor what
// comes when nobody answers.
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { type Cause, NOT_REGISTERED } from './causes.ts';
import { ringTimeOf, silenceOf } from './dial.ts';
import type { Leg } from './leg.ts';
import { MemberRinging } from './member-ringing.ts';
import type { Group, UserTarget } from './place.ts';
import { turnsOf } from './ring-group-turns.ts';
import type { Switchboard } from './switchboard.ts';

export interface GroupEvents {
  onInvited(): void;
  /** The first of the phones rings. */
  onRinging(): void;
  /** A member has answered: joins its leg to the caller's in the member's call. False when they have no codec in common. */
  onAnswered(leg: Leg, member: Call): boolean;
  /** Nobody is left who could answer. Exactly one of a joined onAnswered and onFailed comes, unless it was closed. */
  onFailed(cause: Cause): void;
}

export interface GroupOptions {
  /** The caller at the group. */
  readonly call: Call;
  readonly caller: Leg;
  readonly group: Group;
  /** Whom members would see without the group. */
  readonly shown: Shown;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  readonly events: GroupEvents;
}

/** Ready to start. A group that has nobody to ring fails before its start returns. */
export function groupRinging(board: Switchboard, options: GroupOptions): MemberRinging<UserTarget> {
  const { call, group, events } = options;
  const shown = group.cli_prefix ? { ...options.shown, prefix: group.name } : options.shown;
  const users = [...new Set(group.users)].flatMap((id) => board.directory.user(id) ?? []);
  const members = users.filter((user) => user.active && user.customer === call.customerId);
  const targets = members.map((user) => ({ kind: 'user', user }) as const);
  const ringing: MemberRinging<UserTarget> = new MemberRinging(board, {
    ...options,
    turns: turnsOf<UserTarget>(group.strategy, targets, board.chance),
    ringTimeMs: ringTimeOf({ ring_time: group.ring_time }),
    shown: () => shown,
    reasonToSkip: ({ user }) => (board.registrar.isReached(user.id) ? silenceOf(board, user, call) : NOT_REGISTERED),
    events: {
      onInvited: () => events.onInvited(),
      onRinging: () => events.onRinging(),
      onAnswered: (answer) => ringing.join(answer, events.onAnswered),
      onNobody: (cause) => events.onFailed(cause),
    },
  });
  return ringing;
}
