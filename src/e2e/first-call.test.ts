// One call, told by everybody who knows of it: SIP, REST, CDR, media sessions and webhooks. Real HTTP both ways, a clock that stands still.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { type Facts, SocketStage, WebhookInbox } from './sockets-stage.ts';

/** The clock starts at 2026-01-01 00:00:00 UTC. */
const START_S = 1_767_225_600;

let stage: SocketStage;
let inbox: WebhookInbox;

beforeEach(async () => {
  inbox = await WebhookInbox.open();
  stage = await SocketStage.open({ clock: 'manual', allowHttpWebhooks: true });
  await stage.hear(inbox);
});

afterEach(async () => {
  const { violations } = stage.simulator.world;
  await stage.close();
  await inbox.close();
  expect(violations).toEqual([]);
});

async function pass(by: string): Promise<void> {
  expect(await stage.control('POST', '/clock', { advance: by })).toMatchObject({ status: 200, body: { busy: 0 } });
}

async function sessionsOf(...sipCallIds: unknown[]): Promise<Facts[]> {
  const condition = { property: 'call_id', operator: 'in', value: sipCallIds };
  const { body } = await stage.api('GET', `/mediasessions?filter=${encodeURIComponent(JSON.stringify([condition]))}`);
  return body.data as Facts[];
}

/** What the journal heard of a dialog: `<` in, `>` out, with the second of the clock. */
function signalling(sipCallId: unknown): string[] {
  return stage.simulator.journal.query({ kind: 'sip' }).flatMap((entry) => {
    const { sip_call_id, method, status } = dataOf(entry);
    if (sip_call_id !== sipCallId) return [];
    const sign = entry.kind === 'sip.in' ? '<' : '>';
    return [`${entry.at / 1000 - START_S} ${sign} ${status === undefined ? method : `${status} ${method}`}`];
  });
}

