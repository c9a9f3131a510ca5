// A seeded part of the fuzz that `npm run soak` runs whole: requests that mean no good, to a server in a process of its own.
import { expect, test } from 'vitest';
import { operations } from '../contract/operations.ts';
import { fuzz } from '../soak/fuzz/fuzz.ts';
import { ServerProcess } from '../soak/fuzz/server-process.ts';
import { Wire } from '../soak/fuzz/wire.ts';

test('whatever comes is answered: no server error, no stack, nothing left behind, and the server goes on', async () => {
  const report = await fuzz({ requests: 4000, seed: 163, withinMs: 40_000 });
  expect(report.problems).toEqual([]);
  expect(report.requests).toBeGreaterThan(1500);
  // Many are good enough to do what they ask: the fuzz is of handlers, too.
  expect(report.reached.size).toBeGreaterThan(operations.length / 2);
  for (const status of ['200', '201', '204', '400', '401', '404', '405'])
    expect(report.statuses[status]).toBeGreaterThan(0);
}, 60_000);

test('long credentials and long queries are not remembered', async () => {
  const server = new ServerProcess(20);
  try {
    const { url } = await server.ready();
    const wire = await Wire.open(Number(new URL(url).port));
    const ask = async (path: string, authorization: string): Promise<void> => {
      wire.send(`GET /v1.1/pbx${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${authorization}\r\n\r\n`);
      expect(await wire.answer()).toMatchObject({ status: 401 });
    };
    const long = async (from: number, count: number): Promise<void> => {
      for (let at = from; at < from + count; at += 1) {
        await ask('/ping', Buffer.from(`${at}:${'s'.repeat(60_000)}`).toString('base64'));
        await ask(`/calltracking/campaigns?filter=${'f'.repeat(80_000)}${at}`, 'MTpz');
      }
    };
    await long(1, 20);
    const before = await server.weigh();
    await long(100, 600);
    const after = await server.weigh();
    expect(after.heapBytes - before.heapBytes).toBeLessThan(16 * 1024 * 1024);
  } finally {
    await server.close();
  }
}, 40_000);
