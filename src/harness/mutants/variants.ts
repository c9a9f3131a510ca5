// Legal variants: targets that do differently what the specification leaves open. The judge has to pass each without a failure or a warning.

import { operations } from '../../contract/operations.ts';
import type { Twin } from '../../contract/twins.ts';
import { twins } from '../../contract/twins.ts';
import type { Answered } from '../../wires/http-client.ts';
import { jsonIn } from '../json-text.ts';
import type { Courier } from '../run/inbox.ts';
import type { Target } from '../target/target.ts';
import { changing, eventIn } from './couriers.ts';
import {
  type Act,
  credentialsIn,
  isObject,
  type Json,
  type Mutant,
  queryOf,
  recordsIn,
  withJson,
  withQuery,
  withStatus,
  withText,
} from './mutant.ts';

export interface Variant extends Pick<Mutant, 'id' | 'begin' | 'courier'> {
  /** What is said of the target besides. */
  readonly target?: (target: Target) => Target;
}

/** Changes every JSON body of an answer. */
function bodies(change: (body: Json, passing: Parameters<Act>[0]) => unknown): Variant['begin'] {
  return () => async (passing) => withJson(await passing.forward(passing.asked), (body) => change(body, passing));
}

/** Changes every record that an operation answers with. */
function records(change: (record: Json, resource: string) => void): Variant['begin'] {
  return bodies((body, { operation }) => {
    const { response } = operation ?? {};
    if (response === undefined || !('resource' in response)) return undefined;
    for (const record of recordsIn(body)) change(record, response.resource);
    return body;
  });
}

/** Every object in a value, the innermost first. */
function deeply(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((one) => deeply(one, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deeply(one, change)])));
}

const turned = (object: Json): Json => Object.fromEntries(Object.entries(object).reverse());
const more = (object: Json): Json => ({ _more: null, ...object, more: { of: ['everything'] } });
const events = (change: (event: Json) => Json): (() => Courier) => {
  return () => changing((event) => change(event));
};

/** The other one of two published forms, of fields that responses show as a word or a list. */
function otherForm({ mapping }: Twin, value: unknown): unknown {
  if (mapping.kind === 'code-to-word' && typeof value === 'string') {
    const codes: Readonly<Record<string, number>> = mapping.codes.codes;
    return codes[value] ?? value;
  }
  return mapping.kind === 'text-to-list' && Array.isArray(value) ? value.join(',') : value;
}

function withOtherForms(record: Json, resource: string): void {
  for (const twin of twins)
    if (twin.resource === resource && twin.read in record) record[twin.read] = otherForm(twin, record[twin.read]);
}

/** Numbers of which it is not written what they stand for. */
const OPEN_CODES: Readonly<Record<string, readonly string[]>> = {
  calls: ['state', 'destination', 'monitor_state'],
  contacts: ['type'],
  queues: ['ring_strategy', 'language', 'monitor'],
  ringgroups: ['strategy'],
};

function withOtherCodes(record: Json, resource: string): void {
  for (const name of OPEN_CODES[resource] ?? [])
    if (typeof record[name] === 'number') record[name] = record[name] + 100;
}

/** What is known of calls by their codes is not known of this one. */
function codesUnknown({ callStates: _, ...target }: Target): Target {
  return target;
}

const HEADERS = {
  'content-type': 'application/json;charset=UTF-8',
  'x-request-id': '1',
  'set-cookie': ['session=1; Path=/', 'lane=2'],
  vary: 'Origin, Accept-Encoding',
};

function withMoreHeaders(answered: Answered): Answered {
  if (!answered.ok) return answered;
  const isJson = String(answered.headers['content-type']).startsWith('application/json');
  const { 'content-type': type, ...others } = HEADERS;
  return { ...answered, headers: { ...answered.headers, ...others, ...(isJson ? { 'content-type': type } : {}) } };
}

/** Bodies of which nothing is written. */
const openBodies: ReadonlySet<string> = new Set(
  operations
    .filter(({ id, response, body }) =>
      response.kind === 'message' ? !['login', 'loginTwoFactor', 'logout', 'ping'].includes(id) : body?.bulk === true,
    )
    .map(({ id }) => id),
);

const answering = (change: (answered: Answered, passing: Parameters<Act>[0]) => Answered): Variant['begin'] => {
  return () => async (passing) => change(await passing.forward(passing.asked), passing);
};

/** Of six answers one takes its time. */
const SLOW_ONES = 6;
const SLOW_MS = 20;

