// Parties ring for one caller, turn by turn, each as a call of its own whose parent is the caller's; the first to take the caller
// has it. Knows neither who comes in which turn, nor who the caller is, nor what comes when nobody takes it.
import type { Timer } from '../kernel/clock.ts';
import { endLeg } from './bridge.ts';
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
} from './causes.ts';
import { namedFor } from './cnam.ts';
import { Dial } from './dial.ts';
import type { Leg } from './leg.ts';
import { digitsOf, type Party } from './party.ts';
import type { Target } from './place.ts';
import { rateFor } from './rates.ts';
import { follow, takeHolds } from './ring-group-call.ts';
import type { Turns } from './ring-group-turns.ts';
import type { Switchboard } from './switchboard.ts';

/** One of them has answered, or somebody else for its phone. */
export interface MemberAnswer<T extends Target> {
  readonly target: T;
  /** The member's: a child of the caller's. */
  readonly call: Call;
  readonly leg: Leg;
  readonly isPickedUp: boolean;
}

export interface MemberEvents<T extends Target> {
  onInvited?(): void;
  /** The first of the phones rings. */
  onRinging(): void;
  /** This one does not take the caller, or is not rung at all; the others ring on. */
  onSpared?(target: T): void;
  /** The others ring on until this one takes the caller (`join`, `take`); it may yet be refused (`refuse`). */
  onAnswered(answer: MemberAnswer<T>): void;
  /** Nobody is left who could answer. It comes once, unless somebody took the caller or it was closed. */
  onNobody(cause: Cause): void;
}

export interface MemberOptions<T extends Target> {
  readonly call: Call;
  readonly caller: Leg;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  /** Taken from as they are rung. */
  readonly turns: Turns<T>;
  /** Of each turn. */
  readonly ringTimeMs: number;
  /** Whom this one sees. */
  readonly shown: (target: T) => Shown;
  /** Why this one is not rung at all; undefined when it is. */
  readonly reasonToSkip?: (target: T) => Cause | undefined;
  /** The user for whom they are rung. */
  readonly forUserId?: number;
  readonly events: MemberEvents<T>;
}

interface Member<T extends Target> {
  readonly target: T;
  readonly dial: Dial;
  /** Its answer. */
  leg?: Leg;
}

export class MemberRinging<T extends Target> {
  readonly #board: Switchboard;
  #options: MemberOptions<T>;
  readonly #members = new Map<Call, Member<T>>();
  /** Of those who were rung, and of those whom nobody could ring. */
  readonly #failures: Cause[] = [];
  readonly #skipped: Cause[] = [];
  #timer: Timer | undefined;
  #isInviting = false;
  #rang = false;
  #over = false;

  constructor(board: Switchboard, options: MemberOptions<T>) {
    this.#board = board;
    this.#options = options;
  }

  /** Rings the first turn. Events may come before this returns: with nobody to ring, it is over by then. */
  start(): void {
    this.#nextTurn();
  }

  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  close(cause: Cause): void {
    this.#settle();
    for (const [call, member] of this.#members) {
      this.#silence(call, member, cause);
      if (cause === COMPLETED_ELSEWHERE) this.#board.calls.endElsewhere(call);
      else this.#board.calls.end(call, cause, cause === CALLER_CANCELLED ? 'caller' : null);
    }
    this.#members.clear();
  }

