// Every schema compiles in Ajv's strict mode and says yes and no where it should. Knows no handler.

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { payloads } from './events.ts';
import { collectionParameters, FilterSchema } from './filter.ts';
import { operationById, operations } from './operations.ts';
import { resourceList, resources } from './resources.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: true, allErrors: true });
const accepts = (schema: TSchema, value: unknown) => ajv.compile(schema)(value);
const bodyOf = (id: string): TSchema => operationById(id)?.body?.schema ?? expect.fail(`${id} has no body`);
const takes = (id: string, value: unknown) => accepts(bodyOf(id), value);

describe('the schemas', () => {
  it('compile in strict mode, every one', () => {
    const schemas: TSchema[] = [
      ...resourceList.flatMap(({ schema, writable }) => (writable === undefined ? [schema] : [schema, writable])),
      ...operations.flatMap(({ body, response, parameters }) => [
        ...(body === undefined ? [] : [body.schema]),
        ...(response.kind === 'message' ? [response.schema] : []),
        ...parameters.named.map(({ schema }) => schema),
      ]),
      ...Object.values(payloads).map(({ schema }) => schema),
      ...collectionParameters.map(({ schema }) => schema),
      FilterSchema,
    ];
    for (const schema of schemas) expect(() => ajv.compile(schema)).not.toThrow();
    expect(schemas.length).toBe(127);
  });

  it('say in words what a pattern asks for, wherever a client may meet it', () => {
    const silent: string[] = [];
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { pattern, description } = node as { pattern?: unknown; description?: unknown };
      if (typeof pattern === 'string' && typeof description !== 'string') silent.push(place);
      for (const [name, inside] of Object.entries(node)) walk(inside, `${place}/${name}`);
    };
    for (const { id, writable } of resourceList) walk(writable, id);
    for (const { id, body, parameters } of operations) {
      walk(body?.schema, id);
      for (const { name, schema } of parameters.named) walk(schema, `${id}?${name}`);
    }
    for (const { id, schema } of resourceList) walk(schema, id);
    expect(silent).toEqual([]);
  });

  it('require every published field in what is read', () => {
    for (const { id, schema } of resourceList) {
      expect(accepts(schema, {}), id).toBe(false);
      expect((schema as { required?: string[] }).required, id).toEqual(Object.keys(schema.properties));
    }
  });

  it('give User every attribute of the model and of the list', () => {
    const fields = Object.keys(resources.users.schema.properties);
    expect(fields).toHaveLength(63);
    for (const field of ['customer', 'customer_id_id', 'nun_ring_time', 'legacy_api_key'])
      expect(fields).toContain(field);
    expect(resources.users.schema.properties).toMatchObject({
      roles: { type: 'array' },
      visited_apps: { type: 'array' },
      two_factor_auth: { enum: ['D', 'E'] },
      ring_time: { type: 'string' },
      fm_init_ring_time: { type: 'integer' },
    });
  });

  it('give a CDR the letters and words of the model', () => {
    const cdr = resources.cdrs.schema.properties;
    expect(Object.keys(cdr)).toHaveLength(29);
    expect(cdr.type).toMatchObject({ enum: ['I', 'O', 'M'] });
    expect(cdr.destination).toMatchObject({ enum: ['in', 'out', 'webcall', 'callmeback'] });
    expect(cdr.disposition).toMatchObject({ enum: ['INITIAL', 'RINGING', 'CONNECTED', 'ON_HOLD', 'VM'] });
  });

  it('give a live call the published 30 fields, coded ones as integers', () => {
    const call = resources.calls.schema.properties;
    expect(Object.keys(call)).toHaveLength(30);
    for (const field of ['id', 'state', 'destination', 'monitor_state', 'start_time', 'connected_at'] as const) {
      expect(call[field]).toMatchObject({ type: 'integer' });
    }
    expect(call.context).toMatchObject({ type: 'string' });
  });

  it('take a number as id of a DDI nowhere: it is published as a string', () => {
    expect(resources.ddis.schema.properties.id).toMatchObject({ type: 'string' });
    expect(resources.me.schema.properties).toMatchObject({ id: { type: 'string' }, is_root: { type: 'string' } });
  });
});

