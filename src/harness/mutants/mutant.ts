// What a mutant is: a target with one deliberate deviation, made in the path between the judge and the target, so that any target can
// have it and nobody has to build it in. Knows no clause's check.
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operations.ts';
import type { Answered, Asked } from '../../wires/http-client.ts';
import { jsonIn } from '../json-text.ts';
import type { Courier } from '../run/inbox.ts';
import { basicAuthorization } from '../run/request.ts';
import type { Target } from '../target/target.ts';

/** The way on to the target. */
export type Forward = (asked: Asked) => Promise<Answered>;

/** One request of the judge, and what the contract knows of it. */
export interface Passing {
  readonly asked: Asked;
  /** Undefined of requests that are no published operation. */
  readonly operation: Operation | undefined;
  readonly target: Target;
  readonly forward: Forward;
  /** In real time. */
  readonly pause: (ms: number) => Promise<void>;
}

/** What a mutant does in one run; it may remember. */
export type Act = (passing: Passing) => Promise<Answered>;

export interface Mutant {
  /** `POST /contacts 201: answers 200`. Stable. */
  readonly id: string;
  /** The clauses that it breaks: of each a check has to find it. */
  readonly clauses: readonly string[];
  /** A new one for each run. */
  readonly begin: () => Act;
  /** What it does to requests of the control API, by which webhooks are set up; a new one for each run. */
  readonly control?: () => Act;
  /** What it does to deliveries of webhooks; a new one for each run. */
  readonly courier?: () => Courier;
}

/** A mutant that remembers nothing. */
export function mutant(id: string, clauses: string | readonly string[], act: Act): Mutant {
  return { id, clauses: [clauses].flat(), begin: () => act };
}

export type Json = Record<string, unknown>;

/** The answer with another status. */
export function withStatus(answered: Answered, status: number): Answered {
  return answered.ok ? { ...answered, status } : answered;
}

/** The answer with another body. */
export function withText(answered: Answered, text: string): Answered {
  return answered.ok ? { ...answered, text, bytes: Buffer.from(text) } : answered;
}

/** The answer with a JSON body that has been changed; as it was when it is none, or the change returns undefined. */
export function withJson(answered: Answered, change: (body: Json) => unknown): Answered {
  if (!answered.ok) return answered;
  const body = jsonIn(answered.text);
  if (typeof body !== 'object' || body === null) return answered;
  const changed = change(structuredClone(body) as Json);
  return changed === undefined ? answered : withText(answered, JSON.stringify(changed));
}

/** The mutant acts on requests of these operations alone. */
export function on(operations: OperationId | readonly OperationId[], act: Act): Act {
  const ids: readonly string[] = [operations].flat();
  return (passing) =>
    passing.operation !== undefined && ids.includes(passing.operation.id)
      ? act(passing)
      : passing.forward(passing.asked);
}

/** The JSON of a request; nothing when it has none. */
export function bodyOf({ body }: Asked): Json {
  const value = body === undefined ? undefined : jsonIn(body);
  return isObject(value) ? value : {};
}

/** An answer without a body. */
export function madeEmpty(status: number): Answered {
  return { ok: true, status, headers: {}, text: '', bytes: Buffer.alloc(0) };
}

/** A JSON answer from nowhere. */
export function made(status: number, body: unknown): Answered {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  return { ok: true, status, headers, text, bytes: Buffer.from(text) };
}

/** The records of a body, be it a list, one record or the owner's shape with items in it. */
export function recordsIn(body: Json): Json[] {
  const { data } = body;
  if (Array.isArray(data)) return data.filter(isObject);
  if (!isObject(data)) return [];
  const items = data.items;
  return Array.isArray(items) ? items.filter(isObject) : [data];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The request without those query parameters, or with other values of them. */
export function withQuery(asked: Asked, changes: Readonly<Record<string, string | undefined>>): Asked {
  const url = new URL(asked.url);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return { ...asked, url: url.href };
}

export function queryOf(asked: Asked, name: string): string | null {
  return new URL(asked.url).searchParams.get(name);
}

export interface Spelled {
  readonly id: string;
  readonly key: string;
}

/** Whose credentials a request carries; undefined when it has none that can be read. */
export function credentialsIn({ headers = {} }: Asked): Spelled | undefined {
  const [, written] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  const [, encoded = ''] = /^Basic\s+(\S+)$/i.exec(written ?? '') ?? [];
  const [, id, key] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return id === undefined || key === undefined ? undefined : { id, key };
}

/** The request as somebody else's. */
export function asSomebody(asked: Asked, user: { readonly id: unknown; readonly key: string | null }): Asked {
  const nobodys = asNobody(asked);
  return { ...nobodys, headers: { ...nobodys.headers, authorization: basicAuthorization(user) } };
}

/** The request without credentials. */
export function asNobody(asked: Asked): Asked {
  const kept = Object.entries(asked.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...asked, headers: Object.fromEntries(kept) };
}

/** The request as the first user's of the target. */
export function asFirst({ asked, target }: Passing): Asked {
  const { first } = target.users;
  return first === undefined ? asked : asSomebody(asked, first);
}
