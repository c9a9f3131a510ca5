// The rows of a collection at one moment: nothing is copied until somebody changes something, and nobody can change these. Knows no snapshot.
import type { StateRow, StateRows } from '../collection.ts';
import type { Table } from './table.ts';

export class FrozenRows implements StateRows {
  readonly #tables: readonly Table[];

  /** The tables are its own from here on. */
  constructor(tables: readonly Table[]) {
    this.#tables = tables;
  }

  get length(): number {
    return this.#tables.reduce((sum, { count }) => sum + count, 0);
  }

  /** The tables as they were, for somebody who may change them. */
  thawed(): Table[] {
    return this.#tables.map((table) => table.fork());
  }

  *[Symbol.iterator](): Iterator<StateRow> {
    for (const table of this.#tables)
      for (let id = table.nextId(BEFORE_ALL); id !== undefined; id = table.nextId(id))
        yield [table.customerId, table.read(id)];
  }

  filter(keep: (row: StateRow) => boolean): FrozenRows {
    const tables = this.thawed();
    for (const table of tables) {
      const isKept = table.form.testOf((record) => keep([table.customerId, record]));
      const gone: number[] = [];
      table.scan(BEFORE_ALL, Number.POSITIVE_INFINITY, (chunk, at) => {
        if (!isKept(chunk, at)) gone.push(chunk.idAt(at));
        return true;
      });
      for (const id of gone) table.delete(id);
    }
    return new FrozenRows(tables);
  }

  map(change: (row: StateRow) => StateRow): StateRows {
    return [...this].map(change);
  }

  toJSON(): readonly StateRow[] {
    return [...this];
  }
}

const BEFORE_ALL = Number.NEGATIVE_INFINITY;
