// Leads a party that has been answered to another place within its call: rings there, and goes on to where that place sends
// callers whom nobody answers. Knows nobody who transferred it.

import { tone } from '../media/tones.ts';
import type { Attendant, AttendantFacts, Chosen } from './attendant.ts';
import { attendantAt } from './attendants.ts';
import { bridge, causeOfHangup, closeLeg, endCall, eventsAlone } from './bridge.ts';
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import { AnsweredCaller } from './caller-side.ts';
import { CALLER_CANCELLED, type Cause, COMPLETED_ELSEWHERE, causeOfStatus, NORMAL_CLEARING } from './causes.ts';
import { Dial, type DialEvents } from './dial.ts';
import { FollowMe } from './follow-me.ts';
import { initialRingTimeMs } from './forwarding.ts';
import { renegotiate } from './hold.ts';
import type { Leg } from './leg.ts';
import { isNew, nextPlace, type Visits, visitsAfter } from './onward.ts';
import { digitsOf, type Party } from './party.ts';
import { type Attended, isAttended, type Place, type Target } from './place.ts';
import { play, stopPlaying } from './playing.ts';
import { rateFor } from './rates.ts';
import { attendantReach, dialReach, groupReach, type Reach, type Surrendered, type Underway } from './reach.ts';
import { type GroupCaller, type GroupEvents, type GroupReach, RingGroup } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';
import { callLedOn } from './tolls.ts';
import { transferFromAttendant } from './transfer.ts';

export interface LeadEvents {
  /** A called phone sent this provisional response. */
  onProgress(status: number): void;
  /** Somebody has answered, or the exchange itself does. Told once, before the call's facts change and the two are joined. */
  onArrived(dst: Party): void;
  /** Nobody answers anywhere; the party is with nobody. Not told after onArrived: then the call ends. */
  onFailed(cause: Cause): void;
  /** The party hung up, or somebody ended the call; it is over. */
  onOver(cause: Cause): void;
}

export interface LeadFacts {
  readonly call: Call;
  /** Answered, and speaking to nobody. */
  readonly staying: Leg;
  /** What is shown at a place. */
  readonly shown: (place: Place) => Shown;
  /** Written into the INVITEs (RFC 3892): who transferred the party. */
  readonly referredBy?: string;
  readonly events: LeadEvents;
}

export class Leading {
  readonly #board: Switchboard;
  readonly #facts: LeadFacts;
  #visits: Visits = [];
  /** Undefined while nobody is rung and nobody attends. */
  #reach: Reach | undefined;
  #arrived = false;
  #hears = false;

  constructor(board: Switchboard, facts: LeadFacts) {
    this.#board = board;
    this.#facts = facts;
  }

  /** To that place. Events may come before this returns. */
  start(place: Place): void {
    this.#conduct();
    this.#go(place);
  }

  /** What goes on at a place for somebody else goes on for this party. */
  adopt(place: Place, underway: Underway): void {
    this.#conduct();
    if (underway.kind === 'dial') return this.#adoptDial(underway.dial);
    if (underway.kind === 'group') return this.#adoptGroup(underway.ringing, place);
    this.#arrive(this.#board.directory.partyAt(place), undefined);
    this.#conduct();
    this.#attendBy(underway.handTo(this.#attendantFacts(place)), place);
  }

