// What two parties do in a call when one of them is sip.js: hold, transfer, press keys, obey orders.
import { SessionState } from 'sip.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { descriptionsOf, reached, type SipjsPhone } from './sipjs-phone.ts';
import { SipjsStory } from './sipjs-story.ts';
import type { SocketStage } from './sockets-stage.ts';

let story: SipjsStory;
let stage: SocketStage;
let phone: SipjsPhone;

beforeEach(async () => {
  story = await SipjsStory.begin();
  ({ stage, phone } = story);
});

afterEach(() => story.end());

describe('within a call of a phone of another make', () => {
  beforeEach(async () => {
    expect(await phone.register()).toBe(200);
  });

  async function connected(
    to = '102',
  ): Promise<{ callId: number; session: Awaited<ReturnType<SipjsPhone['call']>>['session'] }> {
    const before = stage.now;
    const { session, final } = await phone.call(to);
    expect(await final).toBe(200);
    const callId = await stage.callBegun(before);
    await stage.inState(callId, 'CONNECTED');
    await reached(session, SessionState.Established);
    return { callId, session };
  }

  it('holds and resumes by re-INVITE', async () => {
    const { callId, session } = await connected();
    expect(await phone.reinvite(session, true)).toBe(200);
    expect(await stage.inState(callId, 'ON_HOLD')).toMatchObject({ state: 5 });
    expect(descriptionsOf(session).at(-1)).toMatch(/^a=recvonly\r$/m);
    const held = stage.now;
    expect(await phone.reinvite(session, false)).toBe(200);
    await stage.entry('call.state', (data, entry) => entry.callId === callId && data.to === 'CONNECTED', held);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 4 });
    expect(descriptionsOf(session).at(-1)).toMatch(/^a=sendrecv\r$/m);
    await phone.hangUp(session);
    await story.expectOne(
      callId,
      ['call.initial', 'call.ringing', 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'],
      { disposition: 'CONNECTED' },
    );
  });

  it('is on hold while either party holds, and the last one to resume resumes it', async () => {
    const { callId, session } = await connected();
    const toState = (state: string, after: number): Promise<unknown> =>
      stage.entry('call.state', (data, entry) => entry.callId === callId && data.to === state, after);
    const before = stage.now;
    await stage.act('102', 'hold');
    await toState('ON_HOLD', before);
    expect(await phone.reinvite(session, true)).toBe(200);
    await stage.act('102', 'resume');
    await stage.entry('sip.in', (data) => data.method === 'ACK' && data.transport === 'MEM', stage.now - 3);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 5 });
    expect(await phone.reinvite(session, false)).toBe(200);
    await toState('CONNECTED', before);
    await phone.hangUp(session);
    await story.expectOne(
      callId,
      ['call.initial', 'call.ringing', 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'],
      { disposition: 'CONNECTED' },
    );
  });

  it('transfers blindly by REFER: the handset goes on to a third under the same call', async () => {
    const { callId, session } = await connected();
    const { status, notified } = await phone.refer(session, '103');
    expect(status).toBe(202);
    expect(await notified).toEqual([100, 180, 200]);
    await reached(session, SessionState.Terminated);
    await stage.entry('call.transferred', (_, entry) => entry.callId === callId);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({
      id: callId,
      state: 4,
      src: '102',
      dst: '103',
      referred_by: '101',
    });
    await stage.act('103', 'hangup');
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], {
      src: '102',
      dst: '103',
    });
  });

  it('keeps its party when the target of the transfer is busy', async () => {
    await stage.behave('103', 'busy');
    const { callId, session } = await connected();
    const { status, notified } = await phone.refer(session, '103');
    expect(status).toBe(202);
    expect(await notified).toEqual([100, 486]);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 4, src: '101', dst: '102', referred_by: '' });
    expect(await phone.press(session, '7')).toEqual([200]);
    await phone.hangUp(session);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], { dst: '102' });
  });

  it('is transferred by the handset that it speaks to', async () => {
    const { callId, session } = await connected();
    await stage.act('102', 'transfer', { to: '103' });
    await stage.entry('call.transferred', (_, entry) => entry.callId === callId);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ src: '101', dst: '103', referred_by: '102' });
    await phone.hangUp(session);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], { dst: '103' });
  });

  it('presses keys by INFO, and hears those of the handset', async () => {
    const { callId, session } = await connected();
    const heard: string[] = [];
    session.delegate = {
      onInfo: (info) => {
        heard.push(/Signal=(.)/.exec(info.request.body)?.[1] ?? '');
        void info.accept();
      },
    };
    expect(await phone.press(session, '1*#')).toEqual([200, 200, 200]);
    await stage.act('102', 'digits', { digits: '5' });
    await stage.entry('sip.in', (data) => data.status === 200 && data.method === 'INFO' && data.transport === 'WS');
    expect(heard).toEqual(['5']);
    await phone.hangUp(session);
    const hooks = await story.inbox.ofCall(callId, 'call.hangup');
    expect(
      hooks.filter((hook) => hook.event_name === 'call.dtmf').map(({ digit, pressed_by }) => [digit, pressed_by]),
    ).toEqual([
      ['1', 'caller'],
      ['*', 'caller'],
      ['#', 'caller'],
      ['5', 'callee'],
    ]);
  });

  it('is asked by REST to hold, and the state follows the re-INVITE that it sends', async () => {
    const { callId, session } = await connected();
    const orders: string[] = [];
    session.delegate = {
      onNotify: (notification) => {
        orders.push(notification.request.getHeader('Event') ?? '');
        void notification.accept().then(() => phone.reinvite(session, orders.at(-1) === 'hold'));
      },
    };
    expect((await stage.api('PATCH', `/calls/${callId}`, { state: 'ON_HOLD' })).status).toBe(301);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 5 });
    expect((await stage.api('PATCH', `/calls/${callId}`, { state: 'CONNECTED' })).status).toBe(301);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 4 });
    expect(orders).toEqual(['hold', 'talk']);
    expect((await stage.api('PATCH', `/calls/${callId}`, { state: 'HANGUP' })).status).toBe(301);
    await reached(session, SessionState.Terminated);
    await story.expectOne(
      callId,
      ['call.initial', 'call.ringing', 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'],
      { disposition: 'CONNECTED' },
    );
  });

  it('takes the order to hold and does not hold: the request fails and the state is what it was', async () => {
    const { callId, session } = await connected();
    const answer = await stage.api('PATCH', `/calls/${callId}`, { state: 'ON_HOLD' });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(/phone/i);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 4 });
    await phone.hangUp(session);
    await stage.callOver(callId);
    expect(stage.eventNames(callId)).toEqual(['call.initial', 'call.ringing', 'call.connected', 'call.hangup']);
  });

  it('hears BYE when the simulator is closed, and its call has left a CDR', async () => {
    const { callId, session } = await connected();
    await stage.simulator.close();
    await reached(session, SessionState.Terminated);
    expect(stage.eventNames(callId).at(-1)).toBe('call.hangup');
    const [cdr] = stage.simulator.world.store.cdrs.find('live_id', callId);
    expect(cdr).toMatchObject({ disposition: 'CONNECTED', t_cause: 'Temporary failure' });
  });
});
