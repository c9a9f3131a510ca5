// The names that schemas have in the published document, and their members' words. Knows no route.

import type { TSchema } from 'typebox';
import { resourceWords } from '../descriptions/resources.ts';
import { writtenWords } from '../descriptions/written.ts';
import { recordExamples } from '../examples/records.ts';
import type { Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import { type ResourceId, resourceList, resources } from '../resources.ts';
import { twinOf } from '../twins.ts';
import { described, type WordsOf } from './described.ts';

function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

export interface Reference {
  readonly $ref: string;
}

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

/** The component of a resource: `call detail record` is CallDetailRecord. */
export function resourceName(id: ResourceId): string {
  return pascal(resources[id].name);
}

export function resourceReference(id: ResourceId): Reference {
  return schemaReference(resourceName(id));
}

interface Named {
  readonly name: string;
  readonly schema: TSchema;
  readonly operation: Operation;
}

/** Bodies and flat answers by their schema: each named after the first operation that has it. */
function namedSchemas(): Map<TSchema, Named> {
  const found = new Map<TSchema, Named>();
  const add = (schema: TSchema, suffix: string, operation: Operation) => {
    if (!found.has(schema)) found.set(schema, { name: `${pascal(operation.id)}${suffix}`, schema, operation });
  };
  for (const operation of operations) {
    const { body, response } = operation;
    if (body !== undefined) add(body.schema, 'Body', operation);
    if (response.kind === 'message') add(response.schema, 'Answer', operation);
  }
  return found;
}

const named = namedSchemas();

/** A reference to a body or a flat answer of an operation. */
export function schemaOf(schema: TSchema): Reference {
  const found = named.get(schema);
  return found === undefined ? (schema as Reference) : schemaReference(found.name);
}

/** The operation's own word for a member, that of the record in its read form, or the one for members that are only written. */
function writtenWordsOf({ id, response }: Operation): WordsOf {
  const resource = 'resource' in response ? response.resource : undefined;
  return (member) => {
    const read = resource === undefined ? undefined : (twinOf(resource, member)?.read ?? member);
    const ofRecord = resource === undefined || read === undefined ? undefined : resourceWords[resource][read];
    return writtenWords[`${id}.${member}`] ?? ofRecord ?? writtenWords[member];
  };
}

/** Every resource, body and flat answer by its name. */
export function namedComponents(): Record<string, object> {
  const records = resourceList.map(({ id, schema }) => [
    resourceName(id),
    { ...described(schema, (member) => resourceWords[id][member]), examples: [recordExamples[id]] },
  ]);
  const others = [...named.values()].map(({ name, schema, operation }) => [
    name,
    described(schema, writtenWordsOf(operation)),
  ]);
  return Object.fromEntries([...records, ...others]);
}
