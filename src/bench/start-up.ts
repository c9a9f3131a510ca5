// How long the built command line takes from its spawning to its ready line, against Node doing nothing. Run alone, after a build: `node src/bench/start-up.ts`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface StartUpFigures {
  /** Medians of real ms. */
  readonly readyMs: number;
  readonly emptyMs: number;
}

const bin = fileURLToPath(new URL('../../bin/pbxsim.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Both in turn, after one start that fills the compile cache. */
export async function startUp(rounds = 7): Promise<StartUpFigures> {
  if (!existsSync(built)) throw new Error('there is no dist/: run "npm run build" first');
  const serve = [bin, 'serve', '--json', '--port', '0', '--sip-port', '0'];
  await msToFirstLine(serve);
  const ready: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ready.push(await msToFirstLine(serve));
    empty.push(await msToFirstLine(['-e', '0']));
  }
  return { readyMs: median(ready), emptyMs: median(empty) };
}

/** Until the first output, or the end of a process that has none. The process is told to end and waited for. */
function msToFirstLine(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let ms = 0;
    child.stdout.once('data', () => {
      ms = performance.now() - start;
      child.kill('SIGTERM');
    });
    child.once('error', reject);
    child.once('exit', (status) => {
      if (status === 0) resolve(ms === 0 ? performance.now() - start : ms);
      else reject(new Error(`node ${args.join(' ')} ended with status ${status}`));
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { readyMs, emptyMs } = await startUp();
  console.log(`ready after ${readyMs.toFixed(0)} ms (aim: 400), node -e 0: ${emptyMs.toFixed(0)} ms`);
}
