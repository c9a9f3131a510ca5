// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
// pbxsim run and lint as commands: what they print and how they end.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import type { Target } from '../harness/target/target.ts';

const MAIN = join(import.meta.dirname, '..', 'cli', 'main.ts');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxsim-scenarios-'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A simulator that lives on beside the command. */
async function liveTarget(): Promise<Target> {
  const lease = await leaseSimulator({ seed: 1, clock: 'real' });
  opened.push(() => lease.close());
  return lease.target;
}

/** The flags that name it and its users, without its control API. */
function flagsOf({ apiRoot, users }: Target): string[] {
  const who = (name: 'first' | 'second' | 'other_customer'): string => `${users[name]?.id}:${users[name]?.key}`;
  return [
    ...['--target', apiRoot, '--user', who('first'), '--second-user', who('second')],
    ...['--other-customer-user', who('other_customer')],
  ];
}

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
    const none = {
      status: 2,
      stdout:
        'pbxsim: --tags queues: no scenario has one of them; there are calls.\ninvalid (fresh simulator, phones: sim)\n',
      stderr: '',
    };
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

  it('knows users by flags: a second one, and one of another account', async () => {
    const target = await liveTarget();
    const others = await file(
      'others',
      'steps:',
      '  - {rest: getMe, as: second, expect: {body: {/data/0/id: {$matches: "^1"}}}}',
      '  - {rest: getMe, as: other_customer, expect: {body: {/data/0/id: {$matches: "^2"}}}}',
      '  - {rest: getUser, as: other_customer, path: {id: "${first.id}"}, expect: {status: 404}}',
    );
    const ended = await pbxsim('run', others, ...flagsOf(target));
    expect([ended.stdout, ended.status]).toEqual([`1 passed (${target.apiRoot}, phones: sim)\n`, 0]);
  });

  it('ends with 3 when something could not be judged', async () => {
    const target = await liveTarget();
    const good = await file('good', 'steps: [{rest: ping}]');
    const phones = await file('phones', 'phones: {anna: {user: first}}', 'steps: [{phone: anna, is: idle}]');
    const { status, stdout } = await pbxsim('run', good, phones, ...flagsOf(target));
    expect(stdout.split('\n')).toEqual([
      '? phones  A try: the target gives no control API, which simulated phones need',
      `1 passed, 1 unevaluable (${target.apiRoot}, phones: sim)`,
      '',
    ]);
    expect(status).toBe(3);
  });

  it('takes what a target file says that the system has not for unsupported, and ends with 0', async () => {
    const { apiRoot, users } = await liveTarget();
    const good = await file('good', 'steps: [{rest: ping}]');
    const hooks = await file('hooks', 'webhooks: {all: {events: [missed]}}', 'steps: [{rest: ping}]');
    const lines = [`api_root: ${apiRoot}`, `users: {first: {id: ${users.first?.id}, key: '${users.first?.key}'}}`];
    await writeFile(join(folder, 'target.yaml'), [...lines, 'capabilities: {webhooks: false}', ''].join('\n'));
    const { status, stdout } = await pbxsim('run', good, hooks, '--target', 'target.yaml');
    expect(stdout.split('\n')).toEqual([
      '- hooks  A try: the target says that it has no webhooks',
      `1 passed, 1 unsupported (${apiRoot}, phones: sim)`,
      '',
    ]);
    expect(status).toBe(0);
  });

  it('ends with 2, and runs nothing, when nobody could read what came of it', async () => {
    const good = await file('good', 'steps: [{rest: ping}]');
    await writeFile(join(folder, 'occupied'), 'a file where a folder should be');
    for (const [report, why] of [
      ['occupied/deep/report.xml', / is no folder\.\n$/],
      ['/proc/x/y.xml', /^pbxsim: --report: \/proc\/x\/y\.xml cannot be written: no folder can be made in \/proc\.\n$/],
      ['.', /^pbxsim: --report: \. cannot be written: it is a folder\.\n$/],
    ] as const) {
      const { status, stdout, stderr } = await pbxsim('run', good, '--report', `junit:${report}`);
      expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)]);
    }
  });

  it('ends with 6 when what came of it cannot be written after all', async () => {
    const body = "id: 'late', title: 'A try', requires: 'It is so', spec: ['Somewhere'], steps: [{ rest: 'ping' }]";
    const lines = [
      "import { writeFileSync } from 'node:fs';",
      "writeFileSync('taken', '');",
      `export const late = { ${body} };`,
    ];
    await writeFile(join(folder, 'late.scenario.mts'), lines.join('\n'));
    const { status, stdout } = await pbxsim('run', 'late.scenario.mts', '--report', 'junit:taken/report.xml');
    expect(stdout).toMatch(/^1 passed .*\npbxsim: --report: taken\/report\.xml cannot be written: .*\.\n$/);
    expect(status).toBe(6);
  });

  it('runs again when a file changes, until it is interrupted', async () => {
    const watched = await file('watched', 'steps: [{rest: ping}]');
    const child = spawn(process.execPath, [MAIN, 'run', watched, '--watch'], { cwd: folder });
    opened.push(async () => void child.kill('SIGKILL'));
    let stdout = '';
    const says = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (stdout.includes(text)) resolve();
        };
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => void child.on('close', resolve));
    await says('watching for changes');
    expect(stdout).toBe('1 passed (fresh simulator, phones: sim)\nwatching for changes, end with Ctrl-C\n');
    await file('watched', 'steps: [{rest: getCall, path: {id: 5}}]');
    await says('1 failed');
    child.kill('SIGINT');
    expect(await ended).toBe(1);
  }, 20_000);

  it.each([
    [['--target', 'http://x/v1.1/pbx'], 'An API root needs --user ID:KEY, a user id and a token or API key.'],
    [
      ['--target', 'http://x/v1.1/pbx', '--user', 'anna'],
      '--user: expected ID:KEY, a user id and a token or API key, such as 10000001:s3cret, found no colon.',
    ],
    [
      ['--target', 'http://x/v1.1/pbx', '--user', '7:key', '--second-user', 'anna:key'],
      '--second-user: expected ID:KEY, a user id and a token or API key, such as 10000001:s3cret; the part before the colon must be a number from 1, found "anna".',
    ],
    [
      ['--target', 'http://x/v1.1/pbx', '--user', '7:'],
      '--user: expected ID:KEY, a user id and a token or API key, such as 10000001:s3cret; nothing stands after the colon.',
    ],
    [['--control', 'http://x/_sim'], '--control needs --target: the API root of the same system.'],
    [['--report', 'html:x'], '--report html:x: expected junit:FILE, such as junit:report.xml.'],
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

describe('a scenario in TypeScript', () => {
  it('is written with types and helpers of the package, and is the same plan', async () => {
    const source = join(import.meta.dirname, '..', 'harness', 'language', 'scenario.ts');
    const lines = [
      `import { scenario, steps } from '${source}';`,
      "const rings = steps({ phone: 'anna', do: 'call', to: 'ben' }, { phone: 'ben', is: 'ringing' });",
      "export const calls = (['first', 'second'] as const).map((caller) => scenario({",
      "  id: `from-${caller}`, title: 'A call', requires: 'It rings', spec: ['Events'],",
      "  phones: { anna: { user: caller }, ben: { user: 'third' } },",
      '  steps: rings,',
      '}));',
    ];
    await writeFile(join(folder, 'calls.scenario.ts'), lines.join('\n'));
    expect(await pbxsim('run', 'calls.scenario.ts')).toMatchObject({
      status: 0,
      stdout: '2 passed (fresh simulator, phones: sim)\n',
    });
  });

  it('that cannot be loaded is an invalid file', async () => {
    await writeFile(join(folder, 'broken.scenario.ts'), "throw new Error('out of order');");
    expect(await pbxsim('run', 'broken.scenario.ts')).toMatchObject({
      status: 2,
      stdout:
        'broken.scenario.ts: expected a module that can be loaded: out of order\ninvalid (fresh simulator, phones: sim)\n',
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
    const slow = await file('slow', 'drivers: [sim]', 'drivers_reason: It waits an hour.', 'steps: [{wait: 1h}]');
    expect((await pbxsim('lint', slow)).stdout).toBe(
      'slow.yaml: phones sim only: It waits an hour.\n1 scenarios in 1 files, all valid\n',
    );
    const wrong = await file('wrong', 'steps: []');
    expect(await pbxsim('lint', good, wrong)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'wrong.yaml:5:8: steps: expected array with at least 1 items, found []\n',
    });
  });
});
