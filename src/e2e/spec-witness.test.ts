// The contract's operations and fields against the facts that an independent reading of the specification found, both ways.
import { describe, expect, it } from 'vitest';
import { type ChoiceId, choices, choicesOfOperation, choicesOfResource } from '../contract/choices.ts';
import type { Operation, ResponseShape } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { type ResourceId, resourceList, resources } from '../contract/resources.ts';
import { twinOf } from '../contract/twins.ts';
import {
  jsonTypeOf,
  type Members,
  membersIn,
  type OperationFact,
  operationFacts,
  type ResourceFact,
  requiredIn,
  resourceFacts,
  ruleFacts,
  typesIn,
} from './spec-facts.ts';

/** The contract's resources for each shape that the specification describes. */
const shapes: Readonly<Record<string, readonly ResourceId[]>> = {
  LiveCall: ['calls'],
  Webcall: ['webcalls'],
  MediaSession: ['mediasessions'],
  CallLabel: ['calllabels'],
  Sms: ['sms'],
  CannedResponse: ['cannedresponses'],
  Fax: ['faxes'],
  VmAnnouncement: ['vmannouncements'],
  Ddi: ['ddis', 'campaigns', 'trackedcalls'],
  Contact: ['contacts'],
  ContactLabel: [],
  Conference: ['conferences'],
  Queue: ['queues'],
  RingGroup: ['ringgroups'],
  PickupGroup: ['pickupgroups'],
  RoutingRule: ['routingrules'],
  Ivr: ['ivrs'],
  Moh: ['mohs'],
  AclRole: ['aclroles'],
  QueueGroup: ['queuegroups'],
  UserGroup: ['usergroups'],
  UserGroupPolicy: ['usergrouppolicies'],
  User: ['users'],
  CurrentUser: ['me'],
  Chat: ['chats'],
  Cdr: ['cdrs'],
  Monitor: ['monitors'],
  Msdr: ['msdrs'],
  VoiceMessage: ['voicemessages'],
  CallMeBack: ['callmebackwebsites', 'callmebacksettings', 'callmebackbuttons', 'callmebackcdrs', 'callmebackvisitors'],
  ReportSchedule: ['reportschedules'],
};

/** The contract's response kind for each published envelope. */
const kinds: Readonly<Record<string, readonly ResponseShape['kind'][]>> = {
  collection: ['collection'],
  dictionary: ['collection'],
  single: ['single'],
  dataArrayWithTotal: ['list-single'],
  singleData: ['sub-collection'],
  members: ['message'],
  file: ['file'],
};

/** Body members that the contract takes in one more type than is published, by a choice other than a twin. */
const alsoTaken: Readonly<Record<string, ChoiceId>> = {
  'POST /calls from': 'CHOICE-CALL-FROM',
  'PATCH /calltracking/ddis id': 'CHOICE-DDI-ID',
};

/** Written fields that no response shows, or that it shows otherwise without a twin, and the choice that says so. */
const explained: Readonly<Record<string, ChoiceId>> = {
  'VmAnnouncement.data': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_phone': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_phone_1': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_phone_2': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_mobile': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_mobile_1': 'CHOICE-WRITE-ONLY',
  'Contact.speed_dial_mobile_2': 'CHOICE-WRITE-ONLY',
  'Contact.labels': 'CHOICE-WRITE-ONLY',
  'Contact.groups': 'CHOICE-WRITE-ONLY',
  'Contact.transfer_list': 'CHOICE-WRITE-ONLY',
  'Conference.ddis': 'CHOICE-WRITE-ONLY',
  'Queue.ddis': 'CHOICE-WRITE-ONLY',
  'Queue.users': 'CHOICE-WRITE-ONLY',
  'Queue.groups': 'CHOICE-WRITE-ONLY',
  'Queue.agent_sounds': 'CHOICE-UNTYPED',
  'Queue.caller_sounds': 'CHOICE-UNTYPED',
  'RingGroup.users': 'CHOICE-WRITE-ONLY',
  'RingGroup.ddis': 'CHOICE-WRITE-ONLY',
  'Ivr.ddis': 'CHOICE-WRITE-ONLY',
  'CallMeBack.data_online': 'CHOICE-BUTTON-BODY',
  'CallMeBack.data_offline': 'CHOICE-BUTTON-BODY',
  'ReportSchedule.start_at': 'CHOICE-REPORT-DATES',
  'ReportSchedule.end_at': 'CHOICE-REPORT-DATES',
};

const key = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;
const rowOf = new Map(operations.map((operation) => [key(operation), operation]));

