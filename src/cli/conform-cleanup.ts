// pbxsim cleanup: removes what a run that ended badly has left at a target, by the ledger that the run kept.
import { Ledger } from '../harness/conform/ledger.ts';
import { Session } from '../harness/conform/session.ts';
import { sweep } from '../harness/conform/sweep.ts';
import { ControlClient } from '../harness/run/control-client.ts';
import { systemTime } from '../wires/system-time.ts';
import { atTarget, ledgerOf } from './conform.ts';
import type { TargetFlags } from './conform-target.ts';

export async function cleanup(named: string, flags: TargetFlags): Promise<void> {
  await atTarget(named, flags, async (target, http) => {
    const ledger = new Ledger(ledgerOf(target, flags));
    const before = ledger.open.length;
    const control = target.control === undefined ? undefined : new ControlClient(http, target.control);
    const session = new Session({ target, http, host: systemTime(), tell: () => {} });
    const left = await sweep({ session, ledger, control }, { all: true });
    console.log(
      `${before - left.length} removed, ${left.length} left${left.length === 0 ? '' : `: ${left.join(', ')}`}`,
    );
    process.exitCode = left.length === 0 ? 0 : 1;
  });
}
