// The long tests, which `npm test` runs a part of: `npm run soak [-- --seed N]`. Ends with status 1 when something is wrong.
import { parseArgs } from 'node:util';
import { killNine } from './durability/kill-nine.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '40' } },
});

const report = await killNine({
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  answers: [200, 3000],
  onRound: (round, acknowledged) => console.log(`kill -9: round ${round}, ${acknowledged} writes acknowledged`),
});
for (const sentence of report.wrong) console.error(`kill -9 with --seed ${values.seed}: ${sentence}`);
console.log(`kill -9: ${report.acknowledged} writes acknowledged, ${report.wrong.length} wrong`);
process.exitCode = report.wrong.length === 0 ? 0 : 1;
