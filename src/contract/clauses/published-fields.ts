// What the specification says of each field of a response: the types it is published with, and whether every record has it. Knows no check.

import type { Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import { type ResourceId, resources } from '../resources.ts';
import { twins } from '../twins.ts';

export type JsonType = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object';

export interface PublishedField {
  readonly name: string;
  /** Each type is as good: the model and the sample of the specification may differ. */
  readonly types: readonly JsonType[];
  /** False where only one of two published shapes has the field. */
  readonly always: boolean;
  /** `YYYY-MM-DD H:I:S`; `stated` where the row of the field itself says so, `called` where it only says datetime. */
  readonly datetime?: 'stated' | 'called';
  /** The published words of a closed set. */
  readonly words?: readonly unknown[];
}

/** Resources whose fields are not shown, or of which it is open whether they have the fields that are. */
const open: ReadonlySet<ResourceId> = new Set(['callmebackcdrs', 'callmebackvisitors']);

/** What the list and the single response of a user show; the model has more. */
const shownOfUser: ReadonlySet<string> = new Set([
  ...['id', 'active', 'created_at', 'customer', 'email', 'first_name', 'last_name', 'is_initial', 'is_root', 'roles'],
  ...['two_factor_auth', 'visited_apps'],
]);

/** Where the row of the field itself writes the format out. */
const statedFormats: ReadonlySet<string> = new Set(['webcalls.calldate', 'users.created_at', 'cdrs.calldate']);

interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
}

/** The fields that a response carries of a resource; none where the specification leaves them open. */
export function publishedFields(resource: ResourceId): readonly PublishedField[] {
  const { published, schema } = resources[resource];
  if (!published || open.has(resource)) return [];
  return Object.entries(schema.properties).map(([name, keywords]) => fieldOf(resource, name, keywords as Keywords));
}

function fieldOf(
  resource: ResourceId,
  name: string,
  { type = [], enum: words, pattern = '' }: Keywords,
): PublishedField {
  const types = [type].flat().filter((one) => one !== 'null') as JsonType[];
  const isDatetime = pattern.startsWith('^\\d{4}-');
  return {
    name,
    types: [...types, ...sampleTypes(resource, name).filter((one) => !types.includes(one))],
    always: resource !== 'users' || shownOfUser.has(name),
    ...(isDatetime
      ? { datetime: statedFormats.has(`${resource}.${name}`) ? ('stated' as const) : ('called' as const) }
      : {}),
    ...(words === undefined ? {} : { words }),
  };
}

/** The type of the sample where the model's is another one. */
function sampleTypes(resource: ResourceId, name: string): JsonType[] {
  return twins.flatMap(({ resource: of, read, mapping }): JsonType[] => {
    if (of !== resource || read !== name) return [];
    if (mapping.kind === 'code-to-word') return ['integer'];
    return mapping.kind === 'text-to-list' ? ['string'] : [];
  });
}

/** Where the records of an operation's answer are: in a list, alone, or somewhere that the specification leaves open. */
export function recordsIn({ response, body }: Operation): ResourceId | undefined {
  if (body?.bulk === true) return undefined;
  return response.kind === 'collection' || response.kind === 'single' || response.kind === 'list-single'
    ? response.resource
    : undefined;
}

/** The operations that answer with records of a resource. */
export function operationsShowing(resource: ResourceId): readonly Operation[] {
  return operations.filter((operation) => recordsIn(operation) === resource);
}
