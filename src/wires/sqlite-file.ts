// A file of rows in SQLite, held by one process: opened, refused with a sentence, written in transactions. Knows nothing of what the rows say.
import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fileTroubleOf } from './files.ts';

/** "pbxs": how our files are told from those of other programs. */
const APPLICATION_ID = 0x70627873;
/** One step for each version of the tables: a file of version n has gone through the first n. Steps are never changed. */
export const STEPS: readonly string[] = [
  `CREATE TABLE kept (
     place INTEGER NOT NULL,
     section TEXT NOT NULL,
     owner INTEGER NOT NULL,
     key NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (place, section, owner, key)
   ) WITHOUT ROWID`,
  // Bytes that rows stand for, each row for one lot, and several rows (of snapshots) for the same: they go with the last of them.
  `CREATE TABLE bulk (
     id INTEGER NOT NULL,
     part INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (id, part)
   );
   ALTER TABLE kept ADD COLUMN bulk INTEGER;
   CREATE INDEX kept_bulk ON kept (bulk) WHERE bulk IS NOT NULL;
   CREATE TRIGGER bulk_left AFTER DELETE ON kept
     WHEN OLD.bulk IS NOT NULL AND NOT EXISTS (SELECT 1 FROM kept WHERE bulk = OLD.bulk)
     BEGIN DELETE FROM bulk WHERE id = OLD.bulk; END;
   CREATE TRIGGER bulk_replaced AFTER UPDATE OF bulk ON kept
     WHEN OLD.bulk IS NOT NEW.bulk AND NOT EXISTS (SELECT 1 FROM kept WHERE bulk = OLD.bulk)
     BEGIN DELETE FROM bulk WHERE id = OLD.bulk; END`,
];
/** Where rows wait that keep their bytes while the present state is another. */
const BESIDE = -1;
/** Pages in the log of changes until they are put in their places; the fewer, the more often everybody waits for the disk. */
const CHECKPOINT_PAGES = 8000;
/** What one huge change leaves of the log on the disk, bytes. */
const LOG_LIMIT_BYTES = 64 * 1024 * 1024;
const PAGE_CACHE_KIB = 16 * 1024;

