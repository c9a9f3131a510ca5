// The contract's rules, events and choices against the facts that an independent reading of the specification found, both ways.
import { describe, expect, it } from 'vitest';
import { type ChoiceId, choices } from '../contract/choices.ts';
import {
  callContexts,
  callStateCodes,
  cdrTypeCodes,
  destinationTypeCodes,
  directionCodes,
  dispositionCodes,
  monitorActs,
  monitorModeCodes,
  twoFactorCodes,
} from '../contract/codes.ts';
import {
  CallEventSchema,
  callEventNames,
  categories,
  eventNames,
  eventStates,
  publishedEventNames,
  SmsEventSchema,
  wantsEvent,
} from '../contract/events.ts';
import { collectionParameters, extraOperators, FilterConditionSchema, publishedOperators } from '../contract/filter.ts';
import { keepAliveMs, pageLimitMax, tokenInactivityMs, uploadTypes } from '../contract/limits.ts';
import { operations } from '../contract/operations.ts';
import { CreateCallBody } from '../contract/resources/calls.ts';
import { CreateQueueBody } from '../contract/resources/queues.ts';
import { CreateReportScheduleBody } from '../contract/resources/reports.ts';
import { CreateRingGroupBody } from '../contract/resources/settings.ts';
import { resourceList, resources } from '../contract/resources.ts';
import {
  eventFacts,
  jsonTypeOf,
  type Members,
  membersIn,
  operationFacts,
  ruleFacts,
  typesIn,
  wordsIn,
} from './spec-facts.ts';

/** The choice or choices for each thing that the specification says is not shown. */
const choiceForNotShown: Readonly<Record<string, readonly ChoiceId[]>> = {
  'call label fields': ['CHOICE-CALL-LABEL-RECORD'],
  'trace and monitor item fields': ['CHOICE-CALL-TRACE', 'CHOICE-CALL-MONITORS'],
  'contact label fields': ['CHOICE-CONTACT-LABELS'],
  'CDR code mapping': ['CHOICE-CODES-CDR'],
  'call state transitions': ['CHOICE-TRANSITIONS'],
  'two-factor state moves': ['CHOICE-TWO-FACTOR-MOVES'],
  'confirmation, password, reset response bodies': ['CHOICE-AUTH-MESSAGES'],
  'POST /calllabels body': ['CHOICE-CALL-LABEL-RECORD'],
  'PATCH /calllabels/{id} body': ['CHOICE-CALL-LABEL-RECORD'],
  'call label response bodies': ['CHOICE-CALL-LABEL-RECORD'],
  'settings endpoints after mohs': ['CHOICE-CONTACT-LABELS'],
  'POST /queuegroups body': ['CHOICE-QUEUE-GROUP-BODY'],
  'PATCH /queuegroups/{id} body': ['CHOICE-QUEUE-GROUP-BODY'],
  'PATCH /cdrs other members': ['CHOICE-CDR-PATCH'],
  'POST /callmeback/buttons body': ['CHOICE-BUTTON-BODY'],
  'nonce issue': ['CHOICE-NONCE'],
  'role permissions': ['CHOICE-ACL'],
  'webhook retries': ['CHOICE-WEBHOOK-RETRY'],
  'webhook timeouts': ['CHOICE-WEBHOOK-TIMEOUT'],
  'webhook request headers': ['CHOICE-WEBHOOK-HEADERS'],
  'webhook signatures': ['CHOICE-WEBHOOK-HEADERS'],
  'webhook receiver status': ['CHOICE-WEBHOOK-SUCCESS'],
  'DTMF event payload': ['CHOICE-DTMF-EVENT'],
  'DTMF event name': ['CHOICE-DTMF-EVENT'],
  'errors array content': ['CHOICE-ERRORS-CONTENT'],
  'machine-readable error codes': ['CHOICE-ERROR-CODES'],
  'rate limits': ['CHOICE-RATE-LIMITS'],
  'maximum upload size': ['CHOICE-BODY-LIMIT'],
  'default limit': ['CHOICE-LIMIT-DEFAULT'],
  'version differences': ['CHOICE-VERSIONS'],
  'current version': ['CHOICE-VERSIONS'],
  'deprecation policy': ['CHOICE-VERSIONS'],
};

