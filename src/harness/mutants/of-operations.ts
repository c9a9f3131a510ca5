// The mutants that follow from the contract's rows: of each operation wrong statuses, envelopes, refusals that are none, pages, after-effects.

import { clauseIdOf } from '../../contract/clauses/clause-ids.ts';
import { aftermathOf, isOfOneCustomer, isPaged, refusalsOf, successIsOpen } from '../../contract/clauses/generated.ts';
import { clauseById } from '../../contract/clauses.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Answered } from '../../wires/http-client.ts';
import {
  type Act,
  asSomebody,
  credentialsIn,
  isObject,
  type Json,
  type Mutant,
  made,
  mutant,
  type Passing,
  queryOf,
  recordsIn,
  type Spelled,
  withJson,
  withQuery,
  withStatus,
  withText,
} from './mutant.ts';

/** The mutant acts on answers of this operation alone. */
function of(operation: Operation, act: Act): Act {
  return (passing) => (passing.operation?.id === operation.id ? act(passing) : passing.forward(passing.asked));
}

/** Changes answers whose status is a success. */
function onSuccess(operation: Operation, change: (answered: Answered, passing: Passing) => Answered): Act {
  return of(operation, async (passing) => {
    const answered = await passing.forward(passing.asked);
    return answered.ok && answered.status < 400 ? change(answered, passing) : answered;
  });
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

function statusMutants(operation: Operation): Mutant[] {
  const [success = 200] = operation.success;
  const others = successIsOpen(operation) ? [500] : [success === 200 ? 202 : 200, 500];
  return others
    .filter((status) => !operation.success.includes(status))
    .map((status) =>
      mutant(
        `${nameOf(operation)} ${success}: answers ${status}`,
        clauseIdOf(operation, success),
        onSuccess(operation, (answered) => withStatus(answered, status)),
      ),
    );
}

/** Of each refusal: it is none, it has another status, its body is not that of errors. */
function refusalMutants(operation: Operation): Mutant[] {
  return refusalsOf(operation).flatMap((status) => {
    const refused = (change: (answered: Answered) => Answered): Act =>
      of(operation, async ({ forward, asked }) => {
        const answered = await forward(asked);
        return answered.ok && answered.status === status ? change(answered) : answered;
      });
    const name = `${nameOf(operation)} ${status}`;
    const clause = clauseIdOf(operation, status);
    const others = status === 401 ? [403] : status === 403 ? [409, 404] : status === 404 ? [410] : [422];
    return [
      mutant(
        `${name}: is done`,
        clause,
        refused(() => made(operation.success[0] ?? 200, { data: {}, links: {} })),
      ),
      ...others.map((other) =>
        mutant(
          `${name}: answers ${other}`,
          clause,
          refused((answered) => withStatus(answered, other)),
        ),
      ),
      mutant(
        `${name}: errors is a text`,
        clause,
        refused((answered) => withJson(answered, (body) => ({ ...body, errors: String(body.errors) }))),
      ),
      mutant(
        `${name}: no message`,
        clause,
        refused((answered) => withJson(answered, ({ message: _, ...body }) => body)),
      ),
      mutant(
        `${name}: answers HTML`,
        clause,
        refused((answered) => withText(answered, '<html>No</html>')),
      ),
    ];
  });
}

/** How the envelope of each kind of response is broken. */
function bodyMutants(operation: Operation): Mutant[] {
  const { response, body } = operation;
  if (body?.bulk === true) return [];
  const broken = (what: string, change: (body: Json) => unknown): Mutant =>
    mutant(
      `${nameOf(operation)} body: ${what}`,
      clauseIdOf(operation, 'BODY'),
      onSuccess(operation, (answered) => withJson(answered, change)),
    );
  const text = (what: string, written: string): Mutant =>
    mutant(
      `${nameOf(operation)} body: ${what}`,
      clauseIdOf(operation, 'BODY'),
      onSuccess(operation, (answered) => withText(answered, written)),
    );
  switch (response.kind) {
    case 'collection':
    case 'list-single':
      return [
        broken('no total', ({ total: _, ...rest }) => rest),
        broken('total is a text', (all) => ({ ...all, total: String(all.total) })),
        broken('data is an object', (all) => ({ ...all, data: {} })),
        text('half of it', '{"data": ['),
      ];
    case 'single':
      return [
        broken('no links', ({ links: _, ...rest }) => rest),
        broken('data is a list', (all) => ({ ...all, data: [all.data] })),
        broken('no envelope', ({ data }) => data),
      ];
    case 'sub-collection':
      return [broken('no data', ({ data: _, ...rest }) => rest), text('half of it', '{"data": ')];
    case 'file':
      // What a trace looks like is not written: it may be JSON.
      return [
        text('nothing in it', ''),
        ...(operation.path.endsWith('.trace') ? [] : [text('JSON instead of a file', '{"data":{}}')]),
      ];
    case 'message':
      return ['login', 'loginTwoFactor', 'logout', 'ping'].includes(operation.id)
        ? [broken('no message', ({ message: _, ...rest }) => rest)]
        : [];
    case 'empty':
      return operation.success.includes(204) ? [text('there is one', '{"data":{}}')] : [];
  }
}

function pageMutants(operation: Operation): Mutant[] {
  if (!isPaged(operation)) return [];
  const name = nameOf(operation);
  const asking = (changes: Readonly<Record<string, undefined>>): Act =>
    of(operation, ({ forward, asked }) => forward(withQuery(asked, changes)));
  return [
    mutant(`${name}: limit is ignored`, clauseIdOf(operation, 'LIMIT'), asking({ limit: undefined })),
    mutant(`${name}: page is ignored`, clauseIdOf(operation, 'PAGE'), asking({ page: undefined })),
    mutant(`${name}: filter is ignored`, clauseIdOf(operation, 'FILTER'), asking({ filter: undefined })),
    mutant(
      `${name}: total of the page`,
      clauseIdOf(operation, 'TOTAL'),
      onSuccess(operation, (answered, { asked }) =>
        queryOf(asked, 'limit') === null
          ? answered
          : withJson(answered, (body) => ({ ...body, total: recordsIn(body).length })),
      ),
    ),
  ];
}

function aftermathMutants(operation: Operation): Mutant[] {
  const aftermath = aftermathOf(operation);
  if (aftermath === undefined) return [];
  const name = nameOf(operation);
  const clause = clauseIdOf(operation, aftermath);
  switch (aftermath) {
    case 'MADE':
      // What it tells of is another one than what it made.
      return [
        mutant(
          `${name}: tells a wrong id`,
          clause,
          onSuccess(operation, (answered) =>
            withJson(answered, (body) =>
              isObject(body.data)
                ? { ...body, data: { ...body.data, id: Number(body.data.id) + 5_000_000 } }
                : undefined,
            ),
          ),
        ),
      ];
    case 'WRITTEN':
      return [
        mutant(
          `${name}: changes nothing`,
          clause,
          of(operation, async ({ forward, asked }) => {
            const { body: _, ...rest } = asked;
            const before = await forward({ ...rest, method: 'GET' });
            const written: unknown = asked.body === undefined ? {} : JSON.parse(asked.body);
            const [status = 200] = operation.success;
            return withStatus(
              withJson(before, (all) => ({ ...all, data: { ...(all.data as Json), ...(written as Json) } })),
              before.ok && before.status < 400 ? status : before.ok ? before.status : 0,
            );
          }),
        ),
      ];
    case 'GONE':
    case 'EMPTY':
      return [
        mutant(
          `${name}: removes nothing`,
          clause,
          of(operation, async () => ({ ...made(operation.success[0] ?? 204, ''), text: '', bytes: Buffer.alloc(0) })),
        ),
      ];
  }
}

/** A user of another customer is taken for whoever has done it before. */
function tenantMutants(operation: Operation): Mutant[] {
  if (!isOfOneCustomer(operation)) return [];
  const begin = (): Act => {
    let owner: Spelled | undefined;
    return of(operation, async (passing) => {
      const stranger = passing.target.users.other_customer;
      const asks = credentialsIn(passing.asked);
      const isStranger = stranger !== undefined && asks?.id === String(stranger.id);
      if (!isStranger) owner = asks ?? owner;
      const asked = isStranger && owner !== undefined ? asSomebody(passing.asked, owner) : passing.asked;
      return passing.forward(asked);
    });
  };
  return [
    {
      id: `${nameOf(operation)}: does it for other customers`,
      clauses: [clauseIdOf(operation, 'TENANT')],
      begin,
    },
  ];
}

/** What was refused is seen all the same: what is read afterwards has something else in it, or is not there any more. */
function refusedMutants(operation: Operation): Mutant[] {
  if (operation.effect === 'read') return [];
  const isRemoval = operation.method === 'DELETE' && operation.path.endsWith('}');
  const empties = operation.method === 'DELETE' && !isRemoval;
  const begin = (): Act => {
    let refused = 0;
    return async (passing) => {
      const answered = await passing.forward(passing.asked);
      if (!answered.ok) return answered;
      if (passing.operation?.id === operation.id && answered.status >= 400 && answered.status !== 404) refused += 1;
      const { id, method = '', path = '' } = passing.operation ?? {};
      if (refused === 0 || method !== 'GET' || answered.status >= 400) return answered;
      const isOfRemoved = path === operation.path || (id === 'ping' && operation.id === 'deleteCustomer');
      if (isRemoval && isOfRemoved) return made(404, { message: 'Gone.', errors: ['Gone.'] });
      if (empties && path.endsWith(operation.path)) return withJson(answered, emptied);
      return withJson(answered, (body) => {
        for (const record of recordsIn(body)) spoil(record, refused);
        return typeof body.total === 'number' ? { ...body, total: body.total + refused } : body;
      });
    };
  };
  return [{ id: `${nameOf(operation)}: does what it refuses`, clauses: [clauseIdOf(operation, 'REFUSED')], begin }];
}

/** A list, or the items of an owner, without anything in it. */
function emptied({ data, ...rest }: Json): Json {
  return isObject(data) ? { ...rest, data: { ...data, items: [], total: 0 } } : { ...rest, data: [], total: 0 };
}

/** Where there is one, the destination of a call; else the first text that is no id. */
function spoil(record: Json, by: number): void {
  const isText = (name: string): boolean => name !== 'id' && typeof record[name] === 'string';
  const name = ['dst', ...Object.keys(record)].find(isText);
  if (name !== undefined) record[name] = `${String(record[name])}${by}`;
}

/** Nobody can find what breaks a clause that no outsider can judge. */
function canBeFound({ clauses }: Mutant): boolean {
  return clauses.some((id) => clauseById(id)?.untestable === undefined);
}

const ofOperation = (operation: Operation): Mutant[] => [
  ...statusMutants(operation),
  ...refusalMutants(operation),
  ...bodyMutants(operation),
  ...pageMutants(operation),
  ...aftermathMutants(operation),
  ...tenantMutants(operation),
  ...refusedMutants(operation),
];

export const operationMutants: readonly Mutant[] = operations.flatMap(ofOperation).filter(canBeFound);
