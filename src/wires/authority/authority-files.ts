// The local authority as a folder keeps it: made once, found again by every process that starts there. Knows nothing of sockets.
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileTroubleOf, makeFolder } from '../files.ts';
import { codeOf } from '../plain-words.ts';
import { LocalAuthority, SERVER_DAYS } from './local-authority.ts';

/** An authority is followed by another one when it could not outlive a server that starts now. */
const SUCCESSION_MS = (SERVER_DAYS + 10) * 86_400_000;
/** What others may not have of a key, and of the folder. */
const READABLE_BY_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** No file of ours comes near. */
const MAX_FILE_BYTES = 64 * 1024;
/** Each try that fails saw another process succeed. */
const TRIES = 8;
/** For clients: the certificate alone. */
const PUBLISHED = 'authority.pem';
const SECRET = /^authority-([1-9]\d{0,8})\.key$/;

export interface KeptAuthority {
  readonly authority: LocalAuthority;
  /** Path of its certificate, for `curl --cacert` and `NODE_EXTRA_CA_CERTS`. */
  readonly file: string;
}

/** The folder or a file in it cannot be used. The message says why, and what to do. */
export class StateTrouble extends Error {
  override readonly name = 'StateTrouble';
}

/** The folder that was named, else the user's own: `$XDG_STATE_HOME/pbxsim`, or `~/.local/state/pbxsim`. Throws `StateTrouble`. */
export function stateDirOf(
  named: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (named !== undefined && named !== '') return named;
  const base = environment.XDG_STATE_HOME;
  // The XDG rule: a relative path there counts as none.
  return join(base !== undefined && isAbsolute(base) ? base : join(home(), '.local', 'state'), 'pbxsim');
}

function home(): string {
  try {
    return homedir();
  } catch {
    throw new StateTrouble('This user has no home directory to keep state in: name a folder with --state-dir.');
  }
}

/**
 * The authority of that folder; made when there is none, and succeeded by a new one when it is about to expire. Processes
 * that start at once get the same one. Throws `StateTrouble`.
 */
export function localAuthority(stateDir: string, nowMs = Date.now()): KeptAuthority {
  const folder = resolve(stateDir);
  openFolder(folder);
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const generation = newest(folder);
      const authority = generation === 0 ? undefined : read(join(folder, secretName(generation)));
      if (authority !== undefined && isGoodFor(authority, nowMs)) {
        const file = publish(folder, authority);
        forgetBefore(folder, generation);
        return { authority, file };
      }
      add(folder, secretName(generation + 1), LocalAuthority.make(nowMs).secret);
    }
  } catch (error) {
    if (error instanceof StateTrouble) throw error;
    throw folderTrouble(folder, fileTroubleOf(error));
  }
  throw folderTrouble(folder, 'the authority in it keeps changing');
}

/** The certificate that clients on this machine can trust by default; undefined when there is none that can be read. */
export function publishedAuthority(stateDir: string): string | undefined {
  try {
    const pem = readSmall(join(stateDir, PUBLISHED));
    return LocalAuthority.isCertificate(pem) ? pem : undefined;
  } catch {
    return undefined;
  }
}

const secretName = (generation: number): string => `authority-${generation}.key`;

function isGoodFor({ fromMs, untilMs }: LocalAuthority, nowMs: number): boolean {
  return fromMs <= nowMs && untilMs - nowMs >= SUCCESSION_MS;
}

/** Makes it for its owner alone. One that is there is left as it is: it may have other purposes. */
function openFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw folderTrouble(folder, fileTroubleOf(error));
  }
  const facts = statSync(folder, { throwIfNoEntry: false });
  if (facts === undefined) throw folderTrouble(folder, 'it is a link that leads nowhere');
  if (!facts.isDirectory()) throw folderTrouble(folder, 'it is no folder');
  const { uid, mode } = facts;
  if (belongsToOthers(uid)) throw folderTrouble(folder, 'it belongs to somebody else');
  if (isOpenTo(mode, WRITABLE_BY_OTHERS)) throw folderTrouble(folder, 'others may write to it');
}

