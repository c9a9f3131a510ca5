// Dialling one destination: an INVITE to every contact of a user, or one to the trunk. The first 200 wins. Knows no caller.

import type { User } from '../contract/resources/customer.ts';
import type { Timer } from '../kernel/clock.ts';
import { bodyText } from '../sip/fields.ts';
import type { Flow } from '../sip/flow.ts';
import type { SipResponse } from '../sip/message.ts';
import { formatNameAddr } from '../sip/name-addr.ts';
import { isHold } from '../sip/sdp.ts';
import type { Ending, HeaderList, ServerRequest, Session } from '../sip/user-agent-api.ts';
import { autoAnswerHeader } from './auto-answer.ts';
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import {
  bestFailure,
  CALLER_CANCELLED,
  type Cause,
  COMPLETED_ELSEWHERE,
  causeOfStatus,
  DO_NOT_DISTURB,
  FORWARDED,
  LOST,
  NO_ANSWER,
  NOT_REGISTERED,
  reasonHeader,
} from './causes.ts';
import { answerEarly } from './early-offer.ts';
import type { Leg } from './leg.ts';
import type { LegMedia } from './leg-media.ts';
import { ANONYMOUS, type Party } from './party.ts';
import type { Target } from './place.ts';
import { COMPLETED_BY_REDIRECTION, MAX_REDIRECTIONS, REDIRECTED_TOO_OFTEN, redirectedTo } from './redirection.ts';
import type { Switchboard } from './switchboard.ts';

/** How long a call on the trunk may ring: the network's own timers are of this order (ITU-T Q.118). */
export const TRUNK_RING_TIME_MS = 120_000;
const DEFAULT_RING_TIME_MS = 20_000;

export interface DialEvents {
  onInvited(leg: Leg): void;
  onProvisional(leg: Leg, response: SipResponse): void;
  /** The phone sent the caller on (3xx): the destination is another one from now on, and rings next. */
  onRedirected(party: Party): void;
  /** Its ACK has gone. Exactly one of onAnswered and onFailed is called, once, unless the dial was cancelled. */
  onAnswered(leg: Leg): void;
  onFailed(cause: Cause): void;
}

export interface DialOptions {
  readonly call: Call;
  readonly target: Target;
  /** Whom the called party sees. */
  readonly shown: Shown;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  /** How long it rings, in place of the target's own time; 0: not at all. */
  readonly ringTimeMs?: number;
  /** Who transferred the caller, as a name-addr (RFC 3892). */
  readonly referredBy?: string;
  /** The user asked for this call: do-not-disturb does not keep the phone silent. */
  readonly isOwnWish?: boolean;
  /** A group rings the phone: as long as the group likes, and without its sending the caller on. */
  readonly isForGroup?: boolean;
  readonly events: DialEvents;
}

/** How a party is reached, and what its phone called itself when it registered. */
interface Way {
  readonly flow: Flow;
  readonly uri: string;
  readonly to: string;
  readonly product: string;
}

interface Attempt {
  readonly leg: Leg;
  /** The phone has offered anew while it rang, and this holds: it holds, or it does not. */
  early?: 'holds' | 'speaks';
  failure: Cause | undefined;
}

export class Dial {
  readonly #board: Switchboard;
  #options: DialOptions;
  #target: Target;
  #redirections = 0;
  /** Of the present target; those of one that redirected are none of it any more. */
  #attempts: Attempt[] = [];
  #ringTimer: Timer | undefined;
  #over = false;

  constructor(board: Switchboard, options: DialOptions) {
    this.#board = board;
    this.#options = options;
    this.#target = options.target;
  }

