// REST requests of a recording as steps of a scenario: ids become captures and facts of users. Knows no call's events.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { RestStep } from '../language/document.ts';
import type { Casting } from './casting.ts';
import type { HeardRequest } from './heard.ts';
import { decoded } from './phones-heard.ts';

/** What the journal writes instead of a secret. */
const REMOVED = '[removed]';
/** Ids of records are greater: whatever number of a body is one and is not known by name cannot be repeated. */
const LEAST_ID = 10_000_000;

/** Members that hold ids of calls, and of users. */
const CALLS = /^(live_id|call_id|parent_id)$/;
const USERS = /user|owner|agent|member|^(from|to|src|dst)(_id)?$/;

export type WrittenRequest =
  | { readonly is: 'step'; readonly step: RestStep }
  | { readonly is: 'words'; readonly why: string };

/** Names of ids that steps have captured, by id; a call's or a record's. */
export type Captured = ReadonlyMap<number, string>;

export class RequestWriter {
  readonly #casting: Casting;
  readonly #captured: Captured;
  /** The id that a request made, by the request's order. */
  readonly #made: ReadonlyMap<number, { readonly id: number; readonly name: string }>;
  /** Of records that requests have made. */
  readonly #names: { readonly family: string; readonly id: number; readonly name: string }[] = [];

  constructor(requests: readonly HeardRequest[], casting: Casting, captured: Captured) {
    this.#casting = casting;
    this.#captured = captured;
    this.#made = madeBy(requests);
  }

  /** `creates`: the name under which the id of what the request made is wanted. */
  write(request: HeardRequest, creates?: string): WrittenRequest {
    const { operation: id, status, userId } = request;
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) return words('the API has no such operation');
    if (status === undefined) return words('it was not answered when the recording ended');
    if (operation.id === 'logout') return words('the user token of then is not known any more');
    const user = this.#casting.user(userId);
    if (userId !== null && user === undefined) return words('no user of a scenario can ask in the place of that one');
    const filled = this.#filled(request, operation);
    if ('why' in filled) return words(filled.why);
    const made = this.#made.get(request.seq);
    if (made !== undefined)
      this.#names.push({ ...made, family: request.path.slice(request.path.lastIndexOf('/') + 1) });
    const capture = {
      ...(creates === undefined ? {} : { [creates]: '/data/id' }),
      ...(made === undefined ? {} : { [made.name]: '/data/id' }),
    };
    const as =
      userId === null ? (operation.auth === 'none' ? undefined : 'nobody') : user === 'first' ? undefined : user;
    return {
      is: 'step',
      step: {
        rest: operation.id,
        ...(as === undefined ? {} : { as }),
        ...filled,
        expect: { status },
        ...(Object.keys(capture).length === 0 ? {} : { capture }),
      } as RestStep,
    };
  }

  #filled(request: HeardRequest, operation: Operation): Partial<RestStep> | { readonly why: string } {
    const { query, body } = request;
    const values = parametersOf(request, operation);
    if (values === undefined) return { why: 'its path is not that of its operation' };
    const path: Record<string, unknown> = {};
    for (const { name, kind } of operation.parameters.path) {
      const value = values[name] ?? '';
      const family = new RegExp(`([a-z_]+)/\\{${name}\\}`).exec(operation.path)?.[1] ?? '';
      const known = kind === 'id' || kind === 'ids' ? this.#idIn(family, value) : this.#casting.factReference(value);
      if (known === undefined && (kind === 'id' || kind === 'ids'))
        return { why: `nothing that was recorded tells where ${value} is from` };
      path[name] = known ?? value;
    }
    const rest: Record<string, unknown> = {
      query: query === undefined ? undefined : parsed(query),
      body: withPassword(body),
    };
    const strange = new Set<string>();
    for (const [name, value] of Object.entries(rest)) rest[name] = this.#named(value, name, strange);
    const [first] = strange;
    if (first !== undefined) return { why: first };
    return {
      ...(Object.keys(path).length === 0 ? {} : { path }),
      ...(rest.query === undefined ? {} : { query: rest.query as NonNullable<RestStep['query']> }),
      ...(rest.body === undefined ? {} : { body: rest.body }),
    };
  }

  /** The value with names for ids; what cannot be named is added to `strange`. */
  #named(value: unknown, member: string, strange: Set<string>): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#named(item, member, strange));
    if (typeof value === 'object' && value !== null) {
      const words = Object.keys(value).join();
      if (words === 'characters') strange.add('it was too long for the journal');
      if (words === 'passwordOf')
        return this.#passwordOf(String((value as { passwordOf: unknown }).passwordOf), strange);
      // In a filter the value belongs to the property that is named beside it.
      const { property } = value as { property?: unknown };
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          this.#named(item, name === 'value' && typeof property === 'string' ? property : name, strange),
        ]),
      );
    }
    if (value === REMOVED) strange.add(`its ${member} is a secret, which the journal does not keep`);
    const known = this.#casting.factReference(value) ?? this.#idOf(member, value);
    if (known === undefined && typeof value === 'number' && value >= LEAST_ID)
      strange.add(`nothing that was recorded tells where ${value} is from`);
    return known ?? value;
  }

  #passwordOf(email: string, strange: Set<string>): string {
    const fact = this.#casting.factReference(email);
    if (fact === undefined) strange.add(`the password of ${email} is not known`);
    return (fact ?? '').replace('.email}', '.password}');
  }

  /** Ids of records are their own in each collection only: that of a user may be that of a contact, too. */
  #idIn(family: string, id: unknown): string | undefined {
    if (family === 'users') return this.#casting.userReference(id);
    const call = family === 'calls' ? this.#captured.get(Number(id)) : undefined;
    const name = call ?? this.#names.find((one) => one.family === family && one.id === Number(id))?.name;
    return name === undefined ? undefined : `\${${name}}`;
  }

  #idOf(member: string, value: unknown): string | undefined {
    if (typeof value !== 'number' && !/^\d{8,}$/.test(String(value))) return undefined;
    if (member.includes('customer')) return this.#casting.customerReference(value);
    if (CALLS.test(member)) return this.#idIn('calls', value);
    if (USERS.test(member)) return this.#casting.userReference(value);
    return this.#idIn(`${member.replace(/_ids?$/, '')}s`, value);
  }
}

