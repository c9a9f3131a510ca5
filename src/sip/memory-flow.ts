// The in-memory wire: two flows joined end to end, in order, on the clock. Knows nothing of what the bytes mean.
import type { Clock } from '../kernel/clock.ts';
import type { Address, Flow, FlowListener, TransportName } from './flow.ts';

/** What the wire does to one message: a delay in ms for each copy that arrives. `[]` loses it, `[0]` delivers it, `[0, 5]` delivers it twice. */
export type WireConditions = (bytes: Uint8Array, count: number) => readonly number[];

export interface MemoryEnd {
  readonly address: Address;
  /** May be given later, see `MemoryFlow.listener`. Without one what arrives is lost. */
  readonly listener?: FlowListener;
  /** Applies to what this end sends. `count` starts at 1. */
  readonly conditions?: WireConditions;
}

export interface MemoryWireOptions {
  readonly clock: Clock;
  readonly ends: readonly [MemoryEnd, MemoryEnd];
  /** Default MEM. Tests dress the wire up as UDP. */
  readonly transport?: TransportName;
  /** Default true. False brings out the retransmissions of RFC 3261, 17. */
  readonly reliable?: boolean;
  /** Default false. True for tests of what an external peer does to the clock. */
  readonly external?: boolean;
}

/** One end of a memory wire. Delivery happens in a follow-up task of the clock, never inside `send`. */
export class MemoryFlow implements Flow {
  readonly id: string;
  readonly transport: TransportName;
  readonly reliable: boolean;
  readonly external: boolean;
  readonly local: Address;
  readonly remote: Address;
  /** Who hears what arrives at this end. */
  listener: FlowListener | undefined;
  readonly #clock: Clock;
  readonly #conditions: WireConditions | undefined;
  #peer: MemoryFlow | undefined;
  #sent = 0;
  #open = true;

  constructor(options: MemoryWireOptions, end: MemoryEnd, remote: Address) {
    this.transport = options.transport ?? 'MEM';
    this.reliable = options.reliable ?? true;
    this.external = options.external ?? false;
    this.local = end.address;
    this.remote = remote;
    this.id = `${this.transport.toLowerCase()}:${end.address.host}:${end.address.port}>${remote.host}:${remote.port}`;
    this.listener = end.listener;
    this.#clock = options.clock;
    this.#conditions = end.conditions;
  }

  get open(): boolean {
    return this.#open;
  }

  send(bytes: Uint8Array): void {
    const peer = this.#peer;
    if (!this.#open || peer === undefined) return;
    this.#sent += 1;
    if (this.#conditions === undefined) {
      this.#clock.soon(() => peer.#deliver(bytes));
      return;
    }
    for (const delayMs of this.#conditions(bytes, this.#sent)) {
      if (delayMs <= 0) this.#clock.soon(() => peer.#deliver(bytes));
      else this.#clock.after(delayMs, `wire ${this.id}`, () => peer.#deliver(bytes));
    }
  }

  join(peer: MemoryFlow): void {
    this.#peer = peer;
  }

  /** Both ends are gone at once; each listener hears it in a follow-up task. */
  close(why = 'closed'): void {
    this.#shut(why);
    if (this.#peer !== undefined) this.#peer.#shut(why);
  }

  #shut(why: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#clock.soon(() => this.listener?.closed(this, why));
  }

  #deliver(bytes: Uint8Array): void {
    if (this.#open) this.listener?.received(this, bytes);
  }
}

/** Two joined ends: what the first sends the second's listener receives, and the other way round. */
export function memoryPair(options: MemoryWireOptions): [MemoryFlow, MemoryFlow] {
  const [left, right] = options.ends;
  const first = new MemoryFlow(options, left, right.address);
  const second = new MemoryFlow(options, right, left.address);
  first.join(second);
  second.join(first);
  return [first, second];
}
