// pbxsim serve as a program uses it: one line on stdout, an end in under a second, and what each flag and its variable do.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { SeededUser } from '../store/seed/people.ts';
import { CliProcess, machineNode, type ReadyLine, run } from './cli-process.ts';
import { Driver } from './scripted-day.ts';
import { BarePhone } from './sockets-phone.ts';
import { type Facts, WebhookInbox } from './sockets-stage.ts';

const ANY_PORTS = ['--port', '0', '--sip-port', '0'];
const folder = mkdtempSync(join(tmpdir(), 'pbxsim-cli-'));
const processes: CliProcess[] = [];

afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.kill()));
});

afterAll(() => rmSync(folder, { recursive: true }));

async function serve(
  args: readonly string[],
  options?: ConstructorParameters<typeof CliProcess>[1],
): Promise<{ cli: CliProcess; ready: ReadyLine; driver: Driver }> {
  const cli = new CliProcess(['serve', ...args], options);
  processes.push(cli);
  const ready = await cli.ready();
  const [user] = ready.users;
  if (user === undefined) throw new Error('the ready line names no user');
  return { cli, ready, driver: new Driver(new URL(ready.api_root).origin, user) };
}

/** A phone at the first user's extension, in a call with the second's handset. */
async function phoneInCall({ ready, driver }: { ready: ReadyLine; driver: Driver }): Promise<BarePhone> {
  const [user, colleague] = ready.users;
  if (user === undefined || colleague === undefined) throw new Error('the ready line names too few users');
  await driver.send('PATCH', `/_sim/phones/${colleague.ext}`, { behaviour: { on_call: 'answer', after_ms: 0 } });
  const [host = '', port] = ready.sip.udp.split(':');
  const udp = { host, port: Number(port) };
  const phone = await BarePhone.open(
    user as unknown as SeededUser,
    { udp, tcp: udp, ws: ready.sip.ws, domain: ready.sip.domain },
    'cli',
  );
  expect(await phone.register()).toBe(200);
  return phone;
}

describe('pbxsim serve --json', () => {
  it('prints one line with all that a client needs, and then nothing on stdout', async () => {
    const { cli, ready, driver } = await serve([...ANY_PORTS, '--json']);
    expect(Object.keys(ready)).toEqual([
      'api_root',
      'control_root',
      'openapi_url',
      'sip',
      'users',
      'numbers',
      'refused_credentials',
      'seed',
      'clock',
      'ca_file',
    ]);
    expect(ready).toMatchObject({ seed: 1, clock: 'real', sip: { domain: 'pbxsim.test' } });
    expect(ready.api_root).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\.1\/pbx$/);
    expect(ready.sip.udp).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(ready.sip.tcp).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(ready.sip.ws).toMatch(/^ws:\/\/127\.0\.0\.1:\d+/);
    for (const user of ready.users.slice(0, 3)) {
      expect(Object.keys(user).sort()).toEqual(
        [
          'api_key',
          'customer_id',
          'email',
          'ext',
          'password',
          'role',
          'sip_password',
          'sip_username',
          'user_id',
        ].sort(),
      );
      expect(user.customer_id).toBe(ready.users[0]?.customer_id);
      expect(['root', 'admin', 'agent']).toContain(user.role);
    }
    expect(ready.numbers.length).toBeGreaterThanOrEqual(3);
    for (const number of ready.numbers) expect(number).toMatch(/^\+\d{6,15}$/);
    expect((await driver.send('GET', '/v1.1/pbx/me')).status).toBe(200);
    expect((await driver.send('POST', '/v1.1/pbx/calls', { to: ready.users[1]?.ext })).status).toBe(201);
    expect((await driver.send('GET', '/v1.1/pbx/nothing')).status).toBe(404);
    const { status, stdout, stderr } = await cli.endBy('SIGTERM');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout.endsWith('\n')).toBe(true);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends on %s in under a second with status 0, and hangs up first',
    async (signal) => {
      const served = await serve([...ANY_PORTS, '--json', '--check-invariants']);
      const phone = await phoneInCall(served);
      const { session, status } = await phone.call('102');
      expect(status).toBe(200);
      const ended = phone.ended(session);
      const ending = await served.cli.endBy(signal);
      expect(ending).toMatchObject({ status: 0, signal: null, stderr: '' });
      expect(ending.ms).toBeLessThan(1000);
      expect((await ended).by).toBe('remote-bye');
      await phone.close();
    },
  );

  it('ends in time although a phone in a call says nothing any more', async () => {
    const served = await serve([...ANY_PORTS, '--json']);
    const phone = await phoneInCall(served);
    expect((await phone.call('102')).status).toBe(200);
    await phone.close();
    const ending = await served.cli.endBy('SIGTERM');
    expect(ending).toMatchObject({ status: 0, stderr: '' });
    expect(ending.ms).toBeLessThan(1000);
  });

  it("keeps these promises on the machine's own Node, whatever its version", async () => {
    const { path } = machineNode();
    const { cli, ready } = await serve([...ANY_PORTS, '--json', '--clock', 'manual'], { node: path });
    expect(ready.clock).toBe('manual');
    const ending = await cli.endBy('SIGTERM');
    expect(ending).toMatchObject({ status: 0, signal: null, stderr: '' });
    expect(ending.stdout.split('\n')).toHaveLength(2);
    expect(ending.ms).toBeLessThan(1000);
    expect(await run(['serve', '--port', 'x'], { node: path })).toMatchObject({ status: 2, stdout: '' });
  });

  it('is gone when it is killed outright, and what an older Node handed over to with it', async () => {
    const { cli, ready } = await serve([...ANY_PORTS, '--json'], { node: machineNode().path });
    // An ending is one once everybody who could still print has gone.
    expect(await cli.endBy('SIGKILL')).toMatchObject({ status: null, signal: 'SIGKILL', stderr: '' });
    await expect(fetch(`${ready.control_root}/clock`)).rejects.toThrow('fetch failed');
  });

  it('greets people instead when --json is not given', async () => {
    const cli = new CliProcess(['serve', ...ANY_PORTS]);
    processes.push(cli);
    await cli.ready().catch(() => undefined);
    expect(cli.stdout).toMatch(/pbxsim is ready/);
    expect(cli.stdout).toMatch(/not a production PBX/);
    expect((await cli.endBy('SIGTERM')).status).toBe(0);
  });
});

