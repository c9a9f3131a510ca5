// A 2xx to an INVITE, repeated until its ACK comes or 64*T1 are over (RFC 3261, 13.3.1.4). Knows nothing of the dialog.
import type { Clock, Timer } from '../kernel/clock.ts';
import type { ServerTransaction } from './transaction-server.ts';
import { SILENCE_MS, T1_MS, T2_MS } from './transaction-timers.ts';

export class UnackedAnswer {
  /** Of the INVITE, and so of its ACK. */
  readonly cseq: number;
  readonly #clock: Clock;
  readonly #transaction: ServerTransaction;
  readonly #name: string;
  readonly #onSilence: () => void;
  #pauseMs = T1_MS;
  #leftMs = SILENCE_MS;
  #timer: Timer;

  /** The 2xx has just been sent for the first time, on whatever kind of flow: hops behind it may be unreliable. */
  constructor(clock: Clock, transaction: ServerTransaction, cseq: number, callId: string, onSilence: () => void) {
    this.cseq = cseq;
    this.#clock = clock;
    this.#transaction = transaction;
    this.#name = `repeat 2xx ${callId} ${cseq}`;
    this.#onSilence = onSilence;
    this.#timer = this.#wait();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #wait(): Timer {
    const pauseMs = Math.min(this.#pauseMs, this.#leftMs);
    return this.#clock.after(pauseMs, this.#name, () => this.#passed(pauseMs));
  }

  #passed(pauseMs: number): void {
    this.#leftMs -= pauseMs;
    if (this.#leftMs <= 0) {
      this.#onSilence();
      return;
    }
    this.#transaction.repeat();
    this.#pauseMs = Math.min(this.#pauseMs * 2, T2_MS);
    this.#timer = this.#wait();
  }
}