// https://www.sqlite.org/rescode.html: the primary result codes.
const [PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [3, 5, 6, 8, 10, 11, 13, 14, 26];

type Key = number | string;

export interface SqliteRow {
  readonly section: string;
  readonly owner: number;
  readonly key: Key;
  readonly value: string;
  /** The number of the bytes that it stands for, if any. */
  readonly bulk?: number;
}

/** A part of some bytes. */
export interface SqlitePart {
  readonly bulk: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The file could not be used. The message is one sentence that names the flag and the file, and says what to do. */
export class DataTrouble extends Error {
  /** The same without the flag. */
  readonly sentence: string;

  constructor(path: string, why: string, whatToDo: string) {
    const sentence = `${path} ${why}; ${whatToDo}.`;
    super(`--data: ${sentence}`);
    this.name = 'DataTrouble';
    this.sentence = sentence;
  }
}

export class SqliteFile {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteOwner: StatementSync;
  readonly #list: StatementSync;
  readonly #count: StatementSync;
  readonly #putPart: StatementSync;
  readonly #part: StatementSync;
  #lastBulk: number;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.#db = db;
    this.#put = db.prepare(
      'INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, bulk = excluded.bulk',
    );
    this.#delete = db.prepare('DELETE FROM kept WHERE place = ? AND section = ? AND owner = ? AND key = ?');
    this.#deleteOwner = db.prepare('DELETE FROM kept WHERE place = ? AND section = ? AND owner = ?');
    this.#list = db.prepare(
      'SELECT owner, key, value, bulk FROM kept WHERE place = ? AND section = ? ORDER BY owner, key',
    );
    this.#list.setReturnArrays(true);
    this.#count = db.prepare('SELECT count(*) AS count FROM kept WHERE place = ? AND section = ?');
    this.#putPart = db.prepare('INSERT INTO bulk VALUES (?, ?, ?)');
    this.#part = db.prepare('SELECT bytes FROM bulk WHERE id = ? AND part = ?');
    db.exec('DELETE FROM bulk WHERE id NOT IN (SELECT bulk FROM kept WHERE bulk IS NOT NULL)');
    this.#lastBulk = Number(db.prepare('SELECT max(bulk) AS last FROM kept WHERE bulk IS NOT NULL').get()?.last ?? 0);
  }

  /**
   * Opens the file, or makes it, and keeps every other process out until `close` or the process's end, whatever ends it.
   * Throws `DataTrouble` and leaves a file that is not ours as it is.
   */
  static open(givenPath: string, steps = STEPS): SqliteFile {
    const path = resolve(givenPath);
    const unusable = whyUnusable(path);
    if (unusable !== undefined) throw unusable;
    let db: DatabaseSync | undefined;
    try {
      db = new (sqlite().DatabaseSync)(path);
      prepare(path, db, steps);
      return new SqliteFile(path, db);
    } catch (error) {
      closeQuietly(db);
      throw error instanceof DataTrouble ? error : troubleOf(path, error);
    }
  }

  /** True until something was written to a file that was made anew. */
  get isNew(): boolean {
    const [first] = this.#db.prepare('SELECT 1 FROM kept LIMIT 1').all();
    return first === undefined;
  }

  /** By owner and key. */
  *rows(place: number, section: string): IterableIterator<SqliteRow> {
    try {
      for (const row of this.#list.iterate(place, section)) {
        const [owner, key, value, bulk] = row as unknown as [number, Key, string, number | null];
        yield bulk === null ? { section, owner, key, value } : { section, owner, key, value, bulk };
      }
    } catch (error) {
      throw isSqliteError(error) ? troubleOf(this.path, error) : error;
    }
  }

  count(place: number, section: string): number {
    return Number(this.#count.get(place, section)?.count ?? 0);
  }

  /** In one transaction; the first to go are the owners. */
  write(
    changes: ReadonlyArray<Omit<SqliteRow, 'value'> & { readonly value: string | null }>,
    gone: ReadonlyArray<Pick<SqliteRow, 'section' | 'owner'>>,
    parts: readonly SqlitePart[] = [],
  ): void {
    this.#inOne(() => {
      for (const { bulk, at, bytes } of parts) this.#putPart.run(bulk, at, bytes);
      for (const { section, owner } of gone) this.#deleteOwner.run(0, section, owner);
      for (const { section, owner, key, value, bulk } of changes)
        if (value === null) this.#delete.run(0, section, owner, key);
        else this.#put.run(0, section, owner, key, value, bulk ?? null);
    });
  }

  /** In one transaction, the rows of place 0 alone. */
  replace(rows: Iterable<SqliteRow>): void {
    this.#inOne(() => {
      // What goes may come back in `rows`: its bytes have to stay for that long.
      this.#db.exec(`UPDATE kept SET place = ${BESIDE} WHERE place = 0 AND bulk IS NOT NULL`);
      this.#db.exec('DELETE FROM kept WHERE place = 0');
      for (const { section, owner, key, value, bulk } of rows)
        this.#put.run(0, section, owner, key, value, bulk ?? null);
      this.#db.exec(`DELETE FROM kept WHERE place = ${BESIDE}`);
    });
  }

  /** A number that no bytes have had since the file was opened. */
  nextBulk(): number {
    this.#lastBulk += 1;
    return this.#lastBulk;
  }

  part(bulk: number, at: number): Uint8Array | undefined {
    const bytes = this.#read(() => this.#part.get(bulk, at))?.bytes;
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  /** Bytes for which no row stands go. */
  discard(bulk: number): void {
    this.#inOne(() => this.#db.prepare('DELETE FROM bulk WHERE id = ?').run(bulk));
  }

  copyTo(place: number): void {
    this.#inOne(() => {
      this.#db.prepare('DELETE FROM kept WHERE place = ?').run(place);
      this.#db
        .prepare('INSERT INTO kept SELECT ?, section, owner, key, value, bulk FROM kept WHERE place = 0')
        .run(place);
    });
  }

  /** The places above 0 that have rows. */
  places(): number[] {
    const next = this.#db.prepare('SELECT min(place) AS place FROM kept WHERE place > ?');
    const found: number[] = [];
    for (let place = next.get(0)?.place; typeof place === 'number'; place = next.get(place)?.place) found.push(place);
    return found;
  }

  drop(place: number): void {
    this.#inOne(() => this.#db.prepare('DELETE FROM kept WHERE place = ?').run(place));
  }

  damaged(why: string): DataTrouble {
    return damagedFile(this.path, why);
  }

  /** Puts what the log holds into the file itself, so that one file is all there is. */
  close(): void {
    closeQuietly(this.#db);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw isSqliteError(error) ? troubleOf(this.path, error) : error;
    }
  }

  #inOne(change: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      change();
      this.#db.exec('COMMIT');
    } catch (error) {
      try {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      } catch {
        // What SQLite could not undo now, it undoes when the file is opened next.
      }
      throw isSqliteError(error) ? troubleOf(this.path, error) : error;
    }
  }
}

