// A request of ours until its outcome: it answers digest challenges by itself, each time as a new request (RFC 3261, 8.1.3.5 and 22). Knows nothing of dialogs.
import { answerChallenge, chooseChallenge, isStale, parseDigest } from './digest.ts';
import type { Flow } from './flow.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { reasonPhrase } from './reasons.ts';
import type { ClientTransaction, ClientUser } from './transaction-client.ts';
import type { Credentials, HeaderList, Outcome, Session } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

export const NO_CREDENTIALS: HeaderList = [];

/** The challenges that one request met: one of each kind is answered, and one more when only its nonce was too old. */
class Challenges {
  authorization: HeaderList = NO_CREDENTIALS;
  readonly #core: Core;
  readonly #credentials: Credentials;
  readonly #answered = new Map<string, { value: string; nonce: string; nc: number; stale: boolean }>();

  constructor(core: Core, credentials: Credentials) {
    this.#core = core;
    this.#credentials = credentials;
  }

  /** True when the request may go again, with `authorization`. */
  answer(response: SipResponse, request: SipRequest): boolean {
    const [asked, header] = response.status === 401 ? WWW : PROXY;
    const challenge = chooseChallenge(response.headers.all(asked));
    if (challenge === undefined) return false;
    const before = this.#answered.get(header);
    const stale = isStale(challenge);
    if (before !== undefined && (!stale || before.stale)) return false;
    const nonce = parseDigest(challenge)?.get('nonce') ?? '';
    const nc = before?.nonce === nonce ? before.nc + 1 : 1;
    const { username, password } = this.#credentials;
    const { method, uri } = request;
    const value = answerChallenge({ challenge, method, uri, username, password, cnonce: this.#core.newCnonce(), nc });
    if (value === undefined) return false;
    this.#answered.set(header, { value, nonce, nc, stale: before !== undefined });
    this.authorization = [...this.#answered].map(([name, answer]) => [name, answer.value] as const);
    return true;
  }
}

const WWW = ['WWW-Authenticate', 'Authorization'] as const;
const PROXY = ['Proxy-Authenticate', 'Proxy-Authorization'] as const;

export interface AttemptPlan {
  readonly flow: Flow;
  readonly session?: Session | undefined;
  readonly credentials: Credentials | undefined;
  nextCseq(): number;
  build(branch: string, cseq: number, authorization: HeaderList): SipRequest;
}

export class Attempt implements ClientUser {
  readonly #core: Core;
  readonly #plan: AttemptPlan;
  readonly #user: ClientUser;
  readonly #challenges: Challenges | undefined;
  /** Set to let a challenge through as any other failure. */
  givenUp = false;
  /** Of the last copy. */
  cseq = 0;
  #transaction: ClientTransaction | undefined;

  constructor(core: Core, plan: AttemptPlan, user: ClientUser) {
    this.#core = core;
    this.#plan = plan;
    this.#user = user;
    this.#challenges = plan.credentials === undefined ? undefined : new Challenges(core, plan.credentials);
  }

  /** The transaction of the last copy. */
  get transaction(): ClientTransaction | undefined {
    return this.#transaction;
  }

  /** The credentials that the last copy carried: an ACK carries them too (RFC 3261, 22.1). */
  get authorization(): HeaderList {
    return this.#challenges?.authorization ?? NO_CREDENTIALS;
  }

  /** Builds and sends the request. Outcomes come later, never from within. */
  send(): SipRequest {
    const branch = this.#core.newBranch();
    this.cseq = this.#plan.nextCseq();
    const request = this.#plan.build(branch, this.cseq, this.authorization);
    const { flow, session } = this.#plan;
    this.#transaction = this.#core.transactions.request(request, flow, branch, this, session);
    return request;
  }

  response(response: SipResponse, transaction: ClientTransaction): void {
    const challenged = response.status === 401 || response.status === 407;
    if (challenged && !this.givenUp && this.#challenges?.answer(response, transaction.request) === true) {
      this.send();
      return;
    }
    this.#user.response(response, transaction);
  }

  failed(why: 'timeout' | 'transport', transaction: ClientTransaction): void {
    this.#user.failed(why, transaction);
  }
}

export function outcomeOf(response: SipResponse): Outcome {
  return { status: response.status, reason: response.reason, response, by: 'response' };
}

/** RFC 3261, 8.1.3.1: silence counts as 408, a lost flow as 503. A dialog that ended first is 481. */
export function outcomeWithout(by: 'timeout' | 'transport' | 'terminated'): Outcome {
  const status = by === 'timeout' ? 408 : by === 'transport' ? 503 : 481;
  return { status, reason: reasonPhrase(status), by };
}

/** Turns the responses of a request that is no INVITE into one outcome. */
export class OutcomeOnce implements ClientUser {
  #onOutcome: ((outcome: Outcome) => void) | undefined;

  constructor(onOutcome: (outcome: Outcome) => void) {
    this.#onOutcome = onOutcome;
  }

  settle(outcome: Outcome): void {
    const onOutcome = this.#onOutcome;
    this.#onOutcome = undefined;
    onOutcome?.(outcome);
  }

  response(response: SipResponse): void {
    if (response.status >= 200) this.settle(outcomeOf(response));
  }

  failed(why: 'timeout' | 'transport'): void {
    this.settle(outcomeWithout(why));
  }
}
