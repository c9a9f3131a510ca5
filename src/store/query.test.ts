// Collections as their readers ask for them: pages, filters, groups, order, with literal records and literal answers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResourceId } from '../contract/resources.ts';
import { parseQuery, runQuery, type Source } from './query.ts';

interface Row {
  readonly id: number;
  readonly [member: string]: unknown;
}

const calls: readonly Row[] = [
  {
    id: 1,
    live_id: 11,
    user_id: 7,
    type: 'O',
    destination: 'out',
    duration: 5,
    calldate: '2026-01-01 09:00:00',
    src: '101',
    dst: '+442079460123',
    src_name: 'Ann Bee',
  },
  {
    id: 2,
    live_id: 12,
    user_id: 8,
    type: 'I',
    destination: 'in',
    duration: 50,
    calldate: '2026-01-01 10:00:00',
    src: '+442079460123',
    dst: '101',
    src_name: 'Bob Cee',
  },
  {
    id: 3,
    live_id: 13,
    user_id: 7,
    type: 'M',
    destination: 'in',
    duration: 9,
    calldate: '2026-01-02 00:00:00',
    src: '+4915112345',
    dst: '102',
    src_name: '50% off_',
  },
  {
    id: 4,
    live_id: 14,
    user_id: 9,
    type: 'O',
    destination: 'webcall',
    duration: 100,
    calldate: '2026-01-03 00:00:00',
    src: '101',
    dst: '102',
    src_name: 'ann x',
  },
];

function source(records: readonly Row[]): Source<Row> {
  return { all: () => records, count: records.length };
}

function ask(parameters: Record<string, string>, records = calls, resource: ResourceId = 'cdrs') {
  const parsed = parseQuery(resource, new URLSearchParams(parameters));
  if (!parsed.ok) return [...parsed.failure.details];
  const { items, total } = runQuery(source(records), parsed.value);
  return { ids: items.map(({ id }) => id), total };
}

function filtered(property: string, operator: string, value: unknown, records = calls, resource: ResourceId = 'cdrs') {
  const answer = ask({ filter: JSON.stringify([{ property, operator, value }]) }, records, resource);
  return Array.isArray(answer) ? answer : answer.ids;
}

describe('pages', () => {
  test.each([
    [{}, { ids: [1, 2, 3, 4], total: 4 }],
    [{ limit: '3' }, { ids: [1, 2, 3], total: 4 }],
    [
      { limit: '3', page: '2' },
      { ids: [4], total: 4 },
    ],
    [
      { limit: '3', page: '3' },
      { ids: [], total: 4 },
    ],
    [{ page: '99999999999999999999999' }, { ids: [], total: 4 }],
    [{ limit: '99999999999999999999999' }, { ids: [1, 2, 3, 4], total: 4 }],
    [{ colour: 'red' }, { ids: [1, 2, 3, 4], total: 4 }],
    [{ page: '0' }, ['page: expected a whole number of at least 1, got 0']],
    [{ page: '-1' }, ['page: expected a whole number of at least 1, got -1']],
    [{ page: '1.5' }, ['page: expected a whole number of at least 1, got 1.5']],
    [{ page: '' }, ['page: expected a whole number of at least 1, got ']],
    [{ limit: 'all' }, ['limit: expected a whole number of at least 1, got all']],
    [
      { limit: '0', page: 'x' },
      ['page: expected a whole number of at least 1, got x', 'limit: expected a whole number of at least 1, got 0'],
    ],
  ])('%j', (parameters, answer) => {
    expect(ask(parameters as Record<string, string>)).toEqual(answer);
  });

  test('have 100 records when nothing is said, and 5000 at most', () => {
    const many = Array.from({ length: 6000 }, (_, index) => ({ id: index + 1 }));
    const sizeOf = (parameters: Record<string, string>) => {
      const answer = ask(parameters, many);
      return Array.isArray(answer) ? answer : answer.ids.length;
    };
    expect([sizeOf({}), sizeOf({ limit: '5000' }), sizeOf({ limit: '5001' })]).toEqual([100, 5000, 5000]);
  });
});

