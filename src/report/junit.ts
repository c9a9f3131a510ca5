// A run of scenarios as JUnit XML: a suite for each file, a case for each scenario, a failure element for each failed one. Pure.
import { type JunitCase, junitDocument } from './junit-xml.ts';
import type { RunResult, ScenarioResult } from './results.ts';
import { failureText } from './text.ts';
import { verdictOf } from './verdict.ts';

/** The whole document. A run that judged nothing, or that something stood in the way of, has an error of its own. */
export function junitOf(run: RunResult): string {
  const { words } = verdictOf(run);
  const { obstacle, scenarios } = run;
  const broken = obstacle === undefined && scenarios.length > 0 ? [] : [[...(obstacle?.lines ?? []), words].join('\n')];
  return junitDocument('pbxsim', [
    ...scenarios.map(caseOf),
    ...broken.map((message): JunitCase => ({ suite: 'pbxsim', name: 'run', ms: 0, outcome: 'errors', message })),
  ]);
}

function caseOf(result: ScenarioResult): JunitCase {
  const { file, id, title, durationMs: ms, verdict, reason = '' } = result;
  const common = { suite: file, name: `${id}: ${title}`, ms };
  switch (verdict) {
    case 'pass':
      return { ...common, outcome: 'passed', message: '' };
    case 'fail': {
      const [first] = result.failures;
      const message = `expected ${first?.expected ?? ''}, actual ${first?.actual ?? ''}`;
      return { ...common, outcome: 'failures', message, text: failureText(result) };
    }
    case 'error':
      return { ...common, outcome: 'errors', message: reason };
    default:
      return { ...common, outcome: 'skipped', message: `${verdict}: ${reason}` };
  }
}
