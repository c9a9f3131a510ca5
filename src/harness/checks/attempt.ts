// A right request of each operation: what it is tried on, as whom, with which body. Knows the contract's paths and the target's records.
import type { Operation } from '../../contract/operation.ts';
import { type OperationId, operationById, operations } from '../../contract/operations.ts';
import type { Bench, Credentials, Members } from '../conform/check.ts';
import { CheckEnd, unevaluable } from '../conform/finding.ts';
import { factsOf, listAt, numberOf } from '../conform/records.ts';
import type { UserName } from '../language/document.ts';
import { valueAt } from '../matching.ts';
import type { TargetUser } from '../target/target.ts';
import { leastBody } from './bodies.ts';
import { special } from './special.ts';

export type PathValues = Readonly<Record<string, unknown>>;

export interface Attempt {
  readonly path: PathValues;
  readonly body: unknown;
  /** Null: nobody. */
  readonly as: UserName | TargetUser | Credentials | null;
}

/** Nobody has this number: Ofcom keeps it for drama. */
export const UNUSED_NUMBER = '+442079460998';

/** What the operation needs to succeed; a record of its own when it will not survive. Ends the check when there is no such thing. */
export async function attemptOf(bench: Bench, operation: Operation): Promise<Attempt> {
  const prepare = special[operation.id];
  const as = operation.auth === 'none' ? null : 'first';
  if (prepare !== undefined) return { path: {}, body: undefined, as, ...(await prepare(bench)) };
  const path = await pathOf(bench, operation);
  if (operation.body === undefined) return { path, body: undefined, as };
  const record = operation.body.bulk ? await bulkRecordOf(bench, operation) : await recordAt(bench, operation, path);
  const facts = await factsOf(bench, operation, record);
  needsLogin(operation, facts);
  return { path, body: leastBody(operation.id, facts), as };
}

/** The record that is changed, as it was when it was made. */
async function recordAt(bench: Bench, operation: Operation, { id }: PathValues): Promise<Members> {
  const list = listOf(operation);
  const isOwn = operation.path === `${list}/{id}` && !['/calls', '/users', '/customers'].includes(list);
  return isOwn ? bench.own(list) : { id };
}

function needsLogin(
  { id }: Operation,
  { email, password }: { readonly email: string; readonly password: string },
): void {
  if (id === 'login' && (email === '' || password === ''))
    throw new CheckEnd(unevaluable('Nobody gave email and password of the first user.'));
  if ((id === 'resendConfirmation' || id === 'requestPasswordReset') && email === '')
    throw new CheckEnd(unevaluable('Nobody gave the email of the first user.'));
}

async function pathOf(bench: Bench, operation: Operation): Promise<PathValues> {
  if (operation.path.includes('{from}')) return threadOf(bench);
  const values: Record<string, unknown> = {};
  for (const { name, kind } of operation.parameters.path)
    values[name] = kind === 'e164' ? await numberOf(bench) : await idFor(bench, operation);
  return values;
}

async function threadOf(bench: Bench): Promise<PathValues> {
  const { from, to, user_id: id } = await bench.find('/sms');
  return { id: id ?? bench.user('first').id, from, to };
}

async function idFor(bench: Bench, operation: Operation): Promise<unknown> {
  const list = listOf(operation);
  if (list === '/customers')
    return bench.user('first').customerId ?? end('Nobody gave the id of the customer account.');
  const isOwner = list === '/users' && operation.path !== '/users/{id}';
  if (operation.method === 'DELETE') return (await bench.fresh(list)).id;
  if (isOwner || (list === '/users' && operation.method === 'GET')) return bench.user('first').id;
  return (operation.method === 'GET' ? await bench.find(list) : await bench.own(list)).id;
}

/** What a bulk change is tried on: a record of our own, else one that is there, written as it is. */
async function bulkRecordOf(bench: Bench, operation: Operation): Promise<Members> {
  const list = listOf(operation);
  // What cannot be read could not be put back: elsewhere than at a simulator the element then names its record and nothing else.
  const isOurs = bench.target.control !== undefined || bench.allows('destroy');
  if (operation.id === 'updateTrackedDdis') return isOurs ? { campaign_id: 0 } : {};
  if (list === '/users') {
    const { id } = bench.user('first');
    const { body } = await bench.ask('getUser', { path: { id } });
    const location = valueAt(body, '/data/location_id');
    if (location !== undefined) return { id, location_id: Number(location) || 0 };
    return isOurs ? { id, location_id: 1 } : { id };
  }
  return canBeMade(bench, list) ? bench.own(list) : bench.find(list);
}

function canBeMade({ target }: Bench, list: string): boolean {
  return target.control !== undefined || operations.some(({ method, path }) => method === 'POST' && path === list);
}

function end(message: string): never {
  throw new CheckEnd(unevaluable(message));
}

/** `/users` of `/users/{id}/contacts`; the path itself when nothing in it is named. */
export function listOf({ path }: Operation): string {
  const at = path.indexOf('/{');
  return at < 0 ? path : path.slice(0, at);
}

/** Reads one record of the operation's list. */
export function readerOf(operation: Operation): Operation | undefined {
  const route = `${listOf(operation)}/{id}`;
  return operations.find(
    ({ method, path, response }) => method === 'GET' && path === route && response.kind === 'single',
  );
}

/** What no usual reader or list shows. */
const witnesses: Readonly<Partial<Record<OperationId, OperationId>>> = {
  createLeadCall: 'listCalls',
  deleteChatMessages: 'listUserChatMessages',
  deleteAllChatMessages: 'listUserChatMessages',
  // Whose account is gone, has no key that opens.
  deleteCustomer: 'ping',
};

/** What shows that a refused request changed nothing: the record, or how many there are. */
export function witnessOf(operation: Operation): Operation | undefined {
  if (operation.effect === 'read') return undefined;
  const named = witnesses[operation.id];
  if (named !== undefined) return operationById(named);
  return operation.path.includes('{id}') ? readerOf(operation) : listAt(listOf(operation));
}

/** The same request with an id, or a number, that nothing has. */
export async function unknownOf(bench: Bench, operation: Operation, right: Attempt): Promise<Attempt> {
  if (operation.body?.bulk === true) return { ...right, body: unknownElement(right.body) };
  const values = await Promise.all(
    operation.parameters.path.map(async ({ name, kind }): Promise<[string, unknown]> => {
      if (kind === 'e164') return [name, UNUSED_NUMBER];
      if (kind === 'number') return [name, right.path[name]];
      return [name, await unusedId(bench, operation, right.path[name])];
    }),
  );
  return { ...right, path: Object.fromEntries(values) };
}

/** Far from the ids that there are; nothing is removed that somebody may have. */
async function unusedId(bench: Bench, operation: Operation, known: unknown): Promise<number> {
  const from = Number(known);
  const reader = readerOf(operation);
  for (const distance of [4_000_000, 900_000_007, 40_000_003]) {
    const id = (Number.isSafeInteger(from) ? from : 0) + distance;
    if (operation.method === 'GET' || reader === undefined) return id;
    if ((await bench.ask(reader, { path: { id } })).status >= 400) return id;
  }
  return end('No id was found that nothing has.');
}

function unknownElement(body: unknown): unknown {
  const [first, ...rest] = body as ReadonlyArray<Readonly<Record<string, unknown>>>;
  const changed = first?.e164 === undefined ? { id: Number(first?.id) + 4_000_000 } : { e164: UNUSED_NUMBER };
  return [{ ...first, ...changed }, ...rest];
}
