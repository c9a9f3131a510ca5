// A file of lines that survives a crash: each line is in it before the call returns. Knows nothing of what is in them.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileTrouble, fileTroubleOf, makeFolder } from './files.ts';

export class LedgerFile {
  readonly path: string;

  /** The file is made with the first line, its folder too. */
  constructor(path: string) {
    this.path = path;
  }

  /** Throws `FileTrouble`: what cannot be noted must not be done. */
  append(line: string): void {
    try {
      makeFolder(dirname(this.path), 0o700);
      appendFileSync(this.path, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      throw new FileTrouble('ledger', this.path, `cannot be written: ${fileTroubleOf(error)}`);
    }
  }

  /** The lines in it; none when there is no file. */
  lines(): string[] {
    try {
      return existsSync(this.path)
        ? readFileSync(this.path, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [];
    } catch (error) {
      throw new FileTrouble('ledger', this.path, `cannot be read: ${fileTroubleOf(error)}`);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
