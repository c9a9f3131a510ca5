// The plan: one scenario, checked, with every matrix value and fragment in place. What YAML and TypeScript both become. Data.

import type { WebhookCategory } from '../../contract/events.ts';
import type { DriverName, WhenCalled } from '../drivers/phone-driver.ts';
import type {
  ActStep,
  CdrStep,
  ConductStep,
  ConfigureStep,
  EventsStep,
  LiveCallStep,
  RecordingStep,
  RestStep,
  SipStep,
  StateStep,
  UserName,
  WaitStep,
} from './document.ts';
import type { FaultStep } from './fault-step.ts';
import type { Place } from './problem.ts';

export interface PhonePlan {
  readonly name: string;
  /** Whose phone it is, or the number of somebody outside. */
  readonly line: { readonly user: UserName } | { readonly outside: string };
  readonly conduct: WhenCalled;
}

export interface WebhookPlan {
  readonly name: string;
  readonly events: readonly WebhookCategory[];
  readonly of: UserName;
}

interface StepOf<K extends string, S> {
  readonly kind: K;
  readonly step: S;
  /** `3`, or `3.2.1` inside `parallel`: branch 2, step 1. */
  readonly number: string;
  readonly place: Place;
}

export type PlannedStep =
  | StepOf<'do', ActStep>
  | StepOf<'is', StateStep>
  | StepOf<'when_called', ConductStep>
  | StepOf<'rest', RestStep>
  | StepOf<'configure', ConfigureStep>
  | StepOf<'fault', FaultStep>
  | StepOf<'live_call', LiveCallStep>
  | StepOf<'cdr', CdrStep>
  | StepOf<'recording', RecordingStep>
  | StepOf<'sip', SipStep>
  | StepOf<'events', EventsStep>
  | StepOf<'wait', WaitStep>
  | ParallelPlan;

export interface ParallelPlan extends StepOf<'parallel', { readonly title?: string }> {
  readonly branches: readonly (readonly PlannedStep[])[];
}

export interface ScenarioPlan {
  /** The document's, with the values of the matrix after it: `busy[who=ben]`. */
  readonly id: string;
  readonly title: string;
  readonly requires: string;
  readonly spec: readonly string[];
  /** Ids of the catalogue; empty where it is a check of none. */
  readonly clauses: readonly string[];
  readonly tags: readonly string[];
  readonly file: string;
  readonly drivers: readonly DriverName[];
  readonly driversReason?: string;
  readonly phones: readonly PhonePlan[];
  readonly webhooks: readonly WebhookPlan[];
  /** Users that it speaks of, phones' users and webhooks' owners included. */
  readonly users: readonly UserName[];
  /** Uses the control API: webhooks apart, which a target may have by hand. */
  readonly configures: boolean;
  readonly steps: readonly PlannedStep[];
  readonly finally: readonly PlannedStep[];
}