  #adoptDial(dial: Dial): void {
    const { call } = this.#facts;
    this.#ring(dial);
    this.#hearRinging();
    for (const leg of dial.ringing()) this.#board.fileDialog(leg.session.callId, call);
    dial.handTo(
      call,
      this.#dialEvents(() => dial.target),
    );
  }

  #adoptGroup(ringing: GroupReach, place: Place): void {
    this.#reach = groupReach(ringing, place);
    if (ringing.hasRung) this.#rings();
    ringing.handTo(this.#groupCaller(place));
  }

  #conduct(): void {
    const { call, staying } = this.#facts;
    call.transfer = undefined;
    call.surrender = this.#arrived ? () => this.#surrender() : undefined;
    call.hangUp = (cause) => this.#over(cause, null);
    call.ringing = () => this.#reach?.ringing() ?? [];
    staying.session.events = eventsAlone(this.#board, call, staying, (ending) =>
      this.#over(causeOfHangup(ending), ending.by === 'remote-bye' ? staying : null),
    );
  }

  #go(place: Place, ringTimeMs?: number): void {
    const { call } = this.#facts;
    call.transfer = undefined;
    if (isAttended(place)) this.#attend(place);
    else if (place.kind === 'group')
      this.#ringAll(new RingGroup(this.#board, place.group, this.#groupCaller(place)), place);
    else if (place.kind === 'follow-me')
      this.#ringAll(new FollowMe(this.#board, place.user, this.#groupCaller(place)), place);
    else this.#dial(place, initialRingTimeMs(place, this.#visits.length === 0) ?? ringTimeMs);
  }

  /** Who presses keys may go where it likes; whom chance leads must not go round in circles. */
  #chosen(here: Place, next: Place, { byChance = false, ringTimeMs }: Chosen = {}): void {
    if (byChance && !isNew(next, here, this.#visits)) return this.#failed(here, causeOfStatus(482));
    this.#visits = byChance ? visitsAfter(this.#visits, here) : [];
    this.#go(next, ringTimeMs);
  }

  #dial(target: Target, ringTimeMs?: number): void {
    const dial: Dial = new Dial(this.#board, {
      ...this.#ringFacts(target),
      ...(ringTimeMs === undefined ? {} : { ringTimeMs }),
      target,
      events: this.#dialEvents(() => dial.target),
    });
    this.#ring(dial);
    dial.start();
  }

  #ring(dial: Dial): void {
    const { call, staying } = this.#facts;
    this.#reach = dialReach(dial);
    call.pickUp = {
      caller: () => staying,
      by: (leg, answer) => {
        if (!answer(staying.media.codecs)) return false;
        dial.cancel(COMPLETED_ELSEWHERE);
        this.#answered(leg);
        return true;
      },
    };
  }

  #dialEvents(place: () => Place): DialEvents {
    return {
      onInvited: () => {},
      onProvisional: (_, { status }) => {
        this.#hearRinging();
        this.#facts.events.onProgress(status);
      },
      onRedirected: () => {},
      onAnswered: (leg) => this.#answered(leg),
      onFailed: (cause) => this.#failed(place(), cause),
    };
  }

  #ringAll(ringing: GroupReach, place: Place): void {
    this.#reach = groupReach(ringing, place);
    ringing.start();
  }

  /** The call is at the group from the answer on, and who stays talks in the call of the member. */
  #groupCaller(place: Place): GroupCaller {
    const { call, staying, shown } = this.#facts;
    const events: GroupEvents = {
      onInvited: () => {},
      onRinging: () => this.#rings(),
      onAnswered: (leg, member) => {
        this.#arrive(this.#board.directory.partyAt(place), leg);
        return new AnsweredCaller(this.#board, staying).connect(member, leg);
      },
      onFailed: (cause) => this.#failed(place, cause),
    };
    return { call, caller: staying, shown, codecs: staying.media.codecs, events };
  }

  #rings(): void {
    this.#hearRinging();
    this.#facts.events.onProgress(180);
  }

  /** The exchange itself answers there. */
  #attend(place: Attended): void {
    const attendantFor = attendantAt(place);
    if (attendantFor === undefined) return this.#failed(place, causeOfStatus(480));
    this.#arrive(this.#board.directory.partyAt(place), undefined);
    this.#conduct();
    const attendant = attendantFor(this.#board, this.#attendantFacts(place));
    this.#attendBy(attendant, place);
    attendant.start();
  }

  #attendantFacts(place: Place): AttendantFacts {
    const { call, staying, shown } = this.#facts;
    return {
      call,
      caller: new AnsweredCaller(this.#board, staying),
      shown,
      events: {
        onDone: (cause) => this.#over(cause, null),
        onChosen: (next, how) => this.#chosen(place, next, how),
        onFailed: (cause) => this.#failed(place, cause),
      },
    };
  }

  #attendBy(attendant: Attendant, place: Place): void {
    const { call, staying } = this.#facts;
    this.#reach = attendantReach(attendant, place);
    const away = () => attendant.close(NORMAL_CLEARING);
    call.transfer = (to) => transferFromAttendant(this.#board, call, staying, to, away);
  }

  /** No signalling tells an answered party that a phone rings for it: it hears so. */
  #hearRinging(): void {
    const { call, staying } = this.#facts;
    if (!this.#hears && staying.isUp) play(this.#board, call, staying, tone('ringback'), { loop: true });
    this.#hears = true;
  }

  #hearNothing(): void {
    const { call, staying } = this.#facts;
    if (this.#hears && staying.isUp) stopPlaying(this.#board, call, staying);
    this.#hears = false;
  }

  #ringFacts(place: Place) {
    const { call, staying, shown, referredBy } = this.#facts;
    return {
      call,
      shown: shown(place),
      codecs: staying.media.codecs,
      ...(referredBy === undefined ? {} : { referredBy }),
    };
  }

  #answered(leg: Leg): void {
    const { call, staying } = this.#facts;
    this.#arrive(leg.party, leg);
    this.#board.mediaStarted(call, leg);
    bridge(this.#board, call, staying, leg);
    renegotiate(call, staying, leg, () => (leg.media.codec === '' ? leg.media.codecs : [leg.media.codec]));
  }

  /** The party is with somebody else, and the caller from now on when the caller has left. */
  #arrive(dst: Party, leg: Leg | undefined): void {
    const { call, staying, events } = this.#facts;
    this.#hearNothing();
    if (!this.#arrived) events.onArrived(dst);
    this.#arrived = true;
    if (staying !== call.srcLeg) call.src = staying.party;
    call.dst = dst;
    call.srcLeg = staying;
    call.dstLeg = leg;
    callLedOn(call, leg, dst.kind === 'public' ? rateFor(digitsOf(dst.number)) : 0, this.#board.clock.now());
    this.#board.calls.touched(call);
  }

  #failed(place: Place, cause: Cause): void {
    const { call, staying, events } = this.#facts;
    this.#hearNothing();
    this.#reach = undefined;
    call.pickUp = undefined;
    const next = staying.isUp ? nextPlace(this.#board.directory, place, this.#visits, cause) : undefined;
    this.#visits = visitsAfter(this.#visits, place);
    if (next !== undefined) this.#go(next);
    else if (this.#arrived) endCall(this.#board, call, cause, null);
    else events.onFailed(cause);
  }

  /** Somebody else is to be here in the party's place, and the party leaves. */
  #surrender(): Surrendered | undefined {
    const { call, staying } = this.#facts;
    const reach = this.#reach;
    if (reach === undefined) return undefined;
    const { place, underway } = reach;
    const leave = (): void => {
      staying.session.events = {};
      if (underway === undefined) reach.close(COMPLETED_ELSEWHERE);
      endCall(this.#board, call, NORMAL_CLEARING, call.sideOf(staying));
    };
    return { place, underway, leave };
  }

  #over(cause: Cause, by: Leg | null): void {
    const { call, staying, events } = this.#facts;
    this.#reach?.close(by === null ? cause : CALLER_CANCELLED);
    events.onOver(cause);
    if (!staying.isUp) closeLeg(this.#board, call, staying, cause);
    endCall(this.#board, call, cause, by === null ? null : call.sideOf(by));
  }
}
