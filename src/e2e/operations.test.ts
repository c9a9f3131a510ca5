// All 163 operations over HTTP, by the checks that follow from the contract: success in the published shape, each error for its own
// reason with nothing changed. A second JSON Schema implementation has to agree on every response.
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../contract/openapi.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { generatedChecks } from '../harness/checks/generated.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import type { ConformRun } from '../report/conform-results.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { type Answered, type Asked, HttpClient } from '../wires/http-client.ts';
import { judge, judgedSimulator, told } from './conform-stage.ts';

const DOCUMENT = 'https://pbxsim.test/second-opinion';
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { $ref?: string }>> }>>>
  >;
}

/** Keeps each answer whole, with the operation that it is of. */
class Listening extends HttpClient {
  readonly seen: Array<{ readonly operation: Operation; readonly status: number; readonly text: string }> = [];

  override async send(asked: Asked): Promise<Answered> {
    const answered = await super.send(asked);
    const operation = operationOf(asked);
    if (answered.ok && operation !== undefined)
      this.seen.push({ operation, status: answered.status, text: answered.text });
    return answered;
  }
}

/** Paths without a parameter come first where both fit. */
function operationOf({ method, url }: Asked): Operation | undefined {
  const path = /\/v1\.1\/pbx([^?]*)/.exec(url)?.[1];
  const fits = (row: Operation) =>
    row.method === method &&
    new RegExp(`^${row.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path ?? '');
  const [first, ...others] = operations.filter(fits).sort((a, b) => literals(b) - literals(a));
  return first ?? others[0];
}

const literals = ({ path }: Operation): number => path.replace(/\{\w+\}/g, '').length;

let lease: TargetLease;
let run: ConformRun;
const http = new Listening();

beforeAll(async () => {
  lease = await judgedSimulator();
  run = await judge(lease.target, { http, only: ['GET *', 'POST *', 'PATCH *', 'DELETE *'] });
}, 60_000);
afterAll(async () => {
  await http.close();
  await lease.close();
});

describe('the checks of all operations', () => {
  it('are a success for each, and the errors that are listed or follow from the general rules', () => {
    const ids = generatedChecks.map(({ id }) => id);
    const count = (status: number) => ids.filter((id) => id.endsWith(` ${status}`)).length;
    expect([200, 201, 202, 204, 301].map(count).reduce((sum, one) => sum + one)).toBe(163);
    expect([count(400), count(401), count(403), count(404)]).toEqual([45, 158, 158, 86]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('all pass, but for what is open or not there', () => {
    const fine = ['pass', 'observed', 'not-applicable'];
    expect(run.checks.filter(({ verdict }) => !fine.includes(verdict)).map(told)).toEqual([]);
    expect(conformVerdictOf(run).status).toBe(0);
    expect(run.leftovers).toEqual([]);
  });

  it('find a refusal for all that a restricted user may not do', () => {
    const allowed = run.checks.filter(({ id, verdict }) => id.endsWith(' 403') && verdict === 'observed');
    expect(allowed.map(({ operation }) => operation).toSorted()).toEqual([
      ...['GET /calls', 'GET /cdrs', 'GET /cdrs/dictionaries', 'GET /me', 'GET /mediasessions'],
      ...['GET /mediasessions/dictionaries', 'GET /monitors', 'GET /msdrs', 'GET /msdrs/dictionaries', 'GET /ping'],
      ...['GET /users', 'GET /voicemessages', 'POST /calls', 'POST /logout'],
    ]);
  });
});

it('another implementation of JSON Schema accepts every response, too', async () => {
  const document = openApiDocument() as unknown as Document;
  registerSchema(document as unknown as Parameters<typeof registerSchema>[0], DOCUMENT, DIALECT);
  const wrong: string[] = [];
  let judged = 0;
  for (const { operation, status, text } of http.seen) {
    if (text === '' || operation.response.kind === 'file' || operation.path.endsWith('.trace')) continue;
    const answers = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses;
    const path = operation.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const inPlace = `#/paths/${path}/${operation.method.toLowerCase()}/responses/${status}`;
    const place = answers?.[status]?.$ref ?? inPlace;
    const accepts = await validate(`${DOCUMENT}${place}/content/application~1json/schema`);
    judged += 1;
    if (!accepts(JSON.parse(text)).valid) wrong.push(`${operation.method} ${operation.path} ${status}`);
  }
  unregisterSchema(DOCUMENT);
  expect([...new Set(wrong)]).toEqual([]);
  expect(judged).toBeGreaterThan(550);
}, 60_000);
