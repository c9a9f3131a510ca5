// How long a simulator inside a process takes from its creation to being ready, and a reset, against a bare node:http server that
// starts to listen. Run alone: `node src/bench/in-process.ts`.
import { createServer } from 'node:http';
import { createSimulator } from '../index.ts';

export interface InProcessFigures {
  /** The first of the process: what it is made of is compiled for it. */
  readonly firstMs: number;
  /** Medians of real ms. */
  readonly readyMs: number;
  readonly resetMs: number;
  readonly restoreMs: number;
  readonly listenMs: number;
}

/** Each is created, listens, is reset after a call, and closed, in turn with its peer. */
export async function inProcess(rounds = 15): Promise<InProcessFigures> {
  const times: Record<'ready' | 'reset' | 'restore' | 'listen', number[]> = {
    ready: [],
    reset: [],
    restore: [],
    listen: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    times.listen.push(await msOf(listenOnce));
    const start = performance.now();
    const simulator = await createSimulator({ seed: round });
    times.ready.push(performance.now() - start);
    const snapshot = await simulator.snapshot();
    simulator.phones.act('101', { act: 'call', to: '102' });
    await simulator.clock.advance('5s');
    times.reset.push(await msOf(() => simulator.reset()));
    times.restore.push(await msOf(() => simulator.restore(snapshot)));
    await simulator.close();
  }
  const [firstMs = Number.NaN] = times.ready.splice(0, 1);
  return {
    firstMs,
    readyMs: median(times.ready),
    resetMs: median(times.reset.slice(1)),
    restoreMs: median(times.restore.slice(1)),
    listenMs: median(times.listen.slice(1)),
  };
}

async function listenOnce(): Promise<void> {
  const server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { firstMs, readyMs, resetMs, restoreMs, listenMs } = await inProcess();
  const figures = [
    `created and ready after ${readyMs.toFixed(1)} ms (aim: 50), the first of the process after ${firstMs.toFixed(1)} ms`,
    `reset in ${resetMs.toFixed(1)} ms (aim: 20), restored in ${restoreMs.toFixed(1)} ms`,
    `a bare node:http server: ${listenMs.toFixed(1)} ms`,
  ];
  console.log(figures.join('\n'));
}
