// The API's documented limits, each at its edge.
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import request from 'supertest';
import { expect, test } from 'vitest';
import { operationById } from '../contract/operations.ts';
import { dataOf } from '../kernel/journal.ts';
import { createStage, keyOf } from './api.rig.ts';
import { HEADER_LIMIT_BYTES } from './server.ts';
import { Validator } from './validate.ts';

test('an answer names fifty things that were wrong', () => {
  const body = Array.from({ length: 60 }, () => ({ id: 0 }));
  const checked = new Validator().check(operationById('updateCdrs'), body);
  if (checked.ok) throw new Error('zero is no id');
  expect(checked.failure.details).toHaveLength(50);
  expect(checked.failure.details[49]).toBe('[49].id: expected an integer (at least 1), got 0');
});

test('a bulk body needs at least one element', () => {
  expect(new Validator().check(operationById('updateCdrs'), [])).toMatchObject({
    ok: false,
    failure: { details: ['body: expected an array (1 to 5000 items), got 0 items'] },
  });
});

test('an account has ten thousand call labels', async () => {
  const { api, store, people } = createStage();
  const sample = { name: 'x', color: '', created_at: '2026-01-01 00:00:00' };
  while (store.calllabels.count(1) < 9_999) store.calllabels.insert(1, { ...sample, id: store.calllabels.nextId(1) });
  const make = () =>
    request(api).post('/v1.1/pbx/calllabels').set('Authorization', keyOf(people.root)).send({ name: 'y' });
  expect((await make()).status).toBe(201);
  const refused = await make();
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'The account has 10000 call labels, the most that it may have.',
  ]);
  expect(store.calllabels.count(1)).toBe(10_000);
});

test('the journal keeps 1024 characters of a path, and only the size of a longer query or body', async () => {
  const { api, journal, people } = createStage();
  await request(api)
    .get(`/v1.1/pbx/cdrs/${'9'.repeat(3000)}?x=${'y'.repeat(2000)}`)
    .set('Authorization', keyOf(people.root));
  await request(api)
    .post('/v1.1/pbx/calllabels')
    .set('Authorization', keyOf(people.root))
    .send({ name: 'n', extra: 'z'.repeat(2000) });
  const [long, large] = journal.query({ kind: 'rest.request' }).map(dataOf);
  expect([String(long?.path).length, long?.query, large?.body]).toEqual([
    1024,
    { characters: 2008 },
    { characters: 2023 },
  ]);
});

test('an origin of more than 255 characters is not repeated', async () => {
  const origin = `https://${'a'.repeat(300)}.example`;
  const answer = await request(createStage().api).options('/v1.1/pbx/calls').set('Origin', origin);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});

test('a path of 5000 ids reaches its operation', async () => {
  const { api, people } = createStage();
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_BYTES }, api);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ids = Array.from({ length: 5000 }, (_, index) => 10_000_000_000_000 + index).join();
  socket.write(
    `DELETE /v1.1/pbx/monitors/${ids} HTTP/1.1\r\nHost: x\r\nAuthorization: ${keyOf(people.root)}\r\nConnection: close\r\n\r\n`,
  );
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  server.close();
  expect(answer).toContain('HTTP/1.1 404');
  expect(answer).toContain('ids[0]: There is no such recording, got 10000000000000');
});
