// Provisional responses that the caller must acknowledge (RFC 3262, 3): one at a time, repeated until its PRACK. Knows nothing of what they say.
import type { Clock, Timer } from '../kernel/clock.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { SILENCE_MS, T1_MS } from './transaction-timers.ts';

/** Provisionals that wait for the one before to be acknowledged; of more the oldest is never sent. */
export const MAX_WAITING_PROVISIONALS = 8;
const MAX_RSEQ = 2 ** 31 - 1;

export interface ReliableHost {
  readonly clock: Clock;
  readonly callId: string;
  /** CSeq number of the INVITE. */
  readonly cseq: number;
  /** Sends it for the first time. */
  send(response: SipResponse): void;
  /** Sends the last one again. */
  repeat(): void;
  /** All are acknowledged that have been sent, and none waits. */
  settled(): void;
  /** 64*T1 without a PRACK: a 5xx is owed to the INVITE (RFC 3262, 3). */
  unheard(): void;
}

/** What is said with which number. */
type Build = (rseq: number) => SipResponse;

export class ReliableProvisionals {
  readonly #host: ReliableHost;
  readonly #waiting: Build[] = [];
  #rseq: number;
  #unacked: SipResponse | undefined;
  #timer: Timer | undefined;
  #pauseMs = T1_MS;
  #leftMs = SILENCE_MS;

  /** `first`: the number of the first one, at random from 1 to 2^31 - 1. */
  constructor(host: ReliableHost, first: number) {
    this.#host = host;
    this.#rseq = first - 1;
  }

  /** A session description has been sent and not been acknowledged: no 2xx may go before (RFC 3262, 3). */
  get describes(): boolean {
    return (this.#unacked?.body.length ?? 0) > 0 || this.#waiting.length > 0;
  }

  push(build: Build): void {
    if (this.#waiting.length === MAX_WAITING_PROVISIONALS) this.#waiting.shift();
    this.#waiting.push(build);
    if (this.#unacked === undefined) this.#next();
  }

  /** The response that this PRACK acknowledges; undefined when it is none of ours: 481 is owed. */
  acknowledged(prack: SipRequest): SipResponse | undefined {
    const [rseq, cseq, method] = (prack.headers.get('RAck') ?? '').trim().split(/[ \t]+/);
    const isOurs = rseq === String(this.#rseq) && cseq === String(this.#host.cseq) && method === 'INVITE';
    const response = isOurs ? this.#unacked : undefined;
    if (response === undefined) return undefined;
    this.#unacked = undefined;
    this.#timer?.cancel();
    return response;
  }

  /** After an acknowledgement has been answered: what waited goes, or all is settled. */
  goOn(): void {
    if (this.#unacked !== undefined) return;
    if (this.#waiting.length > 0) this.#next();
    else this.#host.settled();
  }

  /** The INVITE is answered: nothing is repeated any more. */
  stop(): void {
    this.#waiting.length = 0;
    this.#timer?.cancel();
  }

  #next(): void {
    const build = this.#waiting.shift();
    if (build === undefined) return;
    this.#rseq = this.#rseq === MAX_RSEQ ? 1 : this.#rseq + 1;
    this.#unacked = build(this.#rseq);
    this.#pauseMs = T1_MS;
    this.#leftMs = SILENCE_MS;
    this.#host.send(this.#unacked);
    this.#wait();
  }

  #wait(): void {
    const { clock, callId } = this.#host;
    const pauseMs = Math.min(this.#pauseMs, this.#leftMs);
    this.#timer = clock.after(pauseMs, `repeat 1xx ${callId} ${this.#rseq}`, () => {
      this.#leftMs -= pauseMs;
      if (this.#leftMs <= 0) return this.#host.unheard();
      this.#host.repeat();
      // RFC 3262, 3: twice as long each time, without the bound of T2.
      this.#pauseMs *= 2;
      this.#wait();
    });
  }
}
