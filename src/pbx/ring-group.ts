// A ring group rings its members' phones for one caller, each as a call of its own; the first to answer has the caller. Knows
// neither who the caller is nor what comes when nobody answers.
import type { User } from '../contract/resources/customer.ts';
import type { Timer } from '../kernel/clock.ts';
import { closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { clidOf, type Shown } from './caller-id.ts';
import {
  bestFailure,
  CALLER_CANCELLED,
  type Cause,
  COMPLETED_ELSEWHERE,
  causeOfStatus,
  isCalleesWish,
  NO_ANSWER,
  NO_USER_RESPONDING,
  NOT_REGISTERED,
  reasonHeader,
} from './causes.ts';
import { Dial, ringTimeOf, silenceOf } from './dial.ts';
import type { Leg } from './leg.ts';
import type { Group, Place } from './place.ts';
import { follow, takeHolds } from './ring-group-call.ts';
import { type Turns, turnsOf } from './ring-group-turns.ts';
import type { Switchboard } from './switchboard.ts';

export interface GroupEvents {
  onInvited(): void;
  /** The first of the phones rings. */
  onRinging(): void;
  /** A member has answered: joins its leg to the caller's in the member's call. False when they have no codec in common. */
  onAnswered(leg: Leg, member: Call): boolean;
  /** Nobody is left who could answer. Exactly one of a joined onAnswered and onFailed comes, unless it was cancelled. */
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

export class GroupRinging {
  readonly #board: Switchboard;
  readonly #options: GroupOptions;
  readonly #shown: Shown;
  readonly #turns: Turns;
  readonly #ringing = new Map<Call, Dial>();
  /** Of members who were rung, and of those whose phones nobody could ring. */
  readonly #failures: Cause[] = [];
  readonly #skipped: Cause[] = [];
  #timer: Timer | undefined;
  #isInviting = false;
  #rang = false;
  #over = false;

  constructor(board: Switchboard, options: GroupOptions) {
    const { group, shown, call } = options;
    this.#board = board;
    this.#options = options;
    this.#shown = group.cli_prefix ? { ...shown, prefix: group.name } : shown;
    const users = [...new Set(group.users)].flatMap((id) => board.directory.user(id) ?? []);
    const members = users.filter((user) => user.active && user.customer === call.customerId);
    this.#turns = turnsOf(group.strategy, members, board.chance);
  }

  /** Rings the first members. A group that has nobody to ring fails before this returns. */
  start(): void {
    this.#nextTurn();
  }

  get target(): Place {
    return { kind: 'group', group: this.#options.group };
  }

  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  cancel(cause: Cause): void {
    this.#close();
    this.#stopAll(cause, cause === CALLER_CANCELLED ? 'caller' : null);
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return [...this.#ringing.values()].flatMap((dial) => dial.ringing());
  }

  #nextTurn(): void {
    this.#timer?.cancel();
    do {
      const users = this.#turns.next.shift();
      if (users === undefined) return this.#fail();
      this.#isInviting = true;
      for (const user of users) if (!this.#over) this.#ring(user);
      this.#isInviting = false;
      if (this.#over) return;
    } while (this.#ringing.size === 0);
    const { call, group } = this.#options;
    this.#timer = this.#board.clock.after(
      ringTimeOf({ ring_time: group.ring_time }),
      `ring time of call ${call.id}`,
      () => this.#timeOver(),
    );
  }

  #timeOver(): void {
    if (!this.#turns.growing || this.#turns.next.length === 0) this.#stopAll(NO_ANSWER, null);
    this.#nextTurn();
  }

  /** Why a member is not rung at all; undefined when it is. */
  #reasonToSkip(user: User): Cause | undefined {
    const { call, caller } = this.#options;
    const { calls, registrar } = this.#board;
    // Nobody calls oneself by way of a group.
    if (user.id === caller.party.userId) return NO_USER_RESPONDING;
    if (calls.size >= MAX_LIVE_CALLS) return causeOfStatus(503);
    const isReached = registrar.bindings(user.id).some((binding) => registrar.flowTo(binding) !== undefined);
    return isReached ? silenceOf(this.#board, user, call) : NOT_REGISTERED;
  }

  #ring(user: User): void {
    const skip = this.#reasonToSkip(user);
    if (skip !== undefined) {
      this.#skipped.push(skip);
      return;
    }
    const { call, caller, codecs, maxForwards } = this.#options;
    const { calls, directory } = this.#board;
    const member = calls.open({
      parent: call,
      isForGroup: true,
      customerId: call.customerId,
      direction: 'in',
      origin: call.origin,
      src: caller.party,
      dst: directory.partyOf(user),
      clid: clidOf(this.#shown),
      rate: 0,
    });
    const dial = new Dial(this.#board, {
      call: member,
      target: { kind: 'user', user },
      shown: this.#shown,
      codecs,
      ...(maxForwards === undefined ? {} : { maxForwards }),
      isForGroup: true,
      events: {
        onInvited: (leg) => this.#invited(member, leg),
        onProvisional: (leg) => this.#provisional(member, leg),
        onRedirected: () => {},
        onAnswered: (leg) => this.#answered(member, leg),
        onFailed: (cause) => this.#failed(member, cause),
      },
    });
    member.srcLeg = caller;
    member.hangUp = (cause) => this.#dismiss(member, cause);
    member.ringing = () => dial.ringing();
    member.pickUp = (leg, answer) => {
      if (!answer(codecs)) return false;
      dial.cancel(COMPLETED_ELSEWHERE);
      member.referredBy = member.dst.number;
      member.dst = leg.party;
      this.#answered(member, leg);
      return true;
    };
    this.#ringing.set(member, dial);
    dial.start();
  }

  #invited(member: Call, leg: Leg): void {
    member.dstLeg ??= leg;
    this.#board.calls.move(member, 'invited');
    this.#options.events.onInvited();
  }

  #provisional(member: Call, leg: Leg): void {
    member.dstLeg = leg;
    this.#board.calls.move(member, 'ringing');
    if (this.#rang) return;
    this.#rang = true;
    this.#options.events.onRinging();
  }

  #answered(member: Call, leg: Leg): void {
    const { call, caller, events } = this.#options;
    takeHolds(call, member, caller);
    if (!events.onAnswered(leg, member)) {
      // It and the caller have no codec in common: whoever picked up is told so, and the others ring on.
      leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
      closeLeg(this.#board, member, leg);
      return this.#failed(member, causeOfStatus(488));
    }
    this.#close();
    this.#ringing.delete(member);
    follow(this.#board, call, member);
    for (const [loser, dial] of this.#ringing) {
      dial.cancel(COMPLETED_ELSEWHERE);
      this.#board.calls.endElsewhere(loser);
    }
    this.#ringing.clear();
  }

  #failed(member: Call, cause: Cause): void {
    this.#ringing.delete(member);
    this.#failures.push(cause.status >= 400 ? cause : NO_USER_RESPONDING);
    this.#board.calls.end(member, cause, isCalleesWish(cause) ? 'callee' : null);
    if (this.#ringing.size === 0 && !this.#isInviting && !this.#over) this.#nextTurn();
  }

  /** Somebody ends the call of one member: its phone rings no more, the group goes on without it. */
  #dismiss(member: Call, cause: Cause): void {
    const dial = this.#ringing.get(member);
    if (dial === undefined) return;
    dial.cancel(cause);
    this.#failed(member, cause);
  }

  #stopAll(cause: Cause, by: 'caller' | null): void {
    for (const [member, dial] of this.#ringing) {
      dial.cancel(cause);
      this.#failures.push(cause);
      if (cause === COMPLETED_ELSEWHERE) this.#board.calls.endElsewhere(member);
      else this.#board.calls.end(member, cause, by);
    }
    this.#ringing.clear();
  }

  // RFC 3261, 16.7: of all answers the best one is the group's. Who was not rung counts only when nobody was.
  #fail(): void {
    this.#close();
    this.#options.events.onFailed(bestFailure(this.#failures.length > 0 ? this.#failures : this.#skipped));
  }

  #close(): void {
    this.#over = true;
    this.#timer?.cancel();
  }
}
