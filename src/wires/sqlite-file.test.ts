// A file of rows: what is written is there when it is opened again, and what is no such file is refused in a sentence.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteFile, STEPS } from './sqlite-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-data-'));
  path = join(folder, 'world.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

const row = (section: string, owner: number, key: number | string, value: string) => ({ section, owner, key, value });

function refusal(steps?: readonly string[]): string {
  try {
    SqliteFile.open(path, steps).close();
    return 'opened';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

describe('a file of rows', () => {
  it('is new until something is written, and has it when it is opened again', () => {
    const file = SqliteFile.open(path);
    expect(file.isNew).toBe(true);
    file.write([row('b', 2, 7, 'seven'), row('b', 1, 'x', 'ex'), row('b', 1, 9, 'nine'), row('a', 0, 0, '€')], []);
    file.close();
    const again = SqliteFile.open(path);
    expect(again.isNew).toBe(false);
    expect([...again.rows(0, 'b')]).toEqual([row('b', 1, 9, 'nine'), row('b', 1, 'x', 'ex'), row('b', 2, 7, 'seven')]);
    expect([...again.rows(0, 'a')]).toEqual([row('a', 0, 0, '€')]);
    expect(again.count(0, 'b')).toBe(3);
    again.close();
  });

  it('changes and removes rows, all of an owner first', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one'), row('b', 1, 2, 'two'), row('b', 2, 1, 'other')], []);
    file.write([row('b', 1, 3, 'three'), { ...row('b', 2, 1, ''), value: null }], [{ section: 'b', owner: 1 }]);
    expect([...file.rows(0, 'b')]).toEqual([row('b', 1, 3, 'three')]);
    file.close();
  });

  it('changes nothing when a part of the change fails', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one')], []);
    const broken = { section: 'b', owner: 1, key: 1, value: undefined } as unknown as ReturnType<typeof row>;
    expect(() => file.write([row('b', 1, 2, 'two'), broken], [])).toThrow();
    function* half() {
      yield row('b', 1, 5, 'five');
      throw new Error('no more');
    }
    expect(() => file.replace(half())).toThrow('no more');
    expect([...file.rows(0, 'b')]).toEqual([row('b', 1, 1, 'one')]);
    file.close();
  });

  it('keeps copies at other places', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one')], []);
    file.copyTo(4);
    file.replace([row('b', 1, 1, 'changed')]);
    file.copyTo(2);
    expect(file.places()).toEqual([2, 4]);
    expect([...file.rows(4, 'b')]).toEqual([row('b', 1, 1, 'one')]);
    file.drop(2);
    expect(file.places()).toEqual([4]);
    expect([...file.rows(0, 'b')]).toEqual([row('b', 1, 1, 'changed')]);
    file.close();
  });

  it('is one file once it is closed, and nobody else may read it', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one')], []);
    file.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('goes through the steps that it has not gone through, in order', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one')], []);
    file.close();
    const steps = [...STEPS, "UPDATE kept SET value = value || '!'", "UPDATE kept SET value = value || '?'"];
    const newer = SqliteFile.open(path, steps);
    expect([...newer.rows(0, 'b')]).toEqual([row('b', 1, 1, 'one!?')]);
    newer.close();
    const again = SqliteFile.open(path, steps);
    expect([...again.rows(0, 'b')]).toEqual([row('b', 1, 1, 'one!?')]);
    again.close();
  });
});

describe('bytes of a file', () => {
  const bytes = (...numbers: number[]) => Uint8Array.from(numbers);

  it('come back in parts, when the file is opened again too', () => {
    const file = SqliteFile.open(path);
    const bulk = file.nextBulk();
    file.write(
      [{ ...row('b', 1, 'x', 'ex'), bulk }],
      [],
      [
        { bulk, at: 0, bytes: bytes(1, 2) },
        { bulk, at: 1, bytes: bytes(3) },
      ],
    );
    file.close();
    const again = SqliteFile.open(path);
    expect([...again.rows(0, 'b')]).toEqual([{ ...row('b', 1, 'x', 'ex'), bulk: 1 }]);
    expect([0, 1, 2].map((at) => again.part(1, at))).toEqual([bytes(1, 2), bytes(3), undefined]);
    expect(again.nextBulk()).toBe(2);
    again.close();
  });

  it('go with the last row that stands for them, in the present or in a snapshot', () => {
    const file = SqliteFile.open(path);
    const stands = { ...row('b', 1, 'x', 'ex'), bulk: file.nextBulk() };
    file.write([stands], [], [{ bulk: stands.bulk, at: 0, bytes: bytes(1) }]);
    file.copyTo(1);
    file.write([{ ...stands, value: null }], []);
    expect(file.part(stands.bulk, 0)).toEqual(bytes(1));
    // A return to the snapshot: the same bytes, for another row of the present.
    file.replace([stands]);
    file.drop(1);
    expect(file.part(stands.bulk, 0)).toEqual(bytes(1));
    file.replace([{ ...stands, key: 'y' }]);
    expect(file.part(stands.bulk, 0)).toEqual(bytes(1));
    file.write([{ ...row('b', 1, 'y', 'another'), bulk: file.nextBulk() }], []);
    expect(file.part(stands.bulk, 0)).toBeUndefined();
    file.close();
  });

  it('go with all rows of an owner, and with everything', () => {
    const file = SqliteFile.open(path);
    const [one, other] = [file.nextBulk(), file.nextBulk()];
    file.write(
      [
        { ...row('b', 1, 'x', ''), bulk: one },
        { ...row('b', 2, 'x', ''), bulk: other },
      ],
      [],
      [
        { bulk: one, at: 0, bytes: bytes(1) },
        { bulk: other, at: 0, bytes: bytes(2) },
      ],
    );
    file.write([], [{ section: 'b', owner: 1 }]);
    expect([one, other].map((bulk) => file.part(bulk, 0))).toEqual([undefined, bytes(2)]);
    file.replace([]);
    expect(file.part(other, 0)).toBeUndefined();
    file.close();
  });

  it('for which no row came, because the process ended before, go when the file is opened', () => {
    const file = SqliteFile.open(path);
    file.write([row('b', 1, 1, 'one')], [], [{ bulk: file.nextBulk(), at: 0, bytes: bytes(1) }]);
    expect(file.part(1, 0)).toEqual(bytes(1));
    file.close();
    const again = SqliteFile.open(path);
    expect(again.part(1, 0)).toBeUndefined();
    again.close();
  });

  it('may be discarded before any row stands for them', () => {
    const file = SqliteFile.open(path);
    file.write([], [], [{ bulk: file.nextBulk(), at: 0, bytes: bytes(1) }]);
    file.discard(1);
    expect(file.part(1, 0)).toBeUndefined();
    file.close();
  });
});