/** The choice or choices for each place where the specification says two things. */
const choiceForContradiction: Readonly<Record<string, readonly ChoiceId[]>> = {
  'User roles string or array': ['CHOICE-USER-MODEL'],
  'User visited_apps string or array': ['CHOICE-USER-MODEL'],
  'User two_factor_auth integer or string': ['CHOICE-USER-MODEL'],
  'User customer or customer_id_id': ['CHOICE-USER-MODEL'],
  'CDR type, destination, disposition integer or word': ['CHOICE-CODES-CDR'],
  'Contact type integer read, string written': ['CHOICE-TWINS', 'CHOICE-CODES-OTHER'],
  'VoiceMessage folder integer read, string written': ['CHOICE-TWINS', 'CHOICE-CODES-OTHER'],
  'credential separator colon or semicolon': ['CHOICE-SEPARATOR'],
  'version v1.1 or v1.2': ['CHOICE-VERSIONS'],
  'webhook paths without product segment': ['CHOICE-VERSION-ALIAS'],
  'event context LOCAL_USER, CDR context USER_LOCAL': ['CHOICE-CALL-CONTEXT'],
  'call state change reacts to six states, state attribute has seven': ['CHOICE-ACCEPTED'],
  'dictionary status unknown': ['CHOICE-DICTIONARIES'],
  'DELETE /contacts/{ids} 204 or 202': ['CHOICE-DELETE-CONTACTS'],
  'cdrs.csv is a file, published as User data': ['CHOICE-FILES'],
  'deviating shapes': ['CHOICE-SUB-COLLECTIONS', 'CHOICE-ME', 'CHOICE-DICTIONARIES'],
  'connected_at integer in Live Call, string in event': ['CHOICE-CALL-TIMES'],
  'destination integer in Live Call, in or out in event': ['CHOICE-CODES-CALL', 'CHOICE-EVENT-DIRECTION'],
  'state integer in Live Call, word in event': ['CHOICE-CODES-CALL'],
  'CDR id shapes src_id string, event src_id integer': ['CHOICE-EVENT-IDS'],
};

const known = new Set<string>(choices.map(({ id }) => id));

function sorted<T>(values: Iterable<T>): readonly T[] {
  return [...values].sort();
}

function fieldOf(path: string): unknown {
  const [shape, field = ''] = path.split('.');
  return membersIn(shape === 'User' ? resources.users.schema : resources.cdrs.schema)[field];
}

function operationsOf(choice: ChoiceId): readonly string[] {
  const ids = choices.find(({ id }) => id === choice)?.operations ?? [];
  return sorted(operations.filter(({ id }) => ids.includes(id)).map(({ method, path }) => `${method} ${path}`));
}

