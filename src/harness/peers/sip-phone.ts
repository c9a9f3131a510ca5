// A scenario's phone that is a sip.js user agent: does what its user does, and keeps what it has seen. Knows no scenario and no target's API.
import { type Invitation, Inviter } from 'sip.js';
import {
  type ActOutcome,
  type PhoneAct,
  type PhoneLine,
  type PhoneMessage,
  PhoneTrouble,
  type PhoneView,
  type ScenarioPhone,
  type WhenCalled,
} from '../drivers/phone-driver.ts';
import { readSipMessage, userIn } from '../drivers/sip-reading.ts';
import { DONE, notDone, SipCall } from './sip-call.ts';
import { SipLine, type SipLineParts } from './sip-line.ts';

/** Messages kept; the oldest go first. */
const MAX_MESSAGES = 50_000;
/** Calls at a time, ringing ones included; the next is 486. */
const MAX_CALLS = 4;

export interface SipPhoneParts extends Pick<SipLineParts, 'time' | 'openWire' | 'domain'> {
  readonly onClosed: (phone: SipPhone) => void;
}

export class SipPhone implements ScenarioPhone {
  readonly name: string;
  readonly number: string;
  readonly #parts: SipPhoneParts;
  readonly #account: { readonly username: string; readonly password: string };
  readonly #calls: SipCall[] = [];
  readonly #messages: PhoneMessage[] = [];
  readonly #listeners = new Set<() => void>();
  /** Connections that were lost or left in silence; closed with the phone. */
  readonly #left: SipLine[] = [];
  #line: SipLine | undefined;
  #conduct: WhenCalled;
  #closing: Promise<void> | undefined;

  private constructor(parts: SipPhoneParts, line: PhoneLine, conduct: WhenCalled) {
    if (line.sip === undefined) throw new PhoneTrouble(`The target names no SIP account for the phone ${line.name}.`);
    this.#parts = parts;
    this.#account = line.sip;
    this.#conduct = conduct;
    this.name = line.name;
    this.number = line.ext;
  }

  /** Registered, and called by `conduct`. Rejects with `PhoneTrouble`. */
  static async open(parts: SipPhoneParts, line: PhoneLine, conduct: WhenCalled): Promise<SipPhone> {
    const phone = new SipPhone(parts, line, conduct);
    const registered = await phone.act({ act: 'register' });
    if (registered.done) return phone;
    await phone.close();
    throw new PhoneTrouble(registered.why);
  }

  whenCalled(conduct: WhenCalled): Promise<ActOutcome> {
    this.#conduct = conduct;
    return Promise.resolve(DONE);
  }

  async act(act: PhoneAct): Promise<ActOutcome> {
    if (this.#closing !== undefined) return notDone(`The phone ${this.name} is closed.`);
    if (act.act === 'register') return this.#register();
    const line = this.#line;
    if (line?.isUp !== true) return notDone(`The phone ${this.name} is not connected.`);
    switch (act.act) {
      case 'unregister':
        return this.#registration(await line.unregister());
      case 'vanish':
        this.#leave(line);
        line.vanish();
        return DONE;
      case 'call':
        return this.#call(line, act.to, act.offer === 'late');
      default:
        return this.#onCall(act);
    }
  }

  view(): Promise<PhoneView> {
    return Promise.resolve({
      registered: this.#line?.registered === true,
      calls: this.#calls.map((call) => call.view),
    });
  }

  messages(): Promise<readonly PhoneMessage[]> {
    return Promise.resolve([...this.#messages]);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const calls = [...this.#calls];
    const ended = Promise.all(calls.map((call) => call.hangUp().then(() => call.over)));
    const lines = [...this.#left, ...(this.#line === undefined ? [] : [this.#line])];
    await Promise.allSettled(lines.map((line) => line.close(ended)));
    for (const call of calls) call.drop();
    this.#calls.length = 0;
    this.#changed();
    this.#parts.onClosed(this);
  }

  async #register(): Promise<ActOutcome> {
    if (this.#line !== undefined && !this.#line.isUp) this.#leave(this.#line);
    try {
      this.#line ??= await SipLine.open({
        ...this.#parts,
        ...this.#account,
        displayName: this.name,
        observe: (direction, text) => this.#observe(direction, text),
        ignoresCalls: () => this.#conduct.on_call === 'silent',
        onInvite: (invitation) => this.#invited(invitation),
        onChange: () => this.#lineChanged(),
      });
    } catch (error) {
      return notDone(`The phone ${this.name} has no connection: ${error instanceof Error ? error.message : error}.`);
    }
    return this.#registration(await this.#line.register());
  }

  #registration(problem: string | undefined): ActOutcome {
    this.#changed();
    return problem === undefined ? DONE : notDone(`Registration of the phone ${this.name} ${problem}.`);
  }

  async #call(line: SipLine, to: string, offersLate: boolean): Promise<ActOutcome> {
    const uri = line.uriOf(to);
    if (uri === undefined) return notDone(`${to} is nothing that can be called.`);
    if (this.#calls.length >= MAX_CALLS) return notDone(`The phone ${this.name} has no line free.`);
    const call = this.#newCall(new Inviter(line.userAgent, uri, { inviteWithoutSdp: offersLate }), to, line);
    await this.#pickedUp(call);
    try {
      await call.dial();
      return DONE;
    } catch (error) {
      return notDone(`The call to ${to} could not be sent: ${error instanceof Error ? error.message : error}.`);
    }
  }

  #invited(invitation: Invitation): void {
    const line = this.#line;
    if (line === undefined || this.#calls.length >= MAX_CALLS) {
      invitation.reject({ statusCode: 486 }).catch(() => {});
      return;
    }
    const { data } = invitation.request;
    const peer = decodeURIComponent(userIn(data, 'From'));
    const call = this.#newCall(invitation, peer, line);
    // A caller who gives up at this very moment is no error of ours.
    call.receive(this.#conduct).catch(() => {});
  }

  #newCall(session: Inviter | Invitation, peer: string, line: SipLine): SipCall {
    const call = new SipCall(session, {
      time: this.#parts.time,
      peer,
      uriOf: (dialled) => line.uriOf(dialled),
      onChange: () => this.#changed(),
      onPickedUp: (picked) => void this.#pickedUp(picked),
      onEnded: (ended) => this.#forget(ended),
    });
    this.#calls.push(call);
    this.#changed();
    return call;
  }

