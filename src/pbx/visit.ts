// One caller at one place: a user's phones, a number of the public network, a ring group, or an attendant of the exchange. When
// nobody answers, the caller goes on to the next place as a call of its own.
import type { User } from '../contract/resources/customer.ts';
import type { SipResponse } from '../sip/message.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import type { Chosen } from './attendant.ts';
import { attendantAt } from './attendants.ts';
import { causeOfHangup, closeLeg, endLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { clidOf, type Shown } from './caller-id.ts';
import type { AnsweredCaller, CallerSide } from './caller-side.ts';
import {
  CALLER_CANCELLED,
  type Cause,
  COMPLETED_ELSEWHERE,
  causeOfStatus,
  isCalleesWish,
  NORMAL_CLEARING,
} from './causes.ts';
import { Dial } from './dial.ts';
import { FollowMe } from './follow-me.ts';
import { initialRingTimeMs } from './forwarding.ts';
import type { Leg } from './leg.ts';
import { isNew, nextPlace, openVisit, type Visits, visitsAfter } from './onward.ts';
import { type Attended, isAttended, isTarget, type Place, type Target } from './place.ts';
import { attendantReach, dialReach, groupReach, type Reach, type Surrendered } from './reach.ts';
import { type GroupCaller, RingGroup } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';
import { transferFromAttendant } from './transfer.ts';

export interface VisitFacts {
  readonly call: Call;
  readonly caller: CallerSide;
  readonly target: Place;
  /** What the called party is shown. */
  readonly shown: (place: Place) => Shown;
  readonly maxForwards?: number;
  /** How long a phone may ring there, in place of its own time. */
  readonly ringTimeMs?: number;
  /** Whom the caller has been sent to before. */
  readonly visits: Visits;
}

export class Visit {
  readonly #board: Switchboard;
  readonly #facts: VisitFacts;
  #caller: CallerSide;
  #reach: Reach | undefined;

  constructor(board: Switchboard, facts: VisitFacts) {
    this.#board = board;
    this.#facts = facts;
    this.#caller = facts.caller;
  }

  start(): void {
    const { call, target } = this.#facts;
    call.srcLeg = this.#caller.leg;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#reach?.ringing() ?? [];
    call.surrender = () => this.#surrender();
    this.#caller.leg.onKey = undefined;
    this.#caller.attach(call, (ending) => this.#callerLeft(ending));
    if (isAttended(target)) return this.#attend(target);
    this.#reach = this.#ringAt(target);
    this.#reach?.start();
  }

  #ringAt(place: Exclude<Place, Attended>): Reach | undefined {
    if (place.kind === 'group') return groupReach(new RingGroup(this.#board, place.group, this.#groupCaller()), place);
    return place.kind === 'follow-me' ? this.#followMe(place.user) : this.#dialParty(place);
  }

  #dialParty(target: Target): Reach {
    const { call } = this.#facts;
    const ringTimeMs = initialRingTimeMs(target, this.#facts.visits.length === 0) ?? this.#facts.ringTimeMs;
    const dial = new Dial(this.#board, {
      ...this.#dialFacts(),
      ...(ringTimeMs === undefined ? {} : { ringTimeMs }),
      target,
      events: {
        onInvited: (leg) => {
          call.dstLeg ??= leg;
          this.#board.calls.move(call, 'invited');
        },
        onProvisional: (leg, response) => this.#ringing(leg, response),
        onRedirected: (party) => {
          call.referredBy = call.dst.number;
          call.dst = party;
          call.dstLeg = undefined;
        },
        onAnswered: (leg) => this.#answered(leg),
        onFailed: (cause) => this.#failed(cause),
      },
    });
    call.pickUp = {
      caller: () => this.#caller.leg,
      by: (leg, answer) => {
        if (!answer(this.#caller.codecs)) return false;
        dial.cancel(COMPLETED_ELSEWHERE);
        call.referredBy = call.dst.number;
        call.dst = leg.party;
        this.#answered(leg);
        return true;
      },
    };
    return dialReach(dial);
  }

  /** Who announces that must answer: no sound goes to a caller before. */
  #followMe(user: User): Reach | undefined {
    if (user.fm_announcement_enabled && this.#answerCaller() === undefined) {
      this.#failed(causeOfStatus(488));
      return undefined;
    }
    return groupReach(new FollowMe(this.#board, user, this.#groupCaller()), this.#facts.target);
  }

  #groupCaller(): GroupCaller {
    const { call, shown } = this.#facts;
    const { calls } = this.#board;
    const events = {
      onInvited: () => calls.move(call, 'invited'),
      onRinging: () => {
        calls.move(call, 'ringing');
        this.#caller.ringing(undefined);
      },
      onAnswered: (leg: Leg, member: Call) => this.#caller.connect(member, leg),
      onFailed: (cause: Cause) => this.#failed(cause),
    };
    return { ...this.#dialFacts(), caller: this.#caller.leg, shown, events };
  }

  /** The exchange answers by itself. Only who cannot be answered hears of a failure as a response to its INVITE. */
  #attend(place: Attended): void {
    const { call, shown, maxForwards } = this.#facts;
    const attendantFor = attendantAt(place);
    if (attendantFor === undefined) return this.#failed(causeOfStatus(480));
    const answered = this.#answerCaller();
    if (answered === undefined) return this.#failed(causeOfStatus(488));
    const attendant = attendantFor(this.#board, {
      call,
      caller: answered,
      shown,
      ...(maxForwards === undefined ? {} : { maxForwards }),
      events: {
        onDone: (cause) => this.#finish(cause, null),
        onChosen: (next, how) => this.#chosen(next, how),
        onFailed: (cause) => this.#failed(cause),
      },
    });
    this.#reach = attendantReach(attendant, place);
    const away = () => attendant.close(NORMAL_CLEARING);
    call.transfer = (to) => transferFromAttendant(this.#board, call, answered.leg, to, away);
    attendant.start();
  }

  /** The caller speaks to the exchange from now on. Undefined when it can do no sound of ours. */
  #answerCaller(): AnsweredCaller | undefined {
    const { call } = this.#facts;
    this.#board.calls.move(call, 'invited');
    const answered = this.#caller.answer();
    if (answered === undefined) return undefined;
    if (answered !== this.#caller) {
      this.#caller = answered;
      answered.attach(call, (ending) => this.#callerLeft(ending));
    }
    this.#board.mediaStarted(call, answered.leg);
    return answered;
  }

  #dialFacts() {
    const { call, target, shown, maxForwards } = this.#facts;
    return {
      call,
      shown: shown(target),
      codecs: this.#caller.codecs,
      ...(maxForwards === undefined ? {} : { maxForwards }),
    };
  }

  #ringing(leg: Leg, response: SipResponse): void {
    const { call } = this.#facts;
    call.dstLeg = leg;
    this.#board.calls.move(call, 'ringing');
    this.#caller.ringing({ leg, response });
  }

  #answered(leg: Leg): void {
    const { call } = this.#facts;
    if (this.#caller.connect(call, leg)) return;
    // The two have no codec in common: whoever picked up is told so, and the caller gets 488.
    endLeg(this.#board, call, leg, causeOfStatus(488));
    this.#failed(causeOfStatus(488));
  }

  #failed(cause: Cause): void {
    const { visits, target } = this.#facts;
    const by = isCalleesWish(cause) ? 'callee' : null;
    const here = this.#reach?.place ?? target;
    const next = this.#caller.leg.isUp ? nextPlace(this.#board.directory, here, visits, cause) : undefined;
    if (next === undefined) return this.#finish(cause, by);
    this.#moveOn(next, cause, by, visitsAfter(visits, here));
  }

  /** Who presses keys may go where it likes; whom chance leads must not go round in circles. */
  #chosen(next: Place, { byChance = false, ringTimeMs }: Chosen = {}): void {
    const { visits, target } = this.#facts;
    if (byChance && !isNew(next, target, visits)) return this.#failed(causeOfStatus(482));
    this.#moveOn(next, NORMAL_CLEARING, null, byChance ? visitsAfter(visits, target) : [], ringTimeMs);
  }

  /** The end of the visit and of the caller's way. */
  #finish(cause: Cause, by: 'callee' | null): void {
    const { call } = this.#facts;
    this.#caller.dismiss(call, cause);
    this.#board.calls.end(call, cause, by);
  }

  /** This call is over, and the caller, who heard nothing of it, is a call at the next destination. */
  #moveOn(target: Place, cause: Cause, by: 'callee' | null, visits: Visits, ringTimeMs?: number): void {
    const { ringTimeMs: _, ...facts } = this.#facts;
    const { call, shown } = facts;
    const { webcallId } = call;
    call.webcallId = null;
    call.isForwarded = target.kind === 'follow-me' || (isTarget(target) && target.forwardedBy !== undefined);
    this.#board.calls.end(call, cause, by);
    const visit = openVisit(this.#board, call, target, clidOf(shown(target)));
    visit.webcallId = webcallId;
    this.#board.fileDialog(this.#caller.leg.session.callId, visit);
    if (call.holders.has(this.#caller.leg)) visit.holders.add(this.#caller.leg);
    const ringing = ringTimeMs === undefined ? {} : { ringTimeMs };
    new Visit(this.#board, { ...facts, ...ringing, caller: this.#caller, call: visit, target, visits }).start();
  }

  #callerLeft(ending: Ending): void {
    const { call } = this.#facts;
    const gaveUp = ending.by === 'cancel' || ending.by === 'remote-bye';
    const cause = gaveUp && !call.isAnswered ? CALLER_CANCELLED : causeOfHangup(ending);
    this.#reach?.close(cause);
    closeLeg(this.#board, call, this.#caller.leg, causeOfHangup(ending));
    this.#board.calls.end(call, cause, gaveUp ? 'caller' : null);
  }

  /** Somebody else is to be here in the caller's place: the caller leaves, and nobody has missed its call. */
  #surrender(): Surrendered {
    const { call, target } = this.#facts;
    const { place = target, underway } = this.#reach ?? {};
    const leave = (): void => {
      if (underway === undefined) this.#reach?.close(COMPLETED_ELSEWHERE);
      this.#caller.dismiss(call, COMPLETED_ELSEWHERE);
      if (call.isAnswered) this.#board.calls.end(call, NORMAL_CLEARING, 'caller');
      else this.#board.calls.endElsewhere(call);
    };
    return { place, underway, leave };
  }

  #hangUp(cause: Cause): void {
    this.#reach?.close(cause);
    this.#finish(cause, null);
  }
}
