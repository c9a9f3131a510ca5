// The journal over HTTP: pages, waiting, the stream.
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';

let stage: ReturnType<typeof createStage>;
let server: Server;
let api: ReturnType<typeof request>;

beforeEach(async () => {
  stage = createStage(globalThis);
  server = createServer(createControl(stage.deps));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = request(server);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const note = (kind: string, callId: number | null = null, customerId: number | null = 1) =>
  stage.journal.append(kind, { callId, customerId, data: { kind } });

const seqs = (body: { data: Array<{ seq: number }> }) => body.data.map(({ seq }) => seq);

/** The stream as it comes: `until` resolves when the text has been seen. */
async function listen(path: string, headers = {}) {
  const { port } = server.address() as AddressInfo;
  let text = '';
  const waiting = new Set<() => void>();
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ host: '127.0.0.1', port, path, headers }, resolve);
  });
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    text += part;
    for (const look of waiting) look();
  });
  response.on('error', () => {});
  const until = (wanted: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (!text.includes(wanted)) return;
        waiting.delete(look);
        resolve(text);
      };
      waiting.add(look);
      look();
    });
  return { response, until, close: () => response.destroy() };
}

describe('a page', () => {
  it('shows entries in full', async () => {
    const seq = note('call.state', 10000007);
    stage.journal.append('event', { callId: 10000007, customerId: 1, cause: seq, data: { name: 'call.ringing' } });
    expect((await api.get('/_sim/journal').expect(200)).body).toEqual({
      data: [
        {
          seq: 1,
          at: '2026-01-01T00:00:00.000Z',
          kind: 'call.state',
          call_id: 10000007,
          customer_id: 1,
          cause: null,
          data: { kind: 'call.state' },
        },
        {
          seq: 2,
          at: '2026-01-01T00:00:00.000Z',
          kind: 'event',
          call_id: 10000007,
          customer_id: 1,
          cause: 1,
          data: { name: 'call.ringing' },
        },
      ],
      total: 2,
      last: 2,
      oldest: 1,
    });
  });

  it('is chosen by cursor, limit, kind, call and customer', async () => {
    note('sip.in', 1);
    note('sip.out', 1);
    note('sip.in', 2);
    note('event', 2, 2);
    const page = async (query: string) => (await api.get(`/_sim/journal?${query}`).expect(200)).body;
    expect(seqs(await page('after=2'))).toEqual([3, 4]);
    expect(await page('limit=1&after=1')).toMatchObject({ data: [{ seq: 2 }], total: 3 });
    expect(seqs(await page('kind=sip'))).toEqual([1, 2, 3]);
    expect(seqs(await page('kind=sip.in'))).toEqual([1, 3]);
    expect(seqs(await page('kind=si'))).toEqual([]);
    expect(seqs(await page('call_id=2'))).toEqual([3, 4]);
    expect(seqs(await page('customer_id=2'))).toEqual([4]);
  });
});

it('starts at the last reset when no cursor is given: ids begin anew there', async () => {
  note('event', 1);
  note('control.reset', null, null);
  const seq = note('event', 1);
  expect(seqs((await api.get('/_sim/journal?call_id=1')).body)).toEqual([seq]);
  expect(seqs((await api.get('/_sim/journal?call_id=1&after=0')).body)).toEqual([1, seq]);
  expect((await api.get('/_sim/wait?kind=event&call_id=1').expect(200)).body.seq).toBe(seq);
});

describe('wait', () => {
  it('answers at once with what is there already', async () => {
    note('sip.in', 1);
    const seq = note('event', 1);
    expect((await api.get('/_sim/wait?kind=event&call_id=1').expect(200)).body).toMatchObject({ seq, kind: 'event' });
  });

  it('answers as soon as it happens', async () => {
    note('event', 1);
    const waiting = api.get('/_sim/wait?kind=event&after=1&timeout=10s').then((response) => response);
    setTimeout(() => {
      note('sip.in', 1);
      note('event', 2);
    }, 10);
    const { status, body } = await waiting;
    expect([status, body.seq, body.call_id]).toEqual([200, 3, 2]);
  });

  it('sees what is filed under its call a moment later', async () => {
    const waiting = api.get('/_sim/wait?kind=sip.in&call_id=7&timeout=10s').then((response) => response);
    setTimeout(() => {
      const seq = note('sip.in');
      stage.journal.assign(seq, 7, 1);
    }, 10);
    expect((await waiting).status).toBe(200);
  });

  it.each(['20ms', '20', '0s'])('gives up after %s of real time, whatever the clock says', async (timeout) => {
    const { body } = await api.get(`/_sim/wait?kind=event&timeout=${timeout}`).expect(408);
    expect(body).toEqual({ message: 'Nothing matched in time.', errors: ['Nothing matched in time.'] });
  });

  it.each(['soon', '-1s', '11m'])('refuses the timeout %s', async (timeout) => {
    const { body } = await api.get(`/_sim/wait?timeout=${timeout}`).expect(400);
    expect(body.errors[0]).toMatch(/^timeout: expected a duration/);
  });
});

describe('the stream', () => {
  it('goes on from now, one event per entry', async () => {
    note('old');
    const stream = await listen('/_sim/journal/stream');
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    await stream.until(': from 1');
    note('event', 5);
    const text = await stream.until('"seq":2');
    expect(text).toBe(
      ': from 1\n\nid: 2\ndata: {"seq":2,"at":"2026-01-01T00:00:00.000Z","kind":"event","call_id":5,"customer_id":1,"cause":null,"data":{"kind":"event"}}\n\n',
    );
    stream.close();
  });

  it('goes on after the entry that was seen last: after, or the Last-Event-ID of a browser that comes back', async () => {
    for (let i = 0; i < 5; i += 1) note('event');
    const one = await listen('/_sim/journal/stream?after=3');
    expect((await one.until('id: 5')).match(/id: \d+/g)).toEqual(['id: 4', 'id: 5']);
    const two = await listen('/_sim/journal/stream?after=1', { 'last-event-id': '4' });
    expect((await two.until('id: 5')).match(/id: \d+/g)).toEqual(['id: 5']);
    one.close();
    two.close();
  });

  it('carries only what was asked for', async () => {
    const stream = await listen('/_sim/journal/stream?kind=event&call_id=2');
    await stream.until(': from 0');
    note('event', 1);
    note('sip.in', 2);
    note('event', 2);
    expect((await stream.until('id: ')).match(/id: \d+/g)).toEqual(['id: 3']);
    stream.close();
  });

  it('is read in full by a reader who falls behind', async () => {
    const stream = await listen('/_sim/journal/stream');
    await stream.until(': from 0');
    stream.response.pause();
    const big = 'x'.repeat(2000);
    for (let i = 0; i < 5000; i += 1) stage.journal.append('event', { data: { big } });
    stream.response.resume();
    const ids = (await stream.until('id: 5000\n')).match(/^id: \d+$/gm);
    expect(ids).toHaveLength(5000);
    expect(ids?.at(-1)).toBe('id: 5000');
    stream.close();
  });

  it('is given to a hundred readers, and again when one has gone', async () => {
    const readers = await Promise.all(Array.from({ length: 100 }, () => listen('/_sim/journal/stream')));
    await api.get('/_sim/journal/stream').expect(409);
    for (const reader of readers) reader.close();
    await expect
      .poll(async () => {
        const again = await listen('/_sim/journal/stream');
        again.close();
        return again.response.statusCode;
      })
      .toBe(200);
  });
});
