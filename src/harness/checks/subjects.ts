// What operations are tried on: ids that are there, made when they are not. Knows the contract's paths and the target's answers.
import type { Operation } from '../../contract/operation.ts';
import { type OperationId, operations } from '../../contract/operations.ts';
import type { ControlClient } from '../run/control-client.ts';
import { credentialsOf, type RestClient } from '../run/rest-client.ts';
import type { Target, TargetUser } from '../target/target.ts';
import { type BodyFacts, leastBody } from './bodies.ts';

/** Path parameters of one request. */
export type PathValues = Readonly<Record<string, unknown>>;

/** What keeps a check from being made. */
export interface Lacking {
  readonly lacking: string;
}

type Members = Readonly<Record<string, unknown>>;

export function isLacking(found: unknown): found is Lacking {
  return typeof found === 'object' && found !== null && 'lacking' in found;
}

/** Nobody is called there: Ofcom keeps these numbers for drama. */
const OUTSIDE = '+442079460999';
const UNUSED_NUMBER = '+442079460998';

export class Subjects {
  readonly #rest: RestClient;
  readonly #target: Target;
  readonly #control: ControlClient | undefined;

  constructor(rest: RestClient, target: Target, control: ControlClient | undefined) {
    this.#rest = rest;
    this.#target = target;
    this.#control = control;
  }

  /** Something that the operation can be tried on; one of its own when it will not survive that. */
  async pathOf(operation: Operation): Promise<PathValues | Lacking> {
    const values: Record<string, unknown> = {};
    for (const { name, kind } of operation.parameters.path) {
      if (kind === 'number') continue;
      const found = kind === 'e164' ? await this.#number() : await this.#idFor(operation);
      if (isLacking(found)) return found;
      values[name] = found;
    }
    return operation.path.includes('{from}') ? this.#thread() : values;
  }

  /** The same path with an id, or a number, that nothing has. */
  unknown(operation: Operation, values: PathValues): PathValues {
    const missing = operation.parameters.path.map(({ name, kind }) => {
      if (kind === 'id' || kind === 'ids') return [name, Number(values[name] ?? 0) + 4_000_000];
      return [name, kind === 'e164' ? UNUSED_NUMBER : values[name]];
    });
    return Object.fromEntries(missing);
  }

  async bodyFacts(values: PathValues, operation: Operation): Promise<BodyFacts | Lacking> {
    const { first, second } = this.#target.users;
    const e164 = await this.#number();
    if (isLacking(e164)) return e164;
    const bulk = operation.body?.bulk === true && operation.id !== 'updateTrackedDdis';
    const id = bulk ? await this.#idFor(operation) : values.id;
    if (isLacking(id)) return id;
    return {
      ...{ id, e164, extension: second?.ext ?? '', outside: OUTSIDE },
      ...{ email: first?.email ?? '', password: first?.password ?? '' },
    };
  }

  /** The record's path as it is read back: to see that nothing has changed, or that something has. */
  readerOf(operation: Operation): Operation | undefined {
    const prefix = prefixOf(operation);
    return operations.find(
      ({ method, path, response }) => method === 'GET' && path === `${prefix}/{id}` && response.kind === 'single',
    );
  }

  /** Where the record stands in a list. */
  listOf(operation: Operation): Operation | undefined {
    return listAt(prefixOf(operation));
  }

  async #number(): Promise<string | Lacking> {
    const [ddi] = await this.#listed('/ddis');
    return typeof ddi?.e164 === 'string' ? ddi.e164 : { lacking: 'a number of the account in GET /ddis' };
  }

  async #thread(): Promise<PathValues | Lacking> {
    const [sms] = await this.#listed('/sms');
    if (sms === undefined) return { lacking: 'an SMS in GET /sms' };
    return { id: sms.user_id, from: sms.from, to: sms.to };
  }

  async #idFor(operation: Operation): Promise<unknown> {
    const prefix = prefixOf(operation);
    if (prefix === '/customers') return this.#target.users.first?.customerId ?? { lacking: 'the id of the account' };
    const isConsumed = operation.method === 'DELETE';
    if (prefix === '/users' && !isConsumed) return this.#target.users.first?.id;
    const [known] = isConsumed ? [] : await this.#listed(prefix);
    return known?.id ?? (await this.#made(prefix));
  }

  /** A new record, by the API or else by the administration. */
  async #made(prefix: string): Promise<unknown> {
    const create = operations.find(({ method, path }) => method === 'POST' && path === prefix);
    if (create !== undefined) {
      const facts = await this.bodyFacts({}, create);
      if (isLacking(facts)) return facts;
      const made = await this.ask(create, { body: leastBody(create.id, facts) });
      const data = made?.body as { readonly data?: { readonly id?: unknown } } | undefined;
      return data?.data?.id ?? { lacking: `what POST ${prefix} should have made` };
    }
    return this.#administered(prefix);
  }

  async #administered(prefix: string): Promise<unknown> {
    const resource = prefix.split('/').at(-1) ?? '';
    if (this.#control === undefined) return { lacking: `a record of ${prefix}, and no control API makes one` };
    const kind = administered[prefix] ?? resource;
    const query = `customer_id=${this.#target.users.first?.customerId}`;
    const { status, body } = await this.#control.ask('POST', `/records/${kind}?${query}`, leastRecord(kind));
    return status === 201
      ? (body as Members).id
      : { lacking: `a record of ${prefix}: the control API answers ${status}` };
  }

  async #listed(prefix: string): Promise<readonly Members[]> {
    const list = listAt(prefix);
    const answer = list === undefined ? undefined : await this.ask(list, {});
    const data = (answer?.body as { readonly data?: unknown } | undefined)?.data;
    return Array.isArray(data) ? data : [];
  }

  /** The answer to a request of the first user, of somebody else or of nobody (null); undefined when there is none. */
  async ask(
    operation: Operation,
    {
      path = {},
      body,
      as = this.#target.users.first,
    }: { path?: PathValues; body?: unknown; as?: TargetUser | null | undefined },
  ) {
    const credentials = as === undefined || as === null ? undefined : credentialsOf(as);
    const outcome = await this.#rest.send({
      operation,
      as: credentials,
      path,
      ...(body === undefined ? {} : { body }),
    });
    return outcome.ok ? outcome.answer : undefined;
  }
}

/** `/users` of `/users/{id}/contacts`; the path itself when nothing in it is named. */
function prefixOf({ path }: Operation): string {
  const at = path.indexOf('/{');
  return at < 0 ? path : path.slice(0, at);
}

function listAt(prefix: string): Operation | undefined {
  return operations.find(
    ({ method, path, response }) => method === 'GET' && path === prefix && response.kind === 'collection',
  );
}

/** Resources whose paths do not end in their id. */
const administered: Readonly<Record<string, OperationId | string>> = { '/callmeback/buttons': 'callmebackbuttons' };

let made = 0;
function leastRecord(kind: string): object {
  made += 1;
  return kind === 'users' ? { ext: String(7000 + made), email: `check-${made}@checks.example` } : {};
}
