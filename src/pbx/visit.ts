// One caller at one place: a user's phones, a number of the public network, or a ring group. When nobody answers, the caller goes
// on to the next place as a call of its own.
import type { SipResponse } from '../sip/message.ts';
import type { Ending } from '../sip/user-agent-api.ts';
import { causeOfHangup, closeLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { clidOf, type Shown } from './caller-id.ts';
import type { CallerSide } from './caller-side.ts';
import { CALLER_CANCELLED, type Cause, causeOfStatus, isCalleesWish, reasonHeader } from './causes.ts';
import { Dial, type Target } from './dial.ts';
import type { Group, Place } from './directory.ts';
import type { Leg } from './leg.ts';
import { nextPlace, openVisit, type Visits, visitsAfter } from './onward.ts';
import { GroupRinging } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';

export interface VisitFacts {
  readonly call: Call;
  readonly caller: CallerSide;
  readonly target: Place;
  /** What the called party is shown. */
  readonly shown: (place: Place) => Shown;
  readonly maxForwards?: number;
  /** Whom the caller has been sent to before. */
  readonly visits: Visits;
}

export class Visit {
  readonly #board: Switchboard;
  readonly #facts: VisitFacts;
  readonly #dial: Dial | GroupRinging;

  constructor(board: Switchboard, facts: VisitFacts) {
    this.#board = board;
    this.#facts = facts;
    this.#dial = facts.target.kind === 'group' ? this.#ringGroup(facts.target.group) : this.#dialParty(facts.target);
  }

  start(): void {
    const { call, caller } = this.#facts;
    call.srcLeg = caller.leg;
    call.hangUp = (cause) => this.#hangUp(cause);
    call.ringing = () => this.#dial.ringing();
    caller.attach(call, (ending) => this.#callerLeft(ending));
    this.#dial.start();
  }

  #dialParty(target: Target): Dial {
    const { call } = this.#facts;
    return new Dial(this.#board, {
      ...this.#dialFacts(),
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
  }

  #ringGroup(group: Group): GroupRinging {
    const { call, caller } = this.#facts;
    const { calls } = this.#board;
    return new GroupRinging(this.#board, {
      ...this.#dialFacts(),
      caller: caller.leg,
      group,
      events: {
        onInvited: () => calls.move(call, 'invited'),
        onRinging: () => {
          calls.move(call, 'ringing');
          caller.ringing(undefined);
        },
        onAnswered: (leg, member) => caller.connect(member, leg),
        onFailed: (cause) => this.#failed(cause),
      },
    });
  }

  #dialFacts() {
    const { call, caller, target, shown, maxForwards } = this.#facts;
    return {
      call,
      shown: shown(target),
      codecs: caller.codecs,
      ...(maxForwards === undefined ? {} : { maxForwards }),
    };
  }

  #ringing(leg: Leg, response: SipResponse): void {
    const { call, caller } = this.#facts;
    call.dstLeg = leg;
    this.#board.calls.move(call, 'ringing');
    caller.ringing({ leg, response });
  }

  #answered(leg: Leg): void {
    const { call, caller } = this.#facts;
    if (caller.connect(call, leg)) return;
    // The two have no codec in common: whoever picked up is told so, and the caller gets 488.
    leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
    closeLeg(this.#board, call, leg);
    this.#failed(causeOfStatus(488));
  }

  #failed(cause: Cause): void {
    const { call, caller, visits } = this.#facts;
    const by = isCalleesWish(cause) ? 'callee' : null;
    const next = caller.leg.isUp ? nextPlace(this.#board.directory, this.#dial.target, visits, cause) : undefined;
    if (next !== undefined) return this.#moveOn(next, cause, by);
    caller.dismiss(call, cause);
    this.#board.calls.end(call, cause, by);
  }

  /** Nobody answered here: this call is over, and the caller, who heard nothing of it, is a call at the next destination. */
  #moveOn(target: Place, cause: Cause, by: 'callee' | null): void {
    const { call, caller, shown, visits } = this.#facts;
    const { webcallId } = call;
    call.webcallId = null;
    this.#board.calls.end(call, cause, by);
    const visit = openVisit(this.#board, call, target, clidOf(shown(target)));
    visit.webcallId = webcallId;
    this.#board.fileDialog(caller.leg.session.callId, visit);
    const facts = { ...this.#facts, call: visit, target, visits: visitsAfter(visits, this.#dial.target) };
    new Visit(this.#board, facts).start();
  }

  #callerLeft(ending: Ending): void {
    const { call, caller } = this.#facts;
    const gaveUp = ending.by === 'cancel' || ending.by === 'remote-bye';
    const cause = gaveUp ? CALLER_CANCELLED : causeOfHangup(ending);
    this.#dial.cancel(cause);
    closeLeg(this.#board, call, caller.leg);
    this.#board.calls.end(call, cause, gaveUp ? 'caller' : null);
  }

  #hangUp(cause: Cause): void {
    const { call, caller } = this.#facts;
    this.#dial.cancel(cause);
    caller.dismiss(call, cause);
    this.#board.calls.end(call, cause, null);
  }
}
