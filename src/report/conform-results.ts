// What a conformance run came to: one shape for every report. Data; secrets are gone before anything gets this shape.

import type { ClauseLevel } from '../contract/clause.ts';
import type { Obstacle } from './results.ts';

/**
 * The closed set of what a check comes to. `warn`: a SHOULD is not met. `observed`: what the target does where the specification leaves it
 * open. `unsupported`: the target file says that it has not what the check needs. `not-applicable`: nothing there to judge. `blocked`: a
 * prerequisite did not pass. `unevaluable`: nobody gave what the check needs. `error`: the harness failed.
 */
export const checkVerdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'unsupported',
  'not-applicable',
  'blocked',
  'unevaluable',
  'error',
] as const;
export type CheckVerdict = (typeof checkVerdicts)[number];

export type RunVerdict =
  | 'conformant'
  | 'conformant with deviations'
  | 'partial'
  | 'non-conformant'
  | 'incomplete'
  | 'invalid';

/** One HTTP request and what came of it; check results name exchanges by `seq`. */
export interface Exchange {
  /** From 1, in the order in which requests left. */
  readonly seq: number;
  /** `GET /users/{id}`; absent for requests that are no published operation. */
  readonly operation?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    /** As received; binary content as its length and kind. */
    readonly body: string;
    /** Bytes received; more than `body` shows when that was cut. */
    readonly bytes: number;
  };
  /** Why there was no answer. */
  readonly error?: string;
  /** ms since the run began. */
  readonly atMs: number;
  readonly ms: number;
}

/** What a webhook receiver of the harness got; check results name deliveries by `seq`. */
export interface ReceivedDelivery {
  /** From 1, in the order in which they came. */
  readonly seq: number;
  /** As the check calls it. */
  readonly webhook: string;
  /** Its event_name; empty when it has none. */
  readonly event: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the receiver answered, in words: `204`, `reset`. */
  readonly answer: string;
  /** What the contract's schema does not allow. */
  readonly flaws: readonly string[];
  /** It came while the webhook was being saved. */
  readonly isTest: boolean;
  /** ms since the run began. */
  readonly atMs: number;
}

/** A SIP message at a phone of a check; check results name them by `seq`. */
export interface SipMessageSeen {
  /** From 1, in the order in which they were seen. */
  readonly seq: number;
  /** As the check calls it. */
  readonly phone: string;
  readonly direction: 'sent' | 'received';
  /** `INVITE`, `200 (INVITE)`. */
  readonly line: string;
  readonly text: string;
  /** ms since the run began, when it was seen: soon after it went. */
  readonly atMs: number;
}

export interface CheckResult {
  /** `GET /users/{id} 404`, `auth/token-expires`. */
  readonly id: string;
  readonly clause: string;
  /** Further clauses that it is evidence of. */
  readonly also?: readonly string[];
  readonly level: ClauseLevel;
  readonly requirement: string;
  readonly spec: string;
  readonly verdict: CheckVerdict;
  /** `METHOD /path/{as published}`; absent when the check is about no single operation. */
  readonly operation?: string;
  /** What was wrong, observed or missing; empty for a plain pass. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The exchanges that led to the verdict, by `seq`. */
  readonly exchanges: readonly number[];
  /** The same of deliveries and SIP messages; absent where there are none. */
  readonly deliveries?: readonly number[];
  readonly messages?: readonly number[];
  readonly ms: number;
  /** Set when a known deviation accounts for the failure, or for being blocked by it: it is shown, and does not fail the run. */
  readonly accepted?: { readonly reason: string; readonly issue?: string };
}

/** Of one axis: how much of what there is was judged. */
export interface Coverage {
  readonly of: 'clauses' | 'operation statuses' | 'fields' | 'events' | 'transitions';
  readonly judged: number;
  readonly total: number;
  /** What was not judged; at most 1000 names. */
  readonly missed: readonly string[];
}

/** What is known before the first request. */
export interface RunHead {
  readonly target: { readonly name: string; readonly apiRoot: string; readonly control: boolean };
  readonly seed: string;
  /** Only a part of the checks was chosen. */
  readonly filtered: boolean;
  /** The run is one of several parts; `filtered` says whether more than that was left out. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Unmet SHOULD clauses fail the run. */
  readonly strict: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Ids of the planned checks, in the order of the plan. */
  readonly planned: readonly string[];
}

/** What is known after the last one. */
export interface RunTail {
  readonly durationMs: number;
  readonly coverage: readonly Coverage[];
  /** What the harness made and could not remove: `conferences/17`. */
  readonly leftovers: readonly string[];
  /** Known deviations that no longer are what their file says: check id, colon, and a sentence with the edit to make. */
  readonly stale: readonly string[];
  /** Stopped at the first failure, as asked. */
  readonly stopped?: boolean;
  readonly obstacle?: Obstacle;
}

export interface ConformRun extends RunHead, RunTail {
  /** In the order of the plan. */
  readonly checks: readonly CheckResult[];
  /** In the order of `seq`. */
  readonly exchanges: readonly Exchange[];
  /** In the order of `seq`; absent in runs without webhooks, or phones. */
  readonly deliveries?: readonly ReceivedDelivery[];
  readonly messages?: readonly SipMessageSeen[];
}

/** The one stream that a run is told in; a line each in NDJSON. */
export type ConformEvent =
  | ({ readonly event: 'run started' } & RunHead)
  | { readonly event: 'check started'; readonly id: string }
  | { readonly event: 'exchange'; readonly exchange: Exchange }
  | { readonly event: 'delivery'; readonly delivery: ReceivedDelivery }
  | { readonly event: 'sip'; readonly message: SipMessageSeen }
  | { readonly event: 'check ended'; readonly result: CheckResult }
  | ({ readonly event: 'run ended' } & RunTail);
