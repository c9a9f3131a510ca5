// Two mutants for each published field: it is missing, and it has another type, in every response that shows it.
import { fieldClauseId } from '../../contract/clauses/clause-ids.ts';
import { operationsShowing, type PublishedField, publishedFields } from '../../contract/clauses/published-fields.ts';
import { type ResourceId, resourceList } from '../../contract/resources.ts';
import { type Act, type Json, type Mutant, mutant, recordsIn, withJson } from './mutant.ts';

/** Changes the records of every answer that shows the resource. */
function onRecords(resource: ResourceId, change: (record: Json) => void): Act {
  const showing = new Set(operationsShowing(resource).map(({ id }) => id));
  return async ({ asked, operation, forward }) => {
    const answered = await forward(asked);
    if (operation === undefined || !showing.has(operation.id)) return answered;
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

export const fieldMutants: readonly Mutant[] = resourceList.flatMap(({ id }) =>
  operationsShowing(id).length === 0
    ? []
    : publishedFields(id).flatMap((field) => {
        const { name } = field;
        const clause = fieldClauseId(id, name);
        const wrong = mutant(
          `${id}.${name}: has another type`,
          clause,
          onRecords(id, (record) => {
            if (name in record) record[name] = mistyped(field);
          }),
        );
        const missing = mutant(
          `${id}.${name}: is missing`,
          clause,
          onRecords(id, (record) => {
            delete record[name];
          }),
        );
        return field.always ? [missing, wrong] : [wrong];
      }),
);
