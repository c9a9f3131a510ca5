// Columns against a collection that keeps records as they are: whatever is done to both, both answer the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdBlocks } from '../../kernel/ids.ts';
import type { ChangeListener, Collection, CollectionState } from '../collection.ts';
import { MapCollection } from '../map-collection.ts';
import { parseQuery, runQuery } from '../query.ts';
import { ColumnCollection } from './column-collection.ts';
import { columnsOf } from './columns-of.ts';

interface Row {
  readonly id: number;
  readonly [member: string]: unknown;
}

const indexes = ['live_id', 'user_id', 'calldate', 'src', 'info'];
const columns = columnsOf('cdrs');

function inMaps(onChange?: ChangeListener): Collection<Row> {
  return new MapCollection<Row>({ name: 'cdrs', ids: new IdBlocks(), indexes, ...(onChange && { onChange }) });
}

function inColumns(onChange?: ChangeListener): Collection<Row> {
  return new ColumnCollection<Row>({
    name: 'cdrs',
    ids: new IdBlocks(),
    indexes,
    columns,
    ...(onChange && { onChange }),
  });
}

const NAMES = ['Ann', 'Bob', 'Zoë', '50% off_', 'x'.repeat(80), ''];

/** A record of a call, from any number: most in order, some that came late; members that no CDR has; times that no calendar has. */
function rowOf(id: number, n: number): Row {
  const minutes = n % 7 === 0 ? n % 50 : id % 5_000;
  const calldate = new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString().slice(0, 19).replace('T', ' ');
  const isOfSecond = Math.floor(id / 10_000_000) === 2;
  const row: Record<string, unknown> = {
    id,
    live_id: n % 11 === 0 ? 5 : id + (n % 3),
    user_id: [0, 10_000_001, 10_000_002, 10_000_003, 20_000_001][n % 5],
    type: ['I', 'O', 'M'][n % 3],
    calldate: n % 97 === 0 ? null : n % 101 === 0 && isOfSecond ? '2026-02-31 10:00:00' : calldate,
    duration: n % 300,
    rate: (n % 4) / 100,
    charge: n % 89 === 0 ? -(n + 1) / 7 : (n % 2_000) / 10_000,
    src: n % 4 === 0 ? '+442079460123' : String(100 + (n % 20)),
    src_name: NAMES[n % NAMES.length],
    clid: `"caller ${n}" <${n % 50}>`,
    t_cause: n % 3 === 0 ? 'Normal clearing' : `cause ${n}`,
    info: n % 13 === 0 ? null : n % 17 === 0 ? `note ${n % 3}` : '',
  };
  if (n % 19 === 0) delete row.clid;
  if (n % 23 === 0) row.notes = { by: n, list: [n] };
  return row as Row;
}

/** The customer's ids: mostly one after the other, some far away, some of nobody's block. */
function idOf(customerId: number, at: number): number {
  if (at % 400 === 399) return 900_000_000 + customerId * 1_000 + at;
  return customerId * 10_000_000 + 1 + (at % 350 === 349 ? at * 977 : at);
}

type Step = (collection: Collection<Row>, states: CollectionState[]) => unknown;

const customer = fc.constantFrom(1, 2);
const place = fc.nat(1_600);
const number = fc.nat(5_000);

/** Rows one after the other, each third one left for later. */
function loadRows(customerId: number, from: number, count: number, seed: number): Step {
  return (collection) => {
    for (let at = from; at < from + count; at += at % 3 === 0 ? 2 : 1) {
      const id = idOf(customerId, at);
      if (collection.get(id) === undefined) collection.insert(customerId, rowOf(id, seed + at * 31));
    }
  };
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(customer, place, fc.integer({ min: 1, max: 900 }), number).map((all) => loadRows(...all)),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(customer, place, number).map(
        ([customerId, at, n]): Step =>
          (collection) => {
            const { id, ...changes } = rowOf(idOf(customerId, at), n);
            return collection.update(id, changes);
          },
      ),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(customer, place, fc.integer({ min: 1, max: 700 })).map(
        ([customerId, from, count]): Step =>
          (collection) =>
            Array.from({ length: count }, (_, at) => collection.delete(idOf(customerId, from + at))),
      ),
    },
    {
      weight: 1,
      arbitrary: customer.map(
        (customerId): Step =>
          (collection) =>
            collection.clear(customerId),
      ),
    },
    { weight: 3, arbitrary: fc.constant<Step>((collection, states) => void states.push(collection.state())) },
    {
      weight: 3,
      arbitrary: number.map(
        (n): Step =>
          (collection, states) => {
            const state = states[n % Math.max(states.length, 1)];
            if (state !== undefined) collection.restore(state);
          },
      ),
    },
    {
      weight: 1,
      arbitrary: number.map(
        (n): Step =>
          (_, states) => {
            const state = states[n % Math.max(states.length, 1)];
            const isShort = ([, record]: readonly [number, unknown]) => Number((record as Row).duration) < 200;
            if (state !== undefined) states.push({ ...state, rows: state.rows.filter(isShort) });
          },
      ),
    },
  ),
  { maxLength: 14 },
);

