// A conformance run as JUnit XML: a suite for each area, a case for each check. Pure.
import type { CheckResult, ConformRun, Exchange } from './conform-results.ts';
import { areaOf, shortStoryOf, storyOf } from './conform-story.ts';
import { conformVerdictOf, failsRun } from './conform-verdict.ts';
import { type JunitCase, junitDocument } from './junit-xml.ts';

/** The whole document. What spoils a run besides its checks (an obstacle, stale deviations, nothing judged) is an error of its own. */
export function conformJunitOf(run: ConformRun): string {
  const exchanges = new Map(run.exchanges.map((one) => [one.seq, one]));
  const { status, words } = conformVerdictOf(run);
  const cases = run.checks.map((result) => caseOf(result, run.strict, exchanges));
  const isTold = cases.some(({ outcome }) => outcome === 'failures' || outcome === 'errors');
  const lines = [...(run.obstacle?.lines ?? []), ...run.stale, words];
  const spoilt: JunitCase[] =
    status === 0 || (isTold && run.stale.length === 0 && run.obstacle === undefined)
      ? []
      : [{ suite: 'pbxsim', name: 'run', ms: 0, outcome: 'errors', message: lines.join('\n') }];
  return junitDocument(`pbxsim conform ${run.target.name}`, [...cases, ...spoilt]);
}

function caseOf(result: CheckResult, strict: boolean, exchanges: ReadonlyMap<number, Exchange>): JunitCase {
  const { id, clause, verdict, ms, message } = result;
  const common = { suite: areaOf(result), name: `${id} [${clause}]`, ms };
  if (failsRun(result, strict))
    return { ...common, outcome: 'failures', message: shortStoryOf(result), text: storyOf(result, exchanges) };
  if (verdict === 'error') return { ...common, outcome: 'errors', message };
  if (verdict === 'pass') return { ...common, outcome: 'passed', message: '' };
  return { ...common, outcome: 'skipped', message: `${verdict}: ${shortStoryOf(result)}` };
}
