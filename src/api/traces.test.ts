// Traces over the API: a live call's messages, and what is left of a call as text and as a capture. The calls are journal entries.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];
const LIVE_ID = 10_000_500;
const AGENT = 10_000_003;

const get = (path: string, who: Who = 'admin') =>
  request(stage.api).get(`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who]));

/** Bytes of an answer that is no text. */
const download = (path: string) =>
  get(path)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });

function sip(callId: number, kind: 'sip.in' | 'sip.out', dialog: string, text: string): void {
  const peer = dialog === 'leg-1' ? 'phone-1.invalid' : 'phone-2.invalid';
  const data = { transport: 'MEM', local: 'pbx.test:5060', remote: `${peer}:5060`, sip_call_id: dialog, text };
  stage.journal.append(kind, { callId, customerId: 1, data });
}

/** A short call; with its end unless it lives. */
function call(callId: number, isOver = true): void {
  const facts = { callId, customerId: 1 };
  stage.journal.append('call.opened', { ...facts, data: { origin: 'call', src: '101', dst: '102' } });
  sip(callId, 'sip.in', 'leg-1', 'INVITE sip:102@pbx.test SIP/2.0\r\nTo: <sip:102@pbx.test>\r\n\r\n');
  sip(callId, 'sip.out', 'leg-2', 'INVITE sip:102@phone-2.invalid SIP/2.0\r\nTo: <sip:102@pbx.test>\r\n\r\n');
  if (isOver) stage.journal.append('call.closed', { ...facts, data: { cause: 'User busy' } });
}

/** The records that the call left: the agent's. */
function records(liveId: number): { cdr: number; msdr: number } {
  const { cdrs, msdrs } = stage.store;
  const [cdr] = cdrs.list(1);
  const [msdr] = msdrs.list(1);
  if (cdr === undefined || msdr === undefined) throw new Error('the seed world has no history');
  const ids = { cdr: cdrs.nextId(1), msdr: msdrs.nextId(1) };
  cdrs.insert(1, { ...cdr, id: ids.cdr, live_id: liveId, user_id: AGENT, src_id: String(AGENT), dst_id: '' });
  msdrs.insert(1, { ...msdr, id: ids.msdr, call_id: 'leg-2', user_id: AGENT });
  stage.exchange.dialogs.set('leg-2', liveId);
  return ids;
}

describe('GET /calls/{id}/trace', () => {
  test('gives the SIP messages so far as items of the call, paged and filtered like any collection', async () => {
    const { id } = stage.exchange.add(1, [AGENT]);
    call(id, false);
    const answer = await get(`/calls/${id}/trace`, 'agent');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, total: 2 });
    expect(answer.body.data.items).toEqual([
      {
        id: expect.any(Number),
        call_id: id,
        created_at: '2026-01-01 00:00:00',
        direction: 'in',
        transport: 'MEM',
        from: 'phone-1.invalid:5060',
        to: 'pbx.test:5060',
        message: 'INVITE sip:102@pbx.test SIP/2.0\r\nTo: <sip:102@pbx.test>\r\n\r\n',
      },
      expect.objectContaining({ direction: 'out', from: 'pbx.test:5060', to: 'phone-2.invalid:5060' }),
    ]);
    expect(answer.body.links).toEqual({ self: `/v1.1/pbx/calls/${id}/trace`, call: `/v1.1/pbx/calls/${id}` });
    const filter = encodeURIComponent('[{"property":"direction","operator":"eq","value":"out"}]');
    expect((await get(`/calls/${id}/trace?filter=${filter}`)).body.data).toMatchObject({ total: 1 });
  });

  test('is refused as the call itself is', async () => {
    const { id } = stage.exchange.add(1, [AGENT]);
    expect((await request(stage.api).get(`/v1.1/pbx/calls/${id}/trace`)).status).toBe(401);
    expect((await get(`/calls/${id}/trace`, 'restricted')).status).toBe(403);
    expect((await get(`/calls/${id}/trace`, 'foreigner')).status).toBe(404);
    expect((await get('/calls/10000999/trace')).status).toBe(404);
  });
});

describe('.trace', () => {
  test('is a ladder and the messages, as text that a browser shows', async () => {
    call(LIVE_ID);
    const { cdr, msdr } = records(LIVE_ID);
    const answer = await get(`/cdrs/${cdr}.trace`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe(`inline; filename="cdr-${cdr}.trace.txt"`);
    expect(answer.text.split('\n').slice(0, 5)).toEqual([
      'Call 10000500: 101 -> 102, 2026-01-01T00:00:00.000Z; User busy',
      '',
      ' no      time   caller 101                  exchange                    callee 102',
      '  1     0.000   |--------- INVITE --------->|                           |',
      '  2     0.000   |                           |--------- INVITE --------->|',
    ]);
    expect(answer.text).toContain(
      '== 2: exchange -> callee 102 (MEM pbx.test:5060 -> phone-2.invalid:5060)\nINVITE sip:',
    );
    const twin = await get(`/msdrs/${msdr}.trace`);
    expect(twin.text).toBe(answer.text);
    expect(twin.headers['content-disposition']).toBe(`inline; filename="msdr-${msdr}.trace.txt"`);
  });

  test('tells HEAD how long it is', async () => {
    call(LIVE_ID);
    const { cdr } = records(LIVE_ID);
    const head = await request(stage.api)
      .head(`/v1.1/pbx/cdrs/${cdr}.trace`)
      .set('Authorization', keyOf(stage.people.admin));
    const { text } = await get(`/cdrs/${cdr}.trace`);
    expect([head.status, Number(head.headers['content-length'])]).toEqual([200, text.length]);
  });
});

describe('.pcap', () => {
  test('is a capture to save: of both legs for the call, of its own leg for a media session', async () => {
    call(LIVE_ID);
    const { cdr, msdr } = records(LIVE_ID);
    const answer = await download(`/cdrs/${cdr}.pcap`);
    expect(answer.headers['content-type']).toBe('application/vnd.tcpdump.pcap');
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="cdr-${cdr}.pcap"`);
    const bytes = answer.body as Buffer;
    expect(bytes.subarray(0, 8).toString('hex')).toBe('a1b2c3d400020004');
    expect(bytes.toString('latin1').split('INVITE sip:')).toHaveLength(3);
    const own = (await download(`/msdrs/${msdr}.pcap`)).body as Buffer;
    expect(own.toString('latin1').split('INVITE sip:')).toHaveLength(2);
    expect(own.toString('latin1')).toContain('INVITE sip:102@phone-2.invalid');
  });
});

