// What was made is in the ledger before it is asked for, and stays until it is gone: across a crash, too.
import { expect, it } from 'vitest';
import { Ledger, type LedgerLines, removalOf } from './ledger.ts';

function kept(): LedgerLines & { readonly text: string[] } {
  const text: string[] = [];
  return {
    text,
    append: (line) => void text.push(line),
    lines: () => [...text],
    remove: () => void text.splice(0),
  };
}

it('notes the intention first, then the id, and forgets what is gone', () => {
  const lines = kept();
  const ledger = new Ledger(lines);
  const { path, removal } = removalOf('/conferences');
  const entry = ledger.intend(path, removal);
  expect(lines.text).toEqual([
    '{"intends":1,"path":"/conferences","removal":{"by":"api","operation":"deleteConference"}}',
  ]);
  ledger.made(entry, 17);
  expect(ledger.open).toMatchObject([{ path: '/conferences', id: 17 }]);
  ledger.goneById('/conferences', '17');
  expect(ledger.open).toEqual([]);
  ledger.close();
  expect(lines.text).toEqual([]);
});

it('lists the latest first', () => {
  const ledger = new Ledger(kept());
  for (const id of [1, 2, 3]) ledger.made(ledger.intend('/queues', undefined), id);
  expect(ledger.open.map(({ id }) => id)).toEqual([3, 2, 1]);
});

it('goes on after a crash, even one in the middle of a line, and tells what it found from what is new', () => {
  const lines = kept();
  const before = new Ledger(lines);
  before.made(before.intend('/contacts', removalOf('/contacts').removal), 5);
  before.intend('/ivrs', removalOf('/ivrs').removal);
  lines.text.push('{"made":2,"i');
  const after = new Ledger(lines);
  expect(after.open).toMatchObject([
    { number: 2, path: '/ivrs', id: undefined },
    { number: 1, path: '/contacts', id: 5, removal: { by: 'api', operation: 'deleteContacts' } },
  ]);
  const number = after.intend('/queues', undefined);
  expect(number).toBe(3);
  expect(after.open.map((entry) => after.isOfThisRun(entry))).toEqual([true, false, false]);
});

it('knows what removes a thing: leads are live calls, queues stay', () => {
  expect(removalOf('/leadcalls')).toEqual({ path: '/calls', removal: { by: 'api', operation: 'deleteCall' } });
  expect(removalOf('/queues')).toEqual({ path: '/queues', removal: undefined });
});