/** Each fact with the contract's row; facts without a row are found by the first test. */
const pairs = operationFacts.flatMap((fact) => {
  const row = rowOf.get(key(fact));
  return row === undefined ? [] : [{ fact, row }];
});

function mismatches(differ: (fact: OperationFact, row: Operation) => readonly string[]): string[] {
  return pairs.flatMap(({ fact, row }) => differ(fact, row).map((what) => `${key(fact)}: ${what}`));
}

function sorted<T>(values: readonly T[]): readonly T[] {
  return [...values].sort();
}

function differs(what: string, published: readonly unknown[], ours: readonly unknown[]): readonly string[] {
  const [left, right] = [JSON.stringify(sorted(published)), JSON.stringify(sorted(ours))];
  return left === right ? [] : [`${what}: the specification has ${left}, the contract ${right}`];
}

function resourceOf(response: ResponseShape): ResourceId | undefined {
  if ('owner' in response) return response.owner;
  return 'resource' in response ? response.resource : undefined;
}

function typeMismatch(name: string, published: string, schema: unknown, also: readonly string[]): readonly string[] {
  const json = jsonTypeOf(published);
  const ours = typesIn(schema).filter((type) => type !== 'null');
  if (json === undefined) return [];
  const wrong = !ours.includes(json) || ours.some((type) => type !== json && !also.includes(type));
  return wrong ? [`${name} is published as ${published}, the contract takes ${ours.join(' or ')}`] : [];
}

