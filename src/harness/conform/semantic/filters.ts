// Checks of the filter and the pages of a collection, by contacts that the check makes. Knows no other record.
import type { Bench, Check, Members } from '../check.ts';
import { demand, met, observed } from '../finding.ts';

interface Rule {
  readonly property: string;
  readonly operator: string;
  readonly value: string;
}

interface Page {
  readonly status: number;
  readonly data: readonly Members[];
  readonly total: unknown;
}

async function pageOf(
  bench: Bench,
  rules: readonly Rule[],
  query: Readonly<Record<string, unknown>> = {},
): Promise<Page> {
  const { status, body } = await bench.ask('listContacts', { query: { filter: JSON.stringify(rules), ...query } });
  const { data, total } = (body ?? {}) as { data?: unknown; total?: unknown };
  return { status, data: Array.isArray(data) ? (data as Members[]) : [], total };
}

/** Three contacts: one family, two of one company. Nobody else has the mark in its name. */
async function family(bench: Bench): Promise<{ readonly mark: string; readonly ids: readonly unknown[] }> {
  const mark = `Zz${bench.random.hex(10)}`;
  const people = [
    { first_name: 'Ada', last_name: `${mark} North`, company: 'Acme' },
    { first_name: 'Bea', last_name: `${mark} North`, company: 'Other' },
    { first_name: 'Cleo', last_name: `${mark} South`, company: 'Acme' },
  ];
  const ids: unknown[] = [];
  for (const person of people) ids.push((await bench.make('createContact', person)).id);
  return { mark, ids };
}

const equal = (property: string, value: string, operator = 'eq'): Rule => ({ property, operator, value });

function demandIds(page: Page, ids: readonly unknown[], what: string): void {
  demand(page.status === 200, `${what} is refused.`, 200, page.status);
  const found = page.data.map(({ id }) => id).toSorted();
  demand(JSON.stringify(found) === JSON.stringify(ids.toSorted()), `${what} finds other records.`, ids, found);
}

export const filterChecks: readonly Check[] = [
  ...(['eq', '=', 'like'] as const).map(
    (operator): Check => ({
      id: `filters/operator-${operator === '=' ? 'equals-sign' : operator}`,
      clause: 'FILTER-OPERATORS',
      operation: 'listContacts',
      effects: ['read', 'write'],
      run: async (bench) => {
        const { mark, ids } = await family(bench);
        demandIds(
          await pageOf(bench, [equal('last_name', `${mark} South`, operator)]),
          ids.slice(2),
          `The operator ${operator}`,
        );
        return met();
      },
    }),
  ),
  {
    id: 'filters/like-part',
    clause: 'FILTER-LIKE-PART',
    operation: 'listContacts',
    effects: ['read', 'write'],
    run: async (bench) => {
      const { mark, ids } = await family(bench);
      const ways = [mark, `%${mark}%`];
      for (const value of ways) {
        const page = await pageOf(bench, [equal('last_name', value, 'like')]);
        if (page.status === 200 && page.data.length === ids.length) return met(`A part is written as ${value}.`);
      }
      demandIds(
        await pageOf(bench, [equal('last_name', mark, 'like')]),
        ids,
        'A part of the value, with and without %,',
      );
      return met();
    },
  },
  {
    id: 'filters/all-of',
    clause: 'FILTER-ALL-OF',
    operation: 'listContacts',
    effects: ['read', 'write'],
    run: async (bench) => {
      const { mark, ids } = await family(bench);
      const page = await pageOf(bench, [equal('last_name', `${mark} North`), equal('company', 'Acme')]);
      demandIds(page, ids.slice(0, 1), 'A filter of two elements');
      return met();
    },
  },
  {
    id: 'filters/before-page',
    clause: 'FILTER-BEFORE-PAGE',
    operation: 'listContacts',
    effects: ['read', 'write'],
    run: async (bench) => {
      const { mark } = await family(bench);
      const page = await pageOf(bench, [equal('last_name', `${mark} North`)], { limit: 1 });
      demand(page.data.length === 1, 'A page of one has another size.', 1, page.data.length);
      demand(page.total === 2, 'total is not the number of records that fit.', 2, page.total);
      return met();
    },
  },
  {
    id: 'filters/broken',
    clause: 'FILTER-BROKEN',
    operation: 'listContacts',
    effects: ['read'],
    run: async (bench) => {
      for (const filter of ['[{', '"text"', '[1]']) {
        const { status } = await bench.ask('listContacts', { query: { filter } });
        demand(status >= 400 && status < 500, `The filter ${filter} is not refused.`, '4xx', status);
      }
      return met();
    },
  },
  {
    id: 'filters/group-by',
    clause: 'COLLECTION-GROUP-BY',
    operation: 'listContacts',
    effects: ['read', 'write'],
    run: async (bench) => {
      await family(bench);
      const { status, body } = await bench.ask('listContacts', { query: { group_by: 'company' } });
      demand(status === 200, 'group_by is refused.', 200, status);
      const { data } = (body ?? {}) as { data?: unknown };
      return met(Array.isArray(data) ? `There are ${data.length} groups or records.` : '');
    },
  },
  {
    id: 'filters/page-origin',
    clause: 'PAGE-ORIGIN',
    operation: 'listContacts',
    effects: ['read', 'write'],
    run: async (bench) => {
      const { mark } = await family(bench);
      const rules = [equal('last_name', `${mark} North`)];
      const first = async (page: number) => (await pageOf(bench, rules, { limit: 1, page })).data[0]?.id;
      const plain = (await pageOf(bench, rules, { limit: 1 })).data[0]?.id;
      const [zero, one] = [await first(0), await first(1)];
      if (plain === one && zero !== one) return observed('The first page is page 1.', 1);
      if (plain === zero && zero !== one) return observed('The first page is page 0.', 0);
      return observed('Pages 0 and 1 are the same, the first one.', '0 and 1');
    },
  },
];
