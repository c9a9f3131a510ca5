// Call records as they were read from the list, in plain columns: looked through from the first to the last, with no index and none of the
// simulator's code. Knows no request.

export type Value = string | number;
export type PlainRecord = Readonly<Record<string, Value>>;

/** Of one property the different values, and which of them each row has. */
class PlainColumn {
  readonly values: Value[] = [];
  readonly #places = new Map<Value, number>();
  #codes = new Uint32Array(1024);

  put(row: number, value: Value): void {
    let code = this.#places.get(value);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.#places.set(value, code);
    }
    if (row >= this.#codes.length) {
      const wider = new Uint32Array(this.#codes.length * 2);
      wider.set(this.#codes);
      this.#codes = wider;
    }
    this.#codes[row] = code;
  }

  codeAt(row: number): number {
    return this.#codes[row] ?? 0;
  }

  at(row: number): Value {
    return this.values[this.codeAt(row)] ?? '';
  }
}

/** Says of a value whether it is wanted. */
export interface Test {
  readonly property: string;
  readonly isWanted: (value: Value) => boolean;
}

export interface Order {
  readonly property: string;
  readonly isDescending: boolean;
}

export interface PlainQuery {
  readonly tests: readonly Test[];
  /** Whose calls: rows that this user was party to. */
  readonly userId?: number;
  readonly groupBy?: string;
  readonly orders: readonly Order[];
  readonly page: number;
  readonly limit: number;
}

export class PlainRows {
  readonly #columns = new Map<string, PlainColumn>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(record: PlainRecord): void {
    for (const [name, value] of Object.entries(record)) this.#column(name).put(this.#count, value);
    this.#count += 1;
  }

  at(row: number, property: string): Value {
    return this.#column(property).at(row);
  }

  /** The record of a row, as it was read. */
  record(row: number): PlainRecord {
    return Object.fromEntries([...this.#columns].map(([name, column]) => [name, column.at(row)]));
  }

  answer(query: PlainQuery): { readonly rows: readonly number[]; readonly total: number } {
    const grouped = this.#firstOfEach(this.#wanted(query), query.groupBy);
    const { orders, page, limit } = query;
    if (orders.length > 0) grouped.sort((one, other) => this.#compare(orders, one, other));
    const start = (page - 1) * limit;
    return { rows: grouped.slice(start, start + limit), total: grouped.length };
  }

  #wanted({ tests, userId }: PlainQuery): number[] {
    const passing = tests.map(({ property, isWanted }) => {
      const column = this.#column(property);
      return { column, passes: column.values.map(isWanted) };
    });
    const rows: number[] = [];
    for (let row = 0; row < this.#count; row += 1)
      if (passing.every(({ column, passes }) => passes[column.codeAt(row)] === true) && this.#isOf(row, userId))
        rows.push(row);
    return rows;
  }

  /** A user is party to a call as its user, as caller, or as called; what is called may be a queue with the same number as id. */
  #isOf(row: number, userId: number | undefined): boolean {
    if (userId === undefined) return true;
    if (this.at(row, 'user_id') === userId || this.at(row, 'src_id') === String(userId)) return true;
    const places = ['IVR', 'QUEUE', 'RING_GROUP', 'VOICEMAIL', 'CONFERENCE'];
    return this.at(row, 'dst_id') === String(userId) && !places.includes(String(this.at(row, 'context')));
  }

  #firstOfEach(rows: number[], property: string | undefined): number[] {
    if (property === undefined) return rows;
    const seen = new Set<number>();
    const column = this.#column(property);
    return rows.filter((row) => {
      const code = column.codeAt(row);
      if (seen.has(code)) return false;
      seen.add(code);
      return true;
    });
  }

  #compare(orders: readonly Order[], one: number, other: number): number {
    for (const { property, isDescending } of orders) {
      const [a, b] = [this.at(one, property), this.at(other, property)];
      if (a !== b) return a < b === isDescending ? 1 : -1;
    }
    return one - other;
  }

  #column(name: string): PlainColumn {
    const column = this.#columns.get(name) ?? new PlainColumn();
    this.#columns.set(name, column);
    return column;
  }
}
