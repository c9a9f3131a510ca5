// The calling side of a session: INVITE, forks, ACKs, CANCEL and what crosses it (RFC 3261, 13.2 and 9.1). Knows no calls.

import type { Timer } from '../kernel/clock.ts';
import { BrokenInvariant } from '../kernel/errors.ts';
import { contactUri, Dialog } from './dialog.ts';
import type { Flow } from './flow.ts';
import { Headers, ownText } from './headers.ts';
import { NO_BODY, type SipRequest, type SipResponse } from './message.ts';
import { DialogSession, type EndOptions } from './session.ts';
import { ByTag, type Fork, Forks, MAX_FORKS, rseqOf } from './session-forks.ts';
import type { OpenOffer } from './session-offers.ts';
import { SessionTimer } from './session-timer.ts';
import type { ClientTransaction, ClientUser } from './transaction-client.ts';
import { tagIn } from './transaction-match.ts';
import { SILENCE_MS } from './transaction-timers.ts';
import type { HeaderList, OutgoingInvite, RequestOptions } from './user-agent-api.ts';
import { Attempt, OutcomeOnce, outcomeOf, outcomeWithout } from './user-agent-attempt.ts';
import type { Core } from './user-agent-core.ts';

export class CallerSession extends DialogSession implements ClientUser {
  readonly role = 'uac';
  readonly #attempt: Attempt;
  readonly #offered: boolean;
  #invite: SipRequest;
  readonly #forks = new Forks();
  /** Sends the ACK of each fork that answered 2xx, by its tag; undefined while our answer is owed. */
  readonly #acks = new ByTag<(() => void) | undefined>();
  /** A provisional came: the peer has the INVITE, so that a CANCEL cannot overtake it. */
  #heard = false;
  #cancel: 'no' | 'wanted' | 'sent' = 'no';
  #cancelHeaders: HeaderList = [];
  #cancelWait: Timer | undefined;