describe('a click-to-call, answered, held, resumed and hung up by the callee', () => {
  it('is one call with the same ids, times and durations wherever it is told', async () => {
    const [caller, callee] = [stage.user(0), stage.user(1)];
    const placed = await stage.api('POST', '/calls', { to: callee.ext });
    expect(placed.status).toBe(201);
    const { id } = placed.body.data as { id: number };

    await pass('10s');
    expect((await stage.api('PATCH', `/calls/${id}`, { state: 'ON_HOLD' })).status).toBe(301);
    await pass('2s');
    expect((await stage.api('PATCH', `/calls/${id}`, { state: 'CONNECTED' })).status).toBe(301);
    await pass('8s');
    const live = await stage.read(`/calls/${id}`);
    await stage.act(callee.ext, 'hangup');
    await pass('0s');

    expect(live).toMatchObject({ id, state: 4, destination: 0, duration: 20 });
    expect(live).toMatchObject({ start_time: START_S, connected_at: START_S + 4 });
    const parties = { src: caller.ext, src_name: live.src_name, dst: callee.ext, dst_name: live.dst_name };
    expect([live.src_id, live.dst_id]).toEqual([String(caller.user_id), String(callee.user_id)]);
    expect(live).toMatchObject(parties);
    expect((await stage.api('GET', `/calls/${id}`)).status).toBe(404);

    const told = inbox.bodies.filter(({ call_id }) => call_id === id);
    expect(
      told.map(({ event_name, state, event_time, duration }) => [event_name, state, event_time, duration]),
    ).toEqual([
      ['call.initial', 'INITIAL', '2026-01-01 00:00:00', 0],
      ['call.ringing', 'RINGING', '2026-01-01 00:00:02', 2],
      ['call.connected', 'CONNECTED', '2026-01-01 00:00:04', 4],
      ['call.hold', 'ON_HOLD', '2026-01-01 00:00:10', 10],
      ['call.unhold', 'CONNECTED', '2026-01-01 00:00:12', 12],
      ['call.hangup', 'HANGUP', '2026-01-01 00:00:20', 20],
    ]);
    const ids = { src_id: caller.user_id, dst_id: callee.user_id, clid: live.clid, src_hash: told[0]?.src_hash };
    for (const event of told) {
      expect(event).toMatchObject({ ...parties, ...ids, start_time: '2026-01-01 00:00:00', destination: 'in' });
    }
    expect(told.map(({ connected_at }) => connected_at)).toEqual([
      null,
      null,
      ...Array.from({ length: 4 }, () => '2026-01-01 00:00:04'),
    ]);
    expect(told.at(-1)).toMatchObject({ t_cause: 'Normal clearing', terminated_by: 'callee', context: 'LOCAL_USER' });
    expect(new Set(told.map((event) => event.id)).size).toBe(6);

    const cdr = await stage.cdr(id);
    expect(cdr).toMatchObject({
      ...parties,
      live_id: id,
      call_id: id,
      calldate: '2026-01-01 00:00:00',
      duration: 20,
      billsec: 16,
      type: 'I',
      destination: 'in',
      disposition: 'CONNECTED',
      context: 'USER_LOCAL',
      t_cause: 'Normal clearing',
    });
    for (const same of ['clid', 'src_id', 'dst_id', 'src_ua', 'dst_ua', 'src_codec', 'dst_codec']) {
      expect(cdr[same], same).toBe(live[same]);
    }

    const sessions = await sessionsOf(live.src_call_id, live.dst_call_id);
    expect(sessions).toMatchObject([
      { call_id: live.src_call_id, user: caller.user_id, created_at: '2026-01-01 00:00:02', duration: 18 },
      { call_id: live.dst_call_id, user: callee.user_id, created_at: '2026-01-01 00:00:04', duration: 16 },
    ]);
    for (const session of sessions) {
      expect(session).toMatchObject({ status: 'ended', updated_at: '2026-01-01 00:00:20', dst_ua: live.dst_ua });
      expect(stage.simulator.world.store.msdrs.find('media_session_id', Number(session.id))).toMatchObject([
        { call_id: session.call_id, user_id: session.user, duration: session.duration, t_cause: 'Normal clearing' },
      ]);
    }
  });

  it('does and says all that because of SIP', async () => {
    const callee = stage.user(1);
    const placed = await stage.api('POST', '/calls', { to: callee.ext });
    const { id } = placed.body.data as { id: number };
    await pass('10s');
    const live = await stage.read(`/calls/${id}`);
    await stage.act(callee.ext, 'hangup');
    await pass('0s');
    expect(signalling(live.src_call_id)).toEqual([
      '0 > INVITE',
      '0 < 100 INVITE',
      '0 < 180 INVITE',
      '2 < 200 INVITE',
      '2 > ACK',
      '4 > INVITE',
      '4 < 100 INVITE',
      '4 < 200 INVITE',
      '4 > ACK',
      '10 > BYE',
      '10 < 200 BYE',
    ]);
    expect(signalling(live.dst_call_id)).toEqual([
      '2 > INVITE',
      '2 < 100 INVITE',
      '2 < 180 INVITE',
      '4 < 200 INVITE',
      '4 > ACK',
      '10 < BYE',
      '10 > 200 BYE',
    ]);
    const chain = stage.simulator.journal.query({ kind: 'call.state', callId: id });
    expect(chain.map((entry) => dataOf(entry).to)).toEqual([
      'INITIAL',
      'ACCEPTED',
      'ACCEPTED',
      'RINGING',
      'CONNECTED',
      'HANGUP',
    ]);
  });
});

describe('a call from the public network that nobody answers', () => {
  it('is missed in the event and in the CDR, and leaves no media session', async () => {
    const callee = stage.user(1);
    await stage.behave(callee.ext, 'ring');
    const before = (await stage.api('GET', '/mediasessions')).body.total;
    const number = stage.simulator.world.customers[0]?.numbers[1];
    const arrived = await stage.control('POST', '/calls', { from: '+442079469999', to: number });
    expect(arrived.status).toBe(201);
    const id = Number(arrived.body.call_id);
    await pass('30s');

    const told = inbox.bodies.filter(({ call_id }) => call_id === id);
    expect(told.map(({ event_name, event_time }) => [event_name, event_time])).toEqual([
      ['call.initial', '2026-01-01 00:00:00'],
      ['call.ringing', '2026-01-01 00:00:00'],
      ['call.missed', '2026-01-01 00:00:20'],
    ]);
    const cdr = await stage.cdr(id);
    expect(told.at(-1)).toMatchObject({ src: '+442079469999', src_id: 0, dst_id: callee.user_id, connected_at: null });
    expect(cdr).toMatchObject({ type: 'M', src: '+442079469999', dst: callee.ext, duration: 20, billsec: 0 });
    expect([told.at(-1)?.t_cause, told.at(-1)?.duration]).toEqual([cdr.t_cause, cdr.duration]);
    expect(cdr.user_id).toBe(callee.user_id);
    expect((await stage.api('GET', '/mediasessions')).body.total).toBe(before);
  });
});
