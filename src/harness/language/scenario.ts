// The TypeScript form of scenarios, which the package exports as pbxsim/scenario. Knows only how a scenario is written.
import type { ScenarioDocument, StepDocument } from './document.ts';

export type { ScenarioDocument, StepDocument };

/** A scenario: the editor checks its shape, `pbxsim lint` and `run` check all else. Export it from a file named `*.scenario.ts`. */
export function scenario(document: ScenarioDocument): ScenarioDocument {
  return document;
}

/** Steps that several scenarios share. */
export function steps(...list: readonly StepDocument[]): readonly StepDocument[] {
  return list;
}
