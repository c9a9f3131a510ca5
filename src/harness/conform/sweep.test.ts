// What is said of what was made is true: removed is what the target does not show any more, left is all that may still be there.
import { expect, it } from 'vitest';
import type { Asked } from '../../wires/http-client.ts';
import type { Target } from '../target/target.ts';
import { Ledger, memoryLines, removalOf } from './ledger.ts';
import { sweep } from './sweep.ts';

const users = { first: { id: 7, key: 'k' }, other_customer: { id: 9, key: 'o' } };
const target = { name: 'one', apiRoot: 'http://one.test', users, time: 'real', fresh: false } as Target;

/** Sweeps what was made at a target that answers so; also what it was asked, by whom. */
async function swept(
  made: ReadonlyArray<readonly [list: string, id: unknown, by?: number]>,
  answers: (line: string) => number,
  { all = true, with: of = target }: { readonly all?: boolean; readonly with?: Target } = {},
) {
  const ledger = new Ledger(memoryLines());
  for (const [list, id, by] of made) {
    const entry = ledger.intend(list, removalOf(list).removal, by);
    if (id !== undefined) ledger.made(entry, id);
  }
  const lines: string[] = [];
  const session = {
    target: of,
    isSilent: false,
    send: ({ method, url, headers }: Asked) => {
      const who = Buffer.from(String(headers?.authorization).slice(6), 'base64').toString().split(':')[0];
      lines.push(`${method} ${url.replace('http://one.test', '')} of ${who}`);
      return Promise.resolve({ ok: true, status: answers(`${method} ${url.replace('http://one.test', '')}`) });
    },
  };
  const control = { ask: (method: string, path: string) => Promise.resolve({ status: answers(`${method} ${path}`) }) };
  const outcome = await sweep({ session, ledger, control } as never, { all });
  return { ...outcome, open: ledger.open.map(({ id }) => id), lines };
}

it('counts what it removed apart from what was gone already, and what is left apart from both', async () => {
  const answers = (line: string) =>
    line === 'DELETE /contacts/1' ? 204 : line === 'DELETE /conferences/3' ? 403 : 404;
  const outcome = await swept(
    [
      ['/conferences', 3],
      ['/contacts', 2],
      ['/contacts', 1],
      ['/contacts', undefined],
    ],
    answers,
  );
  expect(outcome).toMatchObject({ removed: 1, goneBefore: 1, left: ['contacts/of unknown id', 'conferences/3'] });
  expect(outcome.open).toEqual([undefined, 3]);
});

it('does not believe an answer that the target itself belies', async () => {
  const answers = (line: string) => (line === 'DELETE /usergroups/4' ? 204 : 200);
  expect(await swept([['/usergroups', 4]], answers)).toMatchObject({ removed: 0, left: ['usergroups/4'], open: [4] });
});

it('removes as who made it: that nobody else is shown it does not mean that it is gone', async () => {
  const answers = (line: string) => (line.startsWith('DELETE') ? 204 : 404);
  expect((await swept([['/contacts', 5, 9]], answers)).lines[0]).toBe('DELETE /contacts/5 of 9');
  const alone = { ...target, users: { first: users.first } };
  expect(await swept([['/contacts', 5, 9]], answers, { with: alone })).toMatchObject({
    left: ['contacts/5'],
    lines: [],
  });
});

it('takes nothing for gone because the control API knows no such list', async () => {
  expect(await swept([['/queues', 6]], () => 404)).toMatchObject({ left: ['queues/6'] });
  const answers = (line: string) => (line === 'GET /records/queues?limit=1' ? 200 : 404);
  expect(await swept([['/queues', 6]], answers)).toMatchObject({ goneBefore: 1, removed: 0, left: [] });
});