describe('filters', () => {
  test.each([
    ['live_id', 'eq', 12, [2]],
    ['live_id', '=', '12', [2]],
    ['live_id', 'ne', 12, [1, 3, 4]],
    ['live_id', 'in', [11, '14', 99], [1, 4]],
    ['live_id', 'in', [], []],
    ['live_id', 'like', '%2', [2]],
    ['duration', 'gt', 9, [2, 4]],
    ['duration', 'gte', '9', [2, 3, 4]],
    ['duration', 'lt', 50, [1, 3]],
    ['duration', 'lte', 50, [1, 2, 3]],
    ['calldate', 'gte', '2026-01-02', [3, 4]],
    ['calldate', 'lt', '2026-01-01T10:00:00Z', [1]],
    ['calldate', '=', '2026-01-01T11:00:00+01:00', [2]],
    ['calldate', 'like', '2026-01-01%', [1, 2]],
    ['type', 'eq', 'O', [1, 4]],
    ['type', 'eq', 1, [1, 4]],
    ['type', 'eq', '1', [1, 4]],
    ['type', 'in', ['2', 'I'], [2, 3]],
    ['type', 'in', ['M', 0], [2, 3]],
    ['destination', '=', 2, [4]],
    ['src', 'eq', '442079460123', [2]],
    ['dst', 'eq', '+442079460123', [1]],
    ['src', 'in', ['4915112345', '101'], [1, 3, 4]],
    ['src', 'like', '44%', [2]],
    ['src', 'like', '+44%', [2]],
    ['src', 'eq', 101, [1, 4]],
    ['src_name', 'like', 'ANN', [1, 4]],
    ['src_name', 'like', 'ann', [1, 4]],
    ['src_name', 'like', '%ee', [1, 2]],
    ['src_name', 'like', 'b_b%', [2]],
    ['src_name', 'like', '_____', [4]],
    ['src_name', 'like', '%', [1, 2, 3, 4]],
    ['src_name', 'like', '%e%e', [1, 2]],
    ['src_name', 'like', '%ee%e', []],
    ['src_name', 'like', 'a%n%bee', [1]],
    ['src_name', 'like', 'ann b%bee', []],
    ['src_name', 'gt', 'Bob', [2, 4]],
    ['src_name', 'eq', null, []],
    ['src_name', 'ne', null, [1, 2, 3, 4]],
  ])('%s %s %j', (property, operator, value, ids) => {
    expect(filtered(property, operator, value)).toEqual(ids);
  });

  test('take both forms of twins, booleans as text, and lists by their elements', () => {
    const users: Row[] = [
      {
        id: 1,
        two_factor_auth: 'E',
        roles: ['ROLE_ADMIN', 'ROLE_AGENT'],
        dnd: true,
        customer_id_id: 1,
        location_id: '5',
      },
      { id: 2, two_factor_auth: 'D', roles: ['ROLE_AGENT'], dnd: false, customer_id_id: 2, location_id: '' },
    ];
    const find = (...[property, operator, value]: [string, string, unknown]) =>
      filtered(property, operator, value, users, 'users');
    expect(find('two_factor_auth', 'eq', 1)).toEqual([1]);
    expect(find('two_factor_auth', 'eq', 'D')).toEqual([2]);
    expect(find('roles', 'eq', 'ROLE_AGENT')).toEqual([1, 2]);
    expect(find('roles', 'eq', ['ROLE_ADMIN', 'ROLE_AGENT'])).toEqual([1]);
    expect(find('roles', 'like', '%admin%')).toEqual([1]);
    expect([find('dnd', 'eq', 'true'), find('dnd', 'eq', 0)]).toEqual([[1], [2]]);
    expect(find('location_id', 'eq', 5)).toEqual([1]);
    const live: Row[] = [
      { id: 1, state: 4 },
      { id: 2, state: 5 },
    ];
    expect(filtered('state', 'in', ['ON_HOLD', 3], live, 'calls')).toEqual([2]);
    expect(filtered('state', 'gt', 0, live, 'calls')).toEqual([1, 2]);
    expect(filtered('state', 'eq', 0, live, 'calls')).toEqual([]);
    const refused = (value: unknown): unknown =>
      parseQuery(
        'faxes',
        new URLSearchParams({ filter: JSON.stringify([{ property: 'type', operator: 'eq', value }]) }),
      );
    for (const value of [2, 'telex'])
      expect(refused(value)).toMatchObject({
        failure: { details: [`filter[0]: type is compared with one of 0 in, 1 out, not ${value}`] },
      });
    expect(filtered('type', 'like', 'q', [{ id: 1, type: 'Q' }])).toEqual([1]);
    expect(filtered('moh_id', 'eq', 3, [{ id: 1, moh: 3 }], 'queues')).toEqual([1]);
  });

  test('find a number that is kept without its plus sign by one with it', () => {
    const rows = ['442079460123', '+442079460123', '42079460123'].map((src, index) => ({ id: index + 1, src }));
    expect(filtered('src', 'eq', '+442079460123', rows)).toEqual([1, 2]);
    expect(filtered('src', 'in', ['+442079460123'], rows)).toEqual([1, 2]);
    expect(filtered('src', 'like', '+44%', rows)).toEqual([1, 2]);
  });

  test('of several conditions keep what meets all, and total counts it', () => {
    const filter = JSON.stringify([
      { property: 'src', operator: 'eq', value: '101' },
      { property: 'duration', operator: 'gt', value: 5 },
    ]);
    expect(ask({ filter })).toEqual({ ids: [4], total: 1 });
    expect(ask({ filter: '[{"property":"user_id","operator":"=","value":7}]', limit: '1' })).toEqual({
      ids: [1],
      total: 2,
    });
  });

  test.each([
    ['{', 'filter: expected a JSON array of objects with operator, value and property'],
    ['{"property":"src"}', 'filter: expected a JSON array of objects with operator, value and property'],
    ['[7]', 'filter[0]: expected an object of operator, value and property'],
    ['[{"operator":"eq","value":1}]', 'filter[0]: property is missing, expected a name'],
    ['[{"property":"src","operator":"eq"}]', 'filter[0]: value is missing'],
    [
      '[{"property":"src","operator":"~","value":1}]',
      'filter[0]: unknown operator ~, expected like, eq, =, ne, gt, gte, lt, lte, in',
    ],
    ['[{"property":"src","operator":"in","value":"x"}]', 'filter[0]: in expects a list of at most 5000 values'],
    [
      '[{"property":"src","operator":"like","value":null}]',
      'filter[0]: like expects a text of at most 1024 characters',
    ],
    [
      '[{"property":"duration","operator":"eq","value":"long"}]',
      'filter[0]: duration is compared with a number, not long',
    ],
    [
      '[{"property":"calldate","operator":"gt","value":"soon"}]',
      'filter[0]: calldate is compared with a time such as 2026-01-31 12:00:00, not soon',
    ],
    [
      '[{"property":"calldate","operator":"gt","value":null}]',
      'filter[0]: gt needs a value to compare calldate with, not null',
    ],
    ...['"eq","value":"Q"', '"ne","value":"Q"', '"in","value":["I","Q"]'].map((part): [string, string] => [
      `[{"property":"type","operator":${part}}]`,
      'filter[0]: type is compared with one of I, O, M, not Q',
    ]),
    ['[{"property":"type","operator":"=","value":7}]', 'filter[0]: type is compared with one of I, O, M, not 7'],
    ['[{"property":"src","operator":"eq","value":{}}]', 'filter[0]: src is compared with a text, not {}'],
    [
      JSON.stringify(Array.from({ length: 33 }, () => ({ property: 'src', operator: 'eq', value: 1 }))),
      'filter: expected at most 32 conditions, got 33',
    ],
    [`[${' '.repeat(65_536)}]`, 'filter: expected at most 65536 characters, got 65538'],
    [
      JSON.stringify([{ property: 'src', operator: 'eq', value: 'x'.repeat(1025) }]),
      'filter[0]: a value has at most 1024 characters',
    ],
  ])('%.60s is refused in words', (filter, problem) => {
    expect(ask({ filter })).toEqual([problem]);
  });

  test.each(['source', '__proto__', 'toString', ''])(
    'by the unknown property %j are refused with the known ones',
    (property) => {
      expect(filtered(property, 'eq', 1)).toEqual([
        expect.stringMatching(/^filter\[0\]: there is no property .*; there are id, duration, live_id, /),
      ]);
    },
  );

  test('with any wildcards match as a regular expression would', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((signs) => signs.join(''));
    const patterns = fc
      .array(fc.constantFrom('a', 'b', '.', '%', '_'), { maxLength: 6 })
      .map((signs) => signs.join(''));
    fc.assert(
      fc.property(texts, patterns, (src_name, pattern) => {
        const whole = pattern.replaceAll('.', '[.]').replaceAll('%', '[^]*').replaceAll('_', '[^]');
        const expected = /[%_]/.test(pattern)
          ? new RegExp(`^(?:${whole})$`).test(src_name)
          : src_name.includes(pattern);
        expect(filtered('src_name', 'like', pattern, [{ id: 1, src_name }])).toEqual(expected ? [1] : []);
      }),
      { numRuns: 2_000 },
    );
  });

  test('with many wildcards are still fast', () => {
    const slow = [{ id: 1, src_name: 'a'.repeat(20_000) }];
    const before = performance.now();
    expect(filtered('src_name', 'like', `${'%a'.repeat(400)}%b`, slow)).toEqual([]);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

describe('an index', () => {
  test('is asked instead of a scan, in every spelling, and its answer is put in order', () => {
    const asked: unknown[] = [];
    const indexed: Source<Row> = {
      all: () => expect.fail('the collection was scanned'),
      find: (property, values) => {
        asked.push([property, values]);
        return property === 'src' ? [calls[3], calls[1], calls[0]].flatMap((row) => row ?? []) : undefined;
      },
    };
    const filter = JSON.stringify([
      { property: 'duration', operator: 'in', value: [5, 100] },
      { property: 'src', operator: 'in', value: ['101', '442079460123'] },
    ]);
    const parsed = parseQuery('cdrs', new URLSearchParams({ filter }));
    if (!parsed.ok) throw new Error(parsed.failure.message);
    expect(runQuery(indexed, parsed.value)).toEqual({ items: [calls[0], calls[3]], total: 2 });
    expect(asked).toEqual([
      ['duration', [5, 100]],
      ['src', ['101', '442079460123', '+442079460123']],
    ]);
  });
});

describe('groups and order', () => {
  test('records without a value come last', () => {
    const runs = [null, '2026-01-02 00:00:00', null, '2026-01-01 00:00:00'];
    const schedules = runs.map((last_run_at, index) => ({ id: index + 1, last_run_at }));
    expect(ask({ sort: 'last_run_at' }, schedules, 'reportschedules')).toEqual({ ids: [4, 2, 1, 3], total: 4 });
    expect(filtered('last_run_at', 'eq', null, schedules, 'reportschedules')).toEqual([1, 3]);
    expect(filtered('last_run_at', 'lt', '2026-01-02', schedules, 'reportschedules')).toEqual([4]);
  });

  test.each([
    [{ group_by: 'user_id' }, { ids: [1, 2, 4], total: 3 }],
    [
      { group_by: 'user_id', limit: '2', page: '2' },
      { ids: [4], total: 3 },
    ],
    [
      { group_by: 'src', sort: '-id' },
      { ids: [3, 2, 1], total: 3 },
    ],
    [{ sort: '-calldate' }, { ids: [4, 3, 2, 1], total: 4 }],
    [{ sort: 'user_id,-duration' }, { ids: [3, 1, 2, 4], total: 4 }],
    [{ sort: 'user_id' }, { ids: [1, 3, 2, 4], total: 4 }],
    [{ sort: '' }, { ids: [1, 2, 3, 4], total: 4 }],
  ])('%j', (parameters, answer) => {
    expect(ask(parameters as Record<string, string>)).toEqual(answer);
  });

  test.each(['group_by', 'sort'])('%s by an unknown property is refused', (parameter) => {
    expect(ask({ [parameter]: 'colour' })).toEqual([
      expect.stringContaining(`${parameter}: there is no property colour; there are id, `),
    ]);
  });
});

test('pages neither overlap nor skip, whatever the filter, group and order', () => {
  const rows = fc.array(
    fc.record({ user_id: fc.integer({ min: 1, max: 4 }), duration: fc.integer({ min: 0, max: 9 }) }),
    { maxLength: 40 },
  );
  const query = fc.record(
    {
      filter: fc
        .integer({ min: 0, max: 9 })
        .map((value) => JSON.stringify([{ property: 'duration', operator: 'gte', value }])),
      group_by: fc.constantFrom('user_id', 'duration'),
      sort: fc.constantFrom('duration', '-user_id'),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(rows, query, fc.integer({ min: 1, max: 7 }), (members, parameters, limit) => {
      const records = members.map((member, index) => ({ id: index + 1, ...member }));
      const whole = ask({ ...parameters, limit: '5000' }, records);
      if (Array.isArray(whole)) throw new Error(whole.join());
      const pages: number[] = [];
      for (let page = 1; page <= Math.ceil(whole.total / limit) + 1; page += 1) {
        const answer = ask({ ...parameters, limit: String(limit), page: String(page) }, records);
        if (Array.isArray(answer)) throw new Error(answer.join());
        expect(answer.total).toBe(whole.total);
        pages.push(...answer.ids);
      }
      expect(pages).toEqual(whole.ids);
    }),
  );
});