  /** A user talks to one at a time: turning to a call holds the others, as a desk phone does. */
  async #pickedUp(call: SipCall): Promise<void> {
    const others = this.#calls.filter((other) => other !== call && other.isTalking && !other.held);
    await Promise.all(others.map((other) => other.hold()));
  }

  #onCall(act: Exclude<PhoneAct, { act: 'call' | 'register' | 'unregister' | 'vanish' }>): Promise<ActOutcome> {
    const call = callMeant(this.#calls, act.act);
    if (call === undefined) return Promise.resolve(notDone(`The phone ${this.name} has ${missing(act.act)}.`));
    switch (act.act) {
      case 'answer':
        return call.answer();
      case 'reject':
        return call.reject(act.status);
      case 'hold':
        return call.hold();
      case 'resume':
        return call.resume();
      case 'transfer':
        return call.transfer(act.to);
      case 'join':
        return this.#join();
      case 'digits':
        return call.digits(act.digits);
      case 'hang_up':
        return call.hangUp();
    }
  }

  /** Sends the party on hold to whom the user talks to. sip.js refers to established calls alone. */
  #join(): Promise<ActOutcome> {
    const held = this.#calls.findLast((call) => call.held);
    const other = this.#calls.findLast((call) => call !== held && call.state === 'connected');
    if (held === undefined || other === undefined)
      return Promise.resolve(notDone(`The phone ${this.name} has no two calls to join.`));
    return held.joinWith(other);
  }

  #forget(call: SipCall): void {
    const at = this.#calls.indexOf(call);
    if (at >= 0) this.#calls.splice(at, 1);
    this.#changed();
  }

  /** Turns away from a connection that is of no use any more: its calls are gone with it. */
  #leave(line: SipLine): void {
    this.#left.push(line);
    this.#line = undefined;
    for (const call of this.#calls.splice(0)) call.drop();
    this.#changed();
  }

  #lineChanged(): void {
    if (this.#line !== undefined && !this.#line.isUp) for (const call of this.#calls.splice(0)) call.drop();
    this.#changed();
  }

  #observe(direction: PhoneMessage['direction'], text: string): void {
    const message = readSipMessage(text, direction);
    if (message === undefined) return;
    if (this.#messages.length >= MAX_MESSAGES) this.#messages.splice(0, MAX_MESSAGES / 10);
    this.#messages.push(message);
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The oldest call that rings; the newest that is held; for all else the newest that the user talks on, or has at all. */
function callMeant(calls: readonly SipCall[], act: PhoneAct['act']): SipCall | undefined {
  if (act === 'answer' || act === 'reject') return calls.find((call) => call.state === 'ringing');
  if (act === 'resume') return calls.findLast((call) => call.held);
  const talking = calls.findLast((call) => call.state === 'connected' && !call.held);
  if (talking !== undefined) return talking;
  return act === 'hold' ? calls.findLast((call) => call.state === 'connected') : calls.at(-1);
}

function missing(act: PhoneAct['act']): string {
  if (act === 'answer' || act === 'reject') return 'no call that rings';
  if (act === 'resume') return 'no call on hold';
  if (act === 'hold') return 'no connected call';
  return 'no call';
}
