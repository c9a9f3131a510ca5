// What becomes of a SIP message between a flow and the exchange when a fault strikes it. Knows bytes, not what SIP makes of them.
import type { Clock } from '../kernel/clock.ts';
import type { EntryFacts, JournalData } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import { type Held, HeldBack } from './held.ts';
import type { FaultRegistry, Strike } from './registry.ts';
import type { Direction } from './rule.ts';

/** How long a message that is to be overtaken waits for the next one when the rule does not say: T1 of RFC 3261. */
export const OVERTAKEN_WITHIN_MS = 500;
/** Bytes that `garble` changes at most. */
export const MAX_GARBLED_BYTES = 8;

/** A message on its way. */
export interface PassingMessage {
  readonly direction: Direction;
  /** The same object for all messages of one flow. */
  readonly flow: { readonly open: boolean };
  readonly bytes: Uint8Array;
  /** Takes the message on: never called inside `pass` for a second copy. */
  readonly forward: (bytes: Uint8Array) => void;
}

/** What the message's reader made of it; asked only while there are rules. */
export interface MessageReading {
  /** Of the request, or of the request that the response answers; empty when it cannot be read. */
  readonly method: string;
  readonly entry: Omit<EntryFacts, 'data'>;
  /** What the journal shows of it: written out only when a fault strikes. */
  readonly data: () => JournalData;
  /** Told the `seq` of the journal's entry when a fault strikes. */
  readonly onNoted: (seq: number) => void;
}

/**
 * `drop`: lost. On an unreliable flow it comes again by itself; on a reliable one nobody repeats it, as when the peer
 * died with it in hand. `duplicate`: twice. `delay`: later on the clock, others overtake it. `reorder`: after the next
 * message of its flow and direction, or by itself when none comes in time. `garble`: one to eight bytes are others.
 */
export class SipFaults {
  readonly #registry: FaultRegistry;
  readonly #clock: Pick<Clock, 'after' | 'soon'>;
  readonly #held: HeldBack;
  readonly #overtaken: Record<Direction, Map<object, Held>> = { in: new Map(), out: new Map() };

  constructor(registry: FaultRegistry, clock: Pick<Clock, 'after' | 'soon'>) {
    this.#registry = registry;
    this.#clock = clock;
    this.#held = new HeldBack(clock);
  }

  /** Nothing to do: messages need not come by. */
  get idle(): boolean {
    return !this.#registry.has('sip') && this.#held.size === 0;
  }

  /** Takes a message on, struck or not. */
  pass(message: PassingMessage, read: () => MessageReading): void {
    const waiting = this.#overtaken[message.direction].get(message.flow);
    if (this.#registry.has('sip')) this.#meet(message, read(), waiting === undefined);
    else message.forward(message.bytes);
    // What was held until the next message of the flow follows it.
    if (waiting !== undefined) this.#clock.soon(() => waiting.release());
  }

  /** What is held back is lost. */
  close(): void {
    this.#held.drop();
    for (const held of Object.values(this.#overtaken)) held.clear();
  }

  #meet(message: PassingMessage, { method, entry, data, onNoted }: MessageReading, mayWait: boolean): void {
    const facts = { at: 'sip', method, direction: message.direction } as const;
    const strike = this.#registry.strike(facts, (action) => {
      if (action.do === 'reorder') return mayWait && !this.#held.isFull;
      return action.do !== 'delay' || !this.#held.isFull;
    });
    if (strike === undefined) return message.forward(message.bytes);
    onNoted(this.#registry.note(strike, facts, entry, data()));
    this.#strike(strike, message);
  }

  #strike({ rule, action, random }: Strike, message: PassingMessage): void {
    const { bytes, forward, flow, direction } = message;
    switch (action.do) {
      case 'drop':
        return;
      case 'duplicate': {
        forward(bytes);
        return this.#clock.soon(() => forward(bytes));
      }
      case 'delay':
        return void this.#held.hold(action.ms ?? 0, `fault ${rule} delays a message`, () => forward(bytes));
      case 'reorder': {
        const overtaken = this.#overtaken[direction];
        const held = this.#held.hold(action.ms ?? OVERTAKEN_WITHIN_MS, `fault ${rule} awaits the next message`, () => {
          overtaken.delete(flow);
          forward(bytes);
        });
        overtaken.set(flow, held);
        return;
      }
      default:
        return forward(garbled(bytes, random));
    }
  }
}

/** A copy of the same length in which at least one byte differs. */
export function garbled(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = new Uint8Array(bytes);
  if (copy.length === 0) return copy;
  const places = new Set<number>();
  for (let left = 1 + random.int(MAX_GARBLED_BYTES); left > 0; left -= 1) places.add(random.int(copy.length));
  for (const at of places) copy[at] = (copy[at] ?? 0) ^ (1 + random.int(255));
  return copy;
}
