// Requests that must be refused: the right one with exactly one thing changed, and what they may not have changed.
import type { Refusal } from '../../contract/clauses/generated.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Bench } from '../conform/check.ts';
import { CheckEnd, type Finding, jsonOf, met, observed, violated } from '../conform/finding.ts';
import { asPrerequisite } from '../conform/work-bench.ts';
import { valueAt } from '../matching.ts';
import { errorBodyFinding } from './answers.ts';
import { type Attempt, attemptOf, listOf, unknownOf, witnessOf } from './attempt.ts';
import { wrongBody } from './bodies.ts';
import { succeeds, trialOf } from './trial.ts';

interface Refused {
  readonly status: number;
  readonly finding: Finding;
  /** What the witness said before and after. */
  readonly before: string;
  readonly after: string;
}

/** Passes for its own reason alone: the same request made right has been answered with a success. */
export async function refusalFinding(bench: Bench, operation: Operation, kind: Refusal): Promise<Finding> {
  return (await refused(bench, operation, kind)).finding;
}

/** Whether any of the refused requests has changed what the witness sees. */
export async function unchangedFinding(
  bench: Bench,
  operation: Operation,
  kinds: readonly Refusal[],
): Promise<Finding> {
  let seen = 0;
  for (const kind of kinds) {
    const outcome = await refused(bench, operation, kind).catch(onlyEnds);
    if (outcome === undefined || outcome.status < 400) continue;
    seen += 1;
    if (outcome.before !== outcome.after)
      return violated(
        `The request that was refused with ${outcome.status} has changed something.`,
        outcome.before,
        outcome.after,
      );
  }
  if (seen === 0) return { found: 'not-applicable', message: 'No request was refused.' };
  return witnessOf(operation) === undefined
    ? { found: 'not-applicable', message: 'Nothing shows what there is.' }
    : met();
}

function onlyEnds(error: unknown): undefined {
  if (!(error instanceof CheckEnd)) throw error;
}

function refused(bench: Bench, operation: Operation, kind: Refusal): Promise<Refused> {
  return bench.once(`refusal ${operation.id} ${kind}`, async (inner) => {
    const right = await rightAttempt(inner, operation);
    const wrong = await wrongAttempt(inner, operation, { kind, right });
    const before = await stateOf(inner, operation, right);
    const answer = await inner.ask(operation, wrong);
    const after = await stateOf(inner, operation, right);
    const { status } = answer;
    if (status === kind) return { status, finding: errorBodyFinding(answer), before, after };
    return { status, finding: otherFinding(inner, operation, { kind, status, text: answer.text }), before, after };
  });
}

/** Denied or not found: which of the two is open. */
export async function tenantFinding(bench: Bench, operation: Operation): Promise<Finding> {
  const right = await rightAttempt(bench, operation);
  const answer = await bench.ask(operation, { ...right, as: 'other_customer' });
  if (answer.status === 403 || answer.status === 404) return errorBodyFinding(answer);
  const done = succeeds(operation, answer.status) ? 'It is done' : `It is answered ${answer.status}`;
  return violated(
    `${done} for a user of another customer.`,
    '403 or 404',
    `${answer.status} ${answer.text.slice(0, 300)}`,
  );
}

/** What the operation takes away is there anew. */
async function rightAttempt(bench: Bench, operation: Operation): Promise<Attempt> {
  const { attempt } = await trialOf(bench, operation);
  if (operation.method === 'DELETE' && operation.parameters.path.length === 0) await somethingIn(bench, operation);
  const isSpent = operation.method === 'DELETE' || ['logout', 'loginTwoFactor', 'resetPassword'].includes(operation.id);
  return isSpent ? asPrerequisite('What it is tried on', () => attemptOf(bench, operation)) : attempt;
}

/** In an empty list nobody sees whether it was emptied. */
async function somethingIn(bench: Bench, operation: Operation): Promise<void> {
  const list = listOf(operation);
  // What shows messages is the list of one user.
  const made = list === '/chatmsgs' ? administered(bench) : bench.fresh(list);
  await made.catch((error: unknown) => {
    if (!(error instanceof CheckEnd)) throw error;
  });
}

async function administered(bench: Bench): Promise<unknown> {
  return bench.administer('chatmsgs', { user_id: bench.user('first').id });
}

async function wrongAttempt(
  bench: Bench,
  operation: Operation,
  { kind, right }: { readonly kind: Refusal; readonly right: Attempt },
): Promise<Attempt> {
  switch (kind) {
    case 400:
      return { ...right, body: wrongBody(right.body) };
    case 401:
      return { ...right, as: null };
    case 403:
      return { ...right, as: 'restricted' };
    case 404:
      return unknownOf(bench, operation, right);
  }
}

function otherFinding(
  { target }: Bench,
  operation: Operation,
  { kind, status, text }: { readonly kind: Refusal; readonly status: number; readonly text: string },
): Finding {
  const actual = `${status} ${text.slice(0, 300)}`;
  // Which role may do what is not specified; only where somebody has said that this one may not, it must be refused.
  if (kind === 403 && succeeds(operation, status) && target.denied?.includes(operation.id) !== true)
    return observed('The restricted user may do this; which role may do what is not specified.', status);
  const done = succeeds(operation, status) ? 'It is done' : `It is answered ${status}`;
  return violated(`${done} although ${wrongs[kind]}.`, kind, actual);
}

const wrongs: Readonly<Record<Refusal, string>> = {
  400: 'a member of the body has a wrong type',
  401: 'it has no credentials',
  403: 'the user may not',
  404: 'nothing has the id',
};

async function stateOf(bench: Bench, operation: Operation, { path, as }: Attempt): Promise<string> {
  const witness = witnessOf(operation);
  if (witness === undefined) return '';
  const asking = { path: pathOfWitness(bench, witness, path), ...(operation.id === 'deleteCustomer' ? { as } : {}) };
  const { status, body } = await asPrerequisite('What shows the state', () => bench.ask(witness, asking));
  const total = valueAt(body, '/total');
  if (total !== undefined) return `total ${total}`;
  // A live call changes by itself as time goes by, but not to whom it leads.
  if (witness.id === 'getCall') return `status ${status}, dst ${jsonOf(valueAt(body, '/data/dst'))}`;
  return jsonOf(valueAt(body, '/data') ?? status);
}

/** Where the witness asks for a user, what is looked at is the first one's. */
function pathOfWitness(bench: Bench, { path: route }: Operation, path: Attempt['path']): Attempt['path'] {
  return route.startsWith('/users/{id}/') ? { id: bench.user('first').id } : path;
}