describe('letters and words, by an independent reading', () => {
  it('are what responses carry, no more and no fewer', () => {
    const closed = { ...ruleFacts.letters, ...ruleFacts.words };
    const ours = resourceList
      .filter(({ published }) => published)
      .flatMap(({ id, schema }) =>
        Object.entries(membersIn(schema))
          .filter(([, field]) => wordsIn(field) !== undefined)
          .map(([name]) => `${id === 'users' ? 'User' : id === 'cdrs' ? 'Cdr' : id}.${name}`),
      );
    const open = ruleFacts.openWords;
    const fields = Object.keys(closed).filter((path) => !path.includes(' ') && !open.includes(path));
    expect(sorted(ours)).toEqual(sorted(fields));
    for (const path of fields) {
      const words = Object.hasOwn(ruleFacts.letters, path)
        ? Object.keys(ruleFacts.letters[path] ?? {})
        : ruleFacts.words[path];
      expect({ [path]: sorted(wordsIn(fieldOf(path)) ?? []) }).toEqual({ [path]: sorted(words ?? []) });
    }
    expect(open).toEqual(['Cdr.context']);
    expect(callContexts).toEqual(expect.arrayContaining([...(ruleFacts.words['Cdr.context'] ?? [])]));
  });

  it('are the words that the code tables number', () => {
    const { letters, words } = ruleFacts;
    expect(sorted(callStateCodes.words)).toEqual(sorted(eventFacts.states));
    expect(sorted(directionCodes.words)).toEqual(sorted(words['Cdr.destination'] ?? []));
    expect(sorted(dispositionCodes.words)).toEqual(sorted(words['Cdr.disposition'] ?? []));
    expect(sorted(cdrTypeCodes.words)).toEqual(sorted(Object.keys(letters['Cdr.type'] ?? {})));
    expect(sorted(destinationTypeCodes.words)).toEqual(sorted(Object.keys(letters['User.final_dst_type'] ?? {})));
    expect(sorted(monitorModeCodes.words)).toEqual(sorted(Object.keys(letters['User.monitor'] ?? {})));
    expect(sorted(twoFactorCodes.words)).toEqual(sorted(Object.keys(letters['User.two_factor_auth'] ?? {})));
    expect(sorted(Object.keys(monitorActs))).toEqual(sorted(words['LiveCall.monitor_state written'] ?? []));
  });

  it('may be written where they are published for requests', () => {
    const { pattern = '^$' } = membersIn(CreateCallBody).caller_id as { readonly pattern?: string };
    for (const word of ruleFacts.words['POST /calls caller_id'] ?? []) expect(word).toMatch(new RegExp(pattern));
    const shapeOfElements = (schema: unknown, member: string): Members =>
      Object.fromEntries(
        Object.entries(membersIn(membersIn(schema)[member])).map(([name, field]) => [name, typesIn(field).join()]),
      );
    expect(shapeOfElements(CreateQueueBody, 'users')).toEqual({ id: 'integer', status: 'boolean' });
    const { items } = membersIn(CreateRingGroupBody).users as { readonly items?: unknown };
    expect(typesIn(items)).toEqual(['integer']);
    const { anyOf = [] } = membersIn(CreateReportScheduleBody).frequency as { readonly anyOf?: readonly unknown[] };
    expect(Object.fromEntries(Object.entries(membersIn(anyOf[0])).map(([n, f]) => [n, typesIn(f).join()]))).toEqual({
      type: 'string',
      time_of_day: 'array',
      day_of_week: 'array',
      day_of_month: 'array',
    });
  });
});

describe('queries and limits, by an independent reading', () => {
  it('are the published parameters, members and operators', () => {
    expect(sorted(collectionParameters.map(({ name }) => name))).toEqual(
      sorted(Object.keys(ruleFacts.collectionQuery)),
    );
    expect(sorted(Object.keys(FilterConditionSchema.properties))).toEqual(sorted(ruleFacts.filter.members));
    expect(sorted(publishedOperators)).toEqual(sorted(ruleFacts.filter.operators));
    expect(extraOperators.filter((operator) => ruleFacts.filter.operators.includes(operator))).toEqual([]);
    expect(known).toContain('CHOICE-FILTER-OPERATORS');
  });

  it('are the published numbers', () => {
    const { limitMaximum, tokenInactivityMinutes, keepAliveMinutes, announcementUploadTypes } = ruleFacts.limits;
    expect(pageLimitMax).toBe(limitMaximum);
    expect(tokenInactivityMs).toBe(tokenInactivityMinutes * 60_000);
    expect(keepAliveMs).toBe(keepAliveMinutes * 60_000);
    expect(sorted(uploadTypes)).toEqual(sorted(announcementUploadTypes));
  });

  it('give a file exactly where the path ends in a published suffix', () => {
    const files = operations.filter(({ response }) => response.kind === 'file').map(({ path }) => path);
    const published = operationFacts
      .filter(({ path }) => ruleFacts.fileSuffixes.some((suffix) => path.endsWith(suffix)))
      .map(({ path }) => path);
    expect(sorted(files)).toEqual(sorted(published));
    expect(files).toHaveLength(7);
  });
});