describe('bodies', () => {
  it('take a canned response and a recording state in the written and in the read form', () => {
    expect(takes('createCannedResponse', { name: 'Thanks', text: 'Thank you for calling.' })).toBe(true);
    expect(takes('createCannedResponse', { from: 'Thanks', message: 'Thank you for calling.' })).toBe(true);
    expect(takes('createCannedResponse', { name: 'Thanks' })).toBe(false);
    expect(takes('createCannedResponse', { message: 'Thank you for calling.' })).toBe(false);
    expect(takes('updateCall', { monitor_state: 'start' })).toBe(true);
    expect(takes('updateCall', { monitor_state: 2 })).toBe(true);
    expect(takes('updateCall', { monitor_state: 0 })).toBe(false);
    expect(takes('updateCall', { monitor_state: '2' })).toBe(false);
  });

  it('take the smallest meaningful set and ignore what they do not know', () => {
    expect(takes('createCall', { to: '+442079460001' })).toBe(true);
    expect(takes('createCall', { to: '102', from: '10000001', caller_id: 'anonymous', colour: 'red' })).toBe(true);
    expect(takes('createCall', { to: '102', from: 10000001 })).toBe(true);
    expect(takes('createSms', { to: '+15550100', message: 'hello' })).toBe(true);
    expect(takes('createWebcall', { from: '+15550100', to: '102' })).toBe(true);
    expect(takes('createLeadCall', { to: '102', caller_id: '15550100' })).toBe(true);
    expect(takes('login', { email: 'a@example.com', password: 'x' })).toBe(true);
    expect(takes('createQueue', { name: 'Sales' })).toBe(true);
    expect(takes('createContact', { first_name: 'Ada' })).toBe(true);
    expect(takes('createRoutingRule', { action: 'block', direction: 'in', source: ['+15550100'] })).toBe(true);
    expect(takes('createReportSchedule', { report_id: 1, name: 'Weekly', frequency: { type: 'weekly' } })).toBe(true);
  });

  it('refuse what is missing or of the wrong type', () => {
    expect(takes('createCall', {})).toBe(false);
    expect(takes('createCall', { to: 442079460001 })).toBe(false);
    expect(takes('createCall', { to: 'nobody@example' })).toBe(false);
    expect(takes('createCall', { to: '102', caller_id: 'somebody' })).toBe(false);
    expect(takes('createCall', [])).toBe(false);
    expect(takes('login', { email: 'a@example.com' })).toBe(false);
    expect(takes('createSms', { to: '+15550100' })).toBe(false);
    expect(takes('updateCall', {})).toBe(false);
    expect(takes('createContact', { notes: 'nobody' })).toBe(false);
  });

  it('take a written state as word or number, and only those that a client may ask for', () => {
    for (const state of ['CONNECTED', 'ON_HOLD', 'HANGUP', 4, 5, 6]) expect(takes('updateCall', { state })).toBe(true);
    for (const state of ['RINGING', 'ANSWERED', 1, 7, true]) expect(takes('updateCall', { state })).toBe(false);
    expect(takes('updateCall', { monitor_state: 'pause' })).toBe(true);
    expect(takes('updateCall', { monitor_state: 'paused' })).toBe(false);
  });

  it('are arrays of identified objects where they are bulk', () => {
    expect(takes('updateUsers', [{ id: 1, location_id: 2, groups: [3] }])).toBe(true);
    expect(takes('updateUsers', { id: 1 })).toBe(false);
    expect(takes('updateUsers', [])).toBe(false);
    expect(
      takes('updateVoiceMessages', [
        { id: 1, folder: 'saved' },
        { id: 2, folder: 1 },
      ]),
    ).toBe(true);
    expect(takes('updateVoiceMessages', [{ id: 1, folder: 'attic' }])).toBe(false);
    expect(takes('updateTrackedDdis', [{ e164: '+15550100', campaign_id: 1 }])).toBe(true);
    expect(takes('updateCdrs', [{ notes: 'whose?' }])).toBe(false);
  });

  it('answer a login with a token or a nonce, never with neither', () => {
    const response = operationById('login').response;
    const schema = response.kind === 'message' ? response.schema : expect.fail('not a message');
    expect(accepts(schema, { message: 'ok', user_token: 't', user_id: 1 })).toBe(true);
    expect(accepts(schema, { message: 'code sent', nonce: 'n' })).toBe(true);
    expect(accepts(schema, { message: 'ok' })).toBe(false);
  });
});

describe('the filter', () => {
  it('is an array of operator, value and property', () => {
    expect(accepts(FilterSchema, [{ operator: 'eq', value: 7, property: 'live_id' }])).toBe(true);
    expect(accepts(FilterSchema, [{ operator: '=', value: '7', property: 'live_id' }])).toBe(true);
    expect(accepts(FilterSchema, [{ operator: 'in', value: [1, 2], property: 'id' }])).toBe(true);
    expect(accepts(FilterSchema, [{ operator: 'like', value: null, property: 'src' }])).toBe(true);
    expect(accepts(FilterSchema, [{ operator: 'regexp', value: '.*', property: 'src' }])).toBe(false);
    expect(accepts(FilterSchema, [{ operator: 'eq', value: {}, property: 'src' }])).toBe(false);
    expect(accepts(FilterSchema, { operator: 'eq', value: 7, property: 'live_id' })).toBe(false);
  });
});
