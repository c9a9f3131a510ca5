// --data on the command line: what is refused, with which sentence and status, and what becomes of a file when its process ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const QUIET = ['--json', '--port', '0', '--sip-port', '0'];

let folder: string;
let path: string;
const running = new Set<Serving>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-kept-cli-'));
  path = join(folder, 'world.db');
});

afterEach(async () => {
  for (const one of running) await one.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** `pbxsim serve`, behind a shell's words when there are some: `exec "$@"` ends them. */
class Serving {
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #ended: Promise<number | null>;

  constructor(flags: readonly string[], shell?: string) {
    const command = [process.execPath, main, 'serve', ...QUIET, '--data', path, ...flags];
    const [program = '', ...args] = shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command];
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk;
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    this.#ended = once(this.#child, 'close').then(([status]) => status);
    running.add(this);
  }

  /** The ready line. */
  async ready() {
    await Promise.race([once(this.#child.stdout, 'data'), this.#ended]);
    if (!this.stdout.includes('\n')) throw new Error(`ended instead: ${this.stderr}`);
    return JSON.parse(this.stdout);
  }

  async end(signal?: NodeJS.Signals): Promise<{ status: number | null; stdout: string; stderr: string }> {
    if (signal !== undefined) this.#child.kill(signal);
    const status = await this.#ended;
    running.delete(this);
    return { status, stdout: this.stdout, stderr: this.stderr };
  }
}

const refusal = (...flags: string[]) => new Serving(flags).end();

async function makeLabel(ready: Awaited<ReturnType<Serving['ready']>>, name: string): Promise<Response> {
  const { user_id, api_key } = ready.users[0];
  return fetch(`${ready.api_root}/calllabels`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${user_id}:${api_key}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
}

describe('pbxsim serve --data', () => {
  it('goes on with the seed and the time of its file, and says nothing of the means', async () => {
    const first = new Serving(['--seed', 'wonder', '--clock', 'manual']);
    const { control_root, users } = await first.ready();
    const advance = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"advance":"36h"}' };
    expect((await fetch(`${control_root}/clock`, advance)).status).toBe(200);
    await first.end('SIGKILL');
    const second = new Serving(['--clock', 'manual']);
    const ready = await second.ready();
    expect(ready.users).toEqual(users);
    expect(ready.seed).toBe('wonder');
    const clock = await (await fetch(`${ready.control_root}/clock`)).json();
    expect(clock).toMatchObject({ now: '2026-01-02T12:00:00.000Z' });
    const ending = await second.end('SIGTERM');
    expect([ending.status, ending.stderr]).toEqual([0, '']);
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined();

    expect(await refusal('--seed', 'other')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --seed other: ${path} was made with seed wonder; leave --seed out, or name another file.\n`,
    });
    expect(await refusal('--clock', 'manual', '--start', '2026-01-02T11:59:59Z')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --start 2026-01-02T11:59:59.000Z: the clock of ${path} stands at 2026-01-02T12:00:00.000Z, and time does not go back; leave --start out, or name a later time.\n`,
    });
    expect(await refusal('--history', '500')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --history 500: ${path} has its history already; leave --history out, or name a file that is not there yet.\n`,
    });
    const third = new Serving(['--clock', 'manual', '--start', '2026-02-01T00:00:00Z']);
    const later = await (await fetch(`${(await third.ready()).control_root}/clock`)).json();
    expect(later).toMatchObject({ now: '2026-02-01T00:00:00.000Z' });
  }, 60_000);

  it('keeps a second process out until the first is gone, however it went', async () => {
    const first = new Serving([]);
    await first.ready();
    expect(await refusal()).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --data: ${path} is in use by another simulator or program; end that one, or name another file.\n`,
    });
    await first.end('SIGKILL');
    await new Serving([]).ready();
  }, 60_000);

  it('refuses what is no file of its own in one line, without a stack', async () => {
    writeFileSync(path, 'not a database, and longer than a header of SQLite would be: '.repeat(20));
    expect(await refusal()).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --data: ${path} is no file of pbxsim; name another file.\n`,
    });
    path = folder;
    expect(await refusal()).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --data: ${folder} is a folder; name a file in it.\n`,
    });
  }, 60_000);

  it('refuses a file whose records are damaged', async () => {
    const { SqliteFile } = await import('../wires/sqlite-file.ts');
    const first = new Serving([]);
    await first.ready();
    await first.end('SIGTERM');
    const file = SqliteFile.open(path);
    file.write([{ section: 'cdrs', owner: 1, key: 10_000_007, value: '[0,1,2' }], []);
    file.close();
    expect(await refusal()).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `pbxsim: --data: ${path} is damaged (record 10000007 of cdrs cannot be read); put a copy in its place, or name another file.\n`,
    });
  }, 60_000);

  it('ends with status 1 and without an answer when the disk takes no more', async () => {
    // Files up to 2 MiB; the signal that comes with it is ignored, so that writing fails as it does on a full disk.
    const limited = new Serving([], `trap '' XFSZ; ulimit -f 4096; exec "$@"`);
    const ready = await limited.ready();
    const told: number[] = [];
    const write = async (): Promise<void> => {
      for (;;) {
        const answer = await makeLabel(ready, `Label ${'x'.repeat(200)}`);
        if (answer.status !== 201 && answer.status !== 200) throw new Error(String(answer.status));
        told.push(((await answer.json()) as { data: { id: number } }).data.id);
      }
    };
    await expect(write()).rejects.toThrow('fetch failed');
    const { status, stderr } = await limited.end();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^pbxsim: --data: \S+ cannot be (read or )?written: .+; make room and start again, .+\.\n$/);
    const again = new Serving([]);
    const { api_root, users } = await again.ready();
    const authorization = `Basic ${btoa(`${users[0].user_id}:${users[0].api_key}`)}`;
    for (let page = 1; told.length > 0 && page < 10; page += 1) {
      const answer = await fetch(`${api_root}/calllabels?limit=5000&page=${page}`, { headers: { authorization } });
      const there = new Set(((await answer.json()) as { data: Array<{ id: number }> }).data.map(({ id }) => id));
      told.splice(0, told.length, ...told.filter((id) => !there.has(id)));
    }
    expect(told).toEqual([]);
  }, 60_000);
});
