// A simulator and a judge in one process, over real sockets: for tests of what the judge says.
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { operations } from '../contract/operations.ts';
import { openToRestricted } from '../contract/restricted.ts';
import type { Check } from '../harness/conform/check.ts';
import { conform } from '../harness/conform/conform.ts';
import { memoryLines } from '../harness/conform/ledger.ts';
import { planOf } from '../harness/conform/plan.ts';
import { allChecks } from '../harness/conform/registry.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import type { Target } from '../harness/target/target.ts';
import { TOUCHES } from '../harness/target/what-it-takes.ts';
import type { CheckResult, ConformRun } from '../report/conform-results.ts';
import { RunCollector } from '../report/conform-run.ts';
import { LocalAuthority, type ServerIdentity } from '../wires/authority/local-authority.ts';
import { HttpClient } from '../wires/http-client.ts';
import { systemTime } from '../wires/system-time.ts';

export const authority = LocalAuthority.make();
let identity: ServerIdentity | undefined;

/** What webhook receivers of the judge show; simulators of these tests trust it. */
export function receiverIdentity(): ServerIdentity {
  identity ??= authority.certificateFor([]);
  return identity;
}

/** A fresh simulator in manual time, everything allowed, as a judge with its control API gets it. */
export async function judgedSimulator(): Promise<TargetLease> {
  const lease = await leaseSimulator({ seed: 1, clock: 'manual', webhookCa: authority.pem });
  const denied = operations.filter(({ id }) => !openToRestricted.has(id)).map(({ id }) => id);
  return { target: { ...lease.target, allow: TOUCHES, denied }, close: () => lease.close() };
}

export interface JudgeOptions {
  readonly only?: readonly string[];
  readonly http?: HttpClient;
  readonly failFast?: boolean;
  readonly strict?: boolean;
  /** The receiver of webhooks speaks plain HTTP. */
  readonly plain?: boolean;
  /** Those of the registry if nothing is said. */
  readonly checks?: readonly Check[];
}

export async function judge(
  target: Target,
  { only = [], http, failFast, strict, plain, checks = allChecks }: JudgeOptions = {},
): Promise<ConformRun> {
  const client = http ?? new HttpClient();
  const collector = new RunCollector();
  try {
    await conform({
      ...{ target, plan: planOf(checks, { target, only }), http: client, host: systemTime(), seed: '1' },
      ...{ strict: strict === true, failFast: failFast === true, ledger: memoryLines() },
      identity: plain === true ? undefined : receiverIdentity,
      startedAt: '2026-01-01T00:00:00Z',
      tell: (event) => collector.take(event),
    });
  } finally {
    if (http === undefined) await client.close();
  }
  return collector.run;
}

/** One line for a result, for a test that expects none. */
export function told({ id, verdict, message, expected, actual }: CheckResult): string {
  return [id, verdict, message, expected, actual].filter((part) => part !== undefined).join(' | ');
}