/** 0 when there is none. */
function newest(folder: string): number {
  return Math.max(0, ...readdirSync(folder).map((name) => Number(SECRET.exec(name)?.[1] ?? 0)));
}

/** Undefined when another process has just removed it. Throws `StateTrouble`. */
function read(path: string): LocalAuthority | undefined {
  try {
    const { uid, mode } = lstatSync(path);
    if (belongsToOthers(uid)) throw keyTrouble(path, 'it belongs to somebody else', REMOVE);
    if (isOpenTo(mode, READABLE_BY_OTHERS))
      throw keyTrouble(path, 'others may read it', `When nobody has, run: chmod 600 ${path}. Else remove it: ${AGAIN}`);
    const authority = LocalAuthority.from(readSmall(path));
    if (authority === undefined) throw keyTrouble(path, 'it is damaged, or no key of pbxsim', REMOVE);
    return authority;
  } catch (error) {
    if (error instanceof StateTrouble) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw keyTrouble(path, `it cannot be read (${fileTroubleOf(error)})`, REMOVE);
  }
}

/** A new file, whole from its first moment; when somebody else was first, theirs stays. */
function add(folder: string, name: string, text: string): void {
  const draft = draftIn(folder, text, 0o600);
  try {
    linkSync(draft, join(folder, name));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Puts the certificate where clients find it. A file there that is not ours stays, and is complained of. */
function publish(folder: string, { pem }: LocalAuthority): string {
  const path = join(folder, PUBLISHED);
  const there = readIfAny(path);
  if (there === pem) return path;
  if (there !== undefined && there !== '' && !LocalAuthority.isCertificate(there))
    throw new StateTrouble(
      `${path} is damaged, or no certificate of pbxsim: remove it, or name another folder with --state-dir.`,
    );
  const draft = draftIn(folder, pem, 0o644);
  try {
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

/** Keys that sign nothing any more. What cannot be removed does no harm. */
function forgetBefore(folder: string, generation: number): void {
  for (const name of readdirSync(folder)) {
    const number = Number(SECRET.exec(name)?.[1] ?? generation);
    if (number >= generation) continue;
    try {
      rmSync(join(folder, name), { force: true });
    } catch {
      // It stays.
    }
  }
}

function draftIn(folder: string, text: string, mode: number): string {
  const path = join(folder, `.${randomBytes(8).toString('hex')}.draft`);
  writeFileSync(path, text, { flag: 'wx', mode, flush: true });
  return path;
}

function readIfAny(path: string): string | undefined {
  try {
    return readSmall(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new StateTrouble(`${path} cannot be read: ${fileTroubleOf(error)}.`);
  }
}

/** Regular files only: a pipe would be waited for. */
function readSmall(path: string): string {
  const facts = lstatSync(path);
  if (!facts.isFile()) throw new Error('it is no file');
  if (facts.size > MAX_FILE_BYTES) throw new Error(`it is longer than ${MAX_FILE_BYTES} bytes`);
  return readFileSync(path, 'utf8');
}

// Windows has neither such modes nor such owners.
function isOpenTo(mode: number, bits: number): boolean {
  return process.platform !== 'win32' && (mode & bits) !== 0;
}

/** The administrator may use everybody's. */
function belongsToOthers(uid: number): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && own !== uid;
}

const AGAIN = 'the next start makes a new authority, which clients then have to trust.';
const REMOVE = `Remove it: ${AGAIN}`;

function keyTrouble(path: string, why: string, advice: string): StateTrouble {
  return new StateTrouble(`The authority's key ${path} cannot be used: ${why}. ${advice}`);
}

function folderTrouble(folder: string, why: string): StateTrouble {
  return new StateTrouble(`The state directory ${folder} cannot be used: ${why}. Name another one with --state-dir.`);
}
