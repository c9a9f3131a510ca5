// The outbox keeps the newest mails in order and forgets the rest.
import { expect, test } from 'vitest';
import { Timeline } from '../kernel/timeline.ts';
import { OUTBOX_LIMIT, Outbox } from './outbox.ts';

test('mails are numbered, stamped with the clock, and the oldest are forgotten', () => {
  const clock = new Timeline({ mode: 'manual', startMs: 1000 });
  const outbox = new Outbox(clock);
  expect(outbox.send({ kind: '2fa', to: 'a@example.com', code: '123456' })).toEqual({
    id: 1,
    at: 1000,
    kind: '2fa',
    to: 'a@example.com',
    code: '123456',
  });
  clock.advanceTo(5000);
  for (let count = 0; count < OUTBOX_LIMIT; count += 1) outbox.send({ kind: 'reset', to: 'b@example.com', token: 't' });
  expect([outbox.list().length, outbox.list()[0]?.id, outbox.list().at(-1)?.at]).toEqual([1000, 2, 5000]);
  outbox.clear();
  expect(outbox.list()).toEqual([]);
});
