// Every example of the published document, judged by its schema. Knows the contract alone.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { recordExamples } from '../examples/records.ts';
import { openApiDocument } from '../openapi.ts';
import { resourceList } from '../resources.ts';

interface Content {
  readonly schema?: object;
  readonly examples?: Record<string, { readonly value: unknown }>;
}
interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Record<string, Content>;
}
interface Parameter extends Content {
  readonly $ref?: string;
  readonly name: string;
  readonly description?: string;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, Response>;
}
interface Schema {
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}
interface Document {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { readonly post: Operation }>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly parameters: Record<string, Parameter>;
    readonly responses: Record<string, Response>;
  };
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const events = Object.values(document.webhooks).map(({ post }) => post);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'https://pbxsim.example/document', ...document });

/** What is wrong with a value, as the document's own schema has it; references resolve within the document. */
function judged(schema: object, value: unknown): unknown {
  const rebased = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://pbxsim.example/document#/')) as object;
  const validate = ajv.compile(rebased);
  return validate(value) ? null : validate.errors;
}

function response({ $ref, ...own }: Response): Response {
  return $ref === undefined ? own : (document.components.responses[$ref.split('/').at(-1) ?? ''] as Response);
}

function bodiesOf(content: Record<string, Content> = {}): [string, object, unknown][] {
  return Object.values(content).flatMap(({ schema, examples = {} }) =>
    schema === undefined
      ? []
      : Object.entries(examples).map(([name, { value }]): [string, object, unknown] => [name, schema, value]),
  );
}

describe('the examples of the document', () => {
  it('are judged by schemas that refuse what is wrong', () => {
    const user = { $ref: '#/components/schemas/User' };
    expect(judged(user, recordExamples.users)).toBeNull();
    expect(judged(user, { ...recordExamples.users, ext: 101 })).toMatchObject([
      { instancePath: '/ext', keyword: 'type' },
    ]);
  });

  it.each(resourceList.map(({ id, schema }) => [id, schema] as const))(
    '%s: the record fits its schema',
    (id, schema) => {
      expect(judged(schema, recordExamples[id])).toBeNull();
      expect(Object.keys(recordExamples[id]).sort()).toEqual(Object.keys(schema.properties).sort());
    },
  );

  it('shows a body for every request that has one, and each fits', () => {
    const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
    expect(withBody.length).toBeGreaterThan(40);
    for (const { operationId, requestBody } of withBody) {
      const bodies = bodiesOf(requestBody?.content);
      expect(bodies.length, operationId).toBeGreaterThan(0);
      for (const [name, schema, value] of bodies) expect(judged(schema, value), `${operationId}: ${name}`).toBeNull();
    }
  });

  it('shows an answer for every status with a body, and each fits', () => {
    let count = 0;
    for (const { operationId, responses } of operations) {
      for (const [status, found] of Object.entries(responses)) {
        const { content, description } = response(found);
        expect(description.length, `${operationId} ${status}`).toBeGreaterThan(4);
        const types = Object.keys(content ?? {});
        const isBinary = types.some((type) => type === 'audio/mpeg' || type === 'application/vnd.tcpdump.pcap');
        const shown = Object.values(content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));
        expect(shown.length > 0, `${operationId} ${status}`).toBe(types.length > 0 && !isBinary);
        for (const [name, schema, value] of bodiesOf(content)) {
          expect(judged(schema, value), `${operationId} ${status}: ${name}`).toBeNull();
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(600);
  });

  it('shows a delivery of every event, and each fits', () => {
    const bodies = events.flatMap(({ requestBody }) => bodiesOf(requestBody?.content));
    expect(bodies.map(([name]) => name)).toEqual(Object.keys(document.webhooks));
    for (const [name, schema, value] of bodies) {
      expect(judged(schema, value), name).toBeNull();
      expect(value).toHaveProperty('event_name', name);
    }
  });

  it('tells the same call in its events and in its records', () => {
    const hangup = events.find(({ operationId }) => operationId === 'on_call_hangup');
    const [[, , event] = []] = bodiesOf(hangup?.requestBody?.content);
    const { live_id, duration, t_cause } = recordExamples.cdrs as Record<string, unknown>;
    expect(event).toMatchObject({ call_id: live_id, duration, t_cause });
    expect(recordExamples.calls).toHaveProperty('id', live_id);
    expect(recordExamples.monitors).toHaveProperty('live_id', live_id);
  });

  it('shows every parameter, and each fits', () => {
    const own = operations.flatMap(({ parameters = [] }) => parameters.filter(({ $ref }) => $ref === undefined));
    for (const parameter of [...own, ...Object.values(document.components.parameters)]) {
      expect(parameter.description?.length, parameter.name).toBeGreaterThan(5);
      if (parameter.example !== undefined) expect(judged(parameter.schema ?? {}, parameter.example)).toBeNull();
      for (const [name, schema, value] of bodiesOf({ own: parameter }))
        expect(name === 'none' ? null : judged(schema, value), `${parameter.name}: ${name}`).toBeNull();
    }
    const { filter } = document.components.parameters;
    const { contentSchema = {} } = (filter?.schema ?? {}) as { contentSchema?: object };
    const texts = Object.values(filter?.examples ?? {}).map(({ value }) => String(value));
    expect(texts.filter((text) => text !== '').map((text) => judged(contentSchema, JSON.parse(text)))).toEqual([
      null,
      null,
    ]);
    expect(Object.keys(document.components.parameters)).toEqual(['page', 'limit', 'filter', 'group_by', 'sort']);
  });

  it('has examples at schemas that fit them', () => {
    for (const [name, schema] of Object.entries(document.components.schemas))
      for (const example of schema.examples ?? []) expect(judged(schema, example), name).toBeNull();
  });

  it('uses numbers kept for fiction and names that nobody owns', () => {
    const shown = JSON.stringify(document);
    const numbers = [...new Set([...shown.matchAll(/\+\d{6,}/g)].map(([number]) => number))];
    expect(numbers.filter((number) => !/^\+4420794609(5|6)\d$|^\+44207946010\d$/.test(number))).toEqual([]);
    const hosts = [...shown.matchAll(/(?:https?:\/\/|@)([a-z][\w.-]*\.[a-z]+)/g)].map(([, host]) => host);
    const known = /(\.example|^json-schema\.org|^pbxsim\.test)$/;
    expect(hosts.filter((host) => !known.test(host ?? ''))).toEqual([]);
  });
});

describe('the words of the document', () => {
  it('describe every member of every schema', () => {
    const bare = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? schema.items?.properties ?? {})
        .filter(([, { description = '' }]) => description.length < 4)
        .map(([member]) => `${name}.${member}`),
    );
    expect(bare).toEqual([]);
  });

  it('say of every operation what it does and who may use it', () => {
    expect(operations).toHaveLength(163);
    for (const { operationId, description } of operations) {
      expect(description, operationId).toMatch(/may use it|No credentials are needed/);
      expect(description.split('\n\n')[0]?.length, operationId).toBeGreaterThan(20);
    }
  });

  it('have a tag for every operation and event, and no tag without', () => {
    const used = new Set([...operations, ...events].flatMap(({ tags }) => tags));
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort());
    for (const { name, description } of document.tags) expect(description.length, name).toBeGreaterThan(30);
  });
});
