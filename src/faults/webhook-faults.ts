// What a fault does to one attempt of a webhook delivery. Decides only: the queue knows order and schedule. Knows no network.
import type { EntryFacts } from '../kernel/journal.ts';
import { changedBody } from './api-faults.ts';
import type { FaultRegistry } from './registry.ts';

/** How long a delivery that is to be overtaken waits for the next one when the rule does not say. */
export const OVERTAKEN_WITHIN_MS = 60_000;

/**
 * `drop`: nothing is sent and the sender takes it for received, as when a proxy swallowed it: it is not tried again and
 * the receiver never hears of it. `duplicate`: the same body twice, the second after the answer to the first and before
 * anything else of its call. `delay`: later on the clock, and whatever is behind it in its call with it. `reorder`: after
 * the next delivery of the webhook, its call's or another's; by itself when none comes in time. `field`: with another body.
 */
export type WebhookFault =
  | AttemptFault
  | { readonly do: 'delay'; readonly ms: number }
  | { readonly do: 'reorder'; readonly ms: number };

/** The faults that strike the request itself; the others are about its turn. */
export type AttemptFault = { readonly do: 'drop' | 'duplicate' } | { readonly do: 'field'; readonly body: string };

export class WebhookFaults {
  readonly #registry: FaultRegistry;

  constructor(registry: FaultRegistry) {
    this.#registry = registry;
  }

  /**
   * What strikes this attempt; undefined: nothing. Each attempt of the schedule is asked for once, a replay and the test
   * of a URL never. `mayStepAside` is false while another delivery of the webhook waits to be overtaken.
   */
  meet(
    attempt: { readonly event: string; readonly body: string; readonly mayStepAside: boolean },
    entry: Omit<EntryFacts, 'data'>,
  ): WebhookFault | undefined {
    if (!this.#registry.has('webhook')) return undefined;
    const { event, body, mayStepAside } = attempt;
    const facts = { at: 'webhook', event } as const;
    const strike = this.#registry.strike(facts, (action) => {
      if (action.do === 'reorder') return mayStepAside;
      return action.do !== 'field' || changedBody(action, body) !== undefined;
    });
    if (strike === undefined) return undefined;
    this.#registry.note(strike, facts, entry);
    const { action } = strike;
    switch (action.do) {
      case 'delay':
        return { do: 'delay', ms: action.ms ?? 0 };
      case 'reorder':
        return { do: 'reorder', ms: action.ms ?? OVERTAKEN_WITHIN_MS };
      case 'field':
        return { do: 'field', body: changedBody(action, body) ?? body };
      default:
        return { do: action.do === 'drop' ? 'drop' : 'duplicate' };
    }
  }
}
