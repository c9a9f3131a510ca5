// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// pbxsim conform and its kin as commands, against a simulator over real sockets: what they print, write and end with.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { localAuthority } from '../wires/authority/authority-files.ts';
import { pbxsim, startPbxsim } from './conform-rig.ts';

let folder = '';
let lease: TargetLease;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pbxsim-conform-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  // The judge's webhook receivers show certificates of the authority that it keeps there.
  const { authority } = localAuthority(join(folder, 'state'));
  lease = await leaseSimulator({ seed: 1, clock: 'manual', webhookCa: authority.pem });
});
afterEach(() => lease.close());

const first = () => `${lease.target.users.first?.id}:${lease.target.users.first?.key}`;
const basic = (): string[] => [lease.target.apiRoot, '--user', first()];
const everything = (): string[] => [
  ...basic(),
  ...['--control', lease.target.control?.root ?? '', '--allow', 'write,dial,wait,destroy'],
];

interface Row {
  readonly id: string;
  readonly clause: string;
  readonly level: string;
  readonly verdict: string;
  readonly operation: string | null;
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
}
interface Document {
  readonly verdict: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly checks: readonly Row[];
  readonly leftovers: readonly string[];
  readonly exchanges: readonly object[];
}

async function reportOf(file: string): Promise<Document> {
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${lease.target.control?.root}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

describe('pbxsim conform', () => {
  it('finds the simulator conformant when it has everything, in the form that is promised', async () => {
    const { status, stdout } = await pbxsim(folder, ['conform', ...everything(), '--report', 'json:all.json']);
    expect(stdout).toMatch(/^conformant: \d{4} pass, /m);
    expect(status).toBe(0);
    const report = await reportOf('all.json');
    expect(report.verdict).toBe('conformant');
    expect(report.counts).toMatchObject({ fail: 0, warn: 0, blocked: 0, unevaluable: 0, unsupported: 0, error: 0 });
    expect(report.counts.pass).toBe(report.checks.filter(({ verdict }) => verdict === 'pass').length);
    expect(report.leftovers).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'PATCH /calls/{id} 301')).toMatchObject({
      ...{ clause: 'CALLS-ID-PATCH-301', level: 'MUST', verdict: 'pass', operation: 'PATCH /calls/{id}' },
      ...{ message: '', expected: null, actual: null },
    });
  }, 60_000);

  it('judges what it can with an API root and a user alone, and says what is missing of the rest', async () => {
    const { status, stdout } = await pbxsim(folder, ['conform', ...basic(), '--report', 'json:basic.json']);
    expect(stdout).toContain('unevaluable: Nobody gave a restricted user');
    expect(status).toBe(3);
    const { verdict, counts, checks } = await reportOf('basic.json');
    expect([verdict, counts.fail, counts.warn, counts.error]).toEqual(['incomplete', 0, 0, 0]);
    expect(counts.pass).toBeGreaterThan(2000);
    const judged = checks.filter(({ operation, verdict: one }) => operation === 'POST /conferences' && one === 'pass');
    expect(judged.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['POST /conferences 201', 'POST /conferences 400', 'POST /conferences made']),
    );
  }, 60_000);

  it('sees a fault by the checks of its clause, and ends with 1', async () => {
    await control('POST', '/faults', {
      match: { at: 'api', operation: 'getConference' },
      action: { do: 'field', pointer: '/data/confno', value: 'many' },
    });
    const args = ['conform', ...basic(), '--only', 'GET /conferences*', '--report', 'json:f.json'];
    const { status } = await pbxsim(folder, args);
    expect(status).toBe(1);
    const { verdict, checks } = await reportOf('f.json');
    expect(verdict).toBe('non-conformant');
    expect(checks.filter((one) => one.verdict === 'fail')).toMatchObject([
      {
        id: 'GET /conferences/{id} field confno',
        clause: 'CONFERENCES-FIELD-CONFNO',
        expected: 'integer',
        actual: 'many',
      },
    ]);
  }, 30_000);

  it('is partial when a part was chosen and passed, and takes along what that comes after', async () => {
    const { status, stdout } = await pbxsim(folder, ['conform', ...basic(), '--only', 'QUEUES-FIELD-RETRY']);
    expect(stdout).toMatch(/^partial: 6 pass /m);
    expect(status).toBe(0);
  });

  it('takes known deviations, and fails on those that no longer are', async () => {
    const match = { at: 'api', operation: 'listQueues' };
    const fault = (await control('POST', '/faults', { match, action: { do: 'field', pointer: '/total' } })) as {
      id: number;
    };
    const entry = { check: 'GET /queues body', kind: 'bug', reason: 'total comes next year', expires: '2099-12-31' };
    await writeFile(join(folder, 'known.yaml'), `deviations: ${JSON.stringify([entry])}`);
    const args = ['conform', ...basic(), '--only', 'GET /queues body', '--deviations', 'known.yaml'];
    expect((await pbxsim(folder, args.slice(0, -2))).status).toBe(1);
    const known = await pbxsim(folder, args);
    expect(known.stdout).toContain('conformant with deviations: 1 pass, 1 fail, 1 of them known deviations');
    expect(known.status).toBe(0);
    await control('DELETE', `/faults/${fault.id}`);
    const stale = await pbxsim(folder, args);
    expect(stale.stdout).toContain('GET /queues body: it passes now');
    expect(stale.status).toBe(4);
  }, 30_000);

  it('ends with 2 for what is wrong in the command, with 5 for a target that is not there or refuses', async () => {
    const statusOf = async (...args: readonly string[]) => (await pbxsim(folder, ['conform', ...args])).status;
    expect(await statusOf()).toBe(2);
    expect(await statusOf(lease.target.apiRoot)).toBe(2);
    expect(await statusOf(lease.target.apiRoot, '--user', 'nobody')).toBe(2);
    expect(await statusOf('absent.yaml')).toBe(2);
    expect(await statusOf(...basic(), '--only', 'GET /nothing')).toBe(2);
    expect(await statusOf(...basic(), '--allow', 'everything')).toBe(2);
    expect(await statusOf(...basic(), '--report', 'pdf:run.pdf')).toBe(2);
    expect(await statusOf('http://127.0.0.1:1/v1.1/pbx', '--user', '1:key')).toBe(5);
    expect(await statusOf(lease.target.apiRoot, '--user', '1:wrong-key')).toBe(5);
  }, 30_000);

  it('asks the target nothing when nobody could read what came of it', async () => {
    await writeFile(join(folder, 'occupied'), 'a file where a folder should be');
    const { data: before } = (await control('GET', '/journal?kind=rest')) as { data: readonly unknown[] };
    for (const report of [
      'html:occupied/report.html',
      'ndjson:occupied/run.ndjson',
      'json:.',
      'html:/proc/x/folder/y.html',
    ]) {
      const { status, stdout, stderr } = await pbxsim(folder, ['conform', ...basic(), '--report', report]);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^pbxsim: --report: \S+ cannot be written: .*folder.*\.\n$/);
    }
    const twice = ['--report', 'json:run.out', '--report', 'html:run.out'];
    expect((await pbxsim(folder, ['conform', ...basic(), ...twice])).stderr).toContain('run.out is named twice');
    expect(await control('GET', '/journal?kind=rest')).toMatchObject({ data: before });
    expect(before).toEqual([]);
  }, 60_000);

  it('writes nothing where it may only read', async () => {
    const before = await control('GET', '/records');
    const { stdout } = await pbxsim(folder, ['conform', ...basic(), '--allow', 'read']);
    expect(stdout).toContain('It needs --allow write.');
    expect(await control('GET', '/records')).toEqual(before);
  }, 30_000);

  it('tells no secret, in whatever form it reports', async () => {
    const forms = ['json', 'ndjson', 'html', 'junit', 'text', 'sarif', 'tap', 'github', 'summary', 'badge'];
    const reports = forms.flatMap((form) => ['--report', `${form}:told.${form}`]);
    const { stdout, stderr } = await pbxsim(folder, ['conform', ...everything(), '--strict', ...reports]);
    const told = [stdout, stderr, ...forms.map((form) => readFileSync(join(folder, `told.${form}`), 'utf8'))];
    const secrets = Object.values(lease.target.users).flatMap(({ id, key, password, sip }) => [
      ...(key === null ? [] : [key, Buffer.from(`${id}:${key}`).toString('base64')]),
      ...[password ?? '', sip?.password ?? ''],
    ]);
    expect(secrets.length).toBeGreaterThan(10);
    for (const secret of secrets.filter((one) => one !== ''))
      expect(told.filter((text) => text.includes(secret))).toEqual([]);
    const credentials = told.flatMap((text) =>
      [...text.matchAll(/Basic ([A-Za-z0-9+/=]{8,})/g)].map(([, code = '']) => code),
    );
    expect(credentials.filter((code) => /^\d+:./.test(Buffer.from(code, 'base64').toString()))).toEqual([]);
  }, 60_000);
});

