// Every place that the specification leaves open has its choice. Knows no handler.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choices, choicesOfOperation, choicesOfResource } from './choices.ts';
import { operationById, operations } from './operations.ts';
import { resourceList, resources } from './resources.ts';

/** The sentences of the specification that say "not shown" or "unknown" or "undefined", each by the topic that answers it. */
const notShown: ReadonlyArray<readonly [place: string, topic: string]> = [
  ['Call label: fields', 'fields and bodies of call labels'],
  ['Call trace items', 'items of a call trace'],
  ['Call monitor items', 'items of call monitors'],
  ['Contact label: fields', '/contactlabels'],
  ['Queue: agent_sounds, caller_sounds, type undefined', 'members of undefined type'],
  ['CDR: mapping of codes', 'codes of a CDR'],
  ['Call Me Back setting: allowed_countries, type undefined', 'members of undefined type'],
  ['Call state: transitions', 'transitions of the call state'],
  ['two_factor_auth: moves', 'moves of two_factor_auth'],
  ['Endpoints: required members', 'required members'],
  ['/confirmation, /password, /reset: bodies', 'bodies of confirmation, password and reset'],
  ['POST /calllabels: body', 'fields and bodies of call labels'],
  ['PATCH /calllabels/{id}: body', 'fields and bodies of call labels'],
  ['Call label response bodies', 'fields and bodies of call labels'],
  ['Dictionaries: status published as unknown', 'dictionaries'],
  ['Settings after /mohs/{id}', '/contactlabels'],
  ['POST /queuegroups: body', 'bodies of queue groups'],
  ['PATCH /queuegroups/{id}: body', 'bodies of queue groups'],
  ['PATCH /cdrs: other fields', 'body of PATCH /cdrs'],
  ['POST /callmeback/buttons: body', 'body of POST /callmeback/buttons'],
  ['Authentication: how the nonce is issued', 'two-factor nonce'],
  ['Authentication: which role may do what', 'access control rules'],
  ['Delivery: retry', 'retry of deliveries'],
  ['Delivery: timeouts', 'timeout of deliveries'],
  ['Delivery: headers and signatures', 'headers and signatures of deliveries'],
  ['Delivery: status of the receiver', 'status of the receiver'],
  ['DTMF event', 'DTMF event'],
  ['Errors: content of errors', 'content of errors'],
  ['Errors: machine-readable codes', 'machine-readable error codes'],
  ['Limits: request rate', 'request rate limits'],
  ['Limits: upload size', 'maximum upload size'],
  ['Limits: default limit', 'default limit'],
  ['Versioning: differences, current, deprecation', 'v1.1 and v1.2'],
];

/** What is published twice, or left unsaid without the words "not shown". */
const contradicted: readonly string[] = [
  'written against read form',
  'absent values',
  'form of numbers',
  'unknown members',
  'page origin',
  'limit above the maximum',
  'limit below 1',
  'total with a filter',
  'order of a collection',
  'filter operators',
  'several filters',
  'like',
  'unknown filter property',
  'group_by',
  'links',
  'sub-collections',
  'answer to a bulk PATCH',
  'body of 202',
  '204 or 202 for contacts',
  'malformed id in a path',
  'paths without the product segment',
  'cross-origin requests',
  'remember_me, device_fingerprint, add_device',
  'separator of the credentials',
  'logout with an API key',
  'what counts as activity',
  "another customer's records",
  'GET /me is a list',
  'codes of a live call',
  'codes of other resources',
  'direction of a call',
  'ACCEPTED has no event',
  'context of calls and of events',
  '301 of PATCH /calls/{id}',
  'state of PATCH /calls/{id}',
  'labels of a live call',
  'action_url and action_text',
  'monitor_state of PATCH /calls/{id}',
  'to of POST /calls, dst of PATCH /calls/{id}',
  'notes of a CDR',
  'form of traces, pcaps and CSV',
  'list and model of a user',
  'groups and location_id of PATCH /users',
  'canned responses in the shape of an SMS',
  'campaigns and tracked calls in the shape of a number',
  'sounds of the keys zero, star and hash',
  'categories and event names',
  'test event',
  'order and number of deliveries',
];

describe('the choices', () => {
  it('answer every place that the specification does not show', () => {
    const topics = choices.map(({ topic }) => topic);
    for (const [place, topic] of notShown) expect(topics, place).toContain(topic);
    for (const topic of contradicted) expect(topics).toContain(topic);
  });

  it('have unique ids and topics, and say what, what we do and why', () => {
    expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length);
    expect(new Set(choices.map(({ topic }) => topic)).size).toBe(choices.length);
    for (const { id, unspecified, ours, why } of choices) {
      expect(id).toMatch(/^CHOICE-[A-Z0-9]+(-[A-Z0-9]+)*$/);
      for (const text of [unspecified, ours, why]) expect(text, id).toMatch(/^.{5,}$/);
    }
  });

  it('name operations and resources that exist', () => {
    for (const { id, operations: named, resources: kinds } of choices) {
      for (const operation of named ?? []) expect(operationById(operation), id).toBeDefined();
      for (const kind of kinds ?? []) expect(resources, id).toHaveProperty(kind);
    }
  });

  it('stand behind every resource whose fields are not shown', () => {
    const unshown = resourceList.filter(({ published }) => !published).map(({ id }) => id);
    expect(unshown.sort()).toEqual(['calllabels', 'calltraces', 'cdrnotes', 'chatmsgs']);
    for (const id of unshown) expect(choicesOfResource(id).length, id).toBeGreaterThan(0);
  });

  it('are found by operation', () => {
    expect(choicesOfOperation('updateCall').map(({ id }) => id)).toContain('CHOICE-CALL-301');
    for (const { id, response } of operations) {
      if (response.kind === 'sub-collection') {
        expect(choicesOfOperation(id).map((choice) => choice.id)).toContain('CHOICE-SUB-COLLECTIONS');
      }
    }
  });

  it('are the ones that comments and documents of the source name', () => {
    const root = join(import.meta.dirname, '..');
    const known = new Set<string>(choices.map(({ id }) => id));
    const dangling = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/CHOICE-[A-Z0-9]+(?:-[A-Z0-9]+)*\b(?!-)/g)].map(
          ([id]) => `${file} ${id}`,
        ),
      )
      .filter((mention) => !known.has(mention.split(' ')[1] ?? ''));
    expect(dangling).toEqual([]);
  });
});
