// What a choice is: a place that the specification leaves open, and what the simulator does there. Knows no operation's row.

import type { OperationId } from './operations.ts';
import type { ResourceId } from './resources.ts';

export interface Choice {
  readonly id: `CHOICE-${string}`;
  /** The place, as a key that is stable for ever. */
  readonly topic: string;
  /** What the specification does not say, or says twice. */
  readonly unspecified: string;
  /** What the simulator does. */
  readonly ours: string;
  readonly why: string;
  /** The operations it shows in; absent when it concerns all of them, or none. */
  readonly operations?: readonly OperationId[];
  /** The resources it shows in. */
  readonly resources?: readonly ResourceId[];
  /** Other readings that are as good: the harness passes them too. */
  readonly accepts?: readonly string[];
}
