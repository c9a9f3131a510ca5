// The judge before a system that is not ours: a small one that shares no code with pbxsim is found conformant, and each of its planted
// defects is found by checks of the clause that it breaks, and by no others than those that it touches.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachTarget } from '../harness/target/reach-target.ts';
import { readTargetFile } from '../harness/target/target-file.ts';
import type { ConformRun } from '../report/conform-results.ts';
import { conformVerdictOf } from '../report/conform-verdict.ts';
import { HttpClient } from '../wires/http-client.ts';
import { judge, told } from './conform-stage.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'fixtures', 'other-target');

interface SmallPbx {
  readonly apiRoot: string;
  close(): Promise<void>;
}
interface SmallPbxModule {
  readonly DEFECTS: readonly string[];
  serveSmallPbx(defect?: string): Promise<SmallPbx>;
}

const { DEFECTS, serveSmallPbx } = (await import(join(FOLDER, 'small-pbx.mjs'))) as SmallPbxModule;

/** What each defect breaks: a check that has to fail or to warn, and the pattern of all others that may. */
const found: Readonly<Record<string, readonly [check: string, verdict: 'fail' | 'warn', others: RegExp]>> = {
  'created-is-200': ['POST /contacts 201', 'fail', /^$/],
  'field-missing': ['GET /contacts field email', 'fail', / field email$/],
  'field-mistyped': ['GET /conferences field confno', 'fail', / field confno$/],
  'envelope-without-links': ['POST /queuegroups body', 'fail', /queuegroups.* body$|^envelope/],
  'total-missing': ['GET /contacts body', 'fail', /(body|total)$|^(envelope|paging|filter)/],
  'no-401': ['GET /conferences 401', 'fail', /^auth/],
  'errors-is-text': ['GET /contacts 401', 'fail', / ([45]\d\d|unchanged|tenant)$|^serving/],
  'unknown-is-200': ['GET /usergroups/{id} 404', 'fail', /\/usergroups\/\{id\} (gone|404|tenant)$/],
  'unknown-is-500': ['PATCH /usergroups/{id} 404', 'fail', /\/usergroups\/\{id\} (404|gone|unchanged|tenant)$/],
  'html-404': ['GET /contacts/{id} 404', 'fail', / (404|gone|unchanged|tenant)$|^serving/],
  'limit-ignored': ['GET /contacts limit', 'fail', / (limit|page)$|^filters/],
  'filter-ignored': ['GET /contacts filter', 'fail', / filter$|^(filters|accounts)/],
  'total-of-the-page': ['GET /contacts total', 'fail', / total$|^filters/],
  'wrong-password-is-401': ['POST /login 400', 'fail', /^auth/],
  'takes-any-type': ['POST /contacts 400', 'fail', / (400|unchanged)$/],
  'delete-keeps': ['DELETE /usergroups/{id} gone', 'fail', /^$/],
  'delete-answers-200': ['DELETE /usergroups/{id} 204', 'fail', /^$/],
  'patch-changes-nothing': ['PATCH /usergroups/{id} written', 'fail', /^$/],
  'refused-yet-changed': ['PATCH /usergroups/{id} unchanged', 'warn', /^$/],
  'token-outlives-logout': ['auth/logout-destroys', 'fail', /^$/],
  'other-customers-seen': ['GET /conferences/{id} tenant', 'fail', /conferences\/\{id\} tenant$/],
  'no-cors': ['serving/cors', 'fail', /^serving\/cors/],
  'guest-may-all': ['GET /contacts 403', 'warn', / 403$/],
};

async function judged(defect?: string): Promise<ConformRun> {
  const small = await serveSmallPbx(defect);
  const http = new HttpClient();
  try {
    const file = join(FOLDER, 'small-pbx.yaml');
    const reading = readTargetFile(file, readFileSync(file, 'utf8'), { SMALL_PBX: small.apiRoot });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    return await judge(await reachTarget(reading.document, http), { http });
  } finally {
    await http.close();
    await small.close();
  }
}

const bad = ({ checks }: ConformRun) => checks.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));

describe('a small telephone system of somebody else', () => {
  it('is found in order, but for what nobody can wait for', async () => {
    const run = await judged();
    expect(bad(run).map(told)).toEqual([]);
    const open = run.checks.filter(({ verdict }) => verdict === 'unevaluable').map(({ id }) => id);
    expect(open).toEqual(['auth/token-expires', 'auth/token-lives', 'auth/ping-refreshes', 'auth/use-refreshes']);
    expect(conformVerdictOf(run)).toMatchObject({ verdict: 'incomplete', status: 3 });
    expect(run.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(600);
  });

  it('has no defect that the judge is not asked to find', () => {
    expect(Object.keys(found).toSorted()).toEqual(DEFECTS.toSorted());
  });

  it.each(Object.entries(found))('with %s is found out, by the checks that it concerns alone', async (defect, what) => {
    const [check, verdict, others] = what;
    const results = bad(await judged(defect));
    expect(results.find(({ id }) => id === check)?.verdict, results.map(told).join('\n')).toBe(verdict);
    expect(results.filter(({ id }) => id !== check && !others.test(id)).map(told)).toEqual([]);
  });
});
