// The shapes of the control API's bodies and answers, each written once. Knows no handler.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of a behaviour, and a schema is never awaited
import type { TProperties, TSchema, TUnknown } from 'typebox';
import { categories, type WebhookCategory } from '../contract/events.ts';
import { anything, array, body, boolean, either, integer, nullable, record, string, word } from '../contract/schema.ts';
import { ACTS } from '../phones/acts.ts';
import { AFTER_TALK, MAX_BEHAVIOUR_MS, ON_CALL } from '../phones/behaviour.ts';

const time = string({ description: 'ISO 8601, UTC' });
const milliseconds = integer({ minimum: 0, maximum: MAX_BEHAVIOUR_MS });
const number = string({ pattern: '^\\+?[0-9*#]{1,20}$', description: 'a number, with or without +, or an extension' });

const BehaviourMembers = body(
  {
    on_call: word(ON_CALL),
    after_ms: milliseconds,
    to: number,
    talk_ms: milliseconds,
    then: word(AFTER_TALK),
    digits: string(),
  },
  ['on_call'],
);

/** Named in the document's components. */
export const shapes = {
  Error: record({ message: string(), errors: array(string()) }),
  Behaviour: either(word(ON_CALL), BehaviourMembers, {
    description: 'what a phone does when it is called; the on_call word alone stands for it',
  }),
  Act: body({ act: word(ACTS), to: number, digits: string() }, ['act']),
  Clock: record({
    now: time,
    mode: word(['real', 'manual', 'fast']),
    busy: integer({ minimum: 0, description: 'follow-up tasks and outbound requests under way' }),
    next: nullable(record({ at: time, name: string() })),
  }),
  Phone: record({
    ext: string(),
    customer_id: integer(),
    user_id: integer(),
    registered: boolean(),
    stepped_back: boolean(),
    behaviour: BehaviourMembers,
    calls: array(record({ sip_call_id: string(), state: string(), held: boolean(), peer: string() })),
  }),
  Webhook: record({
    id: integer(),
    name: string(),
    url: string(),
    events: array(word(categories.map(({ id }) => id))),
    active: boolean(),
    customer_id: integer(),
  }),
  Delivery: record({
    id: integer(),
    event: string(),
    body: anything({ description: 'the JSON that was posted' }),
    state: word(['pending', 'delivered', 'failed']),
    attempts: array(
      body({ at: time, status: integer(), error: string(), ms: integer({ description: 'real time' }) }, ['at', 'ms']),
    ),
  }),
  JournalEntry: record({
    seq: integer(),
    at: time,
    kind: string(),
    call_id: nullable(integer()),
    customer_id: nullable(integer()),
    cause: nullable(integer()),
    data: anything(),
  }),
  Mail: body(
    {
      id: integer(),
      at: time,
      kind: word(['2fa', 'reset', 'confirmation']),
      to: string(),
      code: string(),
      token: string(),
    },
    ['id', 'at', 'kind', 'to'],
  ),
  TransitionRow: record({
    from: string(),
    input: string(),
    to: string(),
    event: nullable(string()),
    signalling: string(),
  }),
} as const satisfies Record<string, TSchema>;

export type ShapeName = keyof typeof shapes;

/** Stands for a named shape: the document refers to it. Bodies of such a shape are read by a parser of their own. */
export function shape(name: ShapeName): TUnknown {
  return { 'x-shape': name } as unknown as TUnknown;
}

/** `{data, total}` of a named shape. */
export function listOf(name: ShapeName) {
  return record({ data: array(shape(name)), total: integer() });
}

/** An object with exactly these members: what is not known is refused, so that a slip of the pen is seen. */
export function members<P extends TProperties, const R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
) {
  const open = body(properties, required);
  return { ...open, additionalProperties: false } as typeof open;
}

/** The query parameters of an operation. */
export function query<P extends TProperties>(properties: P) {
  return { ...members(properties, []), minProperties: 0 } as ReturnType<typeof members<P, []>>;
}

export const customerId = integer({ minimum: 1, description: 'default: the first customer' });
export const dialledNumber = number;
export const categoryWords = categories.map(({ id }) => id) as readonly WebhookCategory[];