describe('a trace that is not there', () => {
  const paths = ['cdrs', 'msdrs'].flatMap((resource) => ['trace', 'pcap'].map((ending) => [resource, ending] as const));

  test.each(paths)('of another customer, nobody and a restricted user: /%s/{id}.%s', async (resource, ending) => {
    call(LIVE_ID);
    const { cdr, msdr } = records(LIVE_ID);
    const id = resource === 'cdrs' ? cdr : msdr;
    const path = `/${resource}/${id}.${ending}`;
    expect((await request(stage.api).get(`/v1.1/pbx${path}`)).status).toBe(401);
    expect((await get(path, 'restricted')).status).toBe(403);
    const foreign = await get(path, 'foreigner');
    const absent = await get(`/${resource}/10999999.${ending}`);
    expect([foreign.status, absent.status, absent.body]).toEqual([404, 404, foreign.body]);
  });

  test('of a call of the seeded history says so', async () => {
    call(LIVE_ID);
    for (const ending of ['trace', 'pcap']) {
      const answer = await get(`/cdrs/10000001.${ending}`);
      const message =
        'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.';
      expect([answer.status, answer.body]).toEqual([404, { message, errors: [message] }]);
    }
    expect((await get('/msdrs/10000001.trace')).body.message).toBe(
      'This call has no trace: it is of the history that the simulator started with, and nobody saw its signalling.',
    );
  });

  test('of a call long ago says that others took its place', async () => {
    for (const id of [LIVE_ID, LIVE_ID + 1, LIVE_ID + 2]) call(id);
    const { cdr } = records(LIVE_ID);
    const answer = await get(`/cdrs/${cdr}.trace`);
    const message =
      'The trace of this call is not kept: the simulator keeps those of the last 2 calls, as long as there is room, and none of a call in which it was killed.';
    expect([answer.status, answer.body]).toEqual([404, { message, errors: [message] }]);
  });
});
