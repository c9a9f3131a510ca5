// All 163 operations over HTTP, by the checks that follow from the contract: success in the published shape, each error for its own
// reason with nothing changed. A second JSON Schema implementation has to agree on every response.
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import { openApiDocument } from '../contract/openapi.ts';
import type { Operation } from '../contract/operation.ts';
import type { CheckResult } from '../harness/checks/check.ts';
import { allChecks } from '../harness/checks/plan.ts';
import { CheckRunner } from '../harness/checks/run-checks.ts';
import type { RestAnswer } from '../harness/run/rest-client.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { HttpClient } from '../wires/http-client.ts';

const DOCUMENT = 'https://pbxsim.test/second-opinion';
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { $ref?: string }>> }>>>
  >;
}

let lease: TargetLease;
let results: CheckResult[] = [];
const seen: Array<{ readonly operation: Operation; readonly answer: RestAnswer }> = [];

beforeAll(async () => {
  lease = await leaseSimulator({ seed: 1, clock: 'manual' });
  const http = new HttpClient();
  results = await new CheckRunner(http, lease.target).run(allChecks, (operation, answer) =>
    seen.push({ operation, answer }),
  );
  await http.close();
}, 60_000);
afterAll(() => lease.close());

const told = ({ check, verdict, message, expected, actual }: CheckResult) =>
  [check.id, verdict, message, expected, actual].filter((part) => part !== undefined).join(' | ');

describe('the checks of all operations', () => {
  it('are a success for each, and the errors that are listed or follow from the general rules', () => {
    expect(allChecks.filter(({ kind }) => kind === 'success')).toHaveLength(163);
    const count = (kind: number) => allChecks.filter((check) => check.kind === kind).length;
    expect([count(400), count(401), count(403), count(404)]).toEqual([45, 158, 158, 86]);
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
  });

  it('all pass, but for what a restricted user may do', () => {
    expect(results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed').map(told)).toEqual([]);
    const allowed = results.filter(({ verdict }) => verdict === 'observed').map(({ check }) => check.operation);
    expect(allowed.toSorted()).toEqual([
      ...['createCall', 'getMe', 'listCalls', 'listCdrDictionaries', 'listCdrs', 'listMediaSessionDictionaries'],
      ...['listMediaSessions', 'listMonitors', 'listMsdrDictionaries', 'listMsdrs', 'listUsers', 'listVoiceMessages'],
      ...['logout', 'ping'],
    ]);
  });
});

it('another implementation of JSON Schema accepts every response, too', async () => {
  const document = openApiDocument() as unknown as Document;
  registerSchema(document as unknown as Parameters<typeof registerSchema>[0], DOCUMENT, DIALECT);
  const wrong: string[] = [];
  let judged = 0;
  for (const { operation, answer } of seen) {
    if (answer.body === undefined) continue;
    const answers = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses;
    const path = operation.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const inPlace = `#/paths/${path}/${operation.method.toLowerCase()}/responses/${answer.status}`;
    const place = answers?.[answer.status]?.$ref ?? inPlace;
    const accepts = await validate(`${DOCUMENT}${place}/content/application~1json/schema`);
    judged += 1;
    if (!accepts(answer.body as Parameters<typeof accepts>[0]).valid)
      wrong.push(`${operation.method} ${operation.path} ${answer.status}`);
  }
  unregisterSchema(DOCUMENT);
  expect(wrong).toEqual([]);
  expect(judged).toBeGreaterThan(550);
});
