// Requests of every operation, as a client would make them: paths of real ids, bodies from the examples and the schemas, queries that are
// understood. For tests; what ids and numbers there are, the test says. Knows no test.
import { bodyExamples } from '../contract/examples/bodies.ts';
import { filterOperators } from '../contract/filter.ts';
import type { Operation } from '../contract/operation.ts';
import { type ResourceId, resources } from '../contract/resources.ts';
import type { Random } from '../kernel/random.ts';

/** What a path or a body can name by its id. */
export type Kind = ResourceId | 'customers';

/** What a client knows of the world. */
export interface Known {
  id(kind: Kind): number;
  /** A public number in E.164. */
  number(): string;
  /** What a phone can dial. */
  dialled(): string;
  email(): string;
  /** Free text. */
  text(): string;
}

export interface MadeRequest {
  readonly operation: Operation;
  /** Below the API's root, encoded. */
  readonly path: string;
  /** With its `?`, or empty. */
  readonly query: string;
  readonly body: unknown;
}

/** Somebody who knows something, and chance. */
export interface Maker {
  readonly known: Known;
  readonly random: Random;
}

export function makeRequest(operation: Operation, maker: Maker): MadeRequest {
  const { random } = maker;
  const hasQuery = operation.parameters.query === 'collection' || operation.parameters.named.length > 0;
  return {
    operation,
    path: pathOf(operation, maker),
    query: hasQuery && random.int(2) === 0 ? queryOf(operation, maker) : '',
    body: operation.body === undefined ? undefined : bodyOf(operation, maker),
  };
}

/** The kind that the path's id is of. */
export function kindOf({ path }: Pick<Operation, 'path'>): Kind {
  const at = path.indexOf('/{');
  const [, first = '', second = ''] = (at < 0 ? path : path.slice(0, at)).split('/');
  if (first === 'callmeback') return `callmeback${second}` as Kind;
  if (first === 'sms' && second === 'cannedresponses') return 'cannedresponses';
  if (first === 'calltracking') return second === 'campaigns' ? 'campaigns' : 'ddis';
  return first as Kind;
}

function pathOf(operation: Operation, { known, random }: Maker): string {
  const kind = kindOf(operation);
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'ids') return Array.from({ length: 1 + random.int(3) }, () => known.id(kind)).join(',');
    if (name === 'id') return String(known.id(kind));
    return encodeURIComponent(random.int(2) === 0 ? known.number() : known.number().replace('+', ''));
  });
}

const sorts = ['', '-'] as const;

function queryOf({ response, parameters }: Operation, { known, random }: Maker): string {
  const resource =
    response.kind === 'collection' ? response.resource : 'items' in response ? response.items : undefined;
  const asked: Array<[string, string]> = [];
  if (resource !== undefined) {
    const names = Object.keys(resources[resource].schema.properties);
    const name = (): string => names[random.int(names.length)] ?? 'id';
    const condition = (): object => ({
      property: name(),
      operator: filterOperators[random.int(filterOperators.length)],
      value: random.pick([known.id(resource), known.number(), known.text(), '%a%', 0, 'true', '2026-01-01 00:00:00']),
    });
    if (random.int(2) === 0) asked.push(['filter', JSON.stringify([condition()])]);
    if (random.int(3) === 0) asked.push(['page', String(1 + random.int(3))]);
    if (random.int(3) === 0) asked.push(['limit', String(1 + random.int(20))]);
    if (random.int(4) === 0) asked.push(['sort', random.pick(sorts) + name()]);
    if (random.int(6) === 0) asked.push(['group_by', name()]);
  }
  if (parameters.named.length > 0) asked.push(['include', random.pick(['ddis', 'users', 'ddis,users'])]);
  return asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
}

/** What members of bodies name. */
const references: Readonly<Record<string, Kind>> = {
  moh: 'mohs',
  moh_id: 'mohs',
  ivr: 'ivrs',
  ivr_id: 'ivrs',
  post_call_ivr_id: 'ivrs',
  campaign_id: 'campaigns',
  user_id: 'users',
  rel_user_id: 'users',
  extension: 'users',
  extension_id: 'users',
  from: 'users',
  users: 'users',
  groups: 'usergroups',
  button_id: 'callmebackbuttons',
  call_me_back_button: 'callmebackbuttons',
  call_me_back_setting_id: 'callmebacksettings',
  ddis: 'ddis',
  ddi: 'ddis',
  ddi_e164: 'ddis',
};

/** Where a final destination may lead. */
const destinations: Readonly<Record<string, Kind>> = {
  U: 'users',
  V: 'users',
  R: 'ringgroups',
  I: 'ivrs',
  Q: 'queues',
  C: 'conferences',
};

