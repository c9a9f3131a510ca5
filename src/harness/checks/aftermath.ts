// What can be seen after an operation was done: what was made is there, what was written is read, what was removed is gone.
import type { Operation } from '../../contract/operation.ts';
import { resources } from '../../contract/resources.ts';
import { twins } from '../../contract/twins.ts';
import type { Bench, Members } from '../conform/check.ts';
import { blocked, type Finding, met, notApplicable, violated } from '../conform/finding.ts';
import { listAt } from '../conform/records.ts';
import { valueAt } from '../matching.ts';
import { listOf, readerOf } from './attempt.ts';
import { trialOf } from './trial.ts';

/** A removal may take a moment: a call has to be hung up. */
const SOON_MS = 5000;

type Aftermath = 'MADE' | 'WRITTEN' | 'GONE' | 'EMPTY';

export async function aftermathFinding(bench: Bench, operation: Operation, aftermath: Aftermath): Promise<Finding> {
  switch (aftermath) {
    case 'MADE':
    case 'WRITTEN':
      return writtenFinding(bench, operation);
    case 'GONE':
      return goneFinding(bench, operation);
    case 'EMPTY':
      return emptyFinding(bench, operation);
  }
}

async function writtenFinding(bench: Bench, operation: Operation): Promise<Finding> {
  if (operation.method === 'POST' && listOf(operation) === '/calls') return placedFinding(bench, operation);
  const { attempt, answer } = await trialOf(bench, operation);
  const reader = readerOf(operation);
  const id = attempt.path.id ?? valueAt(answer.body, '/data/id');
  if (reader === undefined || id === undefined) return blocked('The answer does not say which record it is.');
  const { status, body } = await bench.ask(reader, { path: { id } });
  if (status !== 200) return violated('What was written cannot be read.', 200, status);
  const record = (valueAt(body, '/data') ?? {}) as Members;
  const compared = Object.entries(attempt.body as Members).flatMap(([name, value]) => {
    const read = readAs(operation, name, { value, record });
    return read === undefined ? [] : [{ name, value, read: read.value }];
  });
  const other = compared.find(({ value, read }) => read !== value);
  if (other !== undefined)
    return violated(`${other.name} is not read as it was written.`, other.value, other.read ?? 'nothing');
  return operation.method === 'PATCH' && compared.length === 0
    ? notApplicable('No member that is written is read in the same form.')
    : met();
}

/** A live call may end at any time; but one that begins then is in the list, under the id that its answer tells. */
async function placedFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const { attempt } = await trialOf(bench, operation);
  const before = new Set((await bench.list('/calls')).map(({ id }) => String(id)));
  const answer = await bench.ask(operation, attempt);
  const id = valueAt(answer.body, '/data/id');
  if (!operation.success.includes(answer.status) || id === undefined)
    return blocked(`Another call is answered ${answer.status} and has no id.`);
  const { status } = await bench.ask('getCall', { path: { id } });
  if (status === 200) return met();
  const begun = (await bench.list('/calls')).map((call) => String(call.id)).filter((one) => !before.has(one));
  if (begun.includes(String(id))) return violated('The call is listed, and cannot be read.', 200, status);
  return begun.length === 0
    ? notApplicable('The call had ended before it could be read.')
    : violated('The call that has begun has another id than its answer tells.', id, begun.join(', '));
}

/** What of the record shows a member that was written; undefined where its read form is another one, or open. */
function readAs(
  { response, method }: Operation,
  name: string,
  { value, record }: { readonly value: unknown; readonly record: Members },
): { readonly value: unknown } | undefined {
  if (response.kind !== 'single' || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const { resource } = response;
  const { published, schema } = resources[resource];
  // The fields of some records are not shown: a member of that name and type is that field all the same.
  if (!published) return typeof record[name] === typeof value ? { value: record[name] } : undefined;
  const twin = twins.find((one) => one.resource === resource && (one.written === name || one.read === name));
  if (twin !== undefined) {
    // Under which name it is read is open: what is changed has to be seen somewhere.
    const isPlain = twin.mapping.kind === 'same' && method === 'PATCH' && typeof value === 'string';
    return isPlain ? { value: Object.values(record).includes(value) ? value : record[twin.read] } : undefined;
  }
  const { type } = (schema.properties[name] ?? {}) as { readonly type?: unknown };
  return type === (typeof value === 'string' ? 'string' : 'integer') ? { value: record[name] } : undefined;
}

async function goneFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const { attempt } = await trialOf(bench, operation);
  const reader = readerOf(operation);
  if (reader === undefined) return notApplicable('Nothing reads one of these.');
  const id = attempt.path.id ?? attempt.path.ids;
  const { status } = await bench.until(
    () => bench.ask(reader, { path: { id } }),
    (answer) => answer.status === 404,
    SOON_MS,
  );
  return status === 404 ? met() : violated('What was removed is still there.', 404, status);
}

async function emptyFinding(bench: Bench, operation: Operation): Promise<Finding> {
  await trialOf(bench, operation);
  const list = listAt(listOf(operation));
  if (list === undefined) return notApplicable('Nothing lists these.');
  const total = async (): Promise<unknown> => valueAt((await bench.ask(list)).body, '/total');
  const left = await bench.until(total, (count) => count === 0, SOON_MS);
  return left === 0 ? met() : violated('There are records left.', 0, left);
}
