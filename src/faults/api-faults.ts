// What becomes of a response of the API when a fault strikes it. The request has been served by then. Knows no socket.
import type { Clock } from '../kernel/clock.ts';
import type { EntryFacts, Json } from '../kernel/journal.ts';
import { HeldBack } from './held.ts';
import { changeAt, readPointer } from './pointer.ts';
import type { FaultRegistry, Strike } from './registry.ts';
import type { FaultAction, FaultFacts } from './rule.ts';

/** The ways in which the server can answer after all. */
export interface FaultyResponse {
  /** The body as JSON text; undefined when it is none. */
  readonly json: string | undefined;
  readonly hasBody: boolean;
  /** Answers as it would have, or with this body. */
  send(json?: string): void;
  /** Answers with that status and the error envelope. */
  refuse(status: number, message: string): void;
  /** Sends the head and half of the body, then closes the connection. */
  cutShort(): void;
  /** Resets the connection without a byte. */
  reset(): void;
}

/**
 * `delay` is on the clock: a manual clock holds the response back until it is moved. `reset` and `truncate` are done to
 * the connection at once.
 */
export class ApiFaults {
  readonly #registry: FaultRegistry;
  readonly #held: HeldBack;

  constructor(registry: FaultRegistry, clock: Pick<Clock, 'after'>) {
    this.#registry = registry;
    this.#held = new HeldBack(clock);
  }

  /** Nothing to do: the response leaves as it is. */
  get idle(): boolean {
    return !this.#registry.has('api');
  }

  /** Sends the response, struck or not. `entry` says what the journal files the fault under. */
  meet(asked: Omit<FaultFacts & { at: 'api' }, 'at'>, response: FaultyResponse, entry: Omit<EntryFacts, 'data'>): void {
    const facts = { at: 'api', ...asked } as const;
    const strike = this.#registry.strike(facts, (action) => this.#isPossible(action, response));
    if (strike === undefined) return response.send();
    this.#registry.note(strike, facts, entry);
    this.#strike(strike, response);
  }

  /** Responses that are held back leave now: their clients would wait for ever. */
  close(): void {
    this.#held.releaseAll();
  }

  #strike({ rule, action }: Strike, response: FaultyResponse): void {
    switch (action.do) {
      case 'status':
        return response.refuse(action.status ?? 500, `Fault ${rule}, set through the control API, answers here.`);
      case 'delay':
        return void this.#held.hold(action.ms ?? 0, `fault ${rule} delays a response`, () => response.send());
      case 'truncate':
        return response.cutShort();
      case 'reset':
        return response.reset();
      default:
        return response.send(changedBody(action, response.json ?? ''));
    }
  }

  #isPossible(action: FaultAction, { json, hasBody }: FaultyResponse): boolean {
    if (action.do === 'delay') return !this.#held.isFull;
    if (action.do === 'truncate') return hasBody;
    return action.do !== 'field' || (json !== undefined && changedBody(action, json) !== undefined);
  }
}

/** The body with the action's value at the action's place; undefined when it has no such place. */
export function changedBody({ pointer = '', value }: FaultAction, json: string): string | undefined {
  const changed = changeAt(JSON.parse(json) as Json, readPointer(pointer) ?? [], value);
  return changed === undefined ? undefined : JSON.stringify(changed);
}