const condition = fc.oneof(
  fc.record({
    property: fc.constantFrom('user_id', 'live_id', 'duration', 'id', 'charge'),
    operator: fc.constantFrom('eq', '=', 'ne', 'gt', 'gte', 'lt', 'lte'),
    value: fc.constantFrom<unknown>(0, 5, '10000001', 10_000_002, 10_000_700, 20_000_030, 150, 0.05, -3),
  }),
  fc
    .record({
      property: fc.constant('calldate'),
      operator: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like'),
      value: fc.constantFrom(
        '2026-01-01 05:00:00',
        '2026-01-02',
        '2026-01-01 2',
        '2026-01-01%',
        '2026-01-0_ 1%',
        '2026-02-31 10:00:00',
        '%5:00',
      ),
    })
    .filter(({ operator, value }) => operator === 'like' || !/[%_]|[^:]2$/.test(value) || value === '2026-01-02'),
  fc
    .record({
      property: fc.constantFrom('src', 'src_name', 'clid', 't_cause', 'info', 'type'),
      operator: fc.constantFrom('eq', 'ne', 'like', 'gt', 'lte'),
      value: fc.constantFrom('ann', 'Ann', '101', '442079460123', '+44%', 'caller 12', 'cause 9%', 'note 1', '', 'I'),
    })
    .filter(({ property, value }) => property !== 'type' || value === 'I'),
  fc
    .record({
      property: fc.constantFrom('user_id', 'src', 'live_id', 'calldate', 'duration'),
      operator: fc.constant('in'),
      value: fc.constantFrom<unknown>([], [5, '10000001'], ['2026-01-01 05:00:00']),
    })
    .filter(({ property, value }) =>
      property === 'calldate' ? !String(value).includes('5,') : !String(value).includes('-'),
    ),
  fc.record({
    property: fc.constantFrom('calldate', 'info', 'clid'),
    operator: fc.constantFrom('eq', 'ne'),
    value: fc.constant(null),
  }),
);

const queries = fc.record(
  {
    filter: fc.array(condition, { minLength: 1, maxLength: 3 }).map((conditions) => JSON.stringify(conditions)),
    group_by: fc.constantFrom('user_id', 'calldate', 'clid', 'id', 'charge', 'info'),
    sort: fc.constantFrom(
      'calldate',
      '-calldate',
      'live_id',
      '-user_id,calldate',
      'charge',
      '-t_cause',
      'src_name,-id',
      'info',
    ),
    limit: fc.constantFrom('1', '7', '100', '5000'),
    page: fc.constantFrom('1', '2', '9', '400'),
  },
  { requiredKeys: [] },
);

function answer(collection: Collection<Row>, customerId: number, parameters: Record<string, string>, userId?: number) {
  const query = parseQuery('cdrs', new URLSearchParams(parameters));
  if (!query.ok) throw new Error(query.failure.details.join());
  const keep = userId === undefined ? undefined : (row: Row) => row.user_id === userId || row.notes !== undefined;
  return runQuery(collection.source(customerId, keep), query.value);
}

function everything(collection: Collection<Row>) {
  return {
    size: collection.size,
    own: [1, 2].map((customerId) => [collection.count(customerId), [...collection.list(customerId)]]),
    owners: [...collection.entries()].map(([customerId, { id }]) => [id, customerId, collection.customerOf(id)]).sort(),
    found: [5, 10_000_044].map((value) => collection.find('live_id', value)),
    mine: [10_000_001, 0].map((value) => collection.find('user_id', value, 2)),
    noted: [null, 'note 1', ''].map((value) => collection.find('info', value, 1).length),
    next: [collection.nextId(1), collection.nextId(2)],
  };
}

const contents = ({ rows }: CollectionState) =>
  [...rows].map(([customerId, record]) => [customerId, record]).sort(byId);
const byId = ([, one]: readonly unknown[], [, other]: readonly unknown[]) => (one as Row).id - (other as Row).id;

