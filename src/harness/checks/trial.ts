// The one right request of an operation in a run: its success is the positive control of everything else that is checked of it.

import { successIsOpen } from '../../contract/clauses/generated.ts';
import { recordsIn } from '../../contract/clauses/published-fields.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Answer, Bench, Members } from '../conform/check.ts';
import { CheckEnd, type Finding, unevaluable } from '../conform/finding.ts';
import { factsOf } from '../conform/records.ts';
import { asPrerequisite } from '../conform/work-bench.ts';
import { valueAt } from '../matching.ts';
import { type Attempt, attemptOf, listOf } from './attempt.ts';
import { fullBody } from './bodies.ts';
import { fillings } from './fillings.ts';

export interface Trial {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

/** Made once in a run. Ends the check as its own preparation ended. */
export async function trialOf(bench: Bench, operation: Operation): Promise<Trial> {
  const trial = await bench.once<Trial | Finding>(`trial ${operation.id}`, async (inner) => {
    try {
      return await tried(inner, operation);
    } catch (error) {
      if (error instanceof CheckEnd) return error.finding;
      throw error;
    }
  });
  if ('found' in trial) throw new CheckEnd(trial);
  return trial;
}

export function succeeds(operation: Operation, status: number): boolean {
  return successIsOpen(operation) ? status >= 200 && status < 300 : operation.success.includes(status);
}

async function tried(bench: Bench, operation: Operation): Promise<Trial> {
  const attempt = await asPrerequisite('What it is tried on', () => attemptOf(bench, operation));
  const answer = await bench.ask(operation, attempt);
  if (answer.status === 400 && operation.method === 'POST' && operation.body?.bulk !== true) {
    // Which members are required is not published: everything that is may be what is wanted.
    const body = fullBody(operation.id, await factsOf(bench, operation, {}));
    if (body !== undefined) {
      const fuller = { ...attempt, body };
      return { attempt: fuller, answer: await bench.ask(operation, fuller) };
    }
  }
  if (answer.status === 404 && operation.response.kind === 'file')
    return otherFile(bench, operation, { attempt, answer });
  if (answer.status === 404 && listOf(operation) === '/calls') return liveTrial(bench, operation, { attempt, answer });
  if (isShortList(operation, answer) && (await filled(bench, operation, attempt)))
    return { attempt, answer: await bench.ask(operation, attempt) };
  return { attempt, answer };
}

/** Not every record has a file: some others are tried before the operation is said not to find any. */
const FILES_TRIED = 10;
/** Of so many: the page that the specification allows. */
const LONGEST_PAGE = 5000;

/** From both ends of the list, the newest being at either: files of what is long past may have been cleared away. */
async function otherFile(bench: Bench, operation: Operation, first: Trial): Promise<Trial> {
  const records = await bench.list(listOf(operation), { limit: LONGEST_PAGE });
  const others = new Set([...records.slice(-FILES_TRIED / 2).reverse(), ...records.slice(0, FILES_TRIED / 2)]);
  for (const { id } of others) {
    const attempt = { ...first.attempt, path: { id } };
    const answer = await bench.ask(operation, attempt);
    if (answer.status !== 404) return { attempt, answer };
  }
  return first;
}

/** A call may end before it is asked for; only of one that is in the list is it wrong to say that there is none. */
async function liveTrial(bench: Bench, operation: Operation, first: Trial): Promise<Trial> {
  let trial = first;
  for (let tries = 0; tries < CALLS_TRIED && trial.answer.status === 404; tries += 1) {
    if (await isListed(bench, trial.attempt.path.id)) return trial;
    const attempt = await asPrerequisite('What it is tried on', () => attemptOf(bench, operation));
    trial = { attempt, answer: await bench.ask(operation, attempt) };
  }
  if (trial.answer.status !== 404 || (await isListed(bench, trial.attempt.path.id))) return trial;
  throw new CheckEnd(
    unevaluable('Calls end before they can be asked for: it takes phones that ring (sip of the target file).'),
  );
}

const CALLS_TRIED = 2;

/** Whether a live call is in the list. */
export async function isListed(bench: Bench, id: unknown): Promise<boolean> {
  return (await bench.list('/calls')).some((call) => String(call.id) === String(id));
}

/** Fewer than two records show nothing of pages. */
function isShortList({ response }: Operation, { body }: Answer): boolean {
  const data = valueAt(body, '/data');
  return response.kind === 'collection' && Array.isArray(data) && data.length < 2;
}

/** What is missing is made where that is possible. */
async function filled(bench: Bench, operation: Operation, { path }: Attempt): Promise<boolean> {
  const list = listOf(operation);
  try {
    const fill = fillings[operation.id];
    if (fill !== undefined) return await fill(bench, path);
    await bench.own(list);
    await bench.once(`another ${list}`, (inner) => inner.fresh(list));
    return true;
  } catch (error) {
    if (error instanceof CheckEnd) return false;
    throw error;
  }
}

/** Of a longer list the others are not looked at. */
const RECORDS_SEEN = 1000;

/** The records in an answer; none where it is not as published. */
export function recordsOf(operation: Operation, { body }: Answer): readonly Members[] {
  if (recordsIn(operation) === undefined) return [];
  const data = valueAt(body, '/data');
  const records = Array.isArray(data) ? data.slice(0, RECORDS_SEEN) : [data];
  return records.filter((one): one is Members => typeof one === 'object' && one !== null && !Array.isArray(one));
}
