// A simulator in a process of its own, run with --expose-gc by whoever soaks it: listens on loopback, and tells its parent what it weighs.
import { dataOf } from '../../kernel/journal.ts';
import { Simulator } from '../../simulator.ts';
import type { Order, Ready, Weighed } from './server-process.ts';

const history = Number(process.argv[2] ?? 100);
/** Few, so that the journal is full, and weighs no more afterwards, before the first weighing. */
const JOURNAL_ENTRIES = 4000;
const simulator = new Simulator({ seed: 1, clock: 'real', history, journalCapacity: JOURNAL_ENTRIES });
const failures: string[] = [];
simulator.journal.subscribe((entry) => {
  if (entry.kind === 'rest.failure' && failures.length < 20) failures.push(JSON.stringify(dataOf(entry)));
});
const url = await simulator.listenHttp(0);
tell(readyNow());

process.on('message', (order: Order) => {
  if (order === 'reset') {
    simulator.reset();
    tell(readyNow());
  } else void weigh().then(tell);
});
process.on('disconnect', () => process.exit());

function readyNow(): Ready {
  const { customers } = simulator.world;
  return { url, users: customers.flatMap(({ users }) => users), refused: customers.flatMap(({ refused }) => refused) };
}

/** After garbage is gone: twice, because the first time runs finalisers. */
async function weigh(): Promise<Weighed> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const open: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) open[kind] = (open[kind] ?? 0) + 1;
  return { heapBytes: heapUsed + external, rssBytes: rss, open, failures };
}

function tell(news: Ready | Weighed): void {
  process.send?.(news);
}