  constructor(core: Core, flow: Flow, options: OutgoingInvite) {
    super(core, flow, options.callId ?? core.newCallId(), core.newTag(), options.credentials);
    this.events = options.events;
    this.described = options.body ?? '';
    this.#offered = this.described !== '';
    const { sessionExpiresS = core.sessionExpiresS } = options;
    if (sessionExpiresS > 0) this.timer = new SessionTimer(this, sessionExpiresS);
    const from = `${options.from};tag=${this.localTag}`;
    const { callId } = this;
    const { uri, to, maxForwards = 70 } = options;
    const message = messageOf(options);
    let lastCseq = 0;
    this.#attempt = new Attempt(
      core,
      {
        flow,
        session: this,
        credentials: options.credentials,
        nextCseq: () => {
          lastCseq += 1;
          return lastCseq;
        },
        build: (branch, cseq, authorization) => {
          const parts = { method: 'INVITE', uri, from, to, callId, maxForwards };
          const more = this.timer?.asking() ?? [];
          const options = more.length === 0 ? message : { ...message, headers: [...(message.headers ?? []), ...more] };
          this.#invite = core.buildRequest({ ...parts, flow, branch, cseq, options, authorization });
          return this.#invite;
        },
      },
      this,
    );
    this.#invite = this.#attempt.send();
  }

  get invite(): SipRequest {
    return this.#invite;
  }

  override cancel(reason?: string): void {
    this.#cancelWith(reason === undefined ? [] : [['Reason', reason]]);
  }

  override ack(sdp: string): void {
    if (this.state !== 'answered') {
      super.ack(sdp);
      return;
    }
    this.#acknowledge(sdp);
    this.offers.next();
  }

  end(options: EndOptions = {}): void {
    if (this.state === 'answered' || this.state === 'confirmed') this.hangUp(options);
    else this.#cancelWith(options.headers ?? []);
  }

  response(response: SipResponse, transaction: ClientTransaction): void {
    if (transaction !== this.#attempt.transaction) return;
    if (response.status < 200) this.#provisional(response);
    else if (response.status < 300) this.#answered(response);
    else this.#refused(response);
  }

  failed(why: 'timeout' | 'transport'): void {
    this.conclude({ by: 'failure', outcome: outcomeWithout(why) });
  }

  override flowClosed(why: string): void {
    // Until the answer the INVITE's own transaction reports it.
    if (this.state !== 'calling' && this.state !== 'early') super.flowClosed(why);
  }

  offerRefusal(): 0 | 491 | 500 {
    return this.state === 'confirmed' ? 0 : 491;
  }

  openOffer(): OpenOffer {
    if (this.state === 'confirmed') return 'none';
    if (this.state === 'answered') return 'theirs';
    if (!this.#offered) return 'theirs';
    return this.#forks.get(this.remoteTag)?.answer === undefined ? 'ours' : 'none';
  }

  override get hasAgreed(): boolean {
    return this.openOffer() === 'none' && (this.state === 'confirmed' || this.#forks.get(this.remoteTag)?.pracks === 0);
  }

  protected override settleAcks(): void {
    if (this.state === 'answered') this.#acknowledge(undefined);
    super.settleAcks();
  }

  protected released(): void {
    this.#attempt.givenUp = true;
    const { transaction } = this.#attempt;
    const open = transaction !== undefined && (transaction.state === 'calling' || transaction.state === 'proceeding');
    // Ended while the INVITE is open (a BYE in the early dialog): the other forks are called off.
    if (open && !this.core.closed) this.#cancelWith([]);
    else this.#cancelWait?.cancel();
  }

  #provisional(response: SipResponse): void {
    this.#heard = true;
    if (this.#cancel === 'wanted') this.#sendCancel();
    const tag = ownText(tagIn(response.headers.get('To')));
    if (response.status === 100 || this.state === 'terminated') return;
    const fork = tag === '' ? undefined : this.#follow(response, tag);
    const rseq = rseqOf(response);
    if (rseq > 0 && fork !== undefined && !this.#isNew(fork, rseq, response)) return;
    if (this.#cancel !== 'no') return;
    this.events.onProvisional?.(this, response);
    this.offers.next();
  }

  /** The dialog is the one that spoke last, until one is answered. */
  #follow(response: SipResponse, tag: string): Fork | undefined {
    if (this.state === 'calling') this.state = 'early';
    const known = this.#forks.get(tag);
    const fork = known ?? this.#forks.enter(tag, () => this.#dialogOf(response, tag));
    this.dialog = fork?.dialog ?? this.#dialogOf(response, tag);
    this.remoteTag = tag;
    known?.dialog.refresh(response);
    this.remoteContact = contactUri(response) ?? this.remoteContact;
    this.notePeer(response);
    return fork;
  }

  // RFC 3262, 4: each is acknowledged once, in the order of their numbers; copies and those out of order are nothing.
  #isNew(fork: Fork, rseq: number, response: SipResponse): boolean {
    if (fork.rseq !== 0 && rseq !== fork.rseq + 1) return false;
    fork.rseq = rseq;
    if (response.body.length > 0) fork.answer ??= response.body;
    fork.pracks += 1;
    this.acknowledgeProvisional(rseq, this.#attempt.cseq, fork.dialog, () => {
      fork.pracks -= 1;
      if (this.state !== 'terminated') this.offers.next();
    });
    return true;
  }

  #dialogOf(response: SipResponse, remoteTag: string): Dialog {
    const { callId, localTag } = this;
    return Dialog.ofCaller(this.#invite, response, { callId, localTag, remoteTag }, this.#attempt.cseq);
  }

  // RFC 3261, 13.2.2.4.
  #answered(response: SipResponse): void {
    const tag = ownText(tagIn(response.headers.get('To')));
    if (this.#acks.has(tag)) this.#acks.get(tag)?.();
    else if (this.state === 'calling' || this.state === 'early') this.#won(response, tag);
    else if (this.#acks.size < MAX_FORKS) this.#hangUpFork(response, tag);
  }

  #won(response: SipResponse, tag: string): void {
    // Requests in the early dialog may have raised CSeq already; the route set is that of the 2xx (RFC 3261, 13.2.2.4).
    const fork = this.#forks.get(tag);
    const early = fork?.dialog;
    this.#forks.clear();
    this.remoteTag = tag;
    this.dialog = this.#dialogOf(response, tag);
    this.dialog.localCseq = Math.max(this.dialog.localCseq, early?.localCseq ?? 0);
    this.dialog.remoteCseq = early?.remoteCseq ?? -1;
    this.remoteContact = contactUri(response) ?? this.remoteContact;
    this.notePeer(response);
    this.#cancelWait?.cancel();
    this.state = 'answered';
    this.#acks.set(tag, undefined);
    if (this.#cancel !== 'no') {
      this.sendBye(this.#cancelHeaders);
      this.conclude({ by: 'local-bye' });
      return;
    }
    this.startTimer(response);
    if (this.#offered) this.#acknowledge(undefined);
    // RFC 3261, 13.2.1: an answer that came reliably is the answer; what describes anything after it is nothing.
    const { answer } = fork ?? {};
    this.events.onAnswered?.(this, answer === undefined ? response : { ...response, body: answer });
    this.offers.next();
  }

  #acknowledge(sdp: string | undefined): void {
    const { dialog } = this;
    if (dialog === undefined) {
      throw new BrokenInvariant(`session ${this.id} has no dialog`, 'it was answered without one', 'report it');
    }
    this.state = 'confirmed';
    this.#acks.set(this.remoteTag, this.sendAck(dialog, this.#attempt.cseq, this.#attempt.authorization, sdp));
  }

  /** Another fork answered too, or one did after the end: it is acknowledged and hung up on. */
  #hangUpFork(response: SipResponse, tag: string): void {
    const dialog = this.#dialogOf(response, tag);
    this.#acks.set(tag, this.sendAck(dialog, this.#attempt.cseq, this.#attempt.authorization, undefined));
    if (this.flow.open) this.attempt(dialog, 'BYE', {}, new OutcomeOnce(() => {})).send();
  }

  #refused(response: SipResponse): void {
    this.#cancelWait?.cancel();
    const { status } = response;
    if (status === 422 && this.#cancel === 'no' && this.timer?.raise(response) === true) {
      this.#attempt.send();
      return;
    }
    const calledOff = this.#cancel !== 'no' && (status === 487 || status === 401 || status === 407);
    this.notePeer(response);
    this.conclude(calledOff ? { by: 'cancel' } : { by: 'failure', outcome: outcomeOf(response) });
  }

  #cancelWith(headers: HeaderList): void {
    if (this.#cancel !== 'no' || this.state === 'answered' || this.state === 'confirmed') return;
    this.#cancel = 'wanted';
    this.#cancelHeaders = headers;
    this.#attempt.givenUp = true;
    if (this.#heard) this.#sendCancel();
  }

  // RFC 3261, 9.1: the Via, Request-URI, tags and number of the INVITE.
  #sendCancel(): void {
    const { transaction } = this.#attempt;
    if (transaction?.state !== 'proceeding') return;
    this.#cancel = 'sent';
    const { core, flow } = this;
    const { headers } = this.#invite;
    const lines = new Headers().append('Via', headers.get('Via') ?? '').append('Max-Forwards', '70');
    lines.appendFrom(headers, 'Route').appendFrom(headers, 'From').appendFrom(headers, 'To');
    lines.appendFrom(headers, 'Call-ID').append('CSeq', `${this.#attempt.cseq} CANCEL`);
    lines.append('User-Agent', core.options.product);
    for (const [name, value] of this.#cancelHeaders) lines.append(name, value);
    const cancel: SipRequest = {
      kind: 'request',
      method: 'CANCEL',
      uri: this.#invite.uri,
      headers: lines,
      body: NO_BODY,
    };
    core.transactions.request(cancel, flow, transaction.branch, new OutcomeOnce(() => {}), this);
    // A peer that never ends the INVITE is given up (RFC 3261, 9.1).
    this.#cancelWait = core.clock.after(SILENCE_MS, `cancel ${this.callId}`, () => {
      transaction.abandon();
      this.conclude({ by: 'cancel' });
    });
  }
}

/** What the INVITE says. The attempt outlives the call, so that it holds nothing of who made it. */
function messageOf({ headers, body, contentType }: OutgoingInvite): RequestOptions {
  return {
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
  };
}
