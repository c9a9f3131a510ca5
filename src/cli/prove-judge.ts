// Hunts mutants at a fresh simulator of its own and judges its legal variants: what pbxsim mutants, the tests and the soak have in common.
import { type OperationId, operations } from '../contract/operations.ts';
import { openToRestricted } from '../contract/restricted.ts';
import { type HuntOptions, hunt, idleChecks, judgeVariant, staleReasons } from '../harness/mutants/hunt.ts';
import type { Mutant } from '../harness/mutants/mutant.ts';
import type { Variant } from '../harness/mutants/variants.ts';
import { ControlClient } from '../harness/run/control-client.ts';
import { TOUCHES } from '../harness/target/what-it-takes.ts';
import type { JudgedVariant, KillMatrix } from '../report/kill-matrix.ts';
import { LocalAuthority } from '../wires/authority/local-authority.ts';
import { HttpClient } from '../wires/http-client.ts';
import { systemTime } from '../wires/system-time.ts';
import { leaseSimulator } from './fresh-simulator.ts';

export interface Proof {
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  readonly seed: string;
  /** Not all mutants there are: nobody can say which checks are idle then, and no controls are made. */
  readonly drawn: boolean;
  /** Told how many are done. */
  readonly tell?: (done: number) => void;
}

/** What the simulator's restricted user may do. */
const OPEN: readonly OperationId[] = operations.filter(({ id }) => openToRestricted.has(id)).map(({ id }) => id);

export async function proveJudge({ mutants, variants, seed, drawn, tell }: Proof): Promise<KillMatrix> {
  const host = systemTime();
  const fromMs = host.now();
  const authority = LocalAuthority.make();
  const identity = authority.certificateFor([]);
  const { target, close } = await leaseSimulator({ seed: 1, clock: 'manual', webhookCa: authority.pem });
  const http = new HttpClient();
  try {
    if (target.control === undefined) throw new Error('the simulator has a control API');
    const control = new ControlClient(http, target.control);
    let done = 0;
    const options: HuntOptions = {
      ...{ target: { ...target, allow: TOUCHES }, denying: OPEN, mutants, host, seed, identity: () => identity },
      controls: !drawn,
      renew: async () => {
        await control.get('POST', '/reset');
      },
      tell: () => {
        done += 1;
        tell?.(done);
      },
    };
    const hunted = await hunt(options);
    const judged: JudgedVariant[] = [];
    for (const variant of variants) judged.push(await judgeVariant(variant, options));
    const whole = drawn ? { idle: [], stale: [] } : { idle: idleChecks(hunted), stale: staleReasons(hunted) };
    return { seed, mutants: hunted, variants: judged, ...whole, drawn, durationMs: host.now() - fromMs };
  } finally {
    await http.close();
    await close();
  }
}
