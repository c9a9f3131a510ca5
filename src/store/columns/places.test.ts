// Records that several indexes find: the same as looking at each of them, whatever is asked besides.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cdr } from '../../contract/resources/history.ts';
import { Random } from '../../kernel/random.ts';
import type { Places } from '../collection.ts';
import { parseQuery, runQuery, type Source } from '../query.ts';
import { seedWorld } from '../seed/world.ts';
import { createStore } from '../store.ts';

const store = createStore();
seedWorld(store, { random: new Random(3), nowMs: Date.UTC(2026, 0, 1), domain: 'x', history: 3000 });
const records = [...store.cdrs.list(1)];
const numbers = [...new Set(records.flatMap(({ src, dst }) => [src, dst]))];

const asked = fc.record({
  numbers: fc.subarray(numbers, { maxLength: 4 }),
  users: fc.subarray([10_000_001, 10_000_002, 10_000_006, 99], { maxLength: 2 }),
  ids: fc.array(fc.integer({ min: 9_999_990, max: 10_003_010 }), { maxLength: 5 }),
  type: fc.constantFrom(undefined, 'I', 'O'),
  sort: fc.constantFrom(undefined, '-id', 'calldate', '-duration'),
  page: fc.integer({ min: 1, max: 3 }),
});

test('a page is that of the records which are there, and all of them come in order', () => {
  fc.assert(
    fc.property(asked, ({ numbers: chosen, users, ids, type, sort, page }) => {
      const keep = ({ id, src, dst, user_id }: Pick<Cdr, 'id' | 'src' | 'dst' | 'user_id'>): boolean =>
        chosen.includes(src) || chosen.includes(dst) || users.includes(user_id) || ids.includes(id);
      const places: Places = [
        ['src', chosen],
        ['dst', chosen],
        ['user_id', users],
        ['id', ids],
      ];
      const filter =
        type === undefined ? {} : { filter: JSON.stringify([{ property: 'type', operator: 'eq', value: type }]) };
      const parameters = { limit: '50', page: String(page), ...(sort === undefined ? {} : { sort }), ...filter };
      const query = parseQuery('cdrs', new URLSearchParams(parameters));
      if (!query.ok) throw new Error(query.failure.message);
      const wanted = records.filter(keep);
      const plain: Source<Cdr> = { all: () => wanted };
      const found = store.cdrs.source(1, keep, places);
      expect(runQuery(found, query.value)).toEqual(runQuery(plain, query.value));
      expect([...found.all()]).toEqual(wanted);
    }),
  );
});

test('of another account there is nothing, and of one that has nothing either', () => {
  const places: Places = [['src', numbers]];
  expect(
    [...store.cdrs.source(2, ({ src }) => src === records[0]?.src, places).all()].every(({ id }) => id > 20_000_000),
  ).toBe(true);
  expect([...store.cdrs.source(9, () => true, places).all()]).toEqual([]);
});
