// What is done with runs of conform, by the real command: a known deviation is proposed, accepted, and stale once it is mended; two runs differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CliProcess, type Ending, type ReadyLine } from './cli-process.ts';

const FAULT = JSON.stringify({
  match: { at: 'api', operation: 'listAclRoles' },
  action: { do: 'field', pointer: '/total' },
});
const folder = mkdtempSync(join(tmpdir(), 'pbxsim-runs-'));
const file = (name: string): string => join(folder, name);

async function pbxsim(...args: readonly string[]): Promise<Ending> {
  return new CliProcess(args).ended();
}

/** Judges a fresh simulator with those flags; the lines of the run go to a file. */
async function judged(run: string, serve: readonly string[], ...flags: readonly string[]): Promise<Ending> {
  const server = new CliProcess(['serve', '--json', '--clock', 'manual', '--port', '0', '--sip-port', '0', ...serve]);
  try {
    const ready: ReadyLine = await server.ready();
    const [user] = ready.users;
    const given = [
      '--user',
      `${user?.user_id}:${user?.api_key}`,
      '--only',
      'GET /aclroles body',
      '--state-dir',
      folder,
    ];
    return await pbxsim('conform', ready.api_root, ...given, '--report', `ndjson:${file(run)}`, ...flags);
  } finally {
    await server.endBy('SIGTERM');
  }
}

describe('runs of conform', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('that fail can be known: proposed, accepted, stale when mended; and they differ from those that pass', async () => {
    const failing = await judged('bad.ndjson', ['--fault', FAULT]);
    expect(failing.status, failing.stdout).toBe(1);
    const update = ['deviations', 'update', file('known.yaml'), '--run', file('bad.ndjson')];
    const proposed = await pbxsim(...update, '--write');
    expect(proposed.stdout).toContain('+ GET /aclroles body');
    expect(readFileSync(file('known.yaml'), 'utf8')).toContain('- check: GET /aclroles body');

    expect(proposed.stderr).toMatch(/known\.yaml:5:13: deviations\/0\/reason: expected a reason of your own/);
    const unsaid = await judged('unsaid.ndjson', ['--fault', FAULT], '--deviations', file('known.yaml'));
    expect([unsaid.status, unsaid.stdout]).toEqual([
      2,
      expect.stringMatching(
        /known\.yaml:5:13: deviations\/0\/reason: expected a reason of your own for taking the deviation of GET \/aclroles body, found "say why this is accepted"\ninvalid /,
      ),
    ]);
    const said = readFileSync(file('known.yaml'), 'utf8').replace('say why this is accepted', 'mended in May');
    writeFileSync(file('known.yaml'), said);

    const accepted = await judged('known.ndjson', ['--fault', FAULT], '--deviations', file('known.yaml'));
    expect([accepted.status, accepted.stdout]).toEqual([0, expect.stringContaining('conformant with deviations')]);

    const mended = await judged('good.ndjson', [], '--deviations', file('known.yaml'));
    expect(mended.status, mended.stdout).toBe(4);
    expect(mended.stdout).toContain('stale deviation: GET /aclroles body: it passes now; take the entry out');

    const better = await pbxsim('diff', file('bad.ndjson'), file('good.ndjson'));
    expect([better.status, better.stdout]).toEqual([
      0,
      expect.stringContaining('GET /aclroles body [ACLROLES-GET-BODY]: fail → pass'),
    ]);
    expect((await pbxsim('diff', file('good.ndjson'), file('bad.ndjson'))).status).toBe(1);
  });

  it('are refused in words when they are none', async () => {
    const none = await pbxsim('merge', file('known.yaml'));
    expect([none.status, none.stderr]).toEqual([
      2,
      `pbxsim: ${file('known.yaml')}: line 1: expected an event of a conformance run, as JSON. Runs are written by --report ndjson:FILE.\n`,
    ]);
    const absent = await pbxsim('diff', file('known.ndjson'), file('absent.ndjson'));
    expect([absent.status, absent.stderr]).toEqual([
      2,
      `pbxsim: run: ${file('absent.ndjson')} cannot be read: there is no such file or folder.\n`,
    ]);
    const merged = await pbxsim('merge', file('known.ndjson'), '--report', `summary:${file('summary.md')}`);
    expect(merged.status, merged.stderr).toBe(0);
    expect(readFileSync(file('summary.md'), 'utf8')).toContain('## ✅ conformant with deviations');
  });
});