describe('the flags of serve', () => {
  it('--clock manual and --start say where time stands', async () => {
    const { driver } = await serve([...ANY_PORTS, '--json', '--clock', 'manual', '--start', '2026-03-01T00:00:00Z']);
    const { body } = await driver.send('GET', '/_sim/clock');
    expect(body).toMatchObject({ mode: 'manual', busy: 0 });
    expect(new Date(String(body.now)).getTime()).toBe(Date.UTC(2026, 2, 1));
    const moved = await driver.send('POST', '/_sim/clock', { advance: '15m' });
    expect(new Date(String(moved.body.now)).getTime()).toBe(Date.UTC(2026, 2, 1, 0, 15));
  });

  it('--journal writes every entry as a line of JSON, after what the file had', async () => {
    const file = join(folder, 'journal.ndjson');
    writeFileSync(file, '{"seq":0}\n');
    const { cli, driver, ready } = await serve([...ANY_PORTS, '--json', '--clock', 'manual', '--journal', file]);
    await driver.send('POST', '/v1.1/pbx/calls', { to: ready.users[1]?.ext });
    await driver.send('POST', '/_sim/clock', { advance: '10s' });
    const kept = (await driver.send('GET', '/_sim/journal?limit=10000')).body as unknown as {
      data: Facts[];
      last: number;
    };
    expect((await cli.endBy('SIGTERM')).status).toBe(0);
    const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Facts);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(entries.length).toBeGreaterThan(kept.last);
    // Each line is the entry as the control API shows it, but that a message learns its call later than it is written.
    const facts = ({ seq, at, kind, customer_id, cause }: Facts) => ({ seq, at, kind, customer_id, cause });
    expect(kept.data.length).toBeGreaterThan(10);
    expect(entries.slice(0, kept.last).slice(-kept.data.length).map(facts)).toEqual(kept.data.map(facts));
    const names = ['at', 'call_id', 'cause', 'customer_id', 'data', 'kind', 'seq'];
    expect(new Set(entries.map((entry) => Object.keys(entry).toSorted().join()))).toEqual(new Set([names.join()]));
    const ended = entries.find(({ kind }) => kind === 'call.closed');
    expect(ended).toMatchObject({ at: '2026-01-01T00:00:10.000Z', call_id: expect.any(Number), customer_id: 1 });
    // The end of the call at shutdown is in the file too.
    expect(entries.map(({ kind }) => kind)).toContain('call.closed');
    expect(
      entries.filter(({ kind }) => kind === 'sip.out').every(({ data }) => typeof (data as Facts).text === 'string'),
    ).toBe(true);
  });

  it('--allow-http-webhooks is needed for webhooks to http: on loopback', async () => {
    const inbox = await WebhookInbox.open();
    const webhook = { name: 'n', url: inbox.url, events: ['ended'], active: true };
    const strict = await serve([...ANY_PORTS, '--json']);
    expect((await strict.driver.send('POST', '/_sim/webhooks', webhook)).status).toBe(400);
    const lenient = await serve([...ANY_PORTS, '--json', '--allow-http-webhooks']);
    expect((await lenient.driver.send('POST', '/_sim/webhooks', webhook)).status).toBe(201);
    await inbox.close();
  });

  it('--host with an address that others reach needs --seed, and the control API then needs a token', async () => {
    const refused = await run(['serve', ...ANY_PORTS, '--json', '--host', '0.0.0.0']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/--seed/);
    const { ready } = await serve([...ANY_PORTS, '--json', '--host', '0.0.0.0', '--seed', 'our own']);
    expect(ready).toMatchObject({ seed: 'our own', control_token: expect.stringMatching(/^\S{20,}$/) });
    const { port } = new URL(ready.control_root);
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/_sim/clock`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${ready.control_token}` })).status).toBe(200);
  });

  it('--seed makes the world: the same one again, another one for another seed', async () => {
    const [one, again, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => serve([...ANY_PORTS, '--json', '--seed', seed, '--clock', 'manual'])),
    );
    expect(again?.ready.users).toEqual(one?.ready.users);
    expect(other?.ready.users).not.toEqual(one?.ready.users);
    expect(one?.ready.seed).toBe(7);
  });

  it('have environment variables that do the same', async () => {
    const file = join(folder, 'by-variable.ndjson');
    const inbox = await WebhookInbox.open();
    const { cli, ready, driver } = await serve([], {
      env: {
        PBXSIM_HOST: '127.0.0.2',
        PBXSIM_PORT: '0',
        PBXSIM_SIP_PORT: '0',
        PBXSIM_SEED: 'by variable',
        PBXSIM_CLOCK: 'manual',
        PBXSIM_START: '2026-03-01T00:00:00Z',
        PBXSIM_ALLOW_HTTP_WEBHOOKS: '1',
        PBXSIM_WEBHOOK_CA: join(import.meta.dirname, '../../fixtures/tls/test-only-ca.pem'),
        PBXSIM_JOURNAL: file,
        PBXSIM_CONTROL_TOKEN: 'by-variable',
        PBXSIM_CHECK_INVARIANTS: '1',
        PBXSIM_JSON: '1',
      },
    });
    expect(ready).toMatchObject({ seed: 'by variable', clock: 'manual', control_token: 'by-variable' });
    expect(ready.api_root).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect((await driver.send('GET', '/_sim/clock')).status).toBe(401);
    const headers = { authorization: 'Bearer by-variable', 'content-type': 'application/json' };
    const clock = (await (await fetch(`${ready.control_root}/clock`, { headers })).json()) as { now: string };
    expect(new Date(clock.now).getTime()).toBe(Date.UTC(2026, 2, 1));
    const body = JSON.stringify({ name: 'n', url: inbox.url, events: ['ended'], active: true });
    expect((await fetch(`${ready.control_root}/webhooks`, { method: 'POST', headers, body })).status).toBe(201);
    expect((await cli.endBy('SIGTERM')).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/"kind":"webhook\.test"/);
    await inbox.close();
  });

  it('are off when the variable of a switch says so', async () => {
    for (const off of ['0', 'false', 'no', 'off', '']) {
      const cli = new CliProcess(['serve', ...ANY_PORTS], { env: { PBXSIM_JSON: off } });
      processes.push(cli);
      await cli.ready().catch(() => undefined);
      expect(cli.stdout).toMatch(/pbxsim is ready/);
      await cli.endBy('SIGTERM');
    }
  });

  it('win over their variables', async () => {
    const { ready } = await serve([...ANY_PORTS, '--json', '--clock', 'manual'], { env: { PBXSIM_CLOCK: 'fast' } });
    expect(ready.clock).toBe('manual');
  });
});