describe('statuses, by an independent reading', () => {
  it('are those that the error rules and the success rules name', () => {
    const success = new Set(operations.flatMap((row) => row.success));
    const errors = new Set(operations.flatMap(({ listed, general }) => [...listed, ...general]));
    expect(sorted(success)).toEqual(sorted(ruleFacts.successStatuses));
    expect(sorted([...errors].map(String))).toEqual(
      sorted(Object.keys(ruleFacts.errorStatuses).filter((status) => status !== '5xx')),
    );
  });
});

describe('deprecated attributes, by an independent reading', () => {
  it('are described as such, and no others are', () => {
    const deprecated = resourceList.flatMap(({ schema, id }) =>
      Object.entries(membersIn(schema))
        .filter(
          ([, field]) => (field as { readonly description?: string }).description?.startsWith('deprecated') === true,
        )
        .map(([name]) => `${id === 'users' ? 'User' : id === 'cdrs' ? 'Cdr' : id}.${name}`),
    );
    expect(sorted(deprecated)).toEqual(sorted(ruleFacts.deprecated));
  });
});

describe('events, by an independent reading', () => {
  it('have the published attributes in the published types', () => {
    const of = (schema: unknown): Members =>
      Object.fromEntries(
        Object.entries(membersIn(schema)).map(([name, field]) => [
          name,
          typesIn(field)
            .filter((type) => type !== 'null')
            .join(),
        ]),
      );
    const published = (members: Members): Members =>
      Object.fromEntries(Object.entries(members).map(([name, type]) => [name, jsonTypeOf(type) ?? '']));
    expect(of(CallEventSchema)).toEqual(published(eventFacts.callAttributes));
    expect(of(SmsEventSchema)).toEqual(published(eventFacts.smsAttributes));
  });

  it('are null only where null is published', () => {
    const nullable = Object.entries({ call: CallEventSchema, sms: SmsEventSchema }).flatMap(([name, schema]) =>
      Object.entries(membersIn(schema))
        .filter(([, field]) => typesIn(field).includes('null'))
        .map(([field]) => `${name}.${field}`),
    );
    expect(sorted(nullable)).toEqual(sorted(eventFacts.nullable));
  });

  it('have the published names, and two more by a choice', () => {
    expect(sorted(publishedEventNames)).toEqual(sorted(eventFacts.names));
    expect(eventNames.filter((name) => !eventFacts.names.includes(name))).toEqual(['call.dtmf', 'webhook.test']);
    expect(known).toContain('CHOICE-DTMF-EVENT');
    expect(known).toContain('CHOICE-TEST-EVENT');
  });

  it('use the published words', () => {
    const fields = membersIn(CallEventSchema);
    expect(sorted(wordsIn(fields.state) ?? [])).toEqual(sorted(eventFacts.states));
    expect(sorted(wordsIn(fields.context) ?? [])).toEqual(sorted(Object.values(eventFacts.contexts)));
    expect(sorted(wordsIn(fields.destination) ?? [])).toEqual(sorted(eventFacts.destinations));
    expect(sorted(wordsIn(fields.terminated_by) ?? [])).toEqual(['', ...sorted(eventFacts.terminatedBy)]);
    expect(sorted(wordsIn(fields.event_name) ?? [])).toEqual(
      sorted(eventFacts.names.filter((name) => name !== 'sms.received')),
    );
    expect(Object.values(eventStates).flat()).toEqual(
      Object.values(eventStates)
        .flat()
        .filter((state) => eventFacts.states.includes(state)),
    );
  });

  it('come by the published categories, those of queues by the state change category alone', () => {
    expect(sorted(categories.map(({ title }) => title.toLowerCase()))).toEqual(sorted(eventFacts.categories));
    const eventsOf = (title: string): readonly string[] =>
      categories.find((row) => row.title.toLowerCase() === title)?.events ?? [];
    const all = eventsOf('call state change');
    for (const title of eventFacts.callStateChange.includes)
      expect(all).toEqual(expect.arrayContaining([...eventsOf(title)]));
    const forQueues = categories
      .filter(({ id }) => callEventNames.some((name) => wantsEvent([id], name, eventFacts.contexts.queue)))
      .map(({ title }) => title.toLowerCase());
    expect(forQueues).toEqual(['call state change']);
  });
});

