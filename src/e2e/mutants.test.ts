// The judge is proven: every deliberate deviation is found by a check of its own clause, and no legal variant is found fault with.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { proveJudge } from '../cli/prove-judge.ts';
import { clauseById } from '../contract/clauses.ts';
import { allChecks } from '../harness/conform/registry.ts';
import { drawnMutants, generatedMutants, writtenMutants } from '../harness/mutants/all-mutants.ts';
import { idleChecks } from '../harness/mutants/hunt.ts';
import { type Mutant, mutant } from '../harness/mutants/mutant.ts';
import { together, type Variant, variants } from '../harness/mutants/variants.ts';
import { isProven, type KillMatrix, killMatrixText } from '../report/kill-matrix.ts';
import { pbxsim } from './conform-rig.ts';

const clauseOf = new Map(allChecks.map(({ id, clause }) => [id, clause]));

function proof(mutants: readonly Mutant[], legal: readonly Variant[] = []): Promise<KillMatrix> {
  return proveJudge({ mutants, variants: legal, seed: '1', drawn: true });
}

const harmless = mutant('nothing: is otherwise', 'CONTACTS-GET-200', ({ asked, forward }) => forward(asked));

it('what is written by hand and a twentieth of what is generated is found by its own clauses, and what is legal passes', async () => {
  const matrix = await proof(drawnMutants(0.05, '1'), [together(variants)]);
  expect(matrix.mutants.length).toBeGreaterThan(400);
  const alive = matrix.mutants.filter(({ outcome, reason }) => outcome === 'survived' && reason === undefined);
  expect(alive.map(({ id, told }) => [id, told])).toEqual([]);
  for (const { id, clauses, by, outcome } of matrix.mutants)
    if (outcome === 'killed') expect(new Set(by.map((check) => clauseOf.get(check))), id).toEqual(new Set(clauses));
  expect(matrix.variants).toMatchObject([{ id: 'all at once', wrong: [] }]);
  expect(isProven(matrix)).toBe(true);
}, 180_000);

it('a mutant that does nothing survives, and nothing is proven then', async () => {
  const matrix = await proof([harmless]);
  expect(matrix.mutants).toMatchObject([{ id: 'nothing: is otherwise', outcome: 'survived', by: [], errors: 0 }]);
  expect(killMatrixText(matrix)).toContain(
    'nothing: is otherwise [CONTACTS-GET-200]: GET /contacts 200: pass\n1 mutants (a share of the generated ones, seed 1), 0 killed, 0 may live, 1 survived',
  );
  expect(isProven(matrix)).toBe(false);
});

it('a mutant of two clauses has to be found by both', async () => {
  const found = writtenMutants.find(({ id }) => id === 'service: errors are HTML');
  expect(found?.clauses).toEqual(['SERVE-JSON']);
  const half: Mutant = { ...(found ?? harmless), clauses: ['SERVE-JSON', 'CONTACTS-GET-200'] };
  const { mutants } = await proof([half]);
  expect(mutants).toMatchObject([{ outcome: 'survived', told: ['GET /contacts 200: pass'] }]);
  expect(mutants[0]?.by).not.toEqual([]);
});

it('a variant that is not legal is found fault with', async () => {
  const late: Variant = {
    id: 'nobody is let in',
    begin: () => async () => ({ ok: true, status: 401, headers: {}, text: '', bytes: Buffer.alloc(0) }),
  };
  const matrix = await proof([harmless], [late]);
  expect(matrix.variants[0]?.wrong.length).toBeGreaterThan(100);
  expect(killMatrixText(matrix)).toContain('legal, and found fault with: nobody is let in');
}, 60_000);

it('each check of a MUST clause is bound to a mutant, and is idle until it has found one', () => {
  const broken = new Set([...generatedMutants, ...writtenMutants].flatMap(({ clauses }) => clauses));
  const must = allChecks.filter(({ clause }) => clauseById(clause)?.level === 'MUST');
  expect(must.filter(({ clause }) => !broken.has(clause)).map(({ id }) => id)).toEqual([]);
  expect(idleChecks([])).toEqual(must.map(({ id }) => id));
});

it('has stable names, each once, and clauses that there are', () => {
  const all = [...generatedMutants, ...writtenMutants];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const unknown = all.filter(({ clauses }) => clauses.some((id) => clauseById(id) === undefined));
  expect(unknown.map(({ id }) => id)).toEqual([]);
});

it('pbxsim mutants: 0 when all are found, with the matrix as JSON; 2 for what is not there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-mutants-'));
  const file = join(folder, 'matrix.json');
  const some = await pbxsim(folder, ['mutants', '--only', 'GET /queues 401', '--json', file]);
  expect(some).toMatchObject({ status: 0 });
  expect(some.stdout).toMatch(/^5 mutants .*, 5 killed, 0 may live, 0 survived, [\d.]+ s\n$/);
  expect((JSON.parse(readFileSync(file, 'utf8')) as KillMatrix).mutants.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 5 }, () => 'killed'),
  );
  const none = await pbxsim(folder, ['mutants', '--only', 'unicorns']);
  expect(none).toMatchObject({ status: 2, stdout: '' });
  expect(none.stderr).toContain('--only unicorns: no mutant has that in its id.');
  const both = await pbxsim(folder, ['mutants', '--all', '--only', 'GET /queues']);
  expect(both.status).toBe(2);
}, 60_000);