describe('operations, by an independent reading', () => {
  it('are the published 163, each once, on both sides', () => {
    expect(operationFacts).toHaveLength(163);
    expect(operations).toHaveLength(163);
    expect(sorted([...rowOf.keys()])).toEqual(sorted(operationFacts.map(key)));
    expect(pairs).toHaveLength(163);
  });

  it('stand in the published module with the published path parameters', () => {
    const kindOf: Members = { id: 'id', ids: 'ids', e164: 'e164', from: 'number', to: 'number' };
    const wrong = mismatches((fact, { module, parameters }) => [
      ...differs('module', [fact.module.toLowerCase().replaceAll(' ', '')], [module]),
      ...differs(
        'path parameters',
        fact.pathParameters.map((name) => `${name} ${kindOf[name]}`),
        parameters.path.map(({ name, kind }) => `${name} ${kind}`),
      ),
    ]);
    expect(wrong).toEqual([]);
  });

  it('answer the published statuses and no others that the general rules do not add', () => {
    const wrong = mismatches((fact, { success, listed, general, chosen }) => [
      ...differs('success', fact.success, success),
      ...differs('listed errors', fact.errors, listed),
      ...general.filter((status) => ![400, 401, 403, 404].includes(status)).map((status) => `general ${status}`),
      ...chosen.filter((status) => ![400, 413, 415].includes(status)).map((status) => `chosen ${status}`),
      ...[...general, ...chosen].filter((status) => fact.errors.includes(status)).map((s) => `${s} listed and added`),
    ]);
    expect(wrong).toEqual([]);
    const why: readonly ChoiceId[] = ['CHOICE-LIMIT-BELOW', 'CHOICE-BODY-LIMIT', 'CHOICE-TRANSPORT-ERRORS'];
    expect(choices.map(({ id }) => id)).toEqual(expect.arrayContaining([...why]));
  });

  it('ask for credentials but where one gets them', () => {
    const open = operations.filter(({ auth }) => auth === 'none').map(key);
    expect(sorted(open)).toEqual([
      'POST /confirmation',
      'POST /login',
      'POST /login2fa',
      'POST /password',
      'POST /reset',
    ]);
    expect(mismatches((fact, { auth }) => (auth === 'none' && fact.errors.includes(401) ? ['401'] : []))).toEqual([]);
  });

  it('take the query of collections where it is published, and elsewhere only where that is open', () => {
    const wrong = mismatches(({ query, collectionQueryUnsettled }, { parameters }) => {
      const own = parameters.named.map(({ name }) => name);
      const paged = parameters.query === 'collection' ? Object.keys(ruleFacts.collectionQuery) : [];
      return differs('query', query, collectionQueryUnsettled === true ? own : [...paged, ...own]);
    });
    expect(wrong).toEqual([]);
  });

  it('answer in the published envelope and shape, or by a choice where none fits', () => {
    const wrong = mismatches((fact, { id, response }) => {
      const fits = kinds[fact.envelopeConflict ?? fact.envelope]?.includes(response.kind) === true;
      const nothing = fact.envelope === 'none' && response.kind === 'empty';
      const chosen = choicesOfOperation(id).length > 0;
      const open = ['none', 'not shown', 'unsettled'].includes(fact.envelope) && chosen;
      const resource = resourceOf(response);
      const shape = fact.shape === undefined || fact.shape === 'unsettled' ? undefined : shapes[fact.shape];
      return [
        ...(fits || nothing || open ? [] : [`published ${fact.envelope}, the contract answers ${response.kind}`]),
        ...(fact.envelopeConflict === undefined || chosen ? [] : ['two published envelopes and no choice']),
        ...(fact.shape === 'unsettled' && !chosen ? ['no published shape and no choice'] : []),
        ...(shape === undefined || resource === undefined || shape.includes(resource)
          ? []
          : [`published ${fact.shape}, the contract answers ${resource}`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('answer with the published members where these are named one by one', () => {
    const wrong = mismatches((fact, { response }) =>
      fact.members === undefined || response.kind !== 'message'
        ? []
        : differs(
            'members',
            fact.members,
            Object.keys(membersIn(response.schema)).filter((name) => name !== 'nonce'),
          ),
    );
    expect(wrong).toEqual([]);
    expect(choices.find(({ id }) => id === 'CHOICE-NONCE')?.operations).toContain('login');
  });
});

describe('request bodies, by an independent reading', () => {
  it('are there where published, in bulk where published', () => {
    const wrong = mismatches((fact, { body }) => [
      ...((fact.body === null) === (body === undefined) ? [] : ['a body on one side only']),
      ...differs('bulk', [fact.bulk], [body?.bulk ?? false]),
    ]);
    expect(wrong).toEqual([]);
  });

  it('take every published member, and another one only as a twin or by a choice', () => {
    const wrong = mismatches((fact, { id, body, response }) => {
      if (fact.body === null || body === undefined) return [];
      const published = fact.body === 'not shown' ? [] : Object.keys(fact.body);
      const ours = Object.keys(membersIn(body.schema));
      const resource = resourceOf(response);
      const notShown = fact.body === 'not shown' || fact.furtherMembersNotShown === true;
      const free = notShown && choicesOfOperation(id).length > 0;
      const extra = ours.filter((name) => !published.includes(name) && !free);
      return [
        ...published
          .filter((name) => !ours.includes(name) && fact.cannotChange?.includes(name) !== true)
          .map((name) => `${name} is missing`),
        ...extra
          .filter((name) => resource === undefined || twinOf(resource, name)?.read !== name)
          .map((name) => `${name} is not published`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('take the published types, and the read type only of a twin', () => {
    const wrong = mismatches((fact, { body, response }) => {
      if (fact.body === null || fact.body === 'not shown' || body === undefined) return [];
      const ours = membersIn(body.schema);
      const resource = resourceOf(response);
      return Object.entries(fact.body).flatMap(([name, type]) => {
        if (ours[name] === undefined) return [];
        const twin = resource === undefined ? undefined : twinOf(resource, name);
        const read = twin === undefined || resource === undefined ? undefined : membersIn(resources[resource].schema);
        const chosen = alsoTaken[`${key(fact)} ${name}`] === undefined ? [] : ['string', 'integer'];
        const also = twin === undefined ? chosen : [...typesIn(read?.[twin.read] ?? {}), ...wordTypes(twin.mapping)];
        return typeMismatch(name, type, ours[name], also);
      });
    });
    expect(wrong).toEqual([]);
    const told = mismatches((fact, { id }) =>
      Object.keys(fact.body ?? {})
        .map((name) => alsoTaken[`${key(fact)} ${name}`])
        .filter((choice) => choice !== undefined && !choicesOfOperation(id).some((row) => row.id === choice))
        .map(String),
    );
    expect(told).toEqual([]);
  });

  it('require nothing that is published as optional', () => {
    const wrong = mismatches((fact, { body }) =>
      requiredIn(body?.schema ?? {}).filter((name) => fact.optional?.includes(name) === true),
    );
    expect(wrong).toEqual([]);
  });

  it('refuse or leave out what cannot be changed', () => {
    const fixed = mismatches((fact, { body }) =>
      Object.keys(membersIn(body?.schema ?? {})).filter((name) => fact.cannotChange?.includes(name) === true),
    );
    expect(fixed).toEqual([]);
    expect(choicesOfOperation('updateRoutingRule').map(({ id }) => id)).toContain('CHOICE-ROUTING-RULES');
  });
});

/** A number in E.164 may be written with its plus sign, so as text. */
function wordTypes(mapping: { readonly kind: string }): readonly string[] {
  return mapping.kind === 'e164-to-digits' ? ['string'] : [];
}

function readFields({ read, model, formats }: ResourceFact): Members {
  return read === 'not shown' ? {} : { ...read, ...model, ...formats };
}

function fieldMismatches(ids: readonly ResourceId[], fact: ResourceFact): readonly string[] {
  const published = readFields(fact);
  return ids.flatMap((id) => {
    const ours = membersIn(resources[id].schema);
    return [
      ...differs('fields', Object.keys(published), Object.keys(ours)),
      ...Object.entries(published).flatMap(([name, type]) => typeMismatch(name, type, ours[name] ?? {}, [])),
      ...Object.entries(published)
        .filter(([name, type]) => type !== 'datetime' && typesIn(ours[name] ?? {}).includes('null'))
        .map(([name]) => `${name} may be null and is no timestamp`),
    ].map((what) => `${id}: ${what}`);
  });
}

describe('resources, by an independent reading', () => {
  it('each have a shape in the specification, or a choice where none is shown', () => {
    const known = Object.values(shapes).flat();
    const unknown = resourceList.filter(({ id }) => !known.includes(id));
    expect(sorted(unknown.map(({ id }) => id))).toEqual(['calltraces', 'cdrnotes', 'chatmsgs']);
    expect(unknown.filter(({ id, published }) => published || choicesOfResource(id).length === 0)).toEqual([]);
    expect(sorted(Object.keys(resourceFacts))).toEqual(sorted(Object.keys(shapes)));
    expect(choices.map(({ id }) => id)).toContain('CHOICE-CONTACT-LABELS');
  });

  it('stand at a path that operations have', () => {
    const paths = new Set(operations.map(({ path }) => path));
    const lost = Object.values(resourceFacts).flatMap((fact) => fact.paths.filter((path) => !paths.has(path)));
    expect(lost).toEqual(['/contactlabels']);
  });

  it('carry the published fields in the published types, the model before the sample', () => {
    const shown = Object.entries(resourceFacts).filter(([, { read }]) => read !== 'not shown');
    expect(shown.flatMap(([name, fact]) => fieldMismatches(shapes[name] ?? [], fact))).toEqual([]);
    expect(shown).toHaveLength(29);
  });

  it('are marked as not published exactly where no field is shown', () => {
    const marked = resourceList.filter(({ published }) => !published).map(({ id }) => id);
    expect(sorted(marked)).toEqual(['calllabels', 'calltraces', 'cdrnotes', 'chatmsgs']);
    expect(marked.filter((id) => choicesOfResource(id).length === 0)).toEqual([]);
  });

  it('write timestamps as published, in UTC to the second', () => {
    const stamped = Object.entries(resourceFacts).flatMap(([name, fact]) =>
      Object.entries(readFields(fact))
        .filter(([, type]) => type === 'datetime')
        .flatMap(([field]) =>
          (shapes[name] ?? []).map((id) => membersIn(resources[id].schema)[field] as { readonly pattern?: string }),
        ),
    );
    expect(stamped.length).toBeGreaterThan(20);
    for (const { pattern } of stamped) {
      expect('2026-01-31 23:59:59').toMatch(new RegExp(pattern ?? '^$'));
      expect('2026-01-31T23:59:59Z').not.toMatch(new RegExp(pattern ?? ''));
    }
  });

  it('have a twin row for each field in two forms, and a choice for each that is written and never read', () => {
    const wrong = Object.entries(resourceFacts).flatMap(([name, fact]) => {
      const written = [fact.writable ?? {}, fact.model ?? {}, ...Object.values(fact.writableByPart ?? {})];
      return written.flatMap((members) =>
        Object.entries(members).flatMap(([field, type]) => unexplained(name, field, type, fact)),
      );
    });
    expect(wrong).toEqual([]);
  });
});

/** What is wrong with a written (or model) field against its read (or sample) form; empty when nothing is. */
function unexplained(shape: string, field: string, type: string, fact: ResourceFact): readonly string[] {
  const ids = shapes[shape] ?? [];
  const read = fact.read === 'not shown' ? undefined : fact.read[field];
  const sameType = type !== 'undefined' && type !== 'date' && jsonTypeOf(type) === jsonTypeOf(read ?? '');
  const oneForm = read !== undefined && (type === 'untyped' || sameType);
  if (oneForm || (read === undefined && fact.model?.[field] !== undefined)) return [];
  if (ids.some((id) => twinOf(id, field) !== undefined)) return [];
  const choice = choices.find(({ id }) => id === explained[`${shape}.${field}`]);
  const about = pairs
    .filter(({ row }) => choice?.operations?.includes(row.id))
    .map(({ row }) => resourceOf(row.response));
  const told = ids.some((id) => choice?.resources?.includes(id) === true || about.includes(id));
  return told ? [] : [`${shape}.${field}: written ${type}, read ${read ?? 'nowhere'}, no twin and no choice`];
}