describe('choices, by an independent reading', () => {
  it('cover everything that the specification says is not shown', () => {
    expect(sorted(Object.keys(choiceForNotShown))).toEqual(sorted(ruleFacts.notShown.map(({ key }) => key)));
    const lost = Object.entries(choiceForNotShown).filter(([, ids]) => !ids.every((id) => known.has(id)));
    expect(lost).toEqual([]);
  });

  it('cover every place where the specification says two things', () => {
    expect(sorted(Object.keys(choiceForContradiction))).toEqual(sorted(ruleFacts.contradictions.map(({ key }) => key)));
    const lost = Object.entries(choiceForContradiction).filter(([, ids]) => !ids.every((id) => known.has(id)));
    expect(lost).toEqual([]);
  });

  it('name the operations whose published shape deviates', () => {
    const named = [
      'CHOICE-SUB-COLLECTIONS',
      'CHOICE-ME',
      'CHOICE-DICTIONARIES',
      'CHOICE-FILES',
      'CHOICE-DDI-ID',
    ] as const;
    const covered = new Set(named.flatMap(operationsOf));
    const deviating = ruleFacts.deviations.flatMap(({ paths }) => paths).map((path) => `GET ${path}`);
    expect(deviating).toHaveLength(20);
    expect(deviating.filter((route) => !covered.has(route))).toEqual([]);
  });

  it('name the operations whose body or status is not shown', () => {
    const open = (test: (fact: (typeof operationFacts)[number]) => boolean): readonly string[] =>
      sorted(operationFacts.filter(test).map(({ method, path }) => `${method} ${path}`));
    const bodies = [
      'CHOICE-CALL-LABEL-RECORD',
      'CHOICE-QUEUE-GROUP-BODY',
      'CHOICE-BUTTON-BODY',
      'CHOICE-CDR-PATCH',
    ] as const;
    const covered = bodies.flatMap(operationsOf);
    const unshown = open(({ body, furtherMembersNotShown }) => body === 'not shown' || furtherMembersNotShown === true);
    expect(unshown).toHaveLength(6);
    expect(unshown.filter((route) => !covered.includes(route))).toEqual([]);
    const unknownStatus = open(({ statusPublishedAsUnknown }) => statusPublishedAsUnknown === true);
    expect(unknownStatus).toHaveLength(5);
    expect(operationsOf('CHOICE-DICTIONARIES')).toEqual(expect.arrayContaining([...unknownStatus]));
    expect(operationsOf('CHOICE-CALL-301')).toEqual(open(({ success }) => success.includes(301)));
    expect(operationsOf('CHOICE-DELETE-CONTACTS')).toEqual(open(({ success }) => success.length > 1));
    expect(operationsOf('CHOICE-ACCEPTED-BODY')).toEqual(open(({ success }) => success.join() === '202'));
    expect(operationsOf('CHOICE-BULK-RESPONSE')).toEqual(open(({ bulk }) => bulk));
  });

  it('take any reading of a type that is published as undefined', () => {
    expect(sorted(ruleFacts.undefinedTypes)).toEqual([
      'CallMeBack.setting.allowed_countries',
      'Queue.agent_sounds',
      'Queue.caller_sounds',
    ]);
    const queue = membersIn(CreateQueueBody);
    expect([typesIn(queue.agent_sounds), typesIn(queue.caller_sounds)]).toEqual([[], []]);
    expect(typesIn(membersIn(resources.callmebacksettings.writable).allowed_countries)).toEqual(['array', 'string']);
    expect(operationsOf('CHOICE-UNTYPED')).toEqual([
      'PATCH /callmeback/settings/{id}',
      'POST /callmeback/settings',
      'POST /queues',
    ]);
  });

  it('serve every published version', () => {
    const { versions, apiRoot } = ruleFacts.root;
    const text = choices.find(({ id }) => id === 'CHOICE-VERSIONS')?.ours ?? '';
    expect(apiRoot).toBe('/v1.1/pbx');
    for (const version of versions) expect(text).toContain(`${version}/pbx`);
  });
});
