// What the command line says: help that needs no README, documents, and one clear sentence for everything that goes wrong.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binPath, type Ending, run } from './cli-process.ts';

const ANY_PORTS = ['--port', '0', '--sip-port', '0'];
const folder = mkdtempSync(join(tmpdir(), 'pbxsim-words-'));
const notPem = join(folder, 'not.pem');
writeFileSync(notPem, 'not a certificate\n');

afterAll(() => rmSync(folder, { recursive: true }));

/** Nothing on stdout; on stderr one sentence, perhaps with a hint to --help; never a stack trace. */
function expectSentence({ status, stdout, stderr }: Ending, wanted: number, sentence: RegExp): void {
  expect(stdout).toBe('');
  const [first, ...more] = stderr.trimEnd().split('\n');
  expect(first).toMatch(sentence);
  expect(more.filter((line) => !line.startsWith('(add --help'))).toEqual([]);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(status).toBe(wanted);
}

describe('pbxsim says in one sentence', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ['an unknown flag', ['serve', '--bogus'], 2, /unknown option '--bogus'/],
    ['an unknown command', ['dance'], 2, /unknown command 'dance'/],
    ['words too many', ['serve', 'now'], 2, /too many arguments/],
    ['a flag without its value', ['serve', '--port'], 2, /'--port <number>' argument missing/],
    ['a port that is none', ['serve', '--port', '65536'], 2, /--port <number>.*a port from 0 to 65535/],
    ['a SIP port that is none', ['serve', '--sip-port', '5060x'], 2, /--sip-port <number>.*a port from 0 to 65535/],
    ['a clock that is none', ['serve', '--clock', 'slow'], 2, /--clock <mode>.*real, manual or fast/],
    ['a time that is none', ['serve', '--start', 'tomorrow'], 2, /--start <time>.*2026-01-01T00:00:00Z/],
    [
      'a session timer that is too short',
      ['serve', '--session-expires', '60'],
      2,
      /--session-expires <.*from 90 to 86400/,
    ],
    ['a digest that is none', ['serve', '--digest', 'sha1'], 2, /--digest <which>.*md5, sha-256, both/],
    ['traffic that is no rate', ['serve', '--traffic', '30'], 2, /--traffic 30: .*a rate such as 30\/min/],
    [
      'a start of a clock that follows the system',
      ['serve', ...ANY_PORTS, '--start', '2026-01-01T00:00:00Z'],
      2,
      /--start needs --clock manual or --clock fast/,
    ],
    ['a target file that is not there', ['doctor', 'nowhere.yaml'], 2, /target: nowhere\.yaml cannot be read/],
    [
      'a target that is no URL of HTTP',
      ['doctor', 'ftp://pbx.example'],
      2,
      /'ftp:\/\/pbx\.example' is no target: expected/,
    ],
    [
      'patterns that choose nothing',
      ['plan', 'http://x/', '--only', ','],
      2,
      /'--only <patterns>' argument ',' is invalid/,
    ],
    [
      'a part past the last',
      ['conform', 'http://x/', '--shard', '4/3'],
      2,
      /such as 1\/3; the first is 1, the last 3\/3/,
    ],
    ['a server that is no URL', ['openapi', '--server', 'here'], 2, /--server here is no URL: expected one such as/],
    ['traffic past bounds', ['serve', '--traffic', '99/s'], 2, /--traffic 99\/s: .*at most 50\/s/],
    ['traffic on a fast clock', ['serve', '--clock', 'fast', '--traffic', '1/s'], 2, /real or a manual clock/],
    ['an address that others reach', ['serve', ...ANY_PORTS, '--host', '0.0.0.0'], 2, /--host 0\.0\.0\.0 .*--seed/],
    [
      'a file of authorities that is not there',
      ['serve', ...ANY_PORTS, '--webhook-ca', join(folder, 'none')],
      1,
      /--webhook-ca.*no such file/,
    ],
    [
      'a file of authorities that is a folder',
      ['serve', ...ANY_PORTS, '--webhook-ca', folder],
      1,
      /--webhook-ca.*folder/,
    ],
    [
      'a file of authorities that holds none',
      ['serve', ...ANY_PORTS, '--webhook-ca', notPem],
      1,
      /no certificate in PEM/,
    ],
    [
      'a journal that cannot be written',
      ['serve', ...ANY_PORTS, '--journal', join(folder, 'none', 'j')],
      1,
      /--journal.*no such file or folder/,
    ],
    ['a journal that is a folder', ['serve', ...ANY_PORTS, '--journal', folder], 1, /--journal.*folder/],
    ['an address that is not ours', ['serve', ...ANY_PORTS, '--host', '192.0.2.1', '--seed', 'own'], 1, /192\.0\.2\.1/],
  ])('%s', async (_, args, status, sentence) => {
    expectSentence(await run(args), status, sentence);
  });

  it('that the HTTP port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ending = await run(['serve', '--json', '--port', String(port), '--sip-port', '0']);
    expectSentence(ending, 1, new RegExp(`HTTP.*127\\.0\\.0\\.1:${port}.*(in use|taken)`));
    await new Promise((resolve) => server.close(resolve));
  });

  it('that the SIP port is taken', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { port } = socket.address();
    const ending = await run(['serve', '--json', '--port', '0', '--sip-port', String(port)]);
    expectSentence(ending, 1, new RegExp(`SIP over UDP.*127\\.0\\.0\\.1:${port}.*(in use|taken)`));
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  });

  it('that a variable holds what the flag may not', async () => {
    const ending = await run(['serve'], { env: { PBXSIM_PORT: 'eighty' } });
    expectSentence(ending, 2, /PBXSIM_PORT.*a port from 0 to 65535/);
  });
});