/** Loaded when there is a file: it says of itself that it is experimental, which is nothing for our users. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** What the file system says before anything is opened: SQLite itself only says that it cannot. */
function whyUnusable(path: string): DataTrouble | undefined {
  const other = 'name a file that can be read and written';
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return new DataTrouble(path, 'is a folder', 'name a file in it');
    if (found !== undefined && !found.isFile()) return new DataTrouble(path, 'is no ordinary file', other);
    if (found === undefined) accessSync(dirname(path), constants.W_OK);
    else accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return new DataTrouble(path, `cannot be used: ${fileTroubleOf(error)}`, other);
  }
}

/** Whose file it is comes first, and only then is anything changed. */
function prepare(path: string, db: DatabaseSync, steps: readonly string[]): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE');
  const isEmpty = numberOf(db, 'page_count') === 0;
  if (!isEmpty && numberOf(db, 'application_id') !== APPLICATION_ID)
    throw new DataTrouble(path, 'is the database of another program', 'name another file');
  const version = numberOf(db, 'user_version');
  if (version > steps.length)
    throw new DataTrouble(
      path,
      `was written by a newer pbxsim (its tables have version ${version}, this release knows ${steps.length})`,
      'use that release, or name another file',
    );
  db.exec(`PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cell_size_check = ON;
    PRAGMA cache_size = -${PAGE_CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  // It holds passwords and tokens.
  if (isEmpty) chmodSync(path, 0o600);
  db.exec('BEGIN EXCLUSIVE');
  for (const step of steps.slice(version)) db.exec(step);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}; COMMIT`);
}

function numberOf(db: DatabaseSync, pragma: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);
}

function closeQuietly(db: DatabaseSync | undefined): void {
  try {
    if (db?.isOpen === true) db.close();
  } catch {
    // The process's end lets go of what could not be closed.
  }
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && typeof (error as { errcode?: unknown }).errcode === 'number';
}

function troubleOf(path: string, error: unknown): DataTrouble {
  const free = 'make room and start again, what was answered is in the file';
  if (!isSqliteError(error)) return new DataTrouble(path, `cannot be used: ${String(error)}`, 'name another file');
  switch (error.errcode & 0xff) {
    case NOTADB:
      return new DataTrouble(path, 'is no file of pbxsim', 'name another file');
    case BUSY:
    case LOCKED:
      return new DataTrouble(path, 'is in use by another simulator or program', 'end that one, or name another file');
    case CORRUPT:
      return damagedFile(path, error.message);
    case PERM:
    case READONLY:
    case CANTOPEN:
      return new DataTrouble(path, 'cannot be used: that is not permitted', 'name a file that can be read and written');
    case FULL:
      return new DataTrouble(path, 'cannot be written: the disk is full', free);
    case IOERR:
      return new DataTrouble(path, `cannot be read or written: ${error.message}`, free);
    default:
      return new DataTrouble(path, `cannot be used: ${error.message}`, 'name another file');
  }
}

function damagedFile(path: string, why: string): DataTrouble {
  return new DataTrouble(path, `is damaged (${why})`, 'put a copy in its place, or name another file');
}
