// The published document, judged by a validator that is not ours. Knows the contract alone.

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

interface Document {
  openapi: string;
  servers: Array<{ url: string }>;
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, Record<string, unknown>>; securitySchemes: Record<string, unknown> };
  'x-choices': Array<{ id: string }>;
}

interface Described {
  operationId: string;
  summary: string;
  description: string;
  responses: Record<string, unknown>;
  security?: unknown[];
  'x-choice'?: string[];
}

const document = () => JSON.parse(JSON.stringify(openApiDocument({ serverUrl: 'http://127.0.0.1:8080' }))) as Document;
const described = () => Object.values(document().paths).flatMap((item) => Object.values(item));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 with every reference resolved', async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...document() });
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('refers only to components that it has', () => {
    const text = JSON.stringify(document());
    const names = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const parts = document().components as unknown as Record<string, Record<string, unknown>>;
    for (const name of names) {
      const [kind = '', component = ''] = name.split('/');
      expect(parts[kind], name).toHaveProperty([component]);
    }
    expect(names.size).toBeGreaterThan(80);
  });

  it('has all 163 operations, each with words of its own', () => {
    expect(described()).toHaveLength(163);
    expect(new Set(described().map(({ operationId }) => operationId)).size).toBe(163);
    for (const operation of described()) {
      expect(operation.summary.length, operation.operationId).toBeGreaterThan(10);
      expect(operation.description.length, operation.operationId).toBeGreaterThan(10);
    }
  });

  it('has a webhook for each event', () => {
    expect(Object.keys(document().webhooks).sort()).toEqual([
      'call.connected',
      'call.dtmf',
      'call.failed',
      'call.hangup',
      'call.hold',
      'call.initial',
      'call.missed',
      'call.ringing',
      'call.unhold',
      'sms.received',
      'webhook.test',
    ]);
  });

  it('names both versions and Basic authentication, and frees the five public operations from it', () => {
    expect(document().servers.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:8080/v1.1/pbx',
      'http://127.0.0.1:8080/v1.2/pbx',
    ]);
    expect(document().components.securitySchemes).toHaveProperty('basic.scheme', 'basic');
    const open = described().filter(({ security }) => security?.length === 0);
    expect(open.map(({ operationId }) => operationId)).toEqual([
      'login',
      'loginTwoFactor',
      'resendConfirmation',
      'requestPasswordReset',
      'resetPassword',
    ]);
  });

  it('shows PATCH /calls/{id} as published, with its choices', () => {
    const patch = document().paths['/calls/{id}']?.patch;
    expect(Object.keys(patch?.responses ?? {})).toEqual(['301', '400', '401', '403', '404', '413', '415']);
    expect(patch?.['x-choice']).toContain('CHOICE-CALL-301');
  });

  it('shows every choice, and marks none that it does not list', () => {
    const listed = document()['x-choices'].map(({ id }) => id);
    const marks = [...JSON.stringify(document()).matchAll(/"x-choice":(\[[^\]]*\])/g)].flatMap(([, ids = '[]']) =>
      JSON.parse(ids),
    );
    expect(listed.length).toBeGreaterThan(100);
    for (const id of marks) expect(listed).toContain(id);
  });

  it('uses the given component names and null in the form of 2020-12', () => {
    const schemas = document().components.schemas;
    for (const name of ['LiveCall', 'CallDetailRecord', 'User', 'CallEvent', 'SmsEvent', 'Error', 'Links']) {
      expect(schemas).toHaveProperty([name]);
    }
    expect(schemas.CallEvent).toHaveProperty('properties.connected_at.type', ['string', 'null']);
  });
});
