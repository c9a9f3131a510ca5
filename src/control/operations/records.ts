// The administration application over HTTP: records with every attribute, also those that the API only reads. Knows no kind of record.
import type { TProperties } from 'typebox';
import { pageLimitMax } from '../../contract/limits.ts';
import { anything, array, integer, record, string } from '../../contract/schema.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { parseQuery } from '../../store/query.ts';
import { type ControlDeps, customerOf, unknownCustomer } from '../deps.ts';
import { recordKinds } from '../records/kinds.ts';
import { type Members, notValid, type RecordKind } from '../records/record-kind.ts';
import { withUnset } from '../records/unset.ts';
import { type ControlRow, row } from '../row.ts';
import { customerId, members, query } from '../shapes.ts';
import { checkBody } from '../validation.ts';

/** `limit` of a page when none is given. */
const USUAL_LIMIT = 1000;

const ofCustomer = query({ customer_id: customerId });
const pageOfCustomer = query({
  customer_id: customerId,
  page: integer({ minimum: 1, description: 'default: 1' }),
  limit: integer({ minimum: 1, maximum: pageLimitMax, description: `default: ${USUAL_LIMIT}` }),
  filter: string({ description: 'as in the API: a JSON array of objects with property, operator and value' }),
  sort: string({ description: 'as in the API' }),
});
const oneRecord = anything({ description: 'every published attribute, and those that only the administration sees' });

export const recordRows: readonly ControlRow[] = [
  row({
    id: 'listRecordKinds',
    method: 'GET',
    path: '/records',
    summary: 'The kinds of records that can be administered here.',
    success: 200,
    answer: record({ data: array(record({ id: string(), name: string() })), total: integer() }),
    errors: [],
    handle: () => success({ data: recordKinds.map(({ id, name }) => ({ id, name })), total: recordKinds.length }),
  }),
  row({
    id: 'listRecords',
    method: 'GET',
    path: '/records/{resource}',
    summary: `A page of a customer's records of one kind, the oldest first: ${USUAL_LIMIT} of them, or as many as limit says.`,
    query: pageOfCustomer,
    success: 200,
    answer: record({ data: array(oneRecord), total: integer({ description: 'of all pages' }) }),
    errors: [400, 404],
    handle: ({ path, query: { customer_id, limit = USUAL_LIMIT, ...asked } }, deps) =>
      withKind(path.resource, (kind) => {
        const parameters = Object.entries({ ...asked, limit }).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        const parsed = parseQuery(kind.id, new URLSearchParams(parameters));
        if (!parsed.ok) return parsed;
        const { items, total } = kind.page(deps, customerOf(deps, customer_id), parsed.value);
        return success({ data: items, total });
      }),
  }),
  row({
    id: 'createRecord',
    method: 'POST',
    path: '/records/{resource}',
    summary: 'A new record; members that are not given have their usual values.',
    query: ofCustomer,
    body: anything({ description: 'members of the record' }),
    success: 201,
    answer: oneRecord,
    errors: [400, 404],
    handle: ({ path, query, body }, deps) =>
      withKind(path.resource, (kind) => {
        const customer = customerOf(deps, query.customer_id);
        if (deps.store.customers.get(customer) === undefined) return unknownCustomer(customer);
        const checked = checkBody(schemasOf(kind).create, unset(kind, body));
        if (!checked.ok) return checked;
        const written = checked.value as Members;
        const chosen = [
          ...('id' in written ? ['id'] : []),
          ...kind.ofAccount.filter((name) => name in written && written[name] !== customer),
        ];
        if (chosen.length > 0) return notValid(...chosen.map((name) => `${name}: cannot be chosen`));
        const { requiredAny } = kind;
        if (requiredAny.length > 0 && !requiredAny.some((name) => says(written[name])))
          return notValid(`body: expected at least one of ${requiredAny.join(', ')}`);
        return noted(deps, 'record.created', { kind, owner: customer, written }, kind.create(deps, customer, written));
      }),
  }),
  row({
    id: 'getRecord',
    method: 'GET',
    path: '/records/{resource}/{id}',
    summary: 'One record.',
    success: 200,
    answer: oneRecord,
    errors: [404],
    handle: ({ path }, deps) => withRecord(deps, path, (_kind, found) => success(found)),
  }),
  row({
    id: 'changeRecord',
    method: 'PATCH',
    path: '/records/{resource}/{id}',
    summary: 'Change the members that are given; null takes a setting away.',
    body: anything({ description: 'members of the record' }),
    success: 200,
    answer: oneRecord,
    errors: [400, 404],
    handle: ({ path, body }, deps) =>
      withRecord(deps, path, (kind, found) => {
        const checked = checkBody(schemasOf(kind).change, unset(kind, body));
        if (!checked.ok) return checked;
        const written = checked.value as Members;
        const moved = ['id', ...kind.ofAccount].filter((name) => name in written && written[name] !== found[name]);
        if (moved.length > 0) return notValid(...moved.map((name) => `${name}: cannot be changed`));
        const owner = kind.ownerOf(deps, path.id ?? '');
        return noted(deps, 'record.changed', { kind, owner, written }, kind.change(deps, path.id ?? '', written));
      }),
  }),
  row({
    id: 'removeRecord',
    method: 'DELETE',
    path: '/records/{resource}/{id}',
    summary: 'Remove a record.',
    success: 204,
    errors: [404],
    handle: ({ path }, deps) =>
      withRecord(deps, path, (kind, found) => {
        const owner = kind.ownerOf(deps, path.id ?? '');
        kind.remove(deps, path.id ?? '');
        return noted(deps, 'record.removed', { kind, owner, written: {} }, success(found));
      }),
  }),
];

function withKind(id: string | undefined, then: (kind: RecordKind) => Result<unknown>): Result<unknown> {
  const kind = recordKinds.find((one) => one.id === id);
  if (kind !== undefined) return then(kind);
  const known = recordKinds.map((one) => one.id).join(', ');
  return failure('not_found', `There are no records ${id}; there are ${known}.`);
}

function withRecord(
  deps: ControlDeps,
  path: Readonly<Record<string, string>>,
  then: (kind: RecordKind, found: Members) => Result<unknown>,
): Result<unknown> {
  return withKind(path.resource, (kind) => {
    const found = kind.get(deps, path.id ?? '');
    return found === undefined ? failure('not_found', `There is no ${kind.name} ${path.id}.`) : then(kind, found);
  });
}

function says(value: unknown): boolean {
  return value !== undefined && value !== '';
}

const schemas = new Map<RecordKind, { create: ReturnType<typeof members>; change: ReturnType<typeof members> }>();

function schemasOf(kind: RecordKind) {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const made = {
    create: { ...members<TProperties, readonly string[]>(kind.properties, kind.required), minProperties: 0 },
    change: members<TProperties, readonly string[]>(kind.properties, []),
  };
  schemas.set(kind, made);
  return made;
}

function unset(kind: RecordKind, body: unknown): unknown {
  return withUnset(kind, body, schemasOf(kind).change);
}

interface Write {
  readonly kind: RecordKind;
  readonly owner: number | undefined;
  readonly written: Members;
}

/** In the journal go the names of what was written, never the values: some are secrets. */
function noted(
  deps: ControlDeps,
  entry: string,
  { kind, owner, written }: Write,
  result: Result<Members>,
): Result<Members> {
  if (!result.ok) return result;
  const data = { resource: kind.id, id: String(result.value.id), members: Object.keys(written) };
  deps.journal.append(entry, { customerId: owner ?? null, data });
  return result;
}
