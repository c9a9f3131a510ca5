// The complete judgement of a simulator with a clock that may be told: two processes, as users run it; beside it the same requests without a
// judge. Run alone, after a build: `node src/bench/conform-runs.ts`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { ServedSimulator, type ServedUser } from '../e2e/sipp-served.ts';

const bin = fileURLToPath(new URL('../../bin/pbxsim.js', import.meta.url));
const FLAGS = ['--clock', 'manual', '--allow-http-webhooks'];

export interface ConformFigures {
  /** From the start of the process to its end. */
  readonly seconds: number;
  readonly checks: number;
  readonly requests: number;
  /** Of the judge's own time, all requests and waiting in it. */
  readonly msPerCheck: number;
  readonly msPerRequest: number;
  /** A request of the same simulator by the same HTTP client, one after the other, that nobody judges. */
  readonly bareMsPerRequest: number;
}

/** The best of some runs, each against a fresh simulator. Throws unless it is found conformant. */
export async function conformRuns(rounds = 2): Promise<ConformFigures> {
  let best: ConformFigures | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const figures = await conformRun();
    if (best === undefined || figures.seconds < best.seconds) best = figures;
  }
  if (best === undefined) throw new Error('there was no round');
  return best;
}

async function conformRun(): Promise<ConformFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-bench-'));
  const simulator = await ServedSimulator.start(...FLAGS);
  try {
    const { api_root: apiRoot, control_root: control, users } = simulator.ready;
    const [user] = users;
    if (user === undefined) throw new Error('the ready line has no user');
    const stream = join(folder, 'run.ndjson');
    const args = ['conform', apiRoot, '--user', `${user.user_id}:${user.api_key}`, '--control', control];
    const all = [...args, '--allow', 'write,dial,wait,destroy', '--report', `ndjson:${stream}`, '--state-dir', folder];
    const start = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, [bin, ...all], { maxBuffer: 64 * 1024 * 1024 });
    const seconds = (performance.now() - start) / 1000;
    if (!stdout.includes('conformant: ')) throw new Error(`not conformant: ${stdout.slice(-400)}`);
    const lines = readFileSync(stream, 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { readonly event: string; readonly durationMs?: number });
    const count = (name: string): number => events.filter(({ event }) => event === name).length;
    const [checks, requests] = [count('check ended'), count('exchange')];
    const durationMs = events.at(-1)?.durationMs ?? Number.NaN;
    return {
      ...{ seconds, checks, requests, msPerCheck: durationMs / checks, msPerRequest: durationMs / requests },
      bareMsPerRequest: await bareRequests(apiRoot, user, 1_000),
    };
  } finally {
    await simulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function bareRequests(apiRoot: string, user: ServedUser, count: number): Promise<number> {
  const dispatcher = new Agent();
  const authorization = `Basic ${Buffer.from(`${user.user_id}:${user.api_key}`).toString('base64')}`;
  const start = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const { body } = await request(`${apiRoot}/users/${user.user_id}`, { dispatcher, headers: { authorization } });
    await body.text();
  }
  const ms = (performance.now() - start) / count;
  await dispatcher.close();
  return ms;
}

if (import.meta.main) console.log(await conformRuns());