  /** Sends the INVITEs. A destination that cannot be reached fails before this returns. */
  start(): void {
    const target = this.#target;
    const { call, isOwnWish, isForGroup, ringTimeMs } = this.#options;
    if (target.kind === 'user') {
      const silent = silenceOf(this.#board, target.user, call, isOwnWish);
      if (silent !== undefined) return this.#fail(silent);
    }
    if (ringTimeMs === 0) return this.#fail(FORWARDED);
    const sent = target.kind === 'user' ? this.#ringUser(target.user) : this.#ringPublic(target.number);
    if (this.#over) return;
    if (!sent) return this.#fail(target.kind === 'user' ? NOT_REGISTERED : causeOfStatus(503));
    if (isForGroup === true) return;
    const ownTimeMs = target.kind === 'user' ? ringTimeOf(target.user) : TRUNK_RING_TIME_MS;
    const timeMs = ringTimeMs ?? target.forwardedBy?.ringTimeMs ?? ownTimeMs;
    this.#ringTimer = this.#board.clock.after(timeMs, `ring time of call ${call.id}`, () => this.#giveUp());
  }

  /** Whom it rings, or rang last: a phone may have sent the caller on. */
  get target(): Target {
    return this.#target;
  }

  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  cancel(cause: Cause): void {
    this.#over = true;
    this.#stop(cause === CALLER_CANCELLED ? undefined : reasonHeader(cause), undefined);
  }

  /** Rings on for another call; events go there. */
  handTo(call: Call, events: DialEvents): void {
    this.#options = { ...this.#options, call, events };
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return this.#attempts.filter(({ leg, failure }) => failure === undefined && leg.isUp).map(({ leg }) => leg);
  }

  #ringUser(user: User): boolean {
    const party = this.#board.directory.partyOf(user);
    let sent = false;
    for (const binding of this.#board.registrar.bindings(user.id)) {
      const flow = this.#board.registrar.flowTo(binding);
      if (flow === undefined) continue;
      const way = {
        flow,
        uri: binding.contact,
        to: `<sip:${user.ext}@${this.#board.domain}>`,
        product: binding.product,
      };
      sent = this.#invite(party, way) || sent;
      if (this.#over) return true;
    }
    return sent;
  }

  #ringPublic(number: string): boolean {
    const flow = this.#board.trunk();
    if (flow === undefined) return false;
    const uri = `sip:${number}@${flow.remote.host};user=phone`;
    return this.#invite(this.#board.directory.outsider(number), { flow, uri, to: `<${uri}>`, product: '' });
  }

  #invite(party: Party, { flow, uri, to, product }: Way): boolean {
    const media = this.#board.mediaOn(flow);
    const offer = media.offer(this.#options.codecs);
    if (offer === undefined) return false;
    const callId = `${this.#board.random.hex(24)}@${this.#board.domain}`;
    this.#board.fileDialog(callId, this.#options.call);
    const { maxForwards } = this.#options;
    const session = this.#board.userAgent.invite({
      uri,
      from: this.#from(),
      to,
      flow,
      callId,
      body: offer,
      contentType: 'application/sdp',
      headers: [...this.#privacy(), ...this.#referredBy(), ...this.#autoAnswer()],
      ...(maxForwards === undefined ? {} : { maxForwards }),
      events: {
        onProvisional: (_, response) => this.#provisional(attempt, response),
        onReinvite: (_, request) => this.#reoffered(attempt, request),
        onAnswered: (_, response) => this.#answered(attempt, response),
        onEnded: (_, ending) => this.#ended(attempt, ending),
      },
    });
    const attempt: Attempt = { leg: this.#legOf(session, party, media), failure: undefined };
    attempt.leg.registeredProduct = product;
    this.#attempts.push(attempt);
    this.#options.events.onInvited(attempt.leg);
    return true;
  }

  #legOf(session: Session, party: Party, media: LegMedia): Leg {
    return this.#board.newLeg(this.#options.call, session, party, media);
  }

