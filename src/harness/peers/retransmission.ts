// What makes SIP reliable over UDP and sip.js leaves out: repeats our requests and refusals, absorbs and answers the peer's repeats. Knows no calls.
import type { TimeHost } from '../../kernel/clock.ts';
import { readHead, type SipHead } from './sip-head.ts';

// RFC 3261, 17.1.1.1: an estimate of a round trip, and the longest interval for all but INVITE.
const T1_MS = 500;
const T2_MS = 4000;
/** How long anything is repeated, and how long a transaction is remembered (timers B, D, F, H and J). */
const LIFETIME_MS = 64 * T1_MS;
/** Transactions remembered at once of each kind; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

export class Retransmission {
  readonly #time: TimeHost;
  readonly #send: (text: string) => void;
  readonly #listeners = new Set<() => void>();
  /** Our requests without a final response, by branch and method. */
  readonly #requests = new Map<string, Repeating>();
  /** Our refusals of INVITEs without their ACK, by branch. */
  readonly #refusals = new Map<string, Repeating>();
  /** Our ACKs to refusals, by branch. */
  readonly #acks: Memory;
  /** What we answered last, by branch and method; nothing yet is empty. */
  readonly #answers: Memory;

  /** `send` puts one message on the wire. */
  constructor(time: TimeHost, send: (text: string) => void) {
    this.#time = time;
    this.#send = send;
    this.#acks = new Memory(time);
    this.#answers = new Memory(time);
  }

  /** Everything sent has been answered or acknowledged, or given up. */
  get quiet(): boolean {
    return this.#requests.size === 0 && this.#refusals.size === 0;
  }

  /** Calls when `quiet` may have become true; the result ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends what the user agent says, as often as it takes. */
  outgoing(text: string): void {
    const head = readHead(text);
    if (head === undefined) return;
    if (head.status !== undefined) this.#answered(head, head.status, text);
    else if (head.method === 'ACK') this.#acks.keep(head.branch, text);
    else this.#asked(head, text);
    this.#send(text);
  }

  /** Takes in what came. False: a repeat that has been dealt with, not to be seen by the user agent. */
  incoming(text: string): boolean {
    const head = readHead(text);
    if (head === undefined) return false;
    return head.status === undefined ? this.#askedBy(head) : this.#answeredBy(head, head.status);
  }

  /** Repeats nothing any more. */
  stop(): void {
    for (const repeating of [...this.#requests.values(), ...this.#refusals.values()]) repeating.stop();
  }

  // RFC 3261, 17.1.1.2 (timer A: doubles) and 17.1.2.2 (timer E: doubles up to T2).
  #asked(head: SipHead, text: string): void {
    this.#repeat(this.#requests, keyOf(head), text, head.method === 'INVITE' ? LIFETIME_MS : T2_MS);
  }

  // RFC 3261, 17.2.1: timer G repeats a refusal until its ACK; sip.js repeats 2xx by itself.
  #answered(head: SipHead, status: number, text: string): void {
    this.#answers.keep(keyOf(head), text);
    if (head.method === 'INVITE' && status >= 300) this.#repeat(this.#refusals, head.branch, text, T2_MS);
  }

  // RFC 3261, 17.2: a repeated request is answered as the first was, and is no new one.
  #askedBy(head: SipHead): boolean {
    if (head.method === 'ACK') {
      this.#refusals.get(head.branch)?.stop();
      return true;
    }
    const answer = this.#answers.recall(keyOf(head));
    if (answer === undefined) {
      this.#answers.keep(keyOf(head), '');
      return true;
    }
    if (answer !== '') this.#send(answer);
    return false;
  }

  // RFC 3261, 17.1.1.2: a refusal that comes again has missed our ACK. 17.1.2.2: 1xx slows a request other than INVITE down.
  #answeredBy(head: SipHead, status: number): boolean {
    const request = this.#requests.get(keyOf(head));
    if (status >= 200 || head.method === 'INVITE') request?.stop();
    else request?.slowTo(T2_MS);
    const ack = head.method === 'INVITE' && status >= 300 ? this.#acks.recall(head.branch) : undefined;
    if (ack === undefined) return true;
    this.#send(ack);
    return false;
  }

  #repeat(among: Map<string, Repeating>, key: string, text: string, longestMs: number): void {
    among.get(key)?.stop();
    const repeating = new Repeating({
      time: this.#time,
      longestMs,
      again: () => this.#send(text),
      onEnd: () => {
        if (among.get(key) === repeating) among.delete(key);
        for (const listener of [...this.#listeners]) listener();
      },
    });
    among.set(key, repeating);
  }
}

interface RepeatingParts {
  readonly time: TimeHost;
  /** Intervals double until they are this long. */
  readonly longestMs: number;
  readonly again: () => void;
  readonly onEnd: () => void;
}

/** One message that goes out again and again, until it is stopped or its time is over. */
class Repeating {
  readonly #parts: RepeatingParts;
  #intervalMs = T1_MS;
  #leftMs = LIFETIME_MS;
  #cancel: () => void = () => {};
  #over = false;

  constructor(parts: RepeatingParts) {
    this.#parts = parts;
    this.#wait();
  }

  slowTo(intervalMs: number): void {
    this.#intervalMs = intervalMs;
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancel();
    this.#parts.onEnd();
  }

  #wait(): void {
    const delayMs = Math.min(this.#intervalMs, this.#leftMs);
    this.#leftMs -= delayMs;
    this.#cancel = this.#parts.time.alarm(delayMs, () => {
      if (this.#leftMs <= 0) return this.stop();
      this.#parts.again();
      this.#intervalMs = Math.min(this.#intervalMs * 2, this.#parts.longestMs);
      this.#wait();
    });
  }
}

/** Texts by key, each for the lifetime of a transaction from when it was last kept. Needs no timers. */
class Memory {
  readonly #time: TimeHost;
  readonly #kept = new Map<string, { readonly text: string; readonly untilMs: number }>();

  constructor(time: TimeHost) {
    this.#time = time;
  }

  keep(key: string, text: string): void {
    const now = this.#time.now();
    this.#kept.delete(key);
    this.#kept.set(key, { text, untilMs: now + LIFETIME_MS });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (untilMs > now && this.#kept.size <= MAX_REMEMBERED) break;
      this.#kept.delete(oldest);
    }
  }

  recall(key: string): string | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.untilMs <= this.#time.now() ? undefined : kept.text;
  }
}

// RFC 3261, 17.1.3 and 17.2.3: CANCEL has the branch of the INVITE that it ends.
function keyOf(head: SipHead): string {
  return `${head.branch} ${head.method}`;
}
