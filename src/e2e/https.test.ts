// HTTPS as its users set it up: curl and Node with the authority of the ready line, commands that find it by themselves, a process that ends in time.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, fetch } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSimulator } from '../index.ts';
import { CliProcess, type Ending, type ReadyLine, run } from './cli-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'pbxsim-https-'));
const state = join(folder, 'state');
const env = { PBXSIM_STATE_DIR: state };
const processes: CliProcess[] = [];

afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.kill()));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(args: readonly string[] = [], variables: Readonly<Record<string, string>> = env) {
  const cli = new CliProcess(['serve', '--https', '--json', '--port', '0', '--sip-port', '0', ...args], {
    env: variables,
  });
  processes.push(cli);
  const ready = (await cli.ready()) as ReadyLine & { readonly ca_file: string };
  return { cli, ready };
}

interface Curled {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function curl(...args: readonly string[]): Promise<Curled> {
  return promisify(execFile)('curl', ['-sS', ...args]).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, status: error.code }),
  );
}

const port = ({ api_root }: ReadyLine): string => new URL(api_root).port;

describe('pbxsim serve --https', () => {
  it('names HTTPS addresses and the file to trust in its ready line', async () => {
    const { ready } = await serve();
    expect(ready.ca_file).toBe(join(state, 'authority.pem'));
    const origin = `https://127.0.0.1:${port(ready)}`;
    expect(ready).toMatchObject({
      api_root: `${origin}/v1.1/pbx`,
      control_root: `${origin}/_sim`,
      openapi_url: `${origin}/openapi.json`,
    });
  });

  it('serves curl that has the authority, by each of its names, and no other', async () => {
    const { ready } = await serve();
    const [user] = ready.users;
    for (const host of ['127.0.0.1', 'localhost', 'pbxsim.test']) {
      const { stdout } = await curl(
        ...['--cacert', ready.ca_file, '-u', `${user?.user_id}:${user?.api_key}`, '-w', ' %{http_code}'],
        ...['--resolve', `pbxsim.test:${port(ready)}:127.0.0.1`, `https://${host}:${port(ready)}/v1.1/pbx/calls`],
      );
      expect(stdout).toBe('{"data":[],"total":0} 200');
    }
    expect(await curl(ready.openapi_url)).toMatchObject({ status: 60 });
    const foreign = ['--resolve', `example.com:${port(ready)}:127.0.0.1`, `https://example.com:${port(ready)}/`];
    expect(await curl('--cacert', ready.ca_file, ...foreign)).toMatchObject({ status: 60 });
    expect(await curl('--cacert', ready.ca_file, '--tls-max', '1.1', ready.openapi_url)).toMatchObject({ status: 35 });
    expect(await curl('--cacert', ready.ca_file, '--tlsv1.2', '--tls-max', '1.2', ready.openapi_url)).toMatchObject({
      status: 0,
    });
  });

  it('serves Node that has the authority, and its document names the address that was asked', async () => {
    const { ready } = await serve();
    const script = `fetch('${ready.openapi_url}').then((r) => r.json()).then(({ servers }) => console.log(servers[0].url))`;
    const node = (variables: Record<string, string>) =>
      promisify(execFile)(process.execPath, ['-e', script], { env: variables });
    expect((await node({ NODE_EXTRA_CA_CERTS: ready.ca_file })).stdout).toBe(`${ready.api_root}\n`);
    await expect(node({})).rejects.toThrow(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|self-signed|unable to/);
  });

  it('tells who speaks HTTP what it speaks, and stays', async () => {
    const { ready } = await serve();
    const { stdout } = await curl('-w', ' %{http_code}', ready.openapi_url.replace('https', 'http'));
    const message = `This port speaks HTTPS: use https://127.0.0.1:${port(ready)}.`;
    expect(stdout).toBe(`${JSON.stringify({ message, errors: [message] })} 400`);
    expect(await curl('--cacert', ready.ca_file, ready.openapi_url)).toMatchObject({ status: 0 });
  });

  it('keeps its authority over a restart, and shows a chain that OpenSSL accepts', async () => {
    const first = await serve();
    const pem = readFileSync(first.ready.ca_file, 'utf8');
    await first.cli.endBy('SIGTERM');
    const { ready } = await serve();
    expect(readFileSync(ready.ca_file, 'utf8')).toBe(pem);
    const args = ['-connect', `127.0.0.1:${port(ready)}`, '-CAfile', ready.ca_file, '-verify_ip', '127.0.0.1'];
    const { status, stdout } = spawnSync('openssl', ['s_client', ...args, '-verify_return_error'], {
      input: '',
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('Verify return code: 0 (ok)');
  });

  it('ends in time with handshakes half done and a connection open', async () => {
    const { cli, ready } = await serve();
    const [silent, half] = [connect(Number(port(ready)), '127.0.0.1'), connect(Number(port(ready)), '127.0.0.1')];
    for (const socket of [silent, half]) socket.on('error', () => {});
    await new Promise<void>((resolve) => void half.write(Buffer.from('1603010200', 'hex'), () => resolve()));
    const agent = new Agent({ connect: { ca: readFileSync(ready.ca_file, 'utf8') } });
    await (await fetch(ready.openapi_url, { dispatcher: agent })).text();
    const { status, ms } = await cli.endBy('SIGTERM');
    expect(status).toBe(0);
    expect(ms).toBeLessThan(1000);
    await agent.destroy();
    for (const socket of [silent, half]) socket.destroy();
  });

  it('has the address that it listens on in its certificate', async () => {
    const { ready } = await serve(['--host', '127.0.0.2']);
    expect(ready.api_root).toMatch(/^https:\/\/127\.0\.0\.2:/);
    expect(await curl('--cacert', ready.ca_file, ready.openapi_url)).toMatchObject({ status: 0 });
  });

  it('starts twice at once on a folder that is not there yet', async () => {
    const args = ['--state-dir', join(folder, 'new')];
    const both = await Promise.all([serve(args, {}), serve(args, {})]);
    for (const { ready } of both)
      expect(await curl('--cacert', join(folder, 'new', 'authority.pem'), ready.openapi_url)).toMatchObject({
        status: 0,
      });
  });

  it('says what is wrong with its folder in one sentence', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const args = ['serve', '--https', '--json', '--port', '0', '--sip-port', '0', '--state-dir', file];
    expect(await run(args)).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `pbxsim: The state directory ${file} cannot be used: it is no folder. Name another one with --state-dir.\n`,
    });
  });

  it('shows people the file to trust, in commands that can be pasted', async () => {
    const cli = new CliProcess(['serve', '--port', '0', '--sip-port', '0'], {
      env: { PBXSIM_HTTPS: '1', PBXSIM_STATE_DIR: join(folder, "o'clock") },
    });
    processes.push(cli);
    await expect(cli.ready()).rejects.toThrow();
    const command = cli.stdout.split('\n').find((line) => line.includes('/cdrs?')) ?? '';
    const { stdout } = spawnSync('sh', ['-c', `${command.trim()} -sS -w ' %{http_code}'`], { encoding: 'utf8' });
    expect(command).toContain(`--cacert '${folder}/o'\\''clock/authority.pem'`);
    expect(stdout).toMatch(/ 200$/);
  });

  it('asks for no trust in commands for http, though there is an authority for SIP over TLS', async () => {
    const cli = new CliProcess(['serve', '--port', '0', '--sip-port', '0'], {
      env: { PBXSIM_STATE_DIR: join(folder, "o'clock") },
    });
    processes.push(cli);
    await expect(cli.ready()).rejects.toThrow();
    expect(cli.stdout).toContain(`${folder}/o'clock/authority.pem  (trust it`);
    const commands = cli.stdout.split('\n').filter((line) => line.includes('curl -'));
    expect(commands.filter((line) => line.includes(' http://') || line.includes("'http://"))).toHaveLength(3);
    expect(commands.join('\n')).not.toContain('--cacert /');
    expect(commands.join('\n')).not.toContain("--cacert '");
  });
});

