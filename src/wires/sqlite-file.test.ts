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

describe('what cannot be used is refused', () => {
  const other = 'name a file that can be read and written';

  it('while it is in use', () => {
    const file = SqliteFile.open(path);
    expect(refusal()).toBe(
      `DataTrouble: --data: ${path} is in use by another process; end that one, or name another file.`,
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
      `DataTrouble: --data: ${path} was written by a newer pbxsim (its tables have version 2, this release knows 1); use that release, or name another file.`,
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
