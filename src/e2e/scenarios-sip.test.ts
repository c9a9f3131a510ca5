// Every scenario with phones once more, its users' phones being sip.js in real time: a second, independent SIP stack.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { loadYaml } from '../harness/language/load.ts';
import { runPlans } from '../harness/run/run-plans.ts';
import { filesIn } from '../wires/scenario-files.ts';
import { systemTime } from '../wires/system-time.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url));
/** They mostly wait. */
const AT_ONCE = 8;

it('the scenarios with phones pass with SIP phones', async () => {
  const built = await Promise.all(
    (await filesIn([FOLDER], ['.yaml'], 'files')).map((file) => loadYaml(file, (path) => readFile(path, 'utf8'))),
  );
  const plans = built
    .flatMap((one) => one.plans)
    .filter(({ phones, drivers }) => phones.some(({ line }) => 'user' in line) && drivers.includes('sip'));
  expect(plans.length).toBeGreaterThanOrEqual(20);
  const { scenarios } = await runPlans(plans, {
    name: 'fresh simulator',
    driver: 'sip',
    host: systemTime(),
    atOnce: AT_ONCE,
    lease: () => leaseSimulator({ seed: 1, clock: 'real' }),
    replay: ({ file }) => `pbxsim run ${file} --phones sip`,
  });
  expect(scenarios.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
}, 120_000);