/** `PATCH /calls/10000031 {"state":"ON_HOLD"}`, for a comment. */
export function requestWords({ method, path, body }: HeardRequest): string {
  return `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
}

function words(why: string): WrittenRequest {
  return { is: 'words', why };
}

/** Values of the path's parameters; the path begins with the API root. */
function parametersOf({ path }: HeardRequest, operation: Operation): Readonly<Record<string, string>> | undefined {
  const literal = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const match = new RegExp(`${literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
  if (match === null) return undefined;
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]));
}

/** A login says the password that the journal does not keep: the target's own. */
function withPassword(body: unknown): unknown {
  const { email, password } = (body ?? {}) as { email?: unknown; password?: unknown };
  if (typeof email !== 'string' || password !== REMOVED) return body;
  return { ...(body as object), password: { passwordOf: email } };
}

/** A query's values that are JSON, such as filters, as what they mean. */
function parsed(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return [name, value];
      try {
        return [name, JSON.parse(value) as unknown];
      } catch {
        return [name, value];
      }
    }),
  );
}

/** Which request made the record that a later path names: the one POST to its collection, or the first of them for the least id. */
function madeBy(requests: readonly HeardRequest[]): Map<number, { id: number; name: string }> {
  const made = new Map<number, { id: number; name: string }>();
  const makers = new Map<string, HeardRequest[]>();
  const ids = new Map<string, Set<number>>();
  for (const request of requests) {
    if (request.method === 'POST' && request.status === 201)
      makers.set(request.path, [...(makers.get(request.path) ?? []), request]);
    const [, collection, id] = /^(.+)\/(\d+)$/.exec(request.path) ?? [];
    if (collection === undefined || !makers.has(collection) || (request.status ?? 400) >= 400) continue;
    ids.set(collection, (ids.get(collection) ?? new Set()).add(Number(id)));
  }
  let count = 0;
  for (const [collection, found] of ids) {
    const posts = makers.get(collection) ?? [];
    if (posts.length !== found.size) continue;
    for (const [index, id] of [...found].sort((a, b) => a - b).entries()) {
      const post = posts[index];
      if (post === undefined || post.operation === 'createCall') continue;
      count += 1;
      made.set(post.seq, { id, name: `made_${count}` });
    }
  }
  return made;
}