  #from(): string {
    const { shown } = this.#options;
    const isAnonymous = shown.number === ANONYMOUS;
    const name = isAnonymous ? 'Anonymous' : shown.name;
    return formatNameAddr({
      displayName: `${shown.prefix ?? ''} ${name}`.trim(),
      uri: isAnonymous ? 'sip:anonymous@anonymous.invalid' : `sip:${shown.number}@${this.#board.domain}`,
      params: new Map(),
    });
  }

  // RFC 3323, 4.2: who wants not to be known says so.
  #privacy(): HeaderList {
    return this.#options.shown.number === ANONYMOUS ? [['Privacy', 'id']] : [];
  }

  #referredBy(): HeaderList {
    const { referredBy } = this.#options;
    return referredBy === undefined ? [] : [['Referred-By', referredBy]];
  }

  /** On calls that come in: a phone that its own user makes ring first is asked for an answer by a person. */
  #autoAnswer(): HeaderList {
    const { isOwnWish } = this.#options;
    const target = this.#target;
    return target.kind === 'user' && isOwnWish !== true ? autoAnswerHeader(target.user.auto_answer_header) : [];
  }

  #provisional(attempt: Attempt, response: SipResponse): void {
    if (this.#counts(attempt)) this.#options.events.onProvisional(attempt.leg, response);
  }

  #reoffered(attempt: Attempt, request: ServerRequest): void {
    const offer = answerEarly(attempt.leg.media, this.#options.codecs, request);
    if (offer !== undefined) attempt.early = isHold(offer) ? 'holds' : 'speaks';
  }

  #answered(attempt: Attempt, response: SipResponse): void {
    if (!this.#counts(attempt)) return attempt.leg.session.end();
    const { early, leg } = attempt;
    // What was agreed on since is newer than the answer to the INVITE.
    if (early === undefined && !leg.media.accept(bodyText(response))) {
      // The ACK has gone with the 200; a dialog without a usable answer can only be ended (RFC 3261, 13.2.2.4).
      attempt.leg.session.end({ headers: [['Reason', reasonHeader(causeOfStatus(488))]] });
      return this.#failed(attempt, causeOfStatus(488));
    }
    this.#over = true;
    this.#stop(reasonHeader(COMPLETED_ELSEWHERE), leg);
    if (early === 'holds') this.#options.call.holders.add(leg);
    this.#options.events.onAnswered(leg);
  }

  #ended(attempt: Attempt, ending: Ending): void {
    attempt.leg.media.close();
    if (!this.#counts(attempt)) return;
    const { call, isForGroup } = this.#options;
    const target = isForGroup === true ? undefined : redirectedTo(this.#board.directory, call, ending);
    if (target === undefined) this.#failed(attempt, causeOfEnding(ending));
    else this.#moveOn(target);
  }

  #counts(attempt: Attempt): boolean {
    return !this.#over && this.#attempts.includes(attempt);
  }

  #moveOn(target: Target): void {
    if (this.#redirections === MAX_REDIRECTIONS) return this.#fail(REDIRECTED_TOO_OFTEN);
    this.#redirections += 1;
    this.#stop(COMPLETED_BY_REDIRECTION, undefined);
    this.#attempts = [];
    this.#target = target;
    const { directory, journal } = this.#board;
    const { call, events } = this.#options;
    const party = directory.partyAt(target);
    journal.append('call.redirected', { callId: call.id, customerId: call.customerId, data: { to: party.number } });
    events.onRedirected(party);
    this.start();
  }

  #failed(attempt: Attempt, cause: Cause): void {
    attempt.failure ??= cause;
    const failures = this.#attempts.flatMap(({ failure }) => failure ?? []);
    const everywhere = failures.length === this.#attempts.length;
    // RFC 3261, 16.7: a 6xx answers for all.
    if (everywhere || attempt.failure.status >= 600) this.#fail(bestFailure(failures));
  }

  #giveUp(): void {
    if (!this.#over) this.#fail(NO_ANSWER);
  }

  #fail(cause: Cause): void {
    if (this.#over) return;
    this.#over = true;
    this.#stop(reasonHeader(cause), undefined);
    this.#options.events.onFailed(cause);
  }

  #stop(reason: string | undefined, winner: Leg | undefined): void {
    this.#ringTimer?.cancel();
    for (const { leg } of this.#attempts) {
      if (leg === winner || !leg.isUp) continue;
      leg.session.end(reason === undefined ? {} : { headers: [['Reason', reason]] });
    }
  }
}

/** Why a user's phones are not rung at all, whatever they would say; undefined when they are. */
export function silenceOf(board: Switchboard, user: User, call: Call, isOwnWish = false): Cause | undefined {
  if (user.dnd && !isOwnWish) return DO_NOT_DISTURB;
  // Without call waiting a user takes one call at a time.
  if (user.cw) return undefined;
  const others = board.calls.ofCustomer(user.customer).filter((other) => other.srcHash !== call.srcHash);
  return others.some(({ src, dst }) => isAt(src, user) || isAt(dst, user)) ? causeOfStatus(486) : undefined;
}

/** Whoever speaks to a user's voicemail does not speak to the user. */
function isAt({ kind, userId }: Party, user: User): boolean {
  return kind === 'user' && userId === user.id;
}

/** The cause of a session's end, for the side that did not end it. */
export function causeOfEnding(ending: Ending): Cause {
  switch (ending.by) {
    case 'failure':
      return causeOfStatus(ending.outcome.status);
    case 'cancel':
      return causeOfStatus(487);
    case 'no-ack':
      return causeOfStatus(408);
    case 'lost':
      return LOST;
    default:
      return causeOfStatus(480);
  }
}

/** How long it rings, in ms: its `ring_time` in seconds, when it has a sensible one. */
export function ringTimeOf({ ring_time }: { readonly ring_time: string | number }): number {
  const seconds = Number(ring_time);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : DEFAULT_RING_TIME_MS;
}
