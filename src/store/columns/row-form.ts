// The columns of a collection together: records into rows and back, and a row that reads like its record. Knows no table.
import type { Chunk } from './chunk.ts';
import { Column, type ColumnSpec } from './column.ts';

/** A row in place of its record: members are read when they are asked for. It moves on, so nobody keeps it. */
interface RowView {
  chunk: Chunk;
  at: number;
}

/** Members that no column has are kept together, in the first cell of the row. */
const PLAIN = 0;

export class RowForm {
  readonly columns: readonly Column[];
  /** Cells of a row. */
  readonly stride: number;
  readonly #byName: ReadonlyMap<string, Column>;
  readonly #rest = new Column({ name: '', kind: 'number' }, 0);
  readonly #blank: Readonly<Record<string, unknown>>;
  readonly #viewed: object;

  /** `id` is no column: it follows from where the row is. */
  constructor(specs: readonly ColumnSpec[]) {
    this.columns = specs.filter(({ name }) => name !== 'id').map((spec, index) => new Column(spec, index + 1));
    this.stride = this.columns.length + 1;
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
    this.#blank = Object.fromEntries(['id', ...this.columns.map(({ name }) => name)].map((name) => [name, undefined]));
    this.#viewed = viewOf(this.columns);
  }

  column(name: string): Column | undefined {
    return this.#byName.get(name);
  }

  /** A record of what is in the row that begins there. */
  read(chunk: Chunk, at: number): Record<string, unknown> {
    const record: Record<string, unknown> = { ...this.#blank };
    record.id = chunk.idAt(at);
    for (const column of this.columns) {
      const value = column.read(chunk, at);
      if (value === undefined) delete record[column.name];
      else record[column.name] = value;
    }
    return chunk.words[at] === PLAIN ? record : Object.assign(record, this.#rest.read(chunk, at));
  }

  write(chunk: Chunk, at: number, record: Readonly<Record<string, unknown>>): void {
    let written = 1;
    for (const column of this.columns) {
      const value = record[column.name];
      if (value !== undefined) written += 1;
      column.write(chunk, at, value);
    }
    this.#rest.write(chunk, at, Object.keys(record).length === written ? PLAIN : this.#restOf(record));
  }

  /** Makes the row absent. */
  clear(chunk: Chunk, at: number): void {
    for (const column of this.columns) column.write(chunk, at, undefined);
    this.#rest.write(chunk, at, undefined);
  }

  /** A test of records as one of rows: as long as it only reads, no record is made for it. */
  testOf(keep: (record: never) => boolean): (chunk: Chunk, at: number) => boolean {
    const view = Object.create(this.#viewed) as RowView;
    return (chunk, at) => {
      if (chunk.words[at] !== PLAIN) return keep(this.read(chunk, at) as never);
      view.chunk = chunk;
      view.at = at;
      return keep(view as never);
    };
  }

  #restOf(record: Readonly<Record<string, unknown>>): unknown {
    const rest = Object.entries(record).filter(
      ([name, value]) => name !== 'id' && value !== undefined && !this.#byName.has(name),
    );
    return rest.length === 0 ? PLAIN : Object.fromEntries(rest);
  }
}

function viewOf(columns: readonly Column[]): object {
  const getters = columns.map((column) => [
    column.name,
    {
      get(this: RowView): unknown {
        return column.read(this.chunk, this.at);
      },
    },
  ]);
  const id = {
    get(this: RowView): number {
      return this.chunk.idAt(this.at);
    },
  };
  return Object.defineProperties({}, { ...Object.fromEntries(getters), id });
}
