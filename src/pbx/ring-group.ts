// A ring group rings its members' phones for one caller, in the order of its strategy. Knows neither who the caller is nor what
// comes when nobody answers.
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { type Cause, NOT_REGISTERED } from './causes.ts';
import { ringTimeOf, silenceOf } from './dial.ts';
import type { Leg } from './leg.ts';
import { MemberRinging } from './member-ringing.ts';
import type { Group, Place, UserTarget } from './place.ts';
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

/** For whom several are rung. */
export interface GroupCaller {
  /** The caller at the place. */
  readonly call: Call;
  readonly caller: Leg;
  /** Whom one sees who is rung, but for what the place adds. */
  readonly shown: (place: Place) => Shown;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  readonly events: GroupEvents;
}

/** Several who ring for one caller: a ring group, or the targets of a follow-me. */
export interface GroupReach {
  /** Rings the first ones. Events may come before this returns: where there is nobody to ring, it is over by then. */
  start(): void;
  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  close(cause: Cause): void;
  /** The legs that ring, for orders to a phone. */
  ringing(): readonly Leg[];
  /** Whether a phone has said that it rings. */
  readonly hasRung: boolean;
  /** Rings on for another caller; the one before hears of nothing any more. */
  handTo(next: GroupCaller): void;
}

export class RingGroup implements GroupReach {
  #for: GroupCaller;
  readonly #ringing: MemberRinging<UserTarget>;

  constructor(board: Switchboard, group: Group, caller: GroupCaller) {
    const { call } = caller;
    this.#for = caller;
    const users = [...new Set(group.users)].flatMap((id) => board.directory.user(id) ?? []);
    const members = users.filter((user) => user.active && user.customer === call.customerId);
    const targets = members.map((user) => ({ kind: 'user', user }) as const);
    this.#ringing = new MemberRinging(board, {
      ...caller,
      turns: turnsOf<UserTarget>(group.strategy, targets, board.chance),
      ringTimeMs: ringTimeOf({ ring_time: group.ring_time }),
      shown: (target) => ({ ...this.#for.shown(target), ...(group.cli_prefix ? { prefix: group.name } : {}) }),
      reasonToSkip: ({ user }) =>
        board.registrar.isReached(user.id) ? silenceOf(board, user, this.#for.call) : NOT_REGISTERED,
      events: {
        onInvited: () => this.#for.events.onInvited(),
        onRinging: () => this.#for.events.onRinging(),
        onAnswered: (answer) => this.#ringing.join(answer, this.#for.events.onAnswered),
        onNobody: (cause) => this.#for.events.onFailed(cause),
      },
    });
  }

  get hasRung(): boolean {
    return this.#ringing.hasRung;
  }

  start(): void {
    this.#ringing.start();
  }

  close(cause: Cause): void {
    this.#ringing.close(cause);
  }

  ringing(): readonly Leg[] {
    return this.#ringing.ringing();
  }

  handTo(next: GroupCaller): void {
    this.#for = next;
    this.#ringing.handTo(next);
  }
}