describe('pbxsim before an address that is something else', () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/elsewhere' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
  });
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());

  it.each([
    ['record', ['record', join(folder, 'day.yaml')]],
    ['trigger', ['trigger', 'call.missed']],
    ['listen', ['listen']],
    ['ladder', ['ladder', '7']],
  ])('says so, and takes no page for a control API: %s', async (_, args) => {
    const ending = await run([...args, '--control', at('/_sim')]);
    expectSentence(ending, 1, /is its root right \(…\/_sim\)\?|answered text\/html: is that a control API\?/);
  });

  it('names where a redirect leads, and does not follow it', async () => {
    const ending = await run(['plan', at('/moved'), '--user', '7:key']);
    expectSentence(ending, 5, /GET \/ping with 302 instead of 200, a redirect to \/elsewhere: is that the API root/);
  });

  it('finds no user in a page', async () => {
    const { status, stdout } = await run(['doctor', at('/'), '--user', '7:key']);
    expect([status, stdout]).toEqual([
      5,
      expect.stringMatching(/✗ first user {6}GET \/ping answers text\/html, no JSON/),
    ]);
  });

  it('says what a folder has not, and what there is instead of what was asked for', async () => {
    const file = join(folder, 'try.yaml');
    const lines = ['id: ping', 'title: A try', 'requires: It is so', 'spec: [Somewhere]', 'tags: [quick]'];
    writeFileSync(file, [...lines, 'steps: [{rest: ping}]', ''].join('\n'));
    const told = async (...args: readonly string[]) => {
      const { status, stdout } = await run(['run', ...args]);
      return [status, stdout.split('\n')[0]];
    };
    expect(await told(file, '--only', 'pong')).toEqual([
      2,
      'pbxsim: --only pong: there is no such scenario; there are ping.',
    ]);
    expect(await told(file, '--tags', 'slow')).toEqual([
      2,
      'pbxsim: --tags slow: no scenario has one of them; there are quick.',
    ]);
    expect(await told(notPem)).toEqual([
      2,
      expect.stringContaining('expected a scenario file, its name ending in one of .yaml'),
    ]);
    writeFileSync(file, "api_root: 'http://[x/v1'\nusers: {first: {id: 1, key: k}}\n");
    const { status, stderr } = await run(['doctor', file]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(':1:11: api_root: expected an http: or https: URL, found "http://[x/v1"'),
    ]);
  });
});

describe('pbxsim --help', () => {
  it.each([[['--help']], [['serve', '--help']], [['openapi', '--help']], [['help', 'serve']]])(
    '%j is on stdout, with status 0',
    async (args) => {
      const { status, stdout, stderr } = await run(args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: pbxsim/);
    },
  );

  it('names for every flag of serve its variable', async () => {
    const { stdout } = await run(['serve', '--help']);
    const text = stdout.replace(/\s+/g, ' ');
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map((match) => match[1] ?? '');
    expect(flags).toEqual(expect.arrayContaining(['host', 'port', 'sip-port', 'seed', 'clock', 'start', 'json']));
    for (const flag of flags.filter((name) => name !== 'help'))
      expect(text).toContain(`env: PBXSIM_${flag.toUpperCase().replaceAll('-', '_')}`);
  });

  it('comes without a command too, as something that went wrong', async () => {
    const { status, stdout, stderr } = await run([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: pbxsim/);
  });

  it('--version is the package', async () => {
    expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '0.1.0\n', stderr: '' });
  });
});

describe('pbxsim openapi', () => {
  it('prints the document as JSON and nothing else', async () => {
    const { status, stdout, stderr } = await run(['openapi']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const document = JSON.parse(stdout) as { openapi: string; paths: object; webhooks: object };
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/calls', '/calls/{id}', '/cdrs']));
    expect(Object.keys(document.webhooks)).toEqual(expect.arrayContaining(['call.initial', 'call.hangup']));
  });

  it('names the server that it is told', async () => {
    const { stdout } = await run(['openapi', '--server', 'https://api.example.net']);
    const { servers } = JSON.parse(stdout) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([
      'https://api.example.net/v1.1/pbx',
      'https://api.example.net/v1.2/pbx',
    ]);
  });

  it('is not upset by a reader that has had enough', () => {
    const command = `"${process.execPath}" "${binPath}" openapi | head -c 10`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect({ characters: stdout.length, stderr }).toEqual({ characters: 10, stderr: '' });
  });
});
