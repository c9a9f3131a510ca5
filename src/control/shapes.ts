// The shapes of the control API's bodies and answers, each written once. Knows no handler.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of a behaviour, and a schema is never awaited
import type { TProperties, TSchema, TUnknown } from 'typebox';
import { categories, type WebhookCategory } from '../contract/events.ts';
import {
  anything,
  array,
  body,
  boolean,
  number as decimal,
  either,
  integer,
  nullable,
  record,
  string,
  word,
} from '../contract/schema.ts';
import { BOUNDARIES, DEEDS, DIRECTIONS, MAX_COUNT, MAX_DELAY_MS, MAX_POINTER_CHARACTERS } from '../faults/rule.ts';
import { ACTS, MAX_EXPIRES_S } from '../phones/acts.ts';
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

const faultMembers = {
  match: members(
    {
      at: word(BOUNDARIES),
      operation: string({ description: 'api: an operation id of the specification' }),
      event: string({ description: 'webhook: the name of an event' }),
      method: string({
        description: 'api: the HTTP method; sip: the method of a request or of what a response answers',
      }),
      direction: word(DIRECTIONS, { description: 'sip: as the exchange sees it' }),
    },
    ['at'],
  ),
  action: members(
    {
      do: word([...new Set(Object.values(DEEDS).flat())], {
        description: Object.entries(DEEDS)
          .map(([at, deeds]) => `${at}: ${deeds.join(', ')}`)
          .join('; '),
      }),
      status: integer({ minimum: 400, maximum: 599, description: 'of status' }),
      ms: integer({ minimum: 0, maximum: MAX_DELAY_MS, description: 'of delay; of reorder: the longest wait' }),
      pointer: string({ maxLength: MAX_POINTER_CHARACTERS, description: 'of field: a JSON pointer (RFC 6901)' }),
      value: anything({ description: 'of field: what stands there then; absent: the member is removed' }),
    },
    ['do'],
  ),
  times: integer({ minimum: 1, maximum: MAX_COUNT, description: 'acts at most so often' }),
  after: integer({ minimum: 0, maximum: MAX_COUNT, description: 'lets so many matches pass first' }),
  probability: decimal({ maximum: 1, description: 'above 0, drawn from the seed' }),
  ttl: either(string(), integer({ minimum: 1 }), { description: 'life on the clock: ms, or a duration such as 15m' }),
};
const count = integer({ minimum: 0 });

/** Named in the document's components. */
export const shapes = {
  Error: record({ message: string(), errors: array(string()) }),
  Behaviour: either(word(ON_CALL), BehaviourMembers, {
    description: 'what a phone does when it is called; the on_call word alone stands for it',
  }),
  Act: body(
    {
      act: word(ACTS),
      to: number,
      digits: string(),
      offer: word(['late'], { description: 'call: the INVITE goes without an offer' }),
      by: word(['UPDATE'], { description: 'hold, resume: in place of a re-INVITE' }),
      expires_s: integer({ minimum: 1, maximum: MAX_EXPIRES_S, description: 'register: the time that is asked for' }),
    },
    ['act'],
  ),
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
  FreshCustomer: record({
    customer_id: integer(),
    users: array(
      record({
        user_id: integer(),
        customer_id: integer(),
        email: string(),
        password: string(),
        api_key: nullable(string()),
        role: string(),
        ext: string(),
        sip_username: string(),
        sip_password: string(),
      }),
    ),
    numbers: array(string({ description: 'E.164 with +; each rings the user at its place' })),
    refused_credentials: array(
      record({ kind: word(['expired_token', 'revoked_api_key']), user_id: integer(), secret: string() }),
      { description: 'what was good once: answered 401' },
    ),
  }),
  Webhook: record({
    id: integer(),
    name: string(),
    url: string(),
    events: array(word(categories.map(({ id }) => id))),
    active: boolean(),
    customer_id: integer(),
  }),
  Delivery: body(
    {
      id: integer(),
      event: string(),
      body: anything({ description: 'the JSON that was posted' }),
      state: word(['pending', 'delivered', 'failed']),
      given_up: string({ description: 'why it failed before its schedule was over' }),
      attempts: array(
        body({ at: time, status: integer(), error: string(), ms: integer({ description: 'real time' }) }, ['at', 'ms']),
      ),
    },
    ['id', 'event', 'body', 'state', 'attempts'],
  ),
  JournalEntry: record({
    seq: integer(),
    at: time,
    kind: string(),
    call_id: nullable(integer()),
    customer_id: nullable(integer()),
    cause: nullable(integer()),
    data: anything(),
  }),
  FaultRule: members(faultMembers, ['match', 'action']),
  Fault: body(
    { id: integer(), ...faultMembers, matched: count, acted: count, active: boolean(), expires_at: nullable(time) },
    ['id', 'match', 'action', 'matched', 'acted', 'active', 'expires_at'],
  ),
  Snapshot: record({ id: integer(), at: time }),
  Mail: body(
    {
      id: integer(),
      at: time,
      kind: word(['2fa', 'reset', 'confirmation', 'report', 'fax', 'sms', 'missed_call', 'voicemail']),
      to: string(),
      code: string(),
      token: string(),
      subject: string(),
      report_id: integer(),
      schedule_id: integer(),
      format: string(),
      from: string({ description: 'of a fax or an SMS' }),
      text: string(),
      fax_id: integer(),
      filename: string(),
      pages: integer(),
      number: string({ description: 'of a fax: the number that received it' }),
      attachment: string({ description: 'the path of what is attached: of a fax a PDF with a sheet for each page' }),
      call_id: integer(),
      voicemessage_id: integer(),
      duration: integer({ description: 'seconds' }),
    },
    ['id', 'at', 'kind', 'to'],
  ),
  Queue: record({
    queue_id: integer(),
    customer_id: integer(),
    name: string(),
    callers: array(
      record({
        call_id: integer(),
        position: integer(),
        waited_s: integer(),
        from: string(),
        state: string({ description: 'as queue_state of the live call' }),
      }),
    ),
    agents: array(
      record({
        user_id: integer(),
        ext: string(),
        status: boolean(),
        state: word(['logged_out', 'unreachable', 'ringing', 'talking', 'resting', 'free']),
        taken: integer({ description: 'callers of this queue since the start' }),
      }),
    ),
  }),
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
