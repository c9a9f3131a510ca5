// A scenario as it is written, in YAML or TypeScript: its members, their schemas and their types. Knows no meaning beyond shape.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}, and descriptions say so
import type { Static, TSchema, TUnsafe } from 'typebox';
import { callStateCodes } from '../../contract/codes.ts';
import { categories, eventNames } from '../../contract/events.ts';
import { anything, array, either, integer, string, word } from '../../contract/schema.ts';
import { type FaultStep, faultStep } from './fault-step.ts';
import {
  captures,
  closed,
  count,
  dialled,
  duration,
  eventually,
  expectedMembers,
  json,
  mapOf,
  NAME,
  NAME_WORDS,
  name,
  sentence,
  some,
  text,
} from './shapes.ts';

/** Users that a scenario can speak of; a target has some of them. */
export const USERS = ['first', 'second', 'third', 'restricted', 'two_factor', 'other_customer'] as const;
export type UserName = (typeof USERS)[number];

export const ACTS = [
  'call',
  'answer',
  'reject',
  'hold',
  'resume',
  'transfer',
  'join',
  'digits',
  'hang_up',
  'register',
  'unregister',
  'vanish',
  'text',
] as const;
export type ActWord = (typeof ACTS)[number];

export const PHONE_STATES = [
  'registered',
  'unregistered',
  'idle',
  'calling',
  'ringback',
  'ringing',
  'connected',
  'holding',
] as const;
export type PhoneStateWord = (typeof PHONE_STATES)[number];

const onCall = word(['ring', 'answer', 'busy', 'decline', 'unavailable', 'silent', 'early_media', 'redirect']);
const whenCalled = either(onCall, closed({ on_call: onCall, after: duration, to: dialled }, ['on_call']), {
  description:
    'how calls are met: ring, answer, busy, decline, unavailable, silent or early_media (183 with sound first), alone or as {on_call, after}; or {on_call: redirect, to}',
});
export type WhenCalledDocument = Static<typeof whenCalled>;

const noted = { title: sentence };
const within = { within: duration };

const rest = closed(
  {
    ...noted,
    rest: string({ description: 'an operation id of the contract' }),
    as: either(
      word([...USERS, 'nobody']),
      closed({ id: json, token: text }, ['id', 'token'], { description: 'id and token, or API key' }),
      { description: 'a user, nobody, or {id, token}' },
    ),
    path: mapOf(json, '^[a-z0-9_]+$', 'path parameters by name'),
    query: mapOf(json, '^[a-z_]+$', 'query parameters by name; objects and arrays are written as JSON'),
    body: json,
    expect: closed(
      {
        status: either(
          integer({ minimum: 200, maximum: 599 }),
          some(integer({ minimum: 200, maximum: 599 }), 'statuses'),
        ),
        body: expectedMembers,
        headers: mapOf(anything(), '^[A-Za-z-]+$', 'expected header values by name'),
      },
      [],
    ),
    eventually,
    capture: captures,
  },
  ['rest'],
  { description: 'a request to the REST API, by operation id' },
);
export type RestStep = Static<typeof rest>;

const act = closed(
  {
    ...noted,
    ...within,
    phone: name,
    do: word(ACTS),
    to: dialled,
    after: duration,
    digits: string({ pattern: '^[0-9*#A-D]{1,64}$', description: 'keys: 0-9, *, #, A-D' }),
    message: text,
    ...{ offer: word(['late']), by: word(['UPDATE']), expires: duration },
    capture: closed({ call_id: name }, ['call_id'], {
      description: 'the name under which the call id is remembered, where the driver learns it',
    }),
  },
  ['phone', 'do'],
  { description: 'what somebody does at a phone; the runner waits until it is possible' },
);
export type ActStep = Static<typeof act>;

const state = closed(
  { ...noted, ...within, phone: name, is: word(PHONE_STATES), hold_for: duration },
  ['phone', 'is'],
  {
    description: 'a phone is, or comes to be, in a state',
  },
);
export type StateStep = Static<typeof state>;

const conduct = closed({ ...noted, phone: name, when_called: whenCalled }, ['phone', 'when_called'], {
  description: 'how the phone meets calls from now on',
});
export type ConductStep = Static<typeof conduct>;

const configure = closed(
  {
    ...noted,
    configure: string({ pattern: '^[a-z]+$', description: 'a resource id of the contract' }),
    id: json,
    set: mapOf(json, '^[a-z_0-9]+$', 'members to write'),
  },
  ['configure', 'id', 'set'],
  { description: 'set what the API cannot write (capability configure)' },
);
export type ConfigureStep = Static<typeof configure>;