describe('columns and maps', () => {
  test('hold the same after the same changes, and so do their states, which nothing changes any more', () => {
    fc.assert(
      fc.property(steps, fc.array(queries, { maxLength: 6 }), (changes, asked) => {
        const [maps, mapStates, mapResults] = run(inMaps(), changes);
        const [cols, states, results] = run(inColumns(), changes);
        expect(results).toEqual(mapResults);
        expect(states.map(contents)).toEqual(mapStates.map(contents));
        for (const query of asked)
          for (const userId of [undefined, 10_000_002])
            expect(answer(cols, 1, query, userId)).toEqual(answer(maps, 1, query, userId));
        expect(everything(cols)).toEqual(everything(maps));
      }),
      { numRuns: 60 },
    );
  });

  test('answer every query alike over thousands of rows', () => {
    const [maps, cols] = [inMaps(), inColumns()];
    for (const collection of [maps, cols]) {
      loadRows(1, 0, 2_500, 17)(collection, []);
      loadRows(2, 0, 2_200, 5)(collection, []);
    }
    fc.assert(
      fc.property(queries, fc.constantFrom(1, 1, 2, 3), fc.boolean(), (query, customerId, narrowed) => {
        const userId = narrowed ? 10_000_001 : undefined;
        expect(answer(cols, customerId, query, userId)).toEqual(answer(maps, customerId, query, userId));
      }),
      { numRuns: 1_500 },
    );
  });

  test.each(['user_id', 'live_id', 'calldate'])('count by the index of %s what maps count by looking', (property) => {
    const [maps, cols] = [inMaps(), inColumns()];
    for (const collection of [maps, cols]) loadRows(1, 0, 1_500, 4)(collection, []);
    for (const operator of ['eq', 'gt', 'gte', 'lt', 'lte'])
      for (const at of [0, 2, 600, 1_200]) {
        const value = maps.get(idOf(1, at))?.[property];
        const filter = JSON.stringify([{ property, operator, value }]);
        for (const page of ['1', '3']) {
          const asked = { filter, page, limit: '9' };
          expect(answer(cols, 1, asked), `${operator} ${value}`).toEqual(answer(maps, 1, asked));
        }
      }
  });

  test('tell the same changes', () => {
    const told = [inMaps, inColumns].map((make) => {
      const changes: unknown[] = [];
      const collection = make((change) => changes.push(change));
      loadRows(1, 0, 20, 3)(collection, []);
      const state = collection.state();
      collection.update(10_000_003, { duration: 1 });
      collection.delete(10_000_001);
      collection.clear(1);
      collection.restore(state);
      return changes;
    });
    expect(told[1]).toEqual(told[0]);
    expect(told[1]).toHaveLength(13 + 2 + 12 + 13);
  });
});

describe('a collection in columns', () => {
  test('gives the same object for the same record until it changes', () => {
    const cols = inColumns();
    loadRows(1, 0, 10, 1)(cols, []);
    const first = cols.get(10_000_001);
    expect(cols.get(10_000_001)).toBe(first);
    expect(answer(cols, 1, { limit: '1' }).items[0]).toBe(first);
    const changed = cols.update(10_000_001, { info: 'new' });
    expect(changed).toEqual({ ...first, info: 'new' });
    expect(cols.get(10_000_001)).toBe(changed);
  });

  test('starts ids again where they were, whoever has used them', () => {
    const cols = inColumns();
    cols.insert(1, rowOf(10_000_007, 1));
    expect([cols.nextId(1), cols.nextId(2)]).toEqual([10_000_008, 20_000_001]);
    const state = cols.state();
    cols.insert(1, rowOf(10_000_900, 1));
    cols.restore(state);
    expect(cols.nextId(1)).toBe(10_000_009);
  });

  test('has no row twice, and none without a whole number', () => {
    const cols = inColumns();
    cols.insert(2, rowOf(10_000_001, 1));
    expect(() => cols.insert(1, rowOf(10_000_001, 1))).toThrow('cdrs 10000001 exists');
    for (const id of [-1, 1.5, Number.NaN])
      expect(() => cols.insert(1, { ...rowOf(1, 1), id })).toThrow('whole numbers');
    expect([cols.get(1.5), cols.get(-1), cols.get(10_000_002), cols.size]).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
  });

  test('cannot be searched by what has no index', () => {
    expect(() => inColumns().find('duration', 5)).toThrow('cdrs has no index on duration');
  });
});

function run(collection: Collection<Row>, changes: readonly Step[]): [Collection<Row>, CollectionState[], unknown[]] {
  const states: CollectionState[] = [];
  const results = changes.map((change) => change(collection, states));
  return [collection, states, results];
}
