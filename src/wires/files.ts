// Files named on the command line: read whole, or written line by line. Knows nothing of what is in them.
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, plainWords } from './plain-words.ts';

/** Longer files are refused: none that a flag asks for comes near. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
/** Lines wait for company: until there is so much of them, or for so long. */
const BUFFERED_CHARACTERS = 64 * 1024;
const BUFFERED_MS = 100;

/** A file could not be used. The message is one sentence that names the flag and the file. */
export class FileTrouble extends Error {
  constructor(flag: string, path: string, why: string) {
    super(`${flag}: ${path} ${why}.`);
    this.name = 'FileTrouble';
  }
}

/**
 * Makes a folder where there is none, and those above it. Throws the file system's error. Node's own way to make them all does not end in
 * places such as /proc: told "no such file", it makes the folder above, finds that one there, and begins again.
 */
export function makeFolder(path: string, mode?: number): void {
  const whole = resolve(path);
  const above = dirname(whole);
  if (above !== whole && !existsSync(above)) makeFolder(above, mode);
  try {
    mkdirSync(whole, { ...(mode === undefined ? {} : { mode }) });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Error(`no folder can be made in ${above}`, { cause: error });
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The text of a file in UTF-8. Rejects with `FileTrouble`; `flag` is what named the file, `--webhook-ca` for one. */
export async function readTextFile(path: string, flag: string): Promise<string> {
  const bytes = await readUpTo(path, MAX_TEXT_BYTES + 1).catch((error: unknown) => {
    throw new FileTrouble(flag, path, `cannot be read: ${fileTroubleOf(error)}`);
  });
  if (bytes.length > MAX_TEXT_BYTES) throw new FileTrouble(flag, path, `is longer than ${MAX_TEXT_BYTES} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileTrouble(flag, path, 'is no text in UTF-8');
  }
}

/** A file to whose end lines are added. Every line written is in the file when `close` resolves. */
export class LineFile {
  readonly #file: number;
  readonly #path: string;
  readonly #flag: string;
  #lines: string[] = [];
  #characters = 0;
  #later: NodeJS.Timeout | undefined;
  #trouble: FileTrouble | undefined;
  #open = true;

  private constructor(file: number, path: string, flag: string) {
    this.#file = file;
    this.#path = path;
    this.#flag = flag;
  }

  /** Makes the file when there is none. Rejects with `FileTrouble`. */
  static async open(path: string, flag: string): Promise<LineFile> {
    try {
      return new LineFile(openSync(path, 'a'), path, flag);
    } catch (error) {
      throw new FileTrouble(flag, path, `cannot be written: ${fileTroubleOf(error)}`);
    }
  }

  /** Why lines were lost (no space left, say); nothing is written after the first such trouble. */
  get trouble(): FileTrouble | undefined {
    return this.#trouble;
  }

  /** Adds the line and an end of line. Never throws. */
  write(line: string): void {
    if (!this.#open || this.#trouble !== undefined) return;
    this.#lines.push(line);
    this.#characters += line.length + 1;
    if (this.#characters >= BUFFERED_CHARACTERS) this.#flush();
    else this.#later ??= setTimeout(() => this.#flush(), BUFFERED_MS);
  }

  /** Writes what waits. Harmless when closed already. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#flush();
    this.#open = false;
    closeSync(this.#file);
  }

  // Written at once, not in the background: lines keep their order and none waits in memory while the disk is slow.
  #flush(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#lines.length === 0) return;
    const bytes = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#characters = 0;
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.#trouble = new FileTrouble(this.#flag, this.#path, `cannot be written: ${fileTroubleOf(error)}`);
    }
  }
}

async function readUpTo(path: string, limit: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const parts: Buffer[] = [];
    for (let length = 0; length < limit; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES);
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(parts);
  } finally {
    await file.close();
  }
}

/** What a file system's error means, in plain words. */
export function fileTroubleOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'EACCES':
    case 'EPERM':
      return 'that is not permitted';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'a part of the path is no folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'EROFS':
      return 'the disk is read-only';
    default:
      return plainWords(error);
  }
}