export const variants: readonly Variant[] = [
  {
    id: 'members come in another order',
    begin: bodies((body) => deeply(body, turned)),
    courier: events((event) => turned(event)),
  },
  {
    id: 'every object has members that are not published',
    begin: bodies((body) => deeply(body, more)),
    courier: events((event) => more(event)),
  },
  { id: 'answers have headers of their own', begin: answering(withMoreHeaders) },
  {
    id: 'errors are told in other words, several at a time',
    begin: bodies((body) =>
      Array.isArray(body.errors) ? { ...body, message: 'Ça ne va pas.', errors: ['Primo.', 'Secundo.'] } : undefined,
    ),
  },
  { id: 'fields of two published forms have the other one', begin: records(withOtherForms) },
  {
    id: 'numbers whose meaning is not written are others',
    begin: records(withOtherCodes),
    target: codesUnknown,
  },
  {
    id: 'what has no value is null',
    begin: records((record) => {
      for (const [name, value] of Object.entries(record)) if (value === '') record[name] = null;
    }),
    courier: events((event) =>
      Object.fromEntries(
        Object.entries(event).filter(([name, value]) => value !== '' || !['t_cause', 'terminated_by'].includes(name)),
      ),
    ),
  },
  {
    id: 'causes are told in other words',
    begin: records((record) => {
      if (typeof record.t_cause === 'string' && record.t_cause !== '') record.t_cause = `Q.850: ${record.t_cause}`;
    }),
    courier: events((event) =>
      event.t_cause === '' ? event : { ...event, t_cause: `Q.850: ${String(event.t_cause)}` },
    ),
  },
  {
    id: 'of several published statuses it is the last',
    begin: answering((answered, { operation }) => {
      const [first, ...others] = operation?.success ?? [];
      const last = others.at(-1);
      return answered.ok && answered.status === first && last !== undefined ? withStatus(answered, last) : answered;
    }),
  },
  {
    id: 'pages are counted from 0',
    begin:
      () =>
      ({ asked, forward }) => {
        const page = queryOf(asked, 'page');
        return forward(page === null ? asked : withQuery(asked, { page: String(Number(page) + 1) }));
      },
  },
  {
    id: 'what another customer asks for is denied, not unknown',
    begin: answering((answered, { asked, target }) => {
      const stranger = target.users.other_customer;
      const isStranger = stranger !== undefined && credentialsIn(asked)?.id === String(stranger.id);
      return answered.ok && answered.status === 404 && isStranger ? withStatus(answered, 403) : answered;
    }),
  },
  {
    id: 'what belongs to an owner is a list',
    begin: bodies(({ data, ...rest }, { operation }) =>
      operation?.response.kind === 'sub-collection' && isObject(data) && Array.isArray(data.items)
        ? { ...rest, data: data.items, total: data.total }
        : undefined,
    ),
  },
  {
    id: 'bodies that are not shown are empty',
    begin: answering((answered, { operation }) =>
      operation !== undefined && openBodies.has(operation.id) && answered.ok && answered.status < 300
        ? withText(answered, '')
        : answered,
    ),
  },
  {
    id: 'tests of URLs and pressed keys are told in another way',
    begin: () => (passing) => passing.forward(passing.asked),
    courier: () => (post, handOn) => {
      const event = eventIn(post);
      const isKey = event?.event_name === 'call.dtmf';
      const isTest = (jsonIn(post.text) as Json | undefined)?.event_name === 'webhook.test';
      const text = isKey ? { ...event, event_name: 'call.key', key: event.digit } : { hello: 'world' };
      handOn(isKey || isTest ? { ...post, text: JSON.stringify(text) } : post);
    },
  },
  {
    id: 'answers take their time',
    begin: () => {
      let count = 0;
      return async ({ asked, forward, pause }) => {
        count += 1;
        if (count % SLOW_ONES === 0) await pause(SLOW_MS);
        return forward(asked);
      };
    },
  },
];

/** All of them at once: the first is next to the judge. */
export function together(all: readonly Variant[]): Variant {
  return {
    id: 'all at once',
    begin: () => {
      const acts = all.map(({ begin }) => begin());
      return (passing) =>
        acts.reduceRight<(asked: typeof passing.asked) => Promise<Answered>>(
          (forward, act) => (asked) => act({ ...passing, asked, forward }),
          passing.forward,
        )(passing.asked);
    },
    courier: () => {
      const couriers = all.flatMap(({ courier }) => (courier === undefined ? [] : [courier()]));
      return (post, handOn) =>
        couriers.reduceRight<typeof handOn>((next, courier) => (one) => courier(one, next), handOn)(post);
    },
    target: (given) => all.reduce((target, variant) => variant.target?.(target) ?? target, given),
  };
}
