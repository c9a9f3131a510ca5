// Follow-me: the numbers at which a user may be reached ring for one caller, each as a call of its own; the first who takes the
// caller has it. Knows neither who the caller is nor what comes when nobody does.
import type { User } from '../contract/resources/customer.ts';
import type { Timer } from '../kernel/clock.ts';
import type { Sound } from '../media/sound.ts';
import { Announcer } from './announcer.ts';
import { closeLeg, endLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { clidOf, type Shown, shownByForwarding } from './caller-id.ts';
import {
  bestFailure,
  CALLER_CANCELLED,
  type Cause,
  COMPLETED_ELSEWHERE,
  causeOfStatus,
  isCalleesWish,
  NO_ANSWER,
  NO_USER_RESPONDING,
  reasonHeader,
} from './causes.ts';
import { Dial, ringTimeOf } from './dial.ts';
import { Confirmation } from './follow-me-confirm.ts';
import { followMeTargets } from './forwarding.ts';
import type { Leg } from './leg.ts';
import { digitsOf } from './party.ts';
import type { Place, Target } from './place.ts';
import { rateFor } from './rates.ts';
import type { GroupEvents } from './ring-group.ts';
import { follow, takeHolds } from './ring-group-call.ts';
import type { Switchboard } from './switchboard.ts';

export interface FollowMeOptions {
  /** The caller at the user's follow-me. */
  readonly call: Call;
  readonly caller: Leg;
  /** Who has an announcement (`fm_announcement_enabled`) wants the caller answered: otherwise nobody hears it. */
  readonly user: User;
  /** Whom a number sees to which the caller is led on as such. */
  readonly shown: (place: Place) => Shown;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  readonly events: GroupEvents;
}

/** One of the numbers, and how far it came. */
interface Attempt {
  readonly dial: Dial;
  leg: Leg | undefined;
  confirmation: Confirmation | undefined;
}

export class FollowMe {
  readonly #board: Switchboard;
  readonly #options: FollowMeOptions;
  readonly #turns: Target[][];
  readonly #attempts = new Map<Call, Attempt>();
  readonly #failures: Cause[] = [];
  readonly #announcer: Announcer;
  #timer: Timer | undefined;
  #isInviting = false;
  #rang = false;
  #over = false;

  constructor(board: Switchboard, options: FollowMeOptions) {
    const { user, call, caller } = options;
    this.#board = board;
    this.#options = options;
    const targets = followMeTargets(board.directory, user);
    this.#turns = user.fm_strategy === 'A' ? [targets] : targets.map((target) => [target]);
    this.#announcer = new Announcer(board, call, caller);
  }

  /** Rings the first numbers, after the announcement where the user has one. Where there is nobody to ring it fails before this returns. */
  start(): void {
    if (!this.#options.user.fm_announcement_enabled) return this.#nextTurn();
    this.#announcer.say([this.#announcement()], () => {
      this.#announcer.repeat(this.#board.sounds.tone('ringback'));
      this.#nextTurn();
    });
  }

  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  close(cause: Cause): void {
    this.#end();
    for (const [child, attempt] of this.#attempts) this.#stop(child, attempt, cause);
    this.#attempts.clear();
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return [...this.#attempts.values()].flatMap(({ dial }) => dial.ringing());
  }

  #announcement(): Sound {
    const { sounds, store } = this.#board;
    const { user } = this.#options;
    const upload = store.vmannouncements.get(user.fm_announcement_id);
    return upload === undefined || upload.data === ''
      ? sounds.prompt('followme-announcement')
      : sounds.upload(`vmannouncements/${upload.id}`, upload.data);
  }

  #nextTurn(): void {
    this.#timer?.cancel();
    do {
      const targets = this.#turns.shift();
      if (targets === undefined) return this.#settle();
      this.#isInviting = true;
      for (const target of targets) if (!this.#over) this.#ring(target);
      this.#isInviting = false;
      if (this.#over) return;
    } while (this.#attempts.size === 0);
    const { call, user } = this.#options;
    const ringTimeMs = ringTimeOf({ ring_time: user.fm_ring_time });
    this.#timer = this.#board.clock.after(ringTimeMs, `follow-me of call ${call.id}`, () => this.#timeOver());
  }

  /** Whoever has answered and is being asked may still say yes. */
  #timeOver(): void {
    const isGrowing = this.#options.user.fm_strategy === 'M' && this.#turns.length > 0;
    if (!isGrowing)
      for (const [child, attempt] of this.#attempts)
        if (attempt.leg === undefined) {
          this.#stop(child, attempt, NO_ANSWER);
          this.#forget(child, NO_ANSWER);
        }
    if (isGrowing || this.#attempts.size === 0) this.#nextTurn();
  }

  #ring(target: Target): void {
    const { call, caller, user, shown, codecs, maxForwards } = this.#options;
    const { calls, directory } = this.#board;
    if (calls.size >= MAX_LIVE_CALLS) return void this.#failures.push(causeOfStatus(503));
    // Nobody calls oneself by way of somebody else.
    if (target.kind === 'user' && target.user.id === caller.party.userId)
      return void this.#failures.push(NO_USER_RESPONDING);
    const seen = shownByForwarding(user, directory.partyOf(user), shown(target), target);
    const child = calls.open({
      parent: call,
      isForGroup: true,
      forUserId: user.id,
      customerId: call.customerId,
      direction: target.kind === 'public' ? 'out' : 'in',
      origin: call.origin,
      src: caller.party,
      dst: directory.partyAt(target),
      clid: clidOf(seen),
      rate: target.kind === 'public' ? rateFor(digitsOf(target.number)) : 0,
    });
    const dial = new Dial(this.#board, {
      ...{ call: child, target, shown: seen, codecs, isForGroup: true },
      ...(maxForwards === undefined ? {} : { maxForwards }),
      events: {
        onInvited: (leg) => this.#invited(child, leg),
        onProvisional: (leg) => this.#provisional(child, leg),
        onRedirected: () => {},
        onAnswered: (leg) => this.#answered(child, leg),
        onFailed: (cause) => this.#failed(child, cause),
      },
    });
    child.srcLeg = caller;
    child.hangUp = (cause) => this.#dismiss(child, cause);
    child.ringing = () => dial.ringing();
    this.#attempts.set(child, { dial, leg: undefined, confirmation: undefined });
    dial.start();
  }

  #invited(child: Call, leg: Leg): void {
    child.dstLeg ??= leg;
    this.#board.calls.move(child, 'invited');
    this.#options.events.onInvited();
  }

  #provisional(child: Call, leg: Leg): void {
    child.dstLeg = leg;
    this.#board.calls.move(child, 'ringing');
    if (this.#rang) return;
    this.#rang = true;
    this.#options.events.onRinging();
  }

  #answered(child: Call, leg: Leg): void {
    const attempt = this.#attempts.get(child);
    if (attempt === undefined) return;
    attempt.leg = leg;
    if (!this.#options.user.fm_confirm_required) return this.#take(child, leg);
    child.dstLeg = leg;
    attempt.confirmation = new Confirmation(this.#board, child, leg, (refused) => {
      if (refused === undefined) return this.#take(child, leg);
      endLeg(this.#board, child, leg, refused);
      this.#failed(child, refused);
    });
    attempt.confirmation.start();
  }

  #take(child: Call, leg: Leg): void {
    const { call, caller, events } = this.#options;
    this.#announcer.stop();
    takeHolds(call, child, caller);
    if (!events.onAnswered(leg, child)) {
      leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
      closeLeg(this.#board, child, leg);
      return this.#failed(child, causeOfStatus(488));
    }
    this.#end();
    this.#attempts.delete(child);
    follow(this.#board, call, child);
    for (const [loser, attempt] of this.#attempts) this.#stop(loser, attempt, COMPLETED_ELSEWHERE);
    this.#attempts.clear();
  }

  #failed(child: Call, cause: Cause): void {
    if (!this.#attempts.has(child)) return;
    this.#board.calls.end(child, cause, isCalleesWish(cause) ? 'callee' : null);
    this.#forget(child, cause);
    if (this.#attempts.size === 0 && !this.#isInviting && !this.#over) this.#nextTurn();
  }

  /** Somebody ends the call to one of the numbers: the others ring on. */
  #dismiss(child: Call, cause: Cause): void {
    const attempt = this.#attempts.get(child);
    if (attempt === undefined) return;
    this.#stop(child, attempt, cause);
    this.#failed(child, cause);
  }

  /** Its phone rings no more, or is hung up on, and its call has ended. */
  #stop(child: Call, { dial, leg, confirmation }: Attempt, cause: Cause): void {
    confirmation?.close();
    dial.cancel(cause);
    if (leg !== undefined) {
      leg.session.events = {};
      endLeg(this.#board, child, leg, cause);
    }
    if (cause === COMPLETED_ELSEWHERE) this.#board.calls.endElsewhere(child);
    else this.#board.calls.end(child, cause, cause === CALLER_CANCELLED ? 'caller' : null);
  }

  #forget(child: Call, cause: Cause): void {
    this.#attempts.delete(child);
    this.#failures.push(cause.status >= 400 ? cause : NO_USER_RESPONDING);
  }

  /** No number is left to ring: it is over, unless one rings or is asked still. RFC 3261, 16.7: the best of all answers counts. */
  #settle(): void {
    if (this.#attempts.size > 0) return;
    this.#end();
    this.#options.events.onFailed(bestFailure(this.#failures));
  }

  #end(): void {
    this.#over = true;
    this.#timer?.cancel();
    this.#announcer.stop();
  }
}
