// A check of one operation: what it asks, what it demands, and what came of it. Data; knows no target.
import type { OperationId } from '../../contract/operations.ts';

/** `success`, or the error that is provoked. */
export type CheckKind = 'success' | 400 | 401 | 403 | 404;

export interface Check {
  /** `GET /users/{id} 404`. */
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: CheckKind;
  /** MUST where the operation lists the status, SHOULD where the general error rules add it. */
  readonly level: 'MUST' | 'SHOULD';
  readonly requirement: string;
}

/** The closed set of what a check can come to. */
export type CheckVerdict =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'observed'
  | 'unsupported'
  | 'not-applicable'
  | 'blocked'
  | 'unevaluable'
  | 'error';

export interface CheckResult {
  readonly check: Check;
  readonly verdict: CheckVerdict;
  /** Of a failure, what was wrong; of what could not be judged, what is missing. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}
