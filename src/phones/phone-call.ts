// One call as a phone sees it: rings, talks, holds, transfers, presses keys, hangs up. Knows nothing of other calls or of registration.
import type { Clock, Timer } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import { bodyText } from '../sip/fields.ts';
import type { SipRequest } from '../sip/message.ts';
import { formatReplaces } from '../sip/replaces.ts';
import { formatUri, parseUri } from '../sip/uri.ts';
import type {
  Outcome,
  OutgoingInvite,
  ServerRequest,
  Session,
  SessionEvents,
  UserAgent,
} from '../sip/user-agent-api.ts';
import type { PhoneMedia } from './phone-media.ts';
import { type AnswerPlan, JUST_TALK, type TalkPlan } from './plan.ts';

/** `calling`: nothing came back yet. `ringback`: it rings over there. `ringing`: it rings here. */
export type PhoneCallState = 'calling' | 'ringback' | 'ringing' | 'connected' | 'transferring' | 'ended';

/** From one key to the next. */
export const DIGIT_EVERY_MS = 200;
const DIGIT_LASTS_MS = 160;

export interface PhoneCallOptions {
  readonly clock: Clock;
  /** How timers call the phone: `phone 101`. */
  readonly name: string;
  readonly media: PhoneMedia;
  /** Whom we talk to: a number, an extension, or what the caller shows. */
  readonly peer: string;
  /** Our own address as a name-addr, for Referred-By. */
  readonly self: string;
  /** The URI of something dialled. */
  readonly uriOf: (dialled: string) => string;
  readonly talk?: TalkPlan;
  /** The user turns to this call: picks it up or resumes it. */
  readonly onPickedUp?: (call: PhoneCall) => void;
  readonly onEnded: (call: PhoneCall) => void;
}

