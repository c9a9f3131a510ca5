// The access matrix as the README has it, against what the API answers to users of each role: every operation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../contract/operations.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

/** What stands in the row of a role. */
function rowOf(role: string): string {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${role}: `));
  if (row === undefined) throw new Error(`README.md has no row for the role ${role}`);
  return row;
}

/** The routes that a row names: `METHOD` of `/path`, `/path*`; ... */
function isNamed(row: string, method: string, path: string): boolean {
  return row.split(';').some((clause) => {
    const [, verb, paths = ''] = /`([A-Z]+)` of (.*)/.exec(clause) ?? [];
    const named = [...paths.matchAll(/`(\/[^`]*)`/g)].map(([, one = '']) => one);
    return (
      verb === method && named.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one))
    );
  });
}

let stage: Stage;
beforeAll(() => {
  stage = createStage();
});

/** Whether the answer is the refusal of the whole operation; ids that nobody has keep the others from doing anything. */
async function isRefused(who: keyof Stage['people'], { method, path }: (typeof operations)[number]): Promise<boolean> {
  const target = path.replace(/\{\w+\}/g, '19999999');
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const answer = await request(stage.api)
    [verb](`/v1.1/pbx${target}`)
    .set('Authorization', keyOf(stage.people[who]))
    .redirects(0);
  if (answer.status !== 403) return false;
  expect(answer.body).toEqual({
    message: expect.stringContaining(`may not use ${method} ${path}`),
    errors: [answer.body.message],
  });
  return true;
}

/** What empties a collection would do so, without an id. */
const guarded = operations.filter(
  ({ auth, method, path }) => auth === 'basic' && (method !== 'DELETE' || path.includes('{')),
);
const emptying = operations.filter(({ method, path }) => method === 'DELETE' && !path.includes('{'));

describe('the table of the README holds for all operations', () => {
  test('with a row for each role', () => {
    expect(['administrator', 'agent', 'restricted user'].map(rowOf)).toHaveLength(3);
    expect(guarded.length + emptying.length).toBe(158);
  });

  test('administrators may use everything', async () => {
    for (const operation of [...guarded, ...emptying]) {
      if (operation.id === 'logout') continue;
      expect([operation.id, await isRefused('admin', operation)]).toEqual([operation.id, false]);
    }
    stage = createStage();
  }, 30_000);

  test('agents may use what does not remove for good', async () => {
    for (const operation of [...guarded, ...emptying]) {
      const isExcepted = isNamed(rowOf('agent').replace(/^.* but /, ''), operation.method, operation.path);
      expect([operation.id, await isRefused('agent', operation)]).toEqual([operation.id, isExcepted]);
    }
  }, 30_000);

  test('restricted users may use what is named', async () => {
    for (const operation of [...guarded, ...emptying]) {
      const may = isNamed(rowOf('restricted user'), operation.method, operation.path);
      expect([operation.id, await isRefused('restricted', operation)]).toEqual([operation.id, !may]);
    }
  }, 30_000);

  test('refused operations have changed nothing', async () => {
    const fresh = createStage();
    for (const resource of ['cdrs', 'monitors', 'sms', 'voicemessages', 'chatmsgs', 'users'] as const)
      expect(stage.store[resource].count(1)).toBe(fresh.store[resource].count(1));
  });
});