describe('a file of the first version', () => {
  it('is opened with all that is in it, and takes bytes from then on', () => {
    const old = new DatabaseSync(path);
    old.exec(`PRAGMA application_id = 0x70627873; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
      CREATE TABLE kept (
        place INTEGER NOT NULL, section TEXT NOT NULL, owner INTEGER NOT NULL, key NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (place, section, owner, key)
      ) WITHOUT ROWID;
      INSERT INTO kept VALUES (0, 'b', 1, 9, 'nine'), (0, 'b', 1, 'x', 'ex'), (3, 'b', 1, 9, 'nine then')`);
    old.close();
    const file = SqliteFile.open(path);
    expect([...file.rows(0, 'b')]).toEqual([row('b', 1, 9, 'nine'), row('b', 1, 'x', 'ex')]);
    expect([...file.rows(3, 'b')]).toEqual([row('b', 1, 9, 'nine then')]);
    const bulk = file.nextBulk();
    file.write([{ ...row('b', 1, 9, 'with bytes'), bulk }], [], [{ bulk, at: 0, bytes: Uint8Array.of(7) }]);
    expect(file.part(bulk, 0)).toEqual(Uint8Array.of(7));
    file.close();
    expect(refusal()).toBe('opened');
  });
});

describe('what cannot be used is refused', () => {
  const other = 'name a file that can be read and written';

  it('while it is in use', () => {
    const file = SqliteFile.open(path);
    expect(refusal()).toBe(
      `DataTrouble: --data: ${path} is in use by another simulator or program; end that one, or name another file.`,
    );
    file.close();
    expect(refusal()).toBe('opened');
  });

  it('when it is a folder', () => {
    path = folder;
    expect(refusal()).toBe(`DataTrouble: --data: ${path} is a folder; name a file in it.`);
  });

  it('when its folder does not exist', () => {
    path = join(folder, 'nowhere', 'world.db');
    expect(refusal()).toBe(`DataTrouble: --data: ${path} cannot be used: there is no such file or folder; ${other}.`);
  });

  it('when it is no ordinary file', () => {
    path = '/dev/null';
    expect(refusal()).toBe(`DataTrouble: --data: /dev/null is no ordinary file; ${other}.`);
  });

  it('when it is a text, which stays as it is', () => {
    const text = 'Dear diary, today I was nearly overwritten.\n'.repeat(30);
    writeFileSync(path, text);
    expect(refusal()).toBe(`DataTrouble: --data: ${path} is no file of pbxsim; name another file.`);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it("when it is another program's database, which stays as it is", () => {
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    db.close();
    const bytes = readFileSync(path);
    expect(refusal()).toBe(`DataTrouble: --data: ${path} is the database of another program; name another file.`);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('when a newer release has written it', () => {
    SqliteFile.open(path, [...STEPS, 'CREATE TABLE later (thing TEXT)']).close();
    expect(refusal()).toBe(
      `DataTrouble: --data: ${path} was written by a newer pbxsim (its tables have version 3, this release knows 2); use that release, or name another file.`,
    );
  });

  it('when a part of it is missing', () => {
    const file = SqliteFile.open(path);
    file.write(
      Array.from({ length: 500 }, (_, key) => row('b', 1, key, 'x'.repeat(200))),
      [],
    );
    file.close();
    writeFileSync(path, readFileSync(path).subarray(0, 8192));
    const read = () => {
      const opened = SqliteFile.open(path);
      try {
        return [...opened.rows(0, 'b')].length;
      } finally {
        opened.close();
      }
    };
    expect(read).toThrow(/world\.db is damaged \(.+\); put a copy in its place, or name another file\.$/);
  });

  it('says what the disk says when it takes no more', () => {
    // A disk that has room for 200 pages.
    const file = SqliteFile.open(path, [...STEPS, 'PRAGMA max_page_count = 200']);
    const write = () =>
      file.write(
        Array.from({ length: 500 }, (_, key) => row('b', 1, key, 'x'.repeat(4000))),
        [],
      );
    expect(write).toThrow(
      `--data: ${path} cannot be written: the disk is full; make room and start again, what was answered is in the file.`,
    );
    expect(file.count(0, 'b')).toBe(0);
    file.close();
  });
});
