// Pages of a collection: limit, total, page and filter. Knows no resource.
import type { Operation } from '../../contract/operation.ts';
import type { Answer, Bench, Members } from '../conform/check.ts';
import { demand, type Finding, met, notApplicable, violated } from '../conform/finding.ts';
import { valueAt } from '../matching.ts';
import { recordsOf, trialOf } from './trial.ts';

async function pageOf(bench: Bench, operation: Operation, query: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { attempt } = await trialOf(bench, operation);
  const answer = await bench.ask(operation, { ...attempt, query });
  const isList = answer.status === 200 && Array.isArray(valueAt(answer.body, '/data'));
  demand(
    isList,
    `A page is not answered with ?${new URLSearchParams(asText(query))}.`,
    '200 and data',
    `${answer.status} ${answer.text.slice(0, 200)}`,
  );
  return answer;
}

function asText(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}

const idsOf = (records: readonly Members[]): string => records.map(({ id }) => String(id)).join(', ');

export async function limitFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const { answer } = await trialOf(bench, operation);
  const all = recordsOf(operation, answer).length;
  const one = recordsOf(operation, await pageOf(bench, operation, { limit: 1 })).length;
  if (one > 1) return violated('A page of one has more.', '1 record at most', `${one} records`);
  if (all > 0 && one === 0)
    return violated('A page of one has none, though there are records.', '1 record', '0 records');
  const few = all === 1 ? 'There is one record' : 'There are no records';
  return all > 1 ? met() : notApplicable(`${few}, and any page has no more.`);
}

export async function totalFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const [whole, one] = [await pageOf(bench, operation, {}), await pageOf(bench, operation, { limit: 1 })];
  const [all, ofOne] = [valueAt(whole.body, '/total'), valueAt(one.body, '/total')];
  if (all !== ofOne) return violated('total depends on the page.', all, ofOne);
  const shown = recordsOf(operation, whole).length;
  return shown <= Number(all) ? met() : violated('total is less than the page has records.', `${shown} at least`, all);
}

export async function pageFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const { answer } = await trialOf(bench, operation);
  const all = recordsOf(operation, answer);
  if (all.length < 2) return notApplicable('There are no two records to have two pages of.');
  const first = recordsOf(operation, await pageOf(bench, operation, { limit: 1, page: 1 }));
  const second = recordsOf(operation, await pageOf(bench, operation, { limit: 1, page: 2 }));
  // Where pages are counted from 0, the second of two records is on page 1 and none on page 2.
  if (first.length === 1 && idsOf(first) !== idsOf(second)) return met();
  return violated('Pages 1 and 2 show the same.', 'different records', `${idsOf(first)} and ${idsOf(second)}`);
}

export async function filterFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const { answer } = await trialOf(bench, operation);
  const [record] = recordsOf(operation, answer);
  if (record?.id === undefined) return notApplicable('There is no record with an id to filter by.');
  const by = (value: unknown) => ({ filter: [{ property: 'id', operator: 'eq', value }] });
  const found = recordsOf(operation, await pageOf(bench, operation, by(record.id)));
  if (found.length === 0 || found.some(({ id }) => id !== record.id))
    return violated('A filter by id does not leave its record alone.', record.id, idsOf(found) || 'no record');
  const absent = typeof record.id === 'number' ? record.id + 4_000_000 : `${record.id}0`;
  const none = recordsOf(operation, await pageOf(bench, operation, by(absent)));
  return none.length === 0
    ? met()
    : violated('A filter by an id that nothing has leaves records.', 'no record', idsOf(none));
}
