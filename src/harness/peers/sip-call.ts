// One call of a sip.js phone: rings, talks, holds, transfers, presses keys, hangs up, and obeys orders. Knows nothing of other calls or of registration.
import { type Invitation, Inviter, type Session, SessionState, type URI } from 'sip.js';
import type { TimeHost } from '../../kernel/clock.ts';
import type { ActOutcome, PhoneCallState, PhoneCallView, RefusalStatus, WhenCalled } from '../drivers/phone-driver.ts';
import { canAnswer, type MediaOptions } from './media-session.ts';

export interface SipCallParts {
  readonly time: TimeHost;
  /** Whom it talks to, as its display shows it. */
  readonly peer: string;
  /** The URI of something keyed in; undefined when none can be made of it. */
  readonly uriOf: (dialled: string) => URI | undefined;
  /** The view may have changed. */
  readonly onChange: () => void;
  /** The user turns to this call. */
  readonly onPickedUp: (call: SipCall) => void;
  readonly onEnded: (call: SipCall) => void;
}

export const DONE: ActOutcome = { done: true };

export function notDone(why: string): ActOutcome {
  return { done: false, why };
}

const DIGIT_LASTS_MS = 160;
// RFC 3261, 14.1: who owns the Call-ID waits 2.1 to 4 s after 491, the other 0 to 2 s, so that they do not meet again.
const GLARE_OWNER_MS = 2500;
const GLARE_OTHER_MS = 1000;
const MAX_GLARES = 3;

/** A NOTIFY as sip.js brings it, before the answer and after. */
interface Notified {
  readonly message: { readonly body: string; getHeader(name: string): string | undefined };
  accept(): unknown;
  reject(options: { statusCode: number; extraHeaders?: string[] }): unknown;
}

export class SipCall {
  readonly #session: Inviter | Invitation;
  readonly #parts: SipCallParts;
  readonly #confirmed: Promise<void>;
  readonly #over: Promise<void>;
  #confirm: () => void = () => {};
  #finish: () => void = () => {};
  #state: PhoneCallState;
  #held = false;
  #ended = false;
  #farewell: Promise<void> = Promise.resolve();
  /** The end of the re-INVITE under way: there is one at a time (RFC 3261, 14.1). */
  #changing: Promise<void> = Promise.resolve();
  #cancelAlarm: () => void = () => {};

