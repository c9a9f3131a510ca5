// What a run of scenarios came to: one shape for every report. Data; no wall time and no address in it unless the target's own.

/**
 * `unsupported`: the target says that it has not what the scenario is about. `blocked`: a prerequisite was not met.
 * `unevaluable`: nobody gave what the scenario needs of the target. `error`: the harness failed.
 */
export type ScenarioVerdict = 'pass' | 'fail' | 'unsupported' | 'blocked' | 'unevaluable' | 'error';

export interface StepRef {
  /** `3`, or `4.2.1` in `parallel` and fragments; `f1` in `finally`. */
  readonly number: string;
  /** What it is, in a few words. */
  readonly title: string;
  /** `scenarios/calls/busy.yaml:12:5`. */
  readonly place: string;
}

export interface Failure {
  readonly step: StepRef;
  readonly expected: string;
  readonly actual: string;
  /** Where in the answer, the event or the message. */
  readonly pointer?: string;
  /** A command that asks the same again. */
  readonly curl?: string;
  /** The call's messages as they went between the parties. */
  readonly ladder?: string;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly requires: string;
  readonly spec: readonly string[];
  readonly verdict: ScenarioVerdict;
  /** Steps that were carried out, `finally` included. */
  readonly steps: number;
  /** On the target's clock. */
  readonly durationMs: number;
  /** The first is what failed the scenario; others come from `finally`. */
  readonly failures: readonly Failure[];
  /** Why there is no verdict: of `blocked`, `unevaluable`, `error`. */
  readonly reason?: string;
  /** Why only one driver of phones can do it. */
  readonly driversReason?: string;
  /** A command that runs this scenario again. */
  readonly replay: string;
}

/** Why nothing could be judged at all. */
export interface Obstacle {
  readonly kind: 'invalid' | 'unreachable' | 'harness';
  /** One line each. */
  readonly lines: readonly string[];
}

export interface RunResult {
  readonly target: string;
  readonly driver: string;
  readonly scenarios: readonly ScenarioResult[];
  readonly obstacle?: Obstacle;
}