describe('commands that talk to a simulator', () => {
  const trigger = (args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ending> =>
    run(['trigger', 'sms.received', '--json', ...args], { env: variables });

  it('trust the authority of this machine by themselves, or the one named with --ca', async () => {
    const { ready } = await serve();
    const control = ['--control', ready.control_root];
    expect(await trigger(control, env)).toMatchObject({ status: 0, stderr: '' });
    const elsewhere = { PBXSIM_STATE_DIR: join(folder, 'elsewhere') };
    expect(await trigger([...control, '--ca', ready.ca_file], elsewhere)).toMatchObject({ status: 0, stderr: '' });
    expect((await trigger(control, elsewhere)).stderr).toBe(
      `pbxsim: https://127.0.0.1:${port(ready)}: certificate not trusted: its authority is unknown. ` +
        'Name its authority with --ca, the ca_file of its ready line.\n',
    );
    expect((await trigger([...control, '--ca', '/dev/null'], env)).stderr).toBe(
      'pbxsim: --ca: /dev/null cannot be used: it holds no certificate in PEM.\n',
    );
    expect((await trigger(['--control', ready.control_root.replace('https', 'http')], env)).stderr).toBe(
      `pbxsim: This port speaks HTTPS: use https://127.0.0.1:${port(ready)}.\n`,
    );
    const ladder = await run(['ladder', '99', ...control], { env });
    expect(ladder).toMatchObject({ status: 1, stderr: expect.stringMatching(/^pbxsim: .*call/) });
  });

  it('run scenarios against it', async () => {
    const { ready } = await serve(['--clock', 'manual', '--allow-http-webhooks']);
    const [first, second] = ready.users;
    const users = [
      '--user',
      `${first?.user_id}:${first?.api_key}`,
      '--second-user',
      `${second?.user_id}:${second?.api_key}`,
    ];
    const target = ['--target', ready.api_root, '--control', ready.control_root];
    const args = ['run', 'scenarios/calls/answer-and-hang-up.yaml', ...target, ...users];
    expect(await run(args, { env })).toMatchObject({ status: 0 });
    const { status, stdout } = await run(args, { env: { PBXSIM_STATE_DIR: folder } });
    expect(status).toBe(5);
    expect(stdout).toContain('Name its authority with --ca.');
  });

  it('judge it, with the authority of the folder that is named', async () => {
    const { ready } = await serve(['--state-dir', join(folder, 'named')], {});
    const [first] = ready.users;
    const args = ['doctor', ready.api_root, '--user', `${first?.user_id}:${first?.api_key}`];
    expect((await run([...args, '--state-dir', join(folder, 'named')], { env })).stdout).toContain('✓ first user');
    const stranger = await run(['conform', ...args.slice(1)], { env: { PBXSIM_STATE_DIR: folder } });
    expect(stranger.status).toBe(5);
    expect(stranger.stdout).toContain('its authority is unknown. Name its authority with --ca.');
  });

  it('record what is done at it', async () => {
    const { ready } = await serve();
    const file = join(folder, 'recorded.yaml');
    const recorder = new CliProcess(['record', file, '--calls', '1', '--control', ready.control_root], { env });
    processes.push(recorder);
    await expect.poll(() => recorder.stderr + recorder.stdout, { timeout: 10_000 }).toMatch(/Recording|recording/);
    const missed = ['trigger', 'call.missed', '--ext', '102', '--after', '0s', '--control', ready.control_root];
    expect(await run(missed, { env })).toMatchObject({ status: 0 });
    expect(await recorder.ended()).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toContain('phones:');
  });

  it('listen for webhooks by HTTPS, as specified, without any switch for HTTP', async () => {
    const { ready } = await serve();
    const listener = new CliProcess(['listen', '--https', '--json', '--count', '1', '--control', ready.control_root], {
      env,
    });
    processes.push(listener);
    expect(await listener.ready()).toMatchObject({ url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/hook$/) });
    expect(await trigger(['--control', ready.control_root], env)).toMatchObject({ status: 0 });
    const { status, stdout } = await listener.ended();
    expect(status).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n')[1] ?? '')).toMatchObject({ event: 'sms.received', violations: [] });
  });
});

describe('createSimulator({ https: true })', () => {
  it('has an authority of its own, in memory', async () => {
    await using simulator = await createSimulator({ https: true });
    expect(simulator.url).toMatch(/^https:/);
    const agent = new Agent({ connect: { ca: simulator.ca ?? '' } });
    const answer = await fetch(`${simulator.apiRoot}/calls`, {
      dispatcher: agent,
      headers: { authorization: simulator.authorization() },
    });
    expect(await answer.json()).toEqual({ data: [], total: 0 });
    await expect(fetch(simulator.url)).rejects.toThrow();
    await agent.destroy();
  });

  it('has none without it', async () => {
    await using simulator = await createSimulator();
    expect(simulator.url).toMatch(/^http:/);
    expect(simulator.ca).toBeUndefined();
  });
});
