// Files of scenarios: found in folders, watched for changes, loaded as modules. Knows nothing of what is in them.
import { constants, statSync, watch } from 'node:fs';
import { access, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileTrouble, fileTroubleOf, makeFolder } from './files.ts';
import { codeOf, plainWords } from './plain-words.ts';

/** Files of one run. */
export const MAX_FILES = 20_000;
/** Changes so close to each other are one. */
const SETTLE_MS = 150;

/** The files that the paths name, those in folders sorted by name. Rejects with `FileTrouble`. */
export async function filesIn(paths: readonly string[], endings: readonly string[], flag: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const what = await stat(path).catch((error: unknown) => {
      const missing = codeOf(error) === 'ENOENT' ? 'there is no such file or folder' : plainWords(error);
      throw new FileTrouble(flag, path, `cannot be read: ${missing}`);
    });
    if (!what.isDirectory()) found.push(path);
    else
      for (const file of await filesBelow(path)) if (endings.some((ending) => file.endsWith(ending))) found.push(file);
    if (found.length > MAX_FILES) throw new FileTrouble(flag, path, `has more than ${MAX_FILES} files`);
  }
  return [...new Set(found)];
}

/** Whether something is at the path already. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT',
  );
}

/** What a TypeScript or JavaScript file exports. */
export async function exportsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  return (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>;
}

/**
 * Whether `writeReport` could write there, as far as can be seen without writing a file: before work whose fruit would be lost. Rejects
 * with `FileTrouble`.
 */
export async function checkWritable(path: string, flag: string): Promise<void> {
  try {
    const there = await nearestOf(resolve(path));
    const isFolder = (await stat(there)).isDirectory();
    if (there === resolve(path) && isFolder) throw new FileTrouble(flag, path, 'cannot be written: it is a folder');
    if (there !== resolve(path) && !isFolder)
      throw new FileTrouble(flag, path, `cannot be written: ${there} is no folder`);
    await access(there, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
    if (isFolder && there !== dirname(resolve(path))) await tryFolder(there, resolve(path));
  } catch (error) {
    throw error instanceof FileTrouble
      ? error
      : new FileTrouble(flag, path, `cannot be written: ${fileTroubleOf(error)}`);
  }
}

/** Makes the first of the folders that are missing, and takes it away again: /proc and its like look writable and are not. */
async function tryFolder(there: string, path: string): Promise<void> {
  const [first = ''] = relative(there, path).split(sep);
  makeFolder(join(there, first));
  // Not empty, or gone: somebody else makes use of it meanwhile.
  await rmdir(join(there, first)).catch(() => {});
}

/** The path itself if there is something, else the nearest folder above where there is. */
async function nearestOf(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const isOpen = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    if (!isOpen || dirname(path) === path) throw error;
    return nearestOf(dirname(path));
  }
}

/** Writes a report, its folder made when there is none. Rejects with `FileTrouble`. */
export async function writeReport(path: string, text: string, flag: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await writeFile(path, text);
  } catch (error) {
    throw new FileTrouble(flag, path, `cannot be written: ${fileTroubleOf(error)}`);
  }
}

/** Calls back after something in the files or folders has changed; the result ends it. */
export function watchPaths(paths: readonly string[], onChange: () => void): () => void {
  let later: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(later);
    later = setTimeout(onChange, SETTLE_MS);
  };
  const watchers = paths.map((path) => {
    const whole = resolve(path);
    if (statSync(whole).isDirectory()) return watch(whole, { recursive: true }, changed);
    // Editors put another file in the place of the old one: its folder knows.
    return watch(dirname(whole), (_event, name) => (name === basename(whole) ? changed() : undefined));
  });
  return () => {
    clearTimeout(later);
    for (const watcher of watchers) watcher.close();
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