export class PhoneCall {
  readonly direction: 'in' | 'out';
  readonly peer: string;
  readonly #options: PhoneCallOptions;
  readonly #events: SessionEvents = {
    onProvisional: () => this.#ringsThere(),
    onAnswered: (_session, response) => this.#answeredThere(bodyText(response)),
    onAck: (_session, ack) => this.#acknowledged(ack),
    onReinvite: (_session, request) => this.#reinvited(request),
    onRequest: (_session, request) => this.#requested(request),
    onEnded: () => this.#ended(),
  };
  #session: Session | undefined;
  #state: PhoneCallState;
  #held = false;
  /** A re-INVITE of ours is under way. */
  #changing = false;
  /** Our 2xx carried an offer: the ACK owes the answer. */
  #answerOwed = false;
  #answer: string | undefined;
  /** Our INVITE had no offer: our ACK owes the answer to that of the 2xx. */
  #offersLate = false;
  #keys = '';
  #talk: TalkPlan;
  #timers = new Set<Timer>();

  constructor(direction: 'in' | 'out', options: PhoneCallOptions) {
    this.direction = direction;
    this.peer = options.peer;
    this.#options = options;
    this.#talk = options.talk ?? JUST_TALK;
    this.#state = direction === 'in' ? 'ringing' : 'calling';
  }

  /** Calls somebody: INVITE with an offer, unless it is to be late (RFC 3264, 4). */
  dial(agent: UserAgent, invite: Omit<OutgoingInvite, 'events' | 'body'>, offersLate = false): void {
    this.#offersLate = offersLate;
    const body = offersLate ? {} : { body: this.#options.media.offer(false) };
    const session = agent.invite({ ...invite, ...body, events: this.#events });
    this.#session ??= session;
  }

  /** Is called, and does what the plan says. 488 at once when there is no codec in common. */
  receive(session: Session, request: SipRequest, plan: AnswerPlan): void {
    this.#session = session;
    session.events = this.#events;
    const offer = bodyText(request);
    if (offer !== '') {
      this.#answer = this.#options.media.answer(offer, false);
      if (this.#answer === undefined) {
        session.reject(488);
        return;
      }
    }
    if (plan.kind === 'silent') return;
    if (plan.kind === 'early-media') session.provisional(183, { body: this.#answer ?? '' });
    else if (plan.kind === 'ring' || plan.kind === 'answer' || plan.afterMs > 0) session.provisional(180);
    if (plan.kind === 'answer' || plan.kind === 'early-media')
      this.#after(plan.afterMs, 'answers', () => this.#pickUp());
    if (plan.kind !== 'refuse') return;
    const { status, to } = plan;
    const headers = to === undefined ? [] : [['Contact', `<${this.#options.uriOf(to)}>`] as const];
    if (plan.afterMs > 0) this.#after(plan.afterMs, 'refuses', () => session.reject(status, { headers }));
    else session.reject(status, { headers });
  }

  get state(): PhoneCallState {
    return this.#state;
  }

  /** This phone has put the other party on hold. */
  get held(): boolean {
    return this.#held;
  }

  /** The other party has put this phone on hold. */
  get heldByPeer(): boolean {
    return this.#options.media.peerHolds;
  }

  get sipCallId(): string {
    return this.#session?.callId ?? '';
  }

  /** The codec in use; empty until one is agreed. */
  get codec(): string {
    return this.#options.media.codec;
  }

  /** Can be held, transferred, dialled into. */
  get isTalking(): boolean {
    return this.#state === 'connected' && this.#session?.state === 'confirmed';
  }

  /** Picks a ringing call up. */
  answer(): Result<void> {
    if (this.#state !== 'ringing') return this.#conflict('does not ring');
    this.#options.onPickedUp?.(this);
    this.#pickUp();
    return success(undefined);
  }

  /** 603 to a ringing call, or the status given. */
  reject(status = 603): Result<void> {
    if (this.#state !== 'ringing') return this.#conflict('does not ring');
    this.#session?.reject(status);
    return success(undefined);
  }

  /** re-INVITE, or UPDATE (RFC 3311), with a=sendonly. `held` follows its 200. */
  hold(by?: 'UPDATE'): Result<void> {
    if (this.#held) return this.#conflict('is on hold already');
    return this.#change(true, by);
  }

  /** re-INVITE with a=sendrecv. */
  resume(by?: 'UPDATE'): Result<void> {
    if (!this.#held) return this.#conflict('is not on hold');
    this.#options.onPickedUp?.(this);
    return this.#change(false, by);
  }

  /** INFO with application/dtmf-relay for each key, the first one at once. */
  digits(keys: string): Result<void> {
    if (!this.isTalking) return this.#conflict('is not connected');
    const idle = this.#keys === '';
    this.#keys += keys;
    if (idle) this.#pressNext();
    return success(undefined);
  }

  // RFC 3515; RFC 5589, 6: the transferor stays until the subscription tells how it went.
  /** REFER to `to`. Hangs up when the target has answered, talks on when it has not. */
  transfer(to: string): Result<void> {
    return this.#refer(this.#options.uriOf(to));
  }

  // RFC 5589, 7: the call that was made meanwhile is named by its dialog (RFC 3891), which may still be early.
  /** REFER to the other party of `consulted`, one more call of this phone. */
  joinWith(consulted: PhoneCall): Result<void> {
    const session = consulted.#session;
    const uri = parseUri(this.#options.uriOf(consulted.peer));
    if (session === undefined || session.remoteTag === '' || uri === undefined)
      return failure('conflict', `The call with ${consulted.peer} is not one to be joined with.`);
    const { callId, remoteTag: toTag, localTag: fromTag } = session;
    const replaces = formatReplaces({ callId, toTag, fromTag, earlyOnly: false });
    return this.#refer(formatUri({ ...uri, headers: new Map([['Replaces', replaces]]) }));
  }

  #refer(uri: string): Result<void> {
    if (!this.isTalking) return this.#conflict('is not connected');
    this.#state = 'transferring';
    const headers = [['Refer-To', `<${uri}>`] as const, ['Referred-By', this.#options.self] as const];
    this.#session?.request('REFER', { headers }, (outcome) => {
      if (!succeeded(outcome)) this.#transferFailed();
    });
    return success(undefined);
  }

  /** Ends the call whatever its state: CANCEL, 603 or BYE. */
  hangUp(): void {
    if (this.#state === 'ringing') this.#session?.reject(603);
    else this.#session?.end();
  }

  #pickUp(): void {
    const session = this.#session;
    if (session === undefined || this.#state !== 'ringing') return;
    this.#stopTimers();
    this.#state = 'connected';
    this.#answerOwed = this.#answer === undefined;
    session.accept(this.#answer ?? this.#options.media.offer(false));
  }

  #ringsThere(): void {
    if (this.#state === 'calling') this.#state = 'ringback';
  }

  #answeredThere(answer: string): void {
    if (this.#state === 'ended') return;
    if (!this.#agrees(answer)) {
      this.#session?.end();
      return;
    }
    this.#state = 'connected';
    this.#converse();
  }

  /** Takes what the 2xx describes: an answer, or the offer to a call without one. */
  #agrees(description: string): boolean {
    const { media } = this.#options;
    if (!this.#offersLate) return media.take(description);
    const answer = media.answer(description, false);
    // RFC 3261, 13.2.2.4: an offer that we cannot take is acknowledged all the same, and the call ended.
    this.#session?.ack(answer ?? media.offer(false));
    return answer !== undefined;
  }

  #acknowledged(ack: SipRequest): void {
    if (this.#answerOwed) {
      this.#answerOwed = false;
      if (!this.#options.media.take(bodyText(ack))) {
        this.#session?.end();
        return;
      }
    }
    this.#converse();
  }

  /** Does what the talk plan says, once: a re-INVITE has an ACK too. */
  #converse(): void {
    const { digits, after } = this.#talk;
    this.#talk = JUST_TALK;
    if (digits !== '') this.digits(digits);
    if (after === undefined) return;
    this.#after(after.talkMs, 'has talked', () => {
      if (after.next === 'hold') this.hold();
      else if (after.next === 'transfer') this.transfer(after.to);
      else this.hangUp();
    });
  }

  // RFC 3261, 14.2: an offer that we cannot take is refused and the call goes on as it was.
  #reinvited(request: ServerRequest): void {
    const { media } = this.#options;
    const offer = bodyText(request.request);
    if (offer === '') {
      this.#answerOwed = true;
      request.respond(200, { body: media.offer(this.#held) });
      return;
    }
    const answer = media.answer(offer, this.#held);
    if (answer === undefined) request.respond(488);
    else request.respond(200, { body: answer });
  }

  #requested(request: ServerRequest): void {
    const { method } = request.request;
    if (method === 'INFO') request.respond(200);
    else if (method === 'NOTIFY') this.#notified(request);
    else if (method === 'REFER') request.respond(603);
    else request.respond(501);
  }

  /** What the exchange asks of a phone (talk, hold), and how a transfer is going (refer). */
  #notified(request: ServerRequest): void {
    const event = (request.request.headers.get('Event') ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (event === 'talk') {
      request.respond(200);
      if (this.#state === 'ringing') this.answer();
      else if (this.#held) this.resume();
    } else if (event === 'hold') {
      request.respond(200);
      this.hold();
    } else if (event === 'refer') {
      request.respond(this.#state === 'transferring' ? 200 : 481);
      if (this.#state === 'transferring') this.#transferProgress(request.request);
    } else {
      request.respond(489);
    }
  }

  // RFC 3515, 2.4.5: the body is the status line of the referred request, as far as it has come.
  #transferProgress(notify: SipRequest): void {
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(bodyText(notify))?.[1] ?? 0);
    if (status >= 200 && status < 300) this.hangUp();
    else if (status >= 300 || /^terminated/i.test(notify.headers.get('Subscription-State') ?? ''))
      this.#transferFailed();
  }

  #transferFailed(): void {
    if (this.#state === 'transferring') this.#state = 'connected';
  }

  #change(hold: boolean, by?: 'UPDATE'): Result<void> {
    if (!this.isTalking) return this.#conflict('is not connected');
    if (this.#changing) return this.#conflict('is being changed just now');
    this.#changing = true;
    const offer = (): string => this.#options.media.offer(hold);
    const onOutcome = (outcome: Outcome): void => {
      this.#changing = false;
      if (!succeeded(outcome)) return;
      this.#held = hold;
      if (outcome.response !== undefined) this.#options.media.take(bodyText(outcome.response));
    };
    if (by === 'UPDATE') this.#session?.update(offer, onOutcome);
    else this.#session?.reinvite(offer, onOutcome);
    return success(undefined);
  }

  #pressNext(): void {
    const key = this.#keys[0];
    if (key === undefined || this.#state === 'ended') return;
    const body = `Signal=${key}\r\nDuration=${DIGIT_LASTS_MS}\r\n`;
    this.#session?.request('INFO', { body, contentType: 'application/dtmf-relay' });
    this.#after(DIGIT_EVERY_MS, 'presses a key', () => {
      this.#keys = this.#keys.slice(1);
      this.#pressNext();
    });
  }

  #ended(): void {
    this.#state = 'ended';
    this.#stopTimers();
    this.#options.onEnded(this);
  }

  #after(delayMs: number, what: string, fn: () => void): void {
    const timer = this.#options.clock.after(delayMs, `${this.#options.name} ${what}`, () => {
      this.#timers.delete(timer);
      fn();
    });
    this.#timers.add(timer);
  }

  #stopTimers(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #conflict(why: string): Result<void> {
    return failure('conflict', `The call with ${this.peer} ${why}.`);
  }
}

function succeeded(outcome: Outcome): boolean {
  return outcome.status >= 200 && outcome.status < 300;
}
