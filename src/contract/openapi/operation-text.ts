// The description of an operation: what it does, who may, and what is decided here. Own words first, else those of its shape.

import type { Choice } from '../choice.ts';
import { accessWords } from '../descriptions/access.ts';
import { operationWords } from '../descriptions/operations.ts';
import { recordExamples } from '../examples/records.ts';
import type { Operation, ResponseShape } from '../operation.ts';
import { type ResourceId, resources } from '../resources.ts';
import { one, plural, subjectName } from './nouns.ts';

/** How a choice is shown: its id, or a link to where it is explained. */
export type ChoiceLink = (id: string) => string;

/** Markdown: paragraphs, then the choices as a list. */
export function operationText(operation: Operation, choices: readonly Choice[], link: ChoiceLink): string {
  const { id, spec } = operation;
  const does = operationWords[id] ?? shapeWords(operation);
  const decided = choices.map(({ id: choice, ours }) => `- ${link(choice)}: ${ours}`);
  return [
    does,
    ...queryWords(operation),
    `${accessWords(operation)} Published in: ${spec}.`,
    ...(decided.length === 0 ? [] : [decided.join('\n')]),
  ].join('\n\n');
}

function shapeWords(operation: Operation): string {
  const { method, response, body, path } = operation;
  const name = subjectName(operation);
  if (path.endsWith('/dictionaries')) return `The ${plural(name)} again, with the parameters of a collection.`;
  if (method === 'DELETE') return deletionWords(operation);
  if (method === 'POST')
    return `Makes ${one(name)} and answers with it as it reads from now on; \`Location\` and \`links.self\` say where.`;
  if (body?.bulk === true)
    return `Changes several ${plural(name)} in one request: all of them or, when one element cannot be met, none.`;
  if (method === 'PATCH')
    return `Changes what the body names, leaves the rest as it is and answers with the whole ${name}.`;
  return readingWords(response, name);
}

function deletionWords({ parameters, effect, ...operation }: Operation): string {
  const name = subjectName({ parameters, effect, ...operation });
  const forGood = effect === 'destroy' ? ' for good: no operation brings them back' : '';
  if (parameters.path.length === 0) return `Removes every ${name} of the account${forGood}.`;
  if (parameters.path.some(({ kind }) => kind === 'ids'))
    return `Removes the named ${plural(name)}${forGood}. When one of the ids is not there, none is removed.`;
  return `Removes the ${name}. It is gone from lists at once, and its id is 404 from now on.`;
}

function readingWords(response: ResponseShape, name: string): string {
  switch (response.kind) {
    case 'collection':
      return `The ${plural(resources[response.resource].name)} of the account, page by page, the oldest first.`;
    case 'sub-collection':
      return `The ${plural(resources[response.items].name)} of ${one(name)}, as items beside the fields of the ${name}.`;
    default:
      return `One ${name} with all its fields, and links to what belongs to it.`;
  }
}

/** A property that people look these records up by, where it is not the first text in them. */
const lookedUpBy: Readonly<Partial<Record<ResourceId, string>>> = {
  cdrs: 'live_id',
  monitors: 'live_id',
  msdrs: 'user_id',
  calls: 'dst',
  users: 'ext',
  contacts: 'tel',
  ddis: 'e164',
  voicemessages: 'is_new',
};

/** An example of a filter on a property of these very records. */
function queryWords({ parameters, response }: Operation): string[] {
  if (parameters.query !== 'collection') return [];
  const resource = itemsOf(response);
  if (resource === undefined) return [];
  const record = recordExamples[resource] as Readonly<Record<string, unknown>>;
  const property = lookedUpBy[resource] ?? Object.keys(record).find((field) => isTelling(field, record[field])) ?? 'id';
  const condition = JSON.stringify([{ property, operator: 'eq', value: record[property] }]);
  return [`Example: \`filter=${condition}\``];
}

function isTelling(field: string, value: unknown): boolean {
  return typeof value === 'string' && value !== '' && field !== 'id' && !field.endsWith('_at');
}

function itemsOf(response: ResponseShape): ResourceId | undefined {
  if (response.kind === 'collection') return response.resource;
  return response.kind === 'sub-collection' ? response.items : undefined;
}
