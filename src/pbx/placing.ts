// Calls placed by command: click to call, web calls, lead calls and call-me-backs. Checks who can be reached, then rings one leg after the other.

import type { LiveCall, Webcall } from '../contract/resources/calls.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { utcText } from '../kernel/time.ts';
import type { Sound } from '../media/sound.ts';
import { rateOf } from './bookkeeper.ts';
import type { Call, CallOrigin } from './call.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { liveCallRecord } from './call-record.ts';
import { clidOf, type Shown, shownBy } from './caller-id.ts';
import type { Destination } from './directory.ts';
import type { ClickToCall, LeadCall, WebCall } from './face.ts';
import { digitsOf, type Party } from './party.ts';
import { isTarget, type Place, type Target } from './place.ts';
import { ruled } from './ruled.ts';
import type { Switchboard } from './switchboard.ts';
import { tongueOf } from './tongues.ts';
import { TwoLegCall } from './two-leg-call.ts';

interface Plan {
  readonly customerId: number;
  readonly origin: CallOrigin;
  readonly first: Target;
  readonly firstSees: Shown;
  readonly second: Place;
  readonly secondSees: Shown;
  readonly announcement?: Sound;
  /** The number of ours that the first party asked to be called from. */
  readonly ddi?: string;
}

export class Placing {
  readonly #board: Switchboard;

  constructor(board: Switchboard) {
    this.#board = board;
  }

