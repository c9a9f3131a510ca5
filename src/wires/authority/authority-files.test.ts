// The folder of the local authority: made once, for its owner alone, the same for all who come, and never a riddle when something is wrong with it.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAuthority, publishedAuthority, StateTrouble, stateDirOf } from './authority-files.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
let top: string;
let state: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'pbxsim-state-'));
  state = join(top, 'a', 'pbxsim');
});
afterEach(() => rmSync(top, { recursive: true }));

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The sentence of the refusal. */
function trouble(folder: string): string {
  try {
    localAuthority(folder, NOW);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(StateTrouble);
    return (error as Error).message.replaceAll(top, 'TOP');
  }
}

describe('the state directory', () => {
  it('is made for its owner alone, with the key in a file of its own', () => {
    const { authority, file } = localAuthority(state, NOW);
    expect(readdirSync(state)).toEqual(['authority-1.key', 'authority.pem']);
    expect([state, join(state, 'authority-1.key')].map(mode)).toEqual(['700', '600']);
    expect(file).toBe(join(state, 'authority.pem'));
    expect(readFileSync(file, 'utf8')).toBe(authority.pem);
    expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE KEY');
  });

  it('gives the same authority again, and its certificate to clients', () => {
    const first = localAuthority(state, NOW);
    expect(localAuthority(state, NOW + 600 * DAY).authority.pem).toBe(first.authority.pem);
    expect(publishedAuthority(state)).toBe(first.authority.pem);
    rmSync(first.file);
    expect(publishedAuthority(state)).toBeUndefined();
    localAuthority(state, NOW);
    expect(publishedAuthority(state)).toBe(first.authority.pem);
  });

  it.each([
    ['that would expire under a running server', NOW + 631 * DAY],
    ['that has expired', NOW + 731 * DAY],
    ['that is not valid yet, since the clock was wrong', NOW - DAY],
  ])('puts a new authority after one %s, and forgets the old key', (_, nowMs) => {
    const old = localAuthority(state, NOW).authority;
    const { authority, file } = localAuthority(state, nowMs);
    expect(authority.pem).not.toBe(old.pem);
    expect(authority.untilMs).toBe(nowMs + 730 * DAY);
    expect(readFileSync(file, 'utf8')).toBe(authority.pem);
    expect(readdirSync(state)).toEqual(['authority-2.key', 'authority.pem']);
  });

  it('gives one authority to processes that start at once', async () => {
    const home = new URL('./authority-files.ts', import.meta.url).href;
    const script = `import { localAuthority } from '${home}';
      while (Date.now() < Number(process.argv[1])) {}
      process.stdout.write(localAuthority(process.argv[2]).authority.pem);`;
    const at = String(Date.now() + 700);
    const args = ['--input-type=module', '-e', script, at, state];
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, args)));
    const pems = new Set(outcomes.map(({ stdout }) => stdout));
    expect([...pems]).toEqual([readFileSync(join(state, 'authority.pem'), 'utf8')]);
    expect(readdirSync(state)).toEqual(['authority-1.key', 'authority.pem']);
  });

  it('leaves a folder that is there, and the files of others in it, as they are', () => {
    mkdirSync(state, { recursive: true, mode: 0o755 });
    writeFileSync(join(state, 'mine.txt'), 'mine');
    localAuthority(state, NOW);
    expect(mode(state)).toBe('755');
    expect(readFileSync(join(state, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

describe('what is wrong with a state directory is said in words:', () => {
  it('a file', () => {
    writeFileSync(join(top, 'file'), '');
    const advice = 'Name another one with --state-dir.';
    expect(trouble(join(top, 'file'))).toBe(`The state directory TOP/file cannot be used: it is no folder. ${advice}`);
    expect(trouble(join(top, 'file', 'x'))).toBe(
      `The state directory TOP/file/x cannot be used: a part of the path is no folder. ${advice}`,
    );
  });

  it('a link that leads nowhere, also above it', () => {
    symlinkSync(join(top, 'gone'), join(top, 'link'));
    expect(trouble(join(top, 'link'))).toMatch(/TOP\/link cannot be used: it is a link that leads nowhere\./);
    expect(trouble(join(top, 'link', 'x'))).toMatch(
      /TOP\/link\/x cannot be used: no folder can be made in TOP\/link\./,
    );
  });

  it('a place where no folder can be', () => {
    expect(trouble('/proc/pbxsim/state')).toMatch(/^The state directory \/proc\/pbxsim\/state cannot be used: .*\./);
  });

  it('a folder in which others may put what they like', () => {
    mkdirSync(state, { recursive: true });
    chmodSync(state, 0o777);
    expect(trouble(state)).toBe(
      'The state directory TOP/a/pbxsim cannot be used: others may write to it. Name another one with --state-dir.',
    );
    expect(readdirSync(state)).toEqual([]);
  });

  it('a key that others may have read', () => {
    localAuthority(state, NOW);
    chmodSync(join(state, 'authority-1.key'), 0o640);
    expect(trouble(state)).toBe(
      "The authority's key TOP/a/pbxsim/authority-1.key cannot be used: others may read it. When nobody has, run: " +
        'chmod 600 TOP/a/pbxsim/authority-1.key. Else remove it: the next start makes a new authority, which clients then have to trust.',
    );
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, 300)],
    ['empty', () => ''],
    ['something else', () => 'remember the milk'],
    ['without its certificate', (text: string) => text.slice(0, text.indexOf('-----BEGIN CERT'))],
  ])('a key that is %s', (_, damage) => {
    localAuthority(state, NOW);
    const path = join(state, 'authority-1.key');
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    expect(trouble(state)).toBe(
      "The authority's key TOP/a/pbxsim/authority-1.key cannot be used: it is damaged, or no key of pbxsim. " +
        'Remove it: the next start makes a new authority, which clients then have to trust.',
    );
    rmSync(path);
    expect(trouble(state)).toBe('none');
  });

  it('a folder where the key should be', () => {
    mkdirSync(join(state, 'authority-1.key'), { recursive: true, mode: 0o700 });
    expect(trouble(state)).toMatch(/authority-1\.key cannot be used: it cannot be read \(it is no file\)\. Remove it:/);
  });

  it('a certificate of somebody else where ours should be', () => {
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'authority.pem'), 'the certificate of my project');
    expect(trouble(state)).toBe(
      'TOP/a/pbxsim/authority.pem is damaged, or no certificate of pbxsim: remove it, or name another folder with --state-dir.',
    );
    expect(readFileSync(join(state, 'authority.pem'), 'utf8')).toBe('the certificate of my project');
    expect(publishedAuthority(state)).toBeUndefined();
  });
});

describe('without a name the state directory', () => {
  it.each([
    ['is where XDG says', undefined, { XDG_STATE_HOME: '/var/xdg' }, /^\/var\/xdg\/pbxsim$/],
    ['is in the home directory', undefined, {}, /\/\.local\/state\/pbxsim$/],
    ['ignores an XDG path that is relative', '', { XDG_STATE_HOME: 'xdg' }, /^\/.*\/\.local\/state\/pbxsim$/],
    ['with one is that', './mine', { XDG_STATE_HOME: '/var/xdg' }, /^\.\/mine$/],
  ])('%s', (_, named, environment, expected) => {
    expect(stateDirOf(named, environment)).toMatch(expected);
  });
});
