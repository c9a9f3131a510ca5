// Two mutants for each published field: it is missing, and it has another type, in every response that shows it.
import { fieldClauseId } from '../../contract/clauses/clause-ids.ts';
import { operationsShowing, type PublishedField, publishedFields } from '../../contract/clauses/published-fields.ts';
import type { Operation } from '../../contract/operation.ts';
import { type ResourceId, resourceList } from '../../contract/resources.ts';
import { type Act, type Json, type Mutant, mutant, recordsIn, withJson } from './mutant.ts';

/** Changes the records of every answer of these operations. */
function onRecords(showing: readonly Operation[], change: (record: Json) => void): Act {
  const ids = new Set(showing.map(({ id }) => id));
  return async ({ asked, operation, forward }) => {
    const answered = await forward(asked);
    if (operation === undefined || !ids.has(operation.id)) return answered;
    return withJson(answered, (body) => {
      for (const record of recordsIn(body)) change(record);
      return body;
    });
  };
}

/** A value of a type that the field is never published with. */
function mistyped({ types }: PublishedField): unknown {
  if (!types.includes('object')) return { broken: true };
  return types.includes('string') ? 7 : 'broken';
}

/** What records are found by: were it wrong everywhere, most operations could not even be tried. */
const keys: ReadonlySet<string> = new Set(['id', 'e164']);

function mutantsOf(resource: ResourceId, field: PublishedField): Mutant[] {
  const { name, always } = field;
  const clause = fieldClauseId(resource, name);
  const showing = operationsShowing(resource);
  const places = keys.has(name)
    ? showing.map((operation) => ({ where: ` in ${operation.method} ${operation.path}`, at: [operation] }))
    : [{ where: '', at: showing }];
  return places.flatMap(({ where, at }) => {
    const wrong = mutant(
      `${resource}.${name}${where}: has another type`,
      clause,
      onRecords(at, (record) => {
        if (name in record) record[name] = mistyped(field);
      }),
    );
    const missing = mutant(
      `${resource}.${name}${where}: is missing`,
      clause,
      onRecords(at, (record) => {
        delete record[name];
      }),
    );
    // Where the row of the field writes its form out, another one is none.
    const inIso = mutant(
      `${resource}.${name}${where}: is written in ISO 8601`,
      clause,
      onRecords(at, (record) => {
        if (typeof record[name] === 'string') record[name] = `${record[name].replace(' ', 'T')}Z`;
      }),
    );
    return [...(always ? [missing] : []), wrong, ...(field.datetime === 'stated' ? [inIso] : [])];
  });
}

export const fieldMutants: readonly Mutant[] = resourceList.flatMap(({ id }) =>
  operationsShowing(id).length === 0 ? [] : publishedFields(id).flatMap((field) => mutantsOf(id, field)),
);