  /** Rings the user's own phone, then the destination. Direction follows the destination. */
  clickToCall(command: ClickToCall): Result<LiveCall> {
    const user = this.#userOf(command.customerId, command.userId);
    if (!user.ok) return user;
    const own = this.#board.directory.partyOf(user.value);
    const second = this.#ruledTarget(command.customerId, own, command.to, 'to');
    if (!second.ok) return second;
    const refused = this.#notReachable(user.value);
    if (refused !== undefined) return failure('invalid', refused, [`from: ${refused}`]);
    const placed = this.#place({
      customerId: command.customerId,
      origin: 'click-to-call',
      first: { kind: 'user', user: user.value },
      firstSees: this.#asSeen(second.value),
      second: second.value,
      secondSees: shownBy(user.value, own, second.value, command.callerId),
    });
    return placed.ok ? success(this.#record(placed.value)) : placed;
  }

  /** Rings `from`, then `to`; the record's durations and charges follow when it is over. */
  webCall(command: WebCall): Result<Webcall> {
    const first = this.#target(command.customerId, command.from, 'from');
    if (!first.ok) return first;
    const second = this.#ruledTarget(command.customerId, this.#partyOf(first.value), command.to, 'to');
    if (!second.ok) return second;
    const placed = this.#place({
      customerId: command.customerId,
      origin: 'webcall',
      first: first.value,
      firstSees: this.#asSeen(second.value),
      second: second.value,
      secondSees: this.#asSeen(first.value),
    });
    if (!placed.ok) return placed;
    return success(this.#webcallRecord(command, placed.value, first.value, second.value));
  }

  /** Rings the agent (`to`), then the lead. The agent is shown the lead's number. */
  leadCall(command: LeadCall): Result<LiveCall> {
    const agent = this.#target(command.customerId, command.to, 'to');
    if (!agent.ok) return agent;
    const lead = this.#ruledTarget(command.customerId, this.#partyOf(agent.value), command.callerId, 'caller_id');
    if (!lead.ok) return lead;
    const user = this.#userOf(command.customerId, command.userId);
    if (!user.ok) return user;
    const party = this.#board.directory.partyOf(user.value);
    const placed = this.#place({
      customerId: command.customerId,
      origin: 'leadcall',
      first: agent.value,
      firstSees: this.#asSeen(lead.value),
      second: lead.value,
      secondSees:
        agent.value.kind === 'user'
          ? this.#asUserShows(agent.value.user, lead.value)
          : shownBy(user.value, party, lead.value),
      ...(command.spoken === undefined
        ? {}
        : { announcement: tongueOf(this.#board, this.#partyOf(agent.value)).text(command.spoken) }),
    });
    return placed.ok ? success(this.#record(placed.value)) : placed;
  }

  /** Rings a visitor of a website, who is shown the number of ours, and then whoever that number leads to. */
  callBack(customerId: number, ddi: Ddi, number: string): Result<LiveCall> {
    const { directory } = this.#board;
    const visitor = directory.outsider(`+${digitsOf(number)}`);
    const leads = { customerId, caller: visitor, dialled: ddi.e164, destination: directory.targetOf(ddi) };
    const second = this.#reachable(ruled(this.#board, leads), 'ddi');
    if (!second.ok) return second;
    const placed = this.#place({
      customerId,
      origin: 'callmeback',
      first: { kind: 'public', number: visitor.number },
      firstSees: { number: ddi.e164, name: ddi.name },
      second: second.value,
      secondSees: { number: visitor.number, name: '' },
      ddi: ddi.e164,
    });
    return placed.ok ? success(this.#record(placed.value)) : placed;
  }

  #place(plan: Plan): Result<Call> {
    const { calls } = this.#board;
    if (calls.size >= MAX_LIVE_CALLS)
      return failure('invalid', `There are ${MAX_LIVE_CALLS} live calls already, the most that this exchange carries.`);
    if (plan.first.kind === 'user') {
      const refused = this.#notReachable(plan.first.user);
      if (refused !== undefined) return failure('invalid', refused);
    }
    const call = calls.open({
      customerId: plan.customerId,
      direction: plan.second.kind === 'public' ? 'out' : 'in',
      origin: plan.origin,
      src: this.#partyOf(plan.first),
      dst: this.#partyOf(plan.second),
      clid: clidOf(plan.secondSees),
      ...(plan.ddi === undefined ? {} : { ddi: plan.ddi }),
      rate: rateOf(plan.second),
      srcRate: rateOf(plan.first),
    });
    new TwoLegCall(this.#board, { call, ...plan }).start();
    return success(call);
  }

  #record(call: Call): LiveCall {
    return liveCallRecord(call, this.#board.clock.now());
  }

  #webcallRecord(command: WebCall, call: Call, first: Target, second: Place): Webcall {
    const { webcalls } = this.#board.store;
    const id = webcalls.nextId(command.customerId);
    call.webcallId = id;
    return webcalls.insert(command.customerId, {
      id,
      calldate: utcText(this.#board.clock.now()),
      from: asRead(command.from, first),
      to: asRead(command.to, second),
      charge: 0,
      from_charge: 0,
      from_rate: rateOf(first),
      to_charge: 0,
      to_rate: rateOf(second),
      from_duration: 0,
      to_duration: 0,
    });
  }

  #userOf(customerId: number, userId: number): Result<User> {
    const user = this.#board.directory.user(userId);
    if (user !== undefined && user.customer === customerId && user.active) return success(user);
    return failure('invalid', `from: there is no active user ${userId}`);
  }

  /** The one who is rung first is called by command and not by a rule's leave. */
  #target(customerId: number, number: string, member: string): Result<Target> {
    const place = this.#reachable(this.#board.directory.dialled(customerId, number), member);
    if (!place.ok) return place;
    if (isTarget(place.value)) return success(place.value);
    return failure('invalid', `${member}: who is rung first is one party, and ${number} is none`);
  }

  #ruledTarget(customerId: number, caller: Party, dialled: string, member: string): Result<Place> {
    const destination = this.#board.directory.dialled(customerId, dialled);
    return this.#reachable(ruled(this.#board, { customerId, caller, dialled, destination }), member);
  }

  #reachable(destination: Destination, member: string): Result<Place> {
    if (destination.kind !== 'nowhere') return success(destination);
    return failure('invalid', `${member}: ${destination.why}`);
  }

  #notReachable(user: User): string | undefined {
    return this.#board.registrar.bindings(user.id).length > 0
      ? undefined
      : `no phone is registered at extension ${user.ext}`;
  }

  #partyOf(place: Place): Party {
    return this.#board.directory.partyAt(place);
  }

  /** What a phone that is rung first shows: the party it will speak to. */
  #asSeen(place: Place): Shown {
    const { number, name } = this.#partyOf(place);
    return { number, name };
  }

  #asUserShows(user: User, place: Place): Shown {
    return shownBy(user, this.#board.directory.partyOf(user), place);
  }
}

/** A number as responses write it: an extension as it is, every other one with its plus sign (CHOICE-NUMBERS). */
function asRead(number: string, place: Place): string {
  if (place.kind === 'user') return place.user.ext === number ? number : `+${digitsOf(number)}`;
  return place.kind === 'public' ? `+${digitsOf(number)}` : number;
}
