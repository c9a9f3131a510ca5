// Path and query parameters of the published document. Knows no response.

import { collectionParameters, FilterConditionSchema, FilterSchema, filterOperators } from '../filter.ts';
import type { Operation, PathKind, QueryParameter } from '../operation.ts';
import { string } from '../schema.ts';
import { described } from './described.ts';

const pathKinds: Readonly<Record<PathKind, object>> = {
  id: { schema: { type: 'integer', minimum: 1 }, description: 'id of the resource', example: 10_000_001 },
  ids: {
    schema: { type: 'string', pattern: '^\\d+(,\\d+)*$' },
    description: 'ids with commas, at most 5000',
    example: '10000001,10000002',
  },
  e164: {
    schema: { type: 'string', pattern: '^\\+?[1-9]\\d{4,14}$' },
    description: 'number in E.164, with or without its plus',
    example: '442079460101',
  },
  number: {
    schema: { type: 'string', pattern: '^\\+?[0-9*#]{1,20}$' },
    description: 'number or extension, with or without its plus',
    example: '442079460101',
  },
};

/** A query parameter of ours, beside the published ones: CHOICE-SORT. */
const sort: QueryParameter = {
  name: 'sort',
  summary:
    'Properties with commas; a minus before one turns its order around. What is equal stays in the order of ids.',
  schema: string({ maxLength: 1024 }),
};

interface QueryNotes {
  readonly description?: string;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  readonly choices: readonly string[];
}

const queryNotes: Readonly<Record<string, QueryNotes>> = {
  page: { choices: ['CHOICE-PAGE-ORIGIN'] },
  limit: { choices: ['CHOICE-LIMIT-DEFAULT', 'CHOICE-LIMIT-ABOVE', 'CHOICE-LIMIT-BELOW'] },
  filter: {
    description: [
      'A JSON array of conditions `{operator, value, property}` as text; all of them must hold.',
      '',
      '| operator | holds when the property |',
      '|---|---|',
      '| `eq`, `=` | is the value |',
      '| `like` | contains the text, whatever the case; `%` stands for anything, `_` for one character |',
      '| `ne` | is not the value |',
      '| `gt`, `gte`, `lt`, `lte` | is above, at least, below, at most the value; numbers and times are compared as such |',
      '| `in` | is one of a list of values |',
      '',
      'Every property of the records may be named, in its read or its written form. An unknown property or operator is 400.',
    ].join('\n'),
    examples: {
      none: { summary: 'No condition', value: '' },
      one: { summary: 'One record', value: '[{"property":"id","operator":"eq","value":10000001}]' },
      several: {
        summary: 'Several conditions',
        value:
          '[{"property":"id","operator":"gte","value":10000001},{"property":"id","operator":"in","value":[10000001,10000002]}]',
      },
    },
    choices: [
      'CHOICE-FILTER-OPERATORS',
      'CHOICE-FILTER-AND',
      'CHOICE-LIKE',
      'CHOICE-FILTER-PROPERTY',
      'CHOICE-FILTER-LIMITS',
      'CHOICE-NUMBERS',
      'CHOICE-TWINS',
    ],
  },
  group_by: {
    examples: { none: { summary: 'Every record', value: '' }, id: { summary: 'One for each value', value: 'id' } },
    choices: ['CHOICE-GROUP-BY', 'CHOICE-FILTER-PROPERTY'],
  },
  sort: {
    examples: { none: { summary: 'The oldest first', value: '' }, last: { summary: 'The newest first', value: '-id' } },
    choices: ['CHOICE-SORT', 'CHOICE-ORDER', 'CHOICE-FILTER-PROPERTY'],
  },
  include: {
    examples: {
      none: { summary: 'Neither', value: '' },
      both: { summary: 'Numbers and members', value: 'ddis,users' },
      users: { summary: 'Members', value: 'users' },
    },
    choices: ['CHOICE-INCLUDE'],
  },
};

const conditionWords: Readonly<Record<string, string>> = {
  operator: `one of ${filterOperators.join(', ')}`,
  value: 'what the property is compared with',
  property: 'property of the records',
};

const filterSchema = {
  ...FilterSchema,
  items: described(FilterConditionSchema, (member) => conditionWords[member]),
};

/** The text of the parameter, and what it must be once it is read as JSON. */
const filterText = { contentMediaType: 'application/json', contentSchema: filterSchema };

const shared: readonly QueryParameter[] = [...collectionParameters, sort];

/** `{parameters: [...]}`, or nothing. */
export function withParameters({ parameters }: Operation): object {
  const list = [
    ...parameters.path.map(({ name, kind }) => ({ name, in: 'path', required: true, ...pathKinds[kind] })),
    ...(parameters.query === 'collection'
      ? shared.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))
      : []),
    ...parameters.named.map(queryObject),
  ];
  return list.length === 0 ? {} : { parameters: list };
}

/** The parameters that collections refer to. */
export function sharedParameters(): object {
  return Object.fromEntries(shared.map((row) => [row.name, queryObject(row)]));
}

function queryObject({ name, schema, summary }: QueryParameter): object {
  const { description = summary, examples, choices = [] } = queryNotes[name] ?? {};
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema: name === 'filter' ? { ...schema, ...filterText } : schema,
    ...(examples === undefined ? {} : { examples }),
    ...(choices.length === 0 ? {} : { 'x-choice': choices }),
  };
}