/** A WAV file of eight silent samples. */
const silence = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Texts of a pattern that say something else than numbers and addresses do. */
const patterned: ReadonlyArray<readonly [RegExp, readonly [string, ...string[]]]> = [
  [/^\^\[A-Za-z0-9\+/, [silence]],
  [/0,12/, ['4711', '']],
  [/^\^\\d\{4\}-/, ['2026-02-01', '2026-02-01 08:30:00', '2026-02-01T08:30:00+01:00']],
  [/^\^\\d\+\$$/, ['1', '27']],
];

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: ReadonlyArray<Schema & { readonly required?: readonly string[] }>;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Half of them the published examples with ids of this world, half whatever the schema allows. */
function bodyOf(operation: Operation, maker: Maker): unknown {
  const schema = operation.body?.schema as Schema;
  const examples = Object.values(bodyExamples[operation.id] ?? {});
  const example = examples[maker.random.int(Math.max(1, examples.length))];
  const place: Place = { ...maker, own: kindOf(operation) };
  return example !== undefined && maker.random.int(2) === 0
    ? rewritten(example, schema, '', place)
    : sample(schema, '', place);
}

interface Place extends Maker {
  /** What `id` of an element names. */
  readonly own: Kind;
}

/** The example with every member that names something naming something of this world. */
function rewritten(value: unknown, schema: Schema, name: string, place: Place): unknown {
  if (Array.isArray(value)) return value.map((one) => rewritten(one, schema.items ?? schema, name, place));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => {
      const inner = schema.properties?.[key] ?? {};
      return [key, rewritten(one, inner, key, place)] as const;
    });
    return destined(Object.fromEntries(members), place);
  }
  const names = name === 'id' || Object.hasOwn(references, name) || /\+\?\[|@/.test(schema.pattern ?? '');
  return names ? sample(schema, name, place) : value;
}

function sample(schema: Schema, name: string, place: Place): unknown {
  const { random } = place;
  if (schema.enum !== undefined) return schema.enum[random.int(schema.enum.length)];
  if (schema.properties !== undefined) return sampleObject(schema, place);
  if (schema.anyOf !== undefined) return sample(schema.anyOf[random.int(schema.anyOf.length)] ?? {}, name, place);
  const types = [schema.type ?? []].flat();
  switch (types[random.int(types.length)]) {
    case 'null':
      return null;
    case 'boolean':
      return random.int(2) === 0;
    case 'array':
      return Array.from({ length: 1 + random.int(3) }, () => sample(schema.items ?? {}, name, place));
    case 'integer':
    case 'number':
      return sampleNumber(schema, name, place);
    case 'string':
      return sampleText(schema, name, place);
    default:
      return random.pick<unknown>([place.known.text(), 7, true, null, { any: [place.known.text()] }, []]);
  }
}

function sampleObject({ properties = {}, required = [], anyOf, allOf }: Schema, place: Place): object {
  const { random } = place;
  const wanted = new Set(required);
  const optional = Object.keys(properties);
  for (let count = 1 + random.int(4); count > 0; count -= 1) wanted.add(optional[random.int(optional.length)] ?? '');
  for (const choices of [anyOf, ...(allOf ?? []).map((one) => one.anyOf)])
    for (const one of choices?.[random.int(choices.length)]?.required ?? []) wanted.add(one);
  const members = [...wanted].map((key) => [key, sample(properties[key] ?? {}, key, place)] as const);
  return destined(Object.fromEntries(members), place);
}

/** A destination and its letter go together. */
function destined(members: Record<string, unknown>, { known, random }: Place): object {
  if (members.final_dst_type === undefined && members.final_dst_id === undefined) return members;
  const letter = random.pick(['U', 'V', 'R', 'I', 'Q', 'C'] as const);
  return { ...members, final_dst_type: letter, final_dst_id: known.id(destinations[letter] ?? 'users') };
}

function sampleNumber({ minimum = 0, maximum = 100 }: Schema, name: string, { known, own, random }: Place): number {
  if (name === 'id') return known.id(own);
  const kind = name === 'groups' && own === 'queues' ? 'queuegroups' : references[name];
  if (kind !== undefined) return known.id(kind);
  return minimum + random.int(Math.min(100, maximum - minimum + 1));
}

function sampleText({ pattern, maxLength = 255 }: Schema, name: string, { known, random }: Place): string {
  if (pattern === undefined) return name === 'email' ? known.email() : known.text().slice(0, maxLength);
  if (pattern.includes('@')) return known.email();
  if (pattern.includes('*#')) return known.dialled();
  if (pattern.includes('[1-9]')) return random.int(2) === 0 ? known.number() : known.number().replace('+', '');
  if (pattern === '^[0-9]{1,15}$') return String(known.id('users'));
  const [, texts] = patterned.find(([form]) => form.test(pattern)) ?? [];
  return texts === undefined ? known.text() : random.pick(texts);
}
