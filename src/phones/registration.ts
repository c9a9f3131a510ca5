// A phone's registration: REGISTER with digest, refreshed in the background for as long as it is wanted (RFC 3261, 10.2). Knows no calls.
import type { Clock, Timer } from '../kernel/clock.ts';
import { contactsOf } from '../sip/fields.ts';
import type { SipResponse } from '../sip/message.ts';
import type { Credentials, Outcome, UserAgent } from '../sip/user-agent-api.ts';

/** What we ask for. The registrar may grant another time. */
export const WANTED_EXPIRES_S = 3600;
/** A refresh is due when this part of the granted time is over. */
const REFRESH_AT = 0.8;
/** After a refusal or silence. */
export const RETRY_AFTER_MS = 60_000;
/** An answered challenge takes a number of its own: each REGISTER of ours begins this much later. */
const CSEQ_STEP = 4;

export interface RegistrationOptions {
  readonly clock: Clock;
  readonly agent: UserAgent;
  /** How timers call the phone: `phone 101`. */
  readonly name: string;
  readonly domain: string;
  readonly credentials: Credentials;
  /** The same in every REGISTER of one phone. */
  readonly callId: string;
}

export class Registration {
  readonly #options: RegistrationOptions;
  #registered = false;
  #wanted = false;
  #wantedExpiresS = WANTED_EXPIRES_S;
  #cseq = 1;
  #timer: Timer | undefined;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  get registered(): boolean {
    return this.#registered;
  }

  /** Registers now, and again in time until `withdraw`; for how long is asked stays so. */
  register(expiresS = this.#wantedExpiresS): void {
    this.#wanted = true;
    this.#wantedExpiresS = expiresS;
    this.#send(this.#wantedExpiresS, (outcome) => this.#answered(outcome));
  }

  /** Removes the binding. `done` is called when the registrar has answered, or has not. */
  withdraw(done?: () => void): void {
    this.#wanted = false;
    this.#timer?.cancel();
    this.#send(0, () => {
      if (!this.#wanted) this.#registered = false;
      done?.();
    });
  }

  /** No more timers, and no word on the wire. */
  stop(): void {
    this.#wanted = false;
    this.#registered = false;
    this.#timer?.cancel();
  }

  #answered(outcome: Outcome): void {
    if (!this.#wanted) return;
    const { status, response } = outcome;
    this.#registered = status >= 200 && status < 300;
    if (this.#registered && response !== undefined) {
      this.#again(grantedS(response, this.#wantedExpiresS) * REFRESH_AT * 1000);
      return;
    }
    // RFC 3261, 10.2.8: the registrar names the shortest time that it takes.
    const shortestS = status === 423 ? Number(response?.headers.get('Min-Expires') ?? 0) : 0;
    const useful = Number.isInteger(shortestS) && shortestS > this.#wantedExpiresS;
    if (useful) this.#wantedExpiresS = shortestS;
    this.#again(useful ? 0 : RETRY_AFTER_MS);
  }

  #again(delayMs: number): void {
    const { clock, name } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.after(delayMs, `${name} registers again`, () => this.register(), { background: true });
  }

  #send(expiresS: number, onOutcome: (outcome: Outcome) => void): void {
    const { agent, domain, credentials, callId } = this.#options;
    const address = `<sip:${credentials.username}@${domain}>`;
    // RFC 3261, 20.5: what the phone takes. The exchange tells of messages only those that take NOTIFY.
    const allowed = agent.abilities.filter(([name]) => name === 'Allow');
    const headers = [['Expires', String(expiresS)] as const, ...allowed];
    const cseq = this.#cseq;
    this.#cseq += CSEQ_STEP;
    const who = { from: address, to: address, callId, cseq, credentials, headers };
    agent.request({ method: 'REGISTER', uri: `sip:${domain}`, ...who }, onOutcome);
  }
}

/** How long the binding holds: what its Contact says, else the Expires header, else what we asked for. */
function grantedS(response: SipResponse, askedS: number): number {
  const times = (contactsOf(response) ?? []).map((contact) => Number(contact.params.get('expires')));
  const written = response.headers.get('Expires');
  const known = [...times, ...(written === undefined ? [] : [Number(written)])].filter(
    (s) => Number.isInteger(s) && s > 0,
  );
  return known.length === 0 ? askedS : Math.min(...known);
}