const callStates = word([...callStateCodes.words, 'gone']);
const liveCall = closed(
  {
    ...noted,
    ...within,
    live_call: either(text, { ...some(name, 'two phones'), minItems: 2, maxItems: 2 } as TUnsafe<readonly string[]>, {
      description: 'a call id, or the two phones that talk',
    }),
    as: word(USERS),
    state: either(callStates, some(callStates, 'states')),
    expect: expectedMembers,
    hold_for: duration,
    capture: captures,
  },
  ['live_call'],
  { description: 'the live call, as the REST API shows it' },
);
export type LiveCallStep = Static<typeof liveCall>;

const historyMembers = { ...noted, ...within, as: word(USERS), expect: expectedMembers, count, capture: captures };
const cdr = closed({ ...historyMembers, cdr: text }, ['cdr'], { description: 'the records of a call, by its call id' });
export type CdrStep = Static<typeof cdr>;
const recording = closed({ ...historyMembers, recording: text }, ['recording'], {
  description: 'the recordings of a call, by its call id',
});
export type RecordingStep = Static<typeof recording>;

const method = word([
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'REGISTER',
  'OPTIONS',
  'REFER',
  'NOTIFY',
  'INFO',
  'UPDATE',
  'PRACK',
]);
const sip = closed(
  {
    ...noted,
    ...within,
    sip: name,
    sent: method,
    received: method,
    status: integer({ minimum: 100, maximum: 699 }),
    sdp: word(['sendrecv', 'sendonly', 'recvonly', 'inactive']),
    headers: mapOf(anything(), '^[A-Za-z-]+$', 'expected header values by name'),
    body: anything({ description: 'expected body text, or a matcher' }),
    count,
    quiet: duration,
  },
  ['sip'],
  { description: 'SIP messages at a phone; with status a response to the method; count 0 needs quiet' },
);
export type SipStep = Static<typeof sip>;

const eventName = word(eventNames.filter((one) => one !== 'webhook.test'));
const expectedEvent = either(
  eventName,
  closed({ event: eventName, where: expectedMembers, with: expectedMembers, count }, ['event'], {
    description: 'where: which ones are meant; with: what each of them carries; count: how many, 1 if not said',
  }),
  { description: 'an event name, or {event, where, with, count}' },
);
export type ExpectedEvent = Static<typeof expectedEvent>;

const events = closed(
  {
    ...noted,
    ...within,
    events: mapOf(expectedEvent, NAME, 'expected events by a name of their own'),
    webhook: name,
    of: text,
    order: either(sentence, some(sentence, 'chains'), { description: 'chains such as ringing < connected < hangup' }),
    ordered_by: word(['arrival', 'event_time']),
    none: some(eventName, 'events that must not come'),
    others: word(['fail', 'allow']),
    repeats: word(['fail', 'allow']),
    until: name,
    quiet: duration,
    capture: mapOf(
      string({
        pattern: '^[a-z][a-z0-9_]*(/[^/]+)+$',
        description: 'an expected event and a pointer: ringing/call_id',
      }),
      NAME,
      'what to remember of the first such event',
    ),
  },
  ['events'],
  {
    description:
      'what a webhook got since the scenario began. Absence is judged when the event named by until is there, or after quiet',
  },
);
export type EventsStep = Static<typeof events>;

const wait = closed({ ...noted, wait: duration }, ['wait'], { description: 'let time pass' });
export type WaitStep = Static<typeof wait>;

const include = closed(
  {
    ...noted,
    include: string({ pattern: '\\.ya?ml$', description: 'a fragment file' }),
    with: mapOf(json, NAME, 'values'),
  },
  ['include'],
  { description: 'the steps of a fragment, in which ${with.name} stands for the values' },
);
export type IncludeStep = Static<typeof include>;

const steps = { $ref: '#/$defs/Steps' } as unknown as TSchema;
const parallelOf = (items: TSchema) =>
  closed({ ...noted, parallel: array(items, { minItems: 2 }) }, ['parallel'], {
    description: 'lists of steps that run at the same time',
  });
export interface ParallelStep {
  readonly title?: string;
  readonly parallel: readonly (readonly StepDocument[])[];
}

