// pbxsim mutants: proves the judge. Every mutant of a fresh simulator has to be found by a check of the clause that it breaks.

import { operations } from '../contract/operations.ts';
import { openToRestricted } from '../contract/restricted.ts';
import { drawnMutants } from '../harness/mutants/all-mutants.ts';
import { hunt, idleChecks } from '../harness/mutants/hunt.ts';
import { ControlClient } from '../harness/run/control-client.ts';
import { TOUCHES } from '../harness/target/what-it-takes.ts';
import { isProven, type KillMatrix, killMatrixText } from '../report/kill-matrix.ts';
import { LocalAuthority } from '../wires/authority/local-authority.ts';
import { HttpClient } from '../wires/http-client.ts';
import { writeReport } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';
import { UsageError } from './errors.ts';
import { leaseSimulator } from './fresh-simulator.ts';

export interface MutantsFlags {
  readonly all?: boolean;
  readonly seed: string;
  readonly only?: readonly string[];
  readonly json?: string;
}

/** What the simulator's restricted user may do. */
const OPEN = operations.filter(({ id }) => openToRestricted.has(id)).map(({ id }) => id);
/** Of the generated mutants, unless all are asked for. */
const SHARE = 0.05;

/** 0: the judge is proven; 1: it is not. */
export async function mutants({ all = false, seed, only, json }: MutantsFlags): Promise<void> {
  const whole = drawnMutants(all || only !== undefined ? 1 : SHARE, seed);
  const chosen = only === undefined ? whole : whole.filter(({ id }) => only.some((part) => id.includes(part)));
  if (chosen.length === 0) throw new UsageError(`--only ${only?.join(', ')}: no mutant has that in its id.`);
  const host = systemTime();
  const fromMs = host.now();
  const authority = LocalAuthority.make();
  const identity = authority.certificateFor([]);
  const lease = await leaseSimulator({ seed: 1, clock: 'manual', webhookCa: authority.pem });
  const http = new HttpClient();
  try {
    const { control } = lease.target;
    if (control === undefined) throw new Error('the simulator has a control API');
    const face = new ControlClient(http, control);
    let done = 0;
    const hunted = await hunt({
      ...{ target: { ...lease.target, allow: TOUCHES }, denying: OPEN, mutants: chosen, host, seed },
      identity: () => identity,
      renew: async () => {
        await face.get('POST', '/reset');
      },
      tell: () => {
        done += 1;
        if (process.stderr.isTTY === true) process.stderr.write(`\r${done} of ${chosen.length} mutants`);
      },
    });
    if (process.stderr.isTTY === true) process.stderr.write('\r\u001b[K');
    const drawn = !all;
    const idle = drawn ? [] : idleChecks(hunted);
    const matrix: KillMatrix = { seed, mutants: hunted, idle, drawn, durationMs: host.now() - fromMs };
    console.log(killMatrixText(matrix));
    if (json !== undefined) await writeReport(json, `${JSON.stringify(matrix, undefined, 1)}\n`, '--json');
    process.exitCode = isProven(matrix) ? 0 : 1;
  } finally {
    await http.close();
    await lease.close();
  }
}