describe('what a run has made', () => {
  const counted = ['conferences', 'contacts', 'ringgroups', 'usergroups', 'queues', 'webcalls'] as const;
  const counts = async () =>
    Promise.all(
      counted.map(
        async (kind) => ((await control('GET', `/records/${kind}?customer_id=1&limit=1`)) as { total: number }).total,
      ),
    );

  it('is gone after it, but for what no operation removes, which is named', async () => {
    const before = await counts();
    const { stdout } = await pbxsim(folder, ['conform', ...basic()]);
    const after = await counts();
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    expect(stdout).toMatch(/left at the target: .*queues\/\d+/);
  }, 60_000);

  it('is found by cleanup after a run that was killed', async () => {
    const before = await counts();
    const own = await mkdtemp(join(folder, 'killed-'));
    const { child, ended } = startPbxsim(own, ['conform', ...everything()]);
    const ledgers = join(own, 'state', 'ledgers');
    const made = (): boolean =>
      existsSync(ledgers) &&
      readdirSync(ledgers).some((file) =>
        /"path":"\/usergroups"[\s\S]*"made"/.test(readFileSync(join(ledgers, file), 'utf8')),
      );
    await expect.poll(made, { timeout: 20_000, interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    await ended;
    expect(await counts()).not.toEqual(before);
    const { status, stdout } = await pbxsim(own, ['cleanup', ...everything()]);
    expect(stdout).toMatch(/^\d+ removed, /);
    expect([0, 1]).toContain(status);
    // Of what was asked for in the moment of death nobody knows the id: it is named, and left.
    const unknown = stdout.match(/of unknown id/g)?.length ?? 0;
    const sum = (all: readonly number[]) => all.slice(0, 4).reduce((one, other) => one + other);
    const left = sum(await counts()) - sum(before);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThanOrEqual(unknown);
  }, 60_000);

  it('is removed when it is interrupted, and that is no verdict', async () => {
    const before = await counts();
    const { child, ended } = startPbxsim(folder, ['conform', ...everything(), '--report', 'ndjson:cut.ndjson']);
    const begun = (): boolean =>
      existsSync(join(folder, 'cut.ndjson')) &&
      readFileSync(join(folder, 'cut.ndjson'), 'utf8').includes('check ended');
    await expect.poll(begun, { timeout: 20_000, interval: 5 }).toBe(true);
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(stdout).toContain('The run was interrupted.');
    expect(status).toBe(6);
    expect(await counts()).toEqual(before);
  }, 60_000);
});

describe('beside it', () => {
  it('clauses lists each clause with its checks or the reason for none, and explain tells all about one', async () => {
    const { stdout, status } = await pbxsim(folder, ['clauses', '--json']);
    expect(status).toBe(0);
    const rows = JSON.parse(stdout) as Array<{ id: string; checks: string[]; untestable?: string }>;
    expect(rows.length).toBeGreaterThan(1500);
    expect(rows.filter(({ checks, untestable }) => checks.length === 0 && untestable === undefined)).toEqual([]);
    const { stdout: told } = await pbxsim(folder, ['explain', 'CALLS-ID-PATCH-301']);
    expect(told).toContain('MUST');
    expect(told).toContain('Endpoints, Calls module');
    expect(told).toContain('PATCH /calls/{id} 301');
    expect((await pbxsim(folder, ['explain', 'NOTHING'])).status).toBe(2);
  });

  it('plan says what would be checked and what could not, and asks no more than whether the target is there', async () => {
    const { stdout, status } = await pbxsim(folder, ['plan', ...basic(), '--only', 'GET /queues']);
    expect(stdout).toContain('GET /queues 200  [read]');
    expect(stdout).toContain('GET /queues 403  unevaluable: Nobody gave a restricted user');
    expect(status).toBe(0);
  });

  it('doctor says point by point whether a target is fit', async () => {
    const { stdout, status } = await pbxsim(folder, ['doctor', ...everything()]);
    expect(stdout).toMatch(/✓ address .*answers in \d+ ms/);
    expect(stdout).toMatch(/✓ first user .*may log in/);
    expect(stdout).toMatch(/✓ control .*its clock is manual/);
    expect(stdout).toMatch(
      /^✓ clock +simulated, manual: it shows 2026-01-01T00:00:00\.000Z and moves when it is told$/m,
    );
    expect(stdout).toMatch(/✓ webhooks .*a test event reached the harness/);
    expect(stdout).toMatch(/- sip /);
    expect(status).toBe(3);
    expect((await pbxsim(folder, ['doctor', 'http://127.0.0.1:1/v1.1/pbx', '--user', '1:key'])).status).toBe(5);
  });

  it('init writes a target file that conform takes once it is filled in', async () => {
    expect((await pbxsim(folder, ['init', 'mine.yaml'])).status).toBe(0);
    expect((await pbxsim(folder, ['init', 'mine.yaml'])).status).toBe(2);
    const { apiRoot, users } = lease.target;
    const template = await readFile(join(folder, 'mine.yaml'), 'utf8');
    // What may be done stands there, each word with its meaning: nothing but reading until somebody says so.
    expect(template).toMatch(/^# {3}write {4}make, change and remove records\n# {3}dial /m);
    expect(template).toMatch(/^# {3}destroy {2}delete what .*\nallow: \[read\]$/m);
    const filled = template
      .replace('https://pbx.example/v1.1/pbx', apiRoot)
      .replace('id: 1001', `id: ${users.first?.id}`)
      .replace('# email: ada@pbx.example ', `email: ${users.first?.email} `)
      .replace('# password: ${env.PBX_FIRST_PASSWORD}', 'password: ${env.PBX_FIRST_PASSWORD}');
    await writeFile(join(folder, 'mine.yaml'), filled);
    const args = ['conform', 'mine.yaml', '--only', 'POST /login *'];
    expect((await pbxsim(folder, args)).stdout).toContain('expected the variable env.PBX_FIRST_KEY to be set');
    const env = { PBX_FIRST_KEY: users.first?.key ?? '', PBX_FIRST_PASSWORD: users.first?.password ?? '' };
    const { status, stdout } = await pbxsim(folder, args, env);
    expect(stdout).toMatch(/^partial: 3 pass/m);
    expect(status).toBe(0);
  });
});
