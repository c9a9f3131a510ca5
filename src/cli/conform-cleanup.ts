// pbxsim cleanup: removes what a run that ended badly has left at a target, by the ledger that the run kept.
import { Ledger } from '../harness/conform/ledger.ts';
import { Session } from '../harness/conform/session.ts';
import { sweep } from '../harness/conform/sweep.ts';
import { ControlClient } from '../harness/run/control-client.ts';
import { systemTime } from '../wires/system-time.ts';
import { atTarget, ledgerOf } from './conform.ts';
import type { TargetFlags } from './conform-target.ts';

const HINT =
  'What is left has to be removed by hand: no operation of the API removes it (--control of a simulator does), or the target refused.';

export async function cleanup(named: string, flags: TargetFlags): Promise<void> {
  await atTarget(named, flags, async (target, http) => {
    const ledger = new Ledger(ledgerOf(target, flags));
    const control = target.control === undefined ? undefined : new ControlClient(http, target.control);
    const session = new Session({ target, http, host: systemTime(), tell: () => {} });
    const { removed, goneBefore, left } = await sweep({ session, ledger, control }, { all: true });
    const parts = [
      `${removed} removed`,
      ...(goneBefore === 0 ? [] : [`${goneBefore} gone already`]),
      `${left.length} left${left.length === 0 ? '' : `: ${left.join(', ')}`}`,
    ];
    console.log(parts.join(', '));
    if (left.length > 0) console.error(HINT);
    process.exitCode = left.length === 0 ? 0 : 1;
  });
}
