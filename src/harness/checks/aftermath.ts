// What can be seen after an operation was done: what was made is there, what was written is read, what was removed is gone.
import type { Operation } from '../../contract/operation.ts';
import { resources } from '../../contract/resources.ts';
import { twins } from '../../contract/twins.ts';
import type { Bench, Members } from '../conform/check.ts';
import { blocked, type Finding, met, notApplicable, observed, violated } from '../conform/finding.ts';
import { listAt } from '../conform/records.ts';
import { valueAt } from '../matching.ts';
import { listOf, readerOf } from './attempt.ts';
import { isListed, trialOf } from './trial.ts';

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
  const { attempt, answer } = await trialOf(bench, operation);
  const reader = readerOf(operation);
  const id = attempt.path.id ?? valueAt(answer.body, '/data/id');
  if (reader === undefined || id === undefined) return blocked('The answer does not say which record it is.');
  const { status, body } = await bench.ask(reader, { path: { id } });
  if (status === 404 && listOf(operation) === '/calls' && !(await isListed(bench, id)))
    return notApplicable('The call had ended before it could be read.');
  if (status !== 200) return violated('What was written cannot be read.', 200, status);
  const record = valueAt(body, '/data') as Members;
  const written = Object.entries(attempt.body as Members).filter(([name, value]) =>
    isReadAlike(operation, name, value),
  );
  const other = written.find(([name, value]) => record?.[name] !== value);
  if (other !== undefined)
    return violated(`${other[0]} is not read as it was written.`, other[1], record?.[other[0]] ?? 'nothing');
  return operation.method === 'PATCH' && written.length === 0
    ? notApplicable('No member that is written is read in the same form.')
    : met();
}

/** Text under one name in both directions; of anything else the read form is another one or open. */
function isReadAlike({ response }: Operation, name: string, value: unknown): boolean {
  if (typeof value !== 'string' || response.kind !== 'single') return false;
  const { resource } = response;
  const { published, schema } = resources[resource];
  const type = (schema.properties[name] as { readonly type?: unknown } | undefined)?.type;
  const hasTwin = twins.some((twin) => twin.resource === resource && (twin.written === name || twin.read === name));
  return published && type === 'string' && !hasTwin;
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
  const { answer } = await trialOf(bench, operation);
  const list = listAt(listOf(operation));
  if (list === undefined) return notApplicable('Nothing lists these.');
  const total = async (): Promise<unknown> => valueAt((await bench.ask(list)).body, '/total');
  const left = await bench.until(total, (count) => count === 0, SOON_MS);
  if (left === 0) return met();
  // 202 promises no more than that it will be done.
  if (answer.status === 202) return observed('Accepted, and not done yet.', left);
  return violated('There are records left.', 0, left);
}
