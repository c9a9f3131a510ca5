// A conformance run as SARIF 2.1.0: a rule for each clause, a result for each check that is not plainly fine. Pure.
import type { CheckResult, ConformRun } from './conform-results.ts';
import { shortStoryOf } from './conform-story.ts';
import { failsRun } from './conform-verdict.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

export function conformSarifOf(run: ConformRun): string {
  const told = run.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error');
  const clauses = [...new Map(told.map((one) => [one.clause, one])).values()];
  const index = new Map(clauses.map(({ clause }, at) => [clause, at]));
  const document = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'pbxsim', rules: clauses.map(ruleOf) } },
        results: told.map((one) => resultOf(one, index.get(one.clause) ?? 0, run)),
        invocations: [
          {
            executionSuccessful: run.obstacle === undefined,
            toolExecutionNotifications: [...(run.obstacle?.lines ?? []), ...run.stale].map((text) => ({
              level: 'error',
              message: { text },
            })),
          },
        ],
        properties: { seed: run.seed, target: run.target.name },
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function ruleOf({ clause, requirement, spec, level }: CheckResult): object {
  return {
    id: clause,
    shortDescription: { text: requirement },
    help: { text: `${level}; ${spec}` },
    defaultConfiguration: { level: level === 'MUST' ? 'error' : 'warning' },
  };
}

function resultOf(result: CheckResult, ruleIndex: number, run: ConformRun): object {
  const { id, clause, operation, accepted } = result;
  // A service has no files; readers want a place all the same, and the operation is one.
  const uri = (operation?.split(' ')[1] ?? id).replace(/^\//, '').replaceAll(/[{}]/g, '_').replaceAll(' ', '_');
  return {
    ruleId: clause,
    ruleIndex,
    level: failsRun(result, run.strict) || result.verdict === 'error' ? 'error' : 'warning',
    message: { text: `${id}: ${shortStoryOf(result)}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri } },
        logicalLocations: [{ fullyQualifiedName: operation ?? id, kind: 'resource' }],
      },
    ],
    partialFingerprints: { check: id },
    ...(accepted === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: accepted.reason }] }),
  };
}
