// pbxsim run and lint as commands: what they print and how they end.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '..', 'cli', 'main.ts');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxsim-scenarios-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function pbxsim(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

async function file(name: string, ...lines: readonly string[]): Promise<string> {
  const head = [`id: ${name}`, 'title: A try', 'requires: It is so', 'spec: [Somewhere]'];
  await writeFile(join(folder, `${name}.yaml`), [...head, ...lines].join('\n'));
  return `${name}.yaml`;
}

describe('pbxsim run', () => {
  it('is quiet about what passes, when nobody watches', async () => {
    const good = await file('good', 'steps: [{rest: ping}, {wait: 20m}]');
    expect(await pbxsim('run', good)).toEqual({
      status: 0,
      stdout: '1 passed (fresh simulator, phones: sim)\n',
      stderr: '',
    });
  });

  it('tells the story of a failure, writes it as JUnit, and ends with 1', async () => {
    const bad = await file('bad', 'tags: [calls]', 'steps: [{rest: getCall, path: {id: 5}}]');
    const ended = await pbxsim('run', bad, '--tags', 'calls,other', '--report', 'junit:reports/all.xml');
    expect([ended.status, ended.stderr]).toEqual([1, '']);
    expect(ended.stdout.split('\n')).toEqual([
      '✗ bad  A try',
      '  step      1, request getCall (bad.yaml:6:9)',
      '  requires  It is so',
      '            Somewhere',
      '  expected  getCall answers 200',
      expect.stringMatching(/^ {2}actual {4}404 \{"message":/),
      '  ask       curl -i -u "10000001:$PBXSIM_KEY" -g "$PBXSIM_API/calls/5"',
      '  again     pbxsim run bad.yaml --only bad',
      '0 passed, 1 failed (fresh simulator, phones: sim)',
      '',
    ]);
    expect(await readFile(join(folder, 'reports/all.xml'), 'utf8')).toContain(
      '<testsuites name="pbxsim" tests="1" failures="1"',
    );
  });

  it('never succeeds without a scenario', async () => {
    const good = await file('good', 'tags: [calls]', 'steps: [{rest: ping}]');
    const none = { status: 2, stdout: 'no scenario was run (fresh simulator, phones: sim)\n', stderr: '' };
    expect(await pbxsim('run', good, '--tags', 'queues')).toEqual(none);
    expect(await pbxsim('run', 'nowhere')).toEqual({
      ...none,
      stdout:
        'pbxsim: files: nowhere cannot be read: there is no such file or folder.\ninvalid (fresh simulator, phones: sim)\n',
    });
  });

  it('runs nothing when one file is wrong', async () => {
    const wrong = await file('wrong', 'steps:', '  - rest: pong');
    expect(await pbxsim('run', wrong)).toEqual({
      status: 2,
      stdout:
        'wrong.yaml:6:11: steps/0/rest: unknown: pong; did you mean ping?: an operation id of the contract\ninvalid (fresh simulator, phones: sim)\n',
      stderr: '',
    });
  });

  it('ends with 5 when the target is not there', async () => {
    const good = await file('good', 'steps: [{rest: ping}]');
    const root = 'http://127.0.0.1:1/v1.1/pbx';
    expect(await pbxsim('run', good, '--target', root, '--user', '7:key')).toEqual({
      status: 5,
      stdout: `${root} cannot be reached: connection refused.\nthe target cannot be judged (${root}, phones: sim)\n`,
      stderr: '',
    });
  });

  it.each([
    [['--target', 'http://x/v1.1/pbx'], '--target with an API root needs --user ID:KEY.'],
    [['--target', 'http://x/v1.1/pbx', '--user', 'anna'], '--user: expected ID:KEY, a user id and an API key.'],
    [['--control', 'http://x/_sim'], '--control needs --target: the API root of the same system.'],
    [['--report', 'html:x'], '--report html:x: expected junit:FILE.'],
    [['--phones', 'tin'], "option '--phones <driver>' argument 'tin' is invalid. Allowed choices are sim, sip."],
  ])('ends with 2 for %j', async (flags, message) => {
    const good = await file('good', 'steps: [{rest: ping}]');
    const { status, stdout, stderr } = await pbxsim('run', good, ...flags);
    expect(status).toBe(2);
    expect(stdout + stderr).toContain(message);
  });

  it('takes TypeScript files too', async () => {
    const body = "id: 'typed', title: 'A try', requires: 'It is so', spec: ['Somewhere'], steps: [{ rest: 'ping' }]";
    await writeFile(
      join(folder, 'typed.scenario.mts'),
      `export const typed = { ${body} };\nexport const version: number = 1;\n`,
    );
    expect(await pbxsim('run', 'typed.scenario.mts')).toEqual({
      status: 0,
      stdout: '1 passed (fresh simulator, phones: sim)\n',
      stderr: '',
    });
  });
});

describe('pbxsim lint', () => {
  it('checks files without any traffic', async () => {
    const good = await file('good', 'matrix: {n: [1, 2]}', 'steps: [{rest: ping}]');
    expect(await pbxsim('lint', good)).toEqual({
      status: 0,
      stdout: '2 scenarios in 1 files, all valid\n',
      stderr: '',
    });
    const wrong = await file('wrong', 'steps: []');
    expect(await pbxsim('lint', good, wrong)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'wrong.yaml:5:8: steps: expected array with at least 1 items, found []\n',
    });
  });
});
