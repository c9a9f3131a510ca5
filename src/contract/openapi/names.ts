// The names that schemas have in the published document. Knows no route.

import type { TSchema } from 'typebox';
import { operations } from '../operations.ts';
import { type ResourceId, resourceList, resources } from '../resources.ts';

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

/** Bodies and flat answers by their schema: each named after the first operation that has it. */
function namedSchemas(): Map<TSchema, string> {
  const names = new Map<TSchema, string>();
  const name = (schema: TSchema, text: string) => {
    if (!names.has(schema)) names.set(schema, text);
  };
  for (const { id, body, response } of operations) {
    if (body !== undefined) name(body.schema, `${pascal(id)}Body`);
    if (response.kind === 'message') name(response.schema, `${pascal(id)}Answer`);
  }
  return names;
}

const names = namedSchemas();

/** A reference to a body or a flat answer of an operation. */
export function schemaOf(schema: TSchema): Reference {
  const name = names.get(schema);
  return name === undefined ? (schema as Reference) : schemaReference(name);
}

/** Every resource, body and flat answer by its name. */
export function namedComponents(): Record<string, object> {
  return {
    ...Object.fromEntries(resourceList.map(({ id, schema }) => [resourceName(id), schema])),
    ...Object.fromEntries([...names].map(([schema, name]) => [name, schema])),
  };
}