  constructor(session: Inviter | Invitation, parts: SipCallParts) {
    this.#session = session;
    this.#parts = parts;
    this.#state = session instanceof Inviter ? 'calling' : 'ringing';
    this.#confirmed = new Promise((resolve) => {
      this.#confirm = resolve;
    });
    this.#over = new Promise((resolve) => {
      this.#finish = resolve;
    });
    session.stateChange.addListener((state) => this.#moved(state));
    session.delegate = {
      onAck: () => this.#confirm(),
      onNotify: (notification) => this.#notified(asNotified(notification)),
      // A phone that follows a REFER would be in a call that its user did not make.
      onRefer: (referral) => void referral.reject({ statusCode: 603 }),
    };
  }

  get view(): PhoneCallView {
    const sipCallId = this.#session.request.callId;
    return { sipCallId, state: this.#state, held: this.#held, peer: this.#parts.peer };
  }

  get state(): PhoneCallState {
    return this.#state;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Can be held, transferred, dialled into. */
  get isTalking(): boolean {
    return this.#state === 'connected' && this.#session.state === SessionState.Established;
  }

  /** Resolves when nothing of the call is left: the BYE answered, the CANCEL obeyed. */
  get over(): Promise<void> {
    return this.#over.then(() => this.#farewell);
  }

  /** Sends the INVITE. */
  async dial(): Promise<void> {
    if (!(this.#session instanceof Inviter)) return;
    await this.#session.invite({
      requestDelegate: {
        onProgress: () => this.#become('ringback'),
        onAccept: () => this.#confirm(),
      },
    });
  }

  /** Is called, and does what it was told to do then. */
  async receive(conduct: WhenCalled): Promise<void> {
    const session = this.#session;
    if (session instanceof Inviter) return;
    const { body } = session.request;
    if (body !== '' && !canAnswer(body)) return session.reject({ statusCode: 488 });
    const { on_call, after_ms = 0, to = '' } = conduct;
    if (on_call === 'redirect') {
      const extraHeaders = [`Contact: <${this.#parts.uriOf(to)}>`];
      return session.reject({ statusCode: 302, extraHeaders });
    }
    const status = refusalOf(on_call);
    if (status !== undefined && after_ms === 0) return session.reject({ statusCode: status });
    await session.progress(on_call === 'early_media' ? { statusCode: 183 } : {});
    // Orders come in the early dialog too, where sip.js has nobody to tell.
    if (session.dialog !== undefined) session.dialog.delegate = { onNotify: (request) => this.#notified(request) };
    if (on_call === 'ring') return;
    this.#cancelAlarm = this.#parts.time.alarm(after_ms, () => {
      if (this.#state !== 'ringing') return;
      void (status === undefined ? this.#pickUp() : this.reject(status));
    });
  }

  async answer(): Promise<ActOutcome> {
    if (this.#state !== 'ringing') return this.#cannot('does not ring');
    this.#parts.onPickedUp(this);
    return this.#pickUp();
  }

  reject(status: RefusalStatus): Promise<ActOutcome> {
    const session = this.#session;
    if (session instanceof Inviter || this.#state !== 'ringing') return Promise.resolve(this.#cannot('does not ring'));
    return this.#tried(session.reject({ statusCode: status }));
  }

  /** re-INVITE with a=sendonly. */
  hold(): Promise<ActOutcome> {
    return this.#held ? Promise.resolve(this.#cannot('is on hold already')) : this.#change(true);
  }

  /** re-INVITE with a=sendrecv. */
  resume(): Promise<ActOutcome> {
    if (!this.#held) return Promise.resolve(this.#cannot('is not on hold'));
    this.#parts.onPickedUp(this);
    return this.#change(false);
  }

  // RFC 3515; RFC 5589, 6: the transferor stays until it hears how it went.
  /** REFER. Hangs up when the target has answered, talks on when it has not. */
  async transfer(to: string): Promise<ActOutcome> {
    const uri = this.#parts.uriOf(to);
    return uri === undefined ? notDone(`${to} is nothing that can be called.`) : this.#refer(uri);
  }

  // RFC 5589, 7.
  /** REFER to the other party of an answered call of this phone. */
  joinWith(consulted: SipCall): Promise<ActOutcome> {
    return this.#refer(consulted.#session);
  }

  async #refer(to: URI | Session): Promise<ActOutcome> {
    if (!this.isTalking) return this.#cannot('is not connected');
    this.#become('transferring');
    await this.#confirmed;
    return this.#tried(
      this.#session.refer(to, {
        onNotify: (notification) => this.#notified(asNotified(notification)),
        requestDelegate: { onReject: () => this.#transferFailed() },
      }),
    );
  }

  /** INFO with application/dtmf-relay for each key, the next one when the last has been answered. */
  async digits(keys: string): Promise<ActOutcome> {
    if (!this.isTalking) return this.#cannot('is not connected');
    await this.#confirmed;
    for (const key of keys) {
      const pressed = await this.#tried(this.#press(key));
      if (!pressed.done) return pressed;
    }
    return DONE;
  }

  /** Ends the call whatever its state: CANCEL, 603 or BYE. */
  async hangUp(): Promise<ActOutcome> {
    if (this.#state === 'ringing') return this.reject(603);
    const session = this.#session;
    if (session.state === SessionState.Established) return this.#tried(this.#bye());
    if (session instanceof Inviter && !this.#ended) return this.#tried(session.cancel());
    return this.#cannot('has ended');
  }

  /** The connection is of no use any more: whatever waits here is over. */
  drop(): void {
    this.#ended = true;
    this.#cancelAlarm();
    this.#confirm();
    this.#finish();
  }

  async #pickUp(): Promise<ActOutcome> {
    const session = this.#session;
    if (session instanceof Inviter) return this.#cannot('does not ring');
    this.#cancelAlarm();
    return this.#tried(session.accept());
  }

  // RFC 3261, 15: BYE waits for the ACK, which sip.js sees to; the act is done when the user has hung up.
  #bye(): Promise<void> {
    let answered: () => void = () => {};
    this.#farewell = new Promise((resolve) => {
      answered = resolve;
    });
    const sent = this.#session.bye({
      requestDelegate: { onAccept: answered, onReject: answered, onRedirect: answered },
    });
    return Promise.race([sent.then(() => {}), this.#over]);
  }

  #press(key: string): Promise<void> {
    const content = `Signal=${key}\r\nDuration=${DIGIT_LASTS_MS}\r\n`;
    const body = { contentDisposition: 'render', contentType: 'application/dtmf-relay', content };
    const answered = new Promise<void>((resolve, reject) => {
      const requestDelegate = { onAccept: () => resolve(), onReject: () => resolve(), onRedirect: () => resolve() };
      this.#session.info({ requestDelegate, requestOptions: { body } }).catch(reject);
    });
    return Promise.race([answered, this.#over]);
  }

  /** Resolves when the re-INVITE has been sent; what is answered moves `held`. */
  async #change(hold: boolean): Promise<ActOutcome> {
    if (!this.isTalking) return this.#cannot('is not connected');
    await Promise.all([this.#confirmed, this.#changing]);
    if (!this.isTalking) return this.#cannot('is not connected');
    let finish: () => void = () => {};
    this.#changing = Promise.race([
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
      this.#over,
    ]);
    const sent = await this.#tried(this.#reinvite(hold, finish, MAX_GLARES));
    if (!sent.done) finish();
    return sent;
  }

  #reinvite(hold: boolean, finish: () => void, glaresLeft: number): Promise<unknown> {
    const session = this.#session;
    const before = session.sessionDescriptionHandlerOptionsReInvite;
    const options: MediaOptions = { hold };
    session.sessionDescriptionHandlerOptionsReInvite = options;
    return session.invite({
      requestDelegate: {
        onAccept: () => {
          this.#held = hold;
          this.#parts.onChange();
          finish();
        },
        onReject: ({ message }) => {
          session.sessionDescriptionHandlerOptionsReInvite = before;
          if (message.statusCode !== 491 || glaresLeft === 0 || this.#ended) return finish();
          const delayMs = session instanceof Inviter ? GLARE_OWNER_MS : GLARE_OTHER_MS;
          this.#cancelAlarm = this.#parts.time.alarm(delayMs, () => {
            this.#reinvite(hold, finish, glaresLeft - 1).catch(finish);
          });
        },
      },
    });
  }

  /** What the exchange asks of a phone (talk, hold), and how a transfer is going (refer). */
  #notified(notify: Notified): void {
    const event = (notify.message.getHeader('Event') ?? '').split(';', 1)[0]?.trim().toLowerCase();
    if (event === 'talk') {
      notify.accept();
      if (this.#state === 'ringing') void this.answer();
      else if (this.#held) void this.resume();
    } else if (event === 'hold') {
      notify.accept();
      if (!this.#held) void this.hold();
    } else if (event === 'refer') {
      notify.accept();
      this.#transferProgress(notify);
    } else {
      notify.reject({ statusCode: 489, extraHeaders: ['Allow-Events: talk, hold, refer'] });
    }
  }

  // RFC 3515, 2.4.5: the body is the status line of the referred request, as far as it has come.
  #transferProgress({ message }: Notified): void {
    if (this.#state !== 'transferring') return;
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(message.body)?.[1] ?? 0);
    if (status >= 200 && status < 300) void this.hangUp();
    else if (status >= 300 || /^terminated/i.test(message.getHeader('Subscription-State') ?? ''))
      this.#transferFailed();
  }

  #transferFailed(): void {
    if (this.#state === 'transferring') this.#become('connected');
  }

  #moved(state: SessionState): void {
    if (state === SessionState.Established) this.#become('connected');
    if (state === SessionState.Terminating || state === SessionState.Terminated) this.#end();
    if (state === SessionState.Terminated) this.#finish();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelAlarm();
    this.#confirm();
    this.#parts.onEnded(this);
  }

  #become(state: PhoneCallState): void {
    if (this.#ended || this.#state === state) return;
    this.#state = state;
    this.#parts.onChange();
  }

  /** sip.js rejects what it cannot send; its words are for whoever reads the report. */
  async #tried(sending: Promise<unknown>): Promise<ActOutcome> {
    try {
      await sending;
      return DONE;
    } catch (error) {
      return this.#cannot(`refused: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #cannot(why: string): ActOutcome {
    return notDone(`The call with ${this.#parts.peer} ${why}.`);
  }
}

function asNotified(notification: Parameters<NonNullable<NonNullable<Session['delegate']>['onNotify']>>[0]): Notified {
  const { request } = notification;
  return {
    message: request,
    accept: () => void notification.accept(),
    reject: (options) => void notification.reject(options),
  };
}

function refusalOf(conduct: WhenCalled['on_call']): RefusalStatus | undefined {
  switch (conduct) {
    case 'busy':
      return 486;
    case 'decline':
      return 603;
    case 'unavailable':
      return 480;
    default:
      return undefined;
  }
}