  /** Rings on for another caller, from whose call those who ring come from now on. Its own phones ring no more. */
  handTo({ call: parent, caller, codecs }: Pick<MemberOptions<T>, 'call' | 'caller' | 'codecs'>): void {
    this.#options = { ...this.#options, call: parent, caller, codecs };
    for (const [call, { target }] of [...this.#members]) {
      this.#board.calls.adopt(call, parent, caller, this.#callerOf(target));
      if (this.#isCaller(target)) this.#dismiss(call, NO_USER_RESPONDING);
    }
  }

  /** Whether a phone has said that it rings. */
  get hasRung(): boolean {
    return this.#rang;
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return [...this.#members.values()].flatMap(({ dial }) => dial.ringing());
  }

  /** Joins the two in the member's call, which the caller's follows. Without a codec in common the member is refused. */
  join(answer: MemberAnswer<T>, connect: (leg: Leg, call: Call) => boolean): void {
    const { call, caller } = this.#options;
    takeHolds(call, answer.call, caller);
    if (!connect(answer.leg, answer.call)) return this.refuse(answer, causeOfStatus(488));
    follow(this.#board, call, answer.call);
    this.take(answer);
  }

  /** This one has the caller: nobody else rings any more. */
  take(answer: MemberAnswer<T>): void {
    this.#members.delete(answer.call);
    this.close(COMPLETED_ELSEWHERE);
  }

  /** Whoever answered does not get the caller, and is told why; the others ring on. */
  refuse({ call, leg }: MemberAnswer<T>, cause: Cause): void {
    endLeg(this.#board, call, leg, cause);
    this.#failed(call, cause);
  }

  #nextTurn(): void {
    const { call, turns, ringTimeMs } = this.#options;
    this.#timer?.cancel();
    do {
      const targets = turns.next.shift();
      if (targets === undefined) return this.#fail();
      this.#isInviting = true;
      for (const target of targets) if (!this.#over) this.#ring(target);
      this.#isInviting = false;
      if (this.#over) return;
    } while (this.#members.size === 0);
    this.#timer = this.#board.clock.after(ringTimeMs, `ring time of call ${call.id}`, () => this.#timeOver());
  }

  /** Whoever has answered may still take the caller. */
  #timeOver(): void {
    const { growing, next } = this.#options.turns;
    const isGrowing = growing && next.length > 0;
    if (!isGrowing)
      for (const [call, member] of this.#members)
        if (member.leg === undefined) {
          member.dial.cancel(NO_ANSWER);
          this.#drop(call, member, NO_ANSWER);
        }
    if (isGrowing || this.#members.size === 0) this.#nextTurn();
  }

  #reasonToSkip(target: T): Cause | undefined {
    const { reasonToSkip } = this.#options;
    if (this.#isCaller(target)) return NO_USER_RESPONDING;
    return this.#board.calls.size >= MAX_LIVE_CALLS ? causeOfStatus(503) : reasonToSkip?.(target);
  }

  /** As this one knows it. */
  #callerOf(target: Target): Party {
    const { call, caller } = this.#options;
    return namedFor(this.#board.store, call.customerId, caller.party, target);
  }

  /** Nobody calls oneself by way of others. */
  #isCaller(target: T): boolean {
    return target.kind === 'user' && target.user.id === this.#options.caller.party.userId;
  }

  #ring(target: T): void {
    const { codecs, maxForwards, shown, events } = this.#options;
    const skip = this.#reasonToSkip(target);
    if (skip !== undefined) {
      this.#skipped.push(skip);
      return events.onSpared?.(target);
    }
    const seen = shown(target);
    const call = this.#open(target, seen);
    const dial = new Dial(this.#board, {
      call,
      target,
      shown: seen,
      codecs,
      isForGroup: true,
      ...(maxForwards === undefined ? {} : { maxForwards }),
      events: {
        onInvited: (leg) => this.#invited(call, leg),
        onProvisional: (leg) => this.#provisional(call, leg),
        onRedirected: () => {},
        onAnswered: (leg) => this.#answered(call, leg, false),
        onFailed: (cause) => this.#failed(call, cause),
      },
    });
    call.hangUp = (cause) => this.#dismiss(call, cause);
    call.ringing = () => dial.ringing();
    call.pickUp = {
      caller: () => this.#options.caller,
      by: (leg, answer) => {
        if (!answer(this.#options.codecs)) return false;
        dial.cancel(COMPLETED_ELSEWHERE);
        call.referredBy = call.dst.number;
        call.dst = leg.party;
        this.#answered(call, leg, true);
        return true;
      },
    };
    this.#members.set(call, { target, dial });
    dial.start();
  }

  #open(target: Target, shown: Shown): Call {
    const { call: parent, caller, forUserId } = this.#options;
    const isPublic = target.kind === 'public';
    const call = this.#board.calls.open({
      parent,
      isForGroup: true,
      ...(forUserId === undefined ? {} : { forUserId }),
      customerId: parent.customerId,
      direction: isPublic ? 'out' : 'in',
      origin: parent.origin,
      src: this.#callerOf(target),
      dst: this.#board.directory.partyAt(target),
      clid: clidOf(shown),
      rate: isPublic ? rateFor(digitsOf(target.number)) : 0,
    });
    call.srcLeg = caller;
    return call;
  }

  #invited(call: Call, leg: Leg): void {
    call.dstLeg ??= leg;
    // Whoever is told of the member's call has been told of its parent.
    this.#options.events.onInvited?.();
    this.#board.calls.move(call, 'invited');
  }

  #provisional(call: Call, leg: Leg): void {
    call.dstLeg = leg;
    this.#board.calls.move(call, 'ringing');
    if (this.#rang) return;
    this.#rang = true;
    this.#options.events.onRinging();
  }

  #answered(call: Call, leg: Leg, isPickedUp: boolean): void {
    const member = this.#members.get(call);
    if (member === undefined) return;
    member.leg = leg;
    call.dstLeg = leg;
    call.pickUp = undefined;
    this.#options.events.onAnswered({ target: member.target, call, leg, isPickedUp });
  }

  #failed(call: Call, cause: Cause): void {
    const member = this.#members.get(call);
    if (member === undefined) return;
    this.#drop(call, member, cause);
    if (this.#members.size === 0 && !this.#isInviting && !this.#over) this.#nextTurn();
  }

  /** Somebody ends the call of one of them: its phone rings no more, the others ring on. */
  #dismiss(call: Call, cause: Cause): void {
    const member = this.#members.get(call);
    if (member === undefined) return;
    this.#silence(call, member, cause);
    this.#failed(call, cause);
  }

  #drop(call: Call, { target }: Member<T>, cause: Cause): void {
    this.#members.delete(call);
    this.#failures.push(cause.status >= 400 ? cause : NO_USER_RESPONDING);
    this.#options.events.onSpared?.(target);
    this.#board.calls.end(call, cause, isCalleesWish(cause) ? 'callee' : null);
  }

  /** The phone rings no more; who has answered is hung up on. */
  #silence(call: Call, { dial, leg }: Member<T>, cause: Cause): void {
    dial.cancel(cause);
    if (leg === undefined) return;
    leg.session.events = {};
    endLeg(this.#board, call, leg, cause);
  }

  // RFC 3261, 16.7: of all answers the best one counts; who was not rung counts only when nobody was.
  #fail(): void {
    if (this.#members.size > 0) return;
    this.#settle();
    this.#options.events.onNobody(bestFailure(this.#failures.length > 0 ? this.#failures : this.#skipped));
  }

  #settle(): void {
    this.#over = true;
    this.#timer?.cancel();
  }
}