/** Every kind of step, by the member that tells it apart. The steps in `parallel` are checked one by one. */
export const stepSchemas = {
  do: act,
  is: state,
  when_called: conduct,
  rest,
  configure,
  fault: faultStep,
  live_call: liveCall,
  cdr,
  recording,
  sip,
  events,
  wait,
  include,
  parallel: parallelOf(array(anything(), { minItems: 1 })),
} as const satisfies Record<string, TSchema>;
export type StepKind = keyof typeof stepSchemas;

export type PlainStep =
  | ActStep
  | StateStep
  | ConductStep
  | RestStep
  | ConfigureStep
  | FaultStep
  | LiveCallStep
  | CdrStep
  | RecordingStep
  | SipStep
  | EventsStep
  | WaitStep;
export type StepDocument = PlainStep | IncludeStep | ParallelStep;

const outsideNumber = string({ pattern: '^\\+[1-9][0-9]{4,14}$', description: 'E.164 with +' });
const phone = closed({ user: word(USERS), outside: outsideNumber, when_called: whenCalled }, [], {
  description: 'the phone of a user, or somebody on the public network; it rings until told otherwise',
});

export const scenarioMembers = {
  id: string({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', description: 'words in small letters with - between' }),
  title: sentence,
  requires: sentence,
  spec: some(sentence, 'where it is stated: parts of the specification, RFC sections'),
  clauses: some(
    string({ pattern: '^[A-Z0-9]+(-[A-Z0-9]+)+$', description: 'a clause id, as pbxsim clauses lists them' }),
    'the clauses that it is a check of; the weakest of them says what a failure is worth',
  ),
  no_clauses: string({ minLength: 1, maxLength: 1000, description: 'why it is a check of no clause' }),
  tags: array(string({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', description: 'words in small letters with - between' })),
  drivers: some(word(['sim', 'sip']), 'what can drive the phones; both if not said'),
  drivers_reason: sentence,
  phones: mapOf(phone, NAME, 'phones by name'),
  webhooks: mapOf(
    closed({ events: some(word(categories.map(({ id }) => id)), 'categories'), of: word(USERS) }, ['events']),
    NAME,
    'webhooks by name; of: whose account, the first user’s if not said',
  ),
  matrix: mapOf(some(either(string(), integer()), 'values'), NAME, 'runs once for each combination'),
};
const required = ['id', 'title', 'requires', 'spec', 'steps'] as const;

/** What is checked of a document as a whole; its steps are checked one by one. */
export const documentSchema = closed(
  { ...scenarioMembers, steps: array(anything(), { minItems: 1 }), finally: array(anything(), { minItems: 1 }) },
  required,
);
export const fragmentSchema = closed(
  { fragment: sentence, parameters: array(name), steps: array(anything(), { minItems: 1 }) },
  ['fragment', 'steps'],
);

type Head = Static<typeof documentSchema>;
/** A scenario, whole. */
export type ScenarioDocument = Omit<Head, 'steps' | 'finally'> & {
  readonly steps: readonly StepDocument[];
  readonly finally?: readonly StepDocument[];
};

/** The published schema of scenario and fragment files, for editors. */
export function publishedSchema(): object {
  const scenario = closed({ ...scenarioMembers, steps, finally: steps }, required);
  const fragment = closed({ fragment: sentence, parameters: array(name), steps }, ['fragment', 'steps']);
  const kinds = Object.values({ ...stepSchemas, parallel: parallelOf(steps) });
  return orTemplate({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://pbxsim.test/scenarios/schema.json',
    title: 'pbxsim scenario',
    description: `A scenario or a fragment of one. Names are ${NAME_WORDS}.`,
    oneOf: [scenario, fragment],
    $defs: { Steps: { type: 'array', items: { oneOf: kinds }, minItems: 1 } },
  }) as object;
}

/** Before matrix and fragment values are in place, ${matrix.x} or ${with.x} may stand wherever a word or a number will. */
function orTemplate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(orTemplate);
  if (typeof node !== 'object' || node === null) return node;
  const { type, enum: words, pattern, description } = node as Readonly<Record<string, unknown>>;
  const isLeaf = type === 'integer' || (type === 'string' && (words !== undefined || pattern !== undefined));
  if (isLeaf) {
    const template = { type: 'string', pattern: '\\$\\{(matrix|with)\\.' };
    return { ...(description === undefined ? {} : { description }), anyOf: [node, template] };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, item]) => [name, name === 'propertyNames' ? item : orTemplate(item)]),
  );
}
