// Reads a fault in the words that the contract knows: its operations and events. Knows no rule's effect.
import { eventNames } from '../contract/events.ts';
import { operations } from '../contract/operations.ts';
import { parseFault } from '../faults/parse.ts';
import type { FaultDraft } from '../faults/rule.ts';
import type { Result } from '../kernel/errors.ts';

/** The test of a URL is no delivery: faults leave it alone. */
const words = {
  operations: operations.map(({ id }) => id),
  events: eventNames.filter((name) => name !== 'webhook.test'),
};

/** See `parseFault`. */
export function readFault(input: unknown): Result<FaultDraft> {
  return parseFault(input, words);
}
