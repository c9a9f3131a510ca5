// What a clause is: one statement of the specification that an outsider can observe. Knows no check.

import type { EventName } from './events.ts';
import type { OperationId } from './operations.ts';

/**
 * MUST only where a sentence or a table of the specification states it. SHOULD: what follows from it without being written. MAY: what it
 * permits. UNSPECIFIED: what it does not show, or says twice; observed and reported, never failed.
 */
export const clauseLevels = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED'] as const;
export type ClauseLevel = (typeof clauseLevels)[number];

/** What a target may say that it does not have; whatever needs it is unsupported then. */
export const capabilityNames = [
  'webhooks',
  'hold',
  'transfer',
  'digits',
  'texts',
  'recordings',
  'outside',
  'configure',
] as const;
export type Capability = (typeof capabilityNames)[number];

export interface Clause {
  /** `CALLS-ID-PATCH-301`; stable for ever, never given to another clause. */
  readonly id: string;
  readonly level: ClauseLevel;
  /** In our own words. */
  readonly requirement: string;
  /** The part of the specification that it comes from: `Errors, 3`. */
  readonly spec: string;
  /** The operations it shows in; none where it is about all of them, or about none. */
  readonly operations: readonly OperationId[];
  readonly events?: readonly EventName[];
  readonly capability?: Capability;
  /** Scenarios judge it, no check of its own. */
  readonly playedByScenarios?: true;
  /** Why no outsider can judge it; a clause without this has a check. */
  readonly untestable?: string;
}
