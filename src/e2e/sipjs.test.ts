// An independent SIP stack (sip.js over WebSocket, RFC 7118) and the exchange: what the two agree on is not one mistake made twice.
import { SessionState } from 'sip.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { reached, SipjsPhone } from './sipjs-phone.ts';
import { SipjsStory } from './sipjs-story.ts';
import type { Facts, SocketStage } from './sockets-stage.ts';

let story: SipjsStory;
let stage: SocketStage;
let phone: SipjsPhone;

beforeEach(async () => {
  story = await SipjsStory.begin();
  ({ stage, phone } = story);
});

afterEach(() => story.end());

async function phoneAt(ext: string): Promise<Facts> {
  return (await stage.control('GET', `/phones/${ext}`)).body;
}

const userPath = (): string => `/users/${stage.user(0).user_id}`;

describe('a phone of another make', () => {
  it('registers with digest, takes the extension over, and gives it back', async () => {
    expect(await phoneAt('101')).toMatchObject({ registered: true, stepped_back: false });
    const before = stage.now;
    expect(await phone.register()).toBe(200);
    const challenge = await stage.entry('sip.out', (data) => data.status === 401, before);
    expect(String(dataOf(challenge).text)).toMatch(/^WWW-Authenticate: Digest .*realm="pbxsim\.test"/m);
    const accepted = await stage.entry('sip.out', (data) => data.status === 200 && data.method === 'REGISTER', before);
    expect(dataOf(accepted)).toMatchObject({ transport: 'WS' });
    expect(String(dataOf(accepted).text)).toMatch(/^Contact: <sip:.*;transport=ws>;expires=300$/im);
    expect(await phoneAt('101')).toMatchObject({ stepped_back: true, registered: false });
    expect(await stage.read(userPath())).toMatchObject({ nb_sip_locations: 1 });

    expect(await phone.unregister()).toBe(200);
    const back = await stage.entry('sip.out', (data) => data.status === 200 && data.transport === 'MEM', accepted.seq);
    expect(dataOf(back)).toMatchObject({ method: 'REGISTER' });
    expect(await phoneAt('101')).toMatchObject({ stepped_back: false, registered: true });
    expect(await stage.read(userPath())).toMatchObject({ nb_sip_locations: 1 });
  });

  it('is forgotten when its connection is gone', async () => {
    expect(await phone.register()).toBe(200);
    expect(await phoneAt('101')).toMatchObject({ stepped_back: true });
    const before = stage.now;
    await phone.close();
    await stage.entry('sip.out', (data) => data.method === 'REGISTER' && data.status === 200, before);
    expect(await phoneAt('101')).toMatchObject({ stepped_back: false, registered: true });
  });

  it('is kept out without the right password', async () => {
    const user = { ...stage.user(1), sip_password: 'not-the-password' };
    const stranger = new SipjsPhone(user, stage.sip);
    await stranger.connect();
    expect(await stranger.register()).toBe(401);
    expect(await phoneAt('102')).toMatchObject({ stepped_back: false, registered: true });
    await stranger.close();
  });
});

describe('calls of a phone of another make', () => {
  beforeEach(async () => {
    expect(await phone.register()).toBe(200);
  });

  it('calls a handset, speaks for over a second and hangs up; REST, CDR and webhooks tell it alike', async () => {
    const before = stage.now;
    const { session, provisionals, final } = await phone.call('102');
    const callId = await stage.callBegun(before);
    expect(await final).toBe(200);
    expect(provisionals).toEqual([180]);
    const live = await stage.inState(callId, 'CONNECTED');
    expect(live).toMatchObject({
      id: callId,
      state: 4,
      destination: 0,
      src: '101',
      dst: '102',
      src_ua: 'sipjs-test-phone',
      dst_ua: 'pbxsim-phone',
      src_codec: 'PCMA',
      dst_codec: 'PCMA',
      src_id: String(stage.user(0).user_id),
      dst_id: String(stage.user(1).user_id),
    });
    expect(live.src_call_id).toBe(session.request.callId);
    expect(live.src_contact).toMatch(/^sip:.*\.invalid;transport=ws/);
    expect((await stage.api('GET', '/calls')).body).toMatchObject({ total: 1 });
    // The handset's user presses keys, one each 200 ms: when the last is heard over a second has passed.
    const [answer] = stage.simulator.journal.query({ kind: 'call.state', callId }).slice(-1);
    await stage.act('102', 'digits', { digits: '12345678' });
    const second = Number(answer?.at) + 1000;
    await stage.entry('event', (_, entry) => entry.callId === callId && entry.at >= second);
    await phone.hangUp(session);
    const cdr = await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], {
      type: 'I',
      disposition: 'CONNECTED',
      src: '101',
      dst: '102',
      t_cause: 'Normal clearing',
      src_ua: 'sipjs-test-phone',
    });
    expect(cdr.billsec).toBeGreaterThanOrEqual(1);
    expect(Number(cdr.duration)).toBeGreaterThanOrEqual(Number(cdr.billsec));
    const hangup = (await story.inbox.ofCall(callId, 'call.hangup')).at(-1);
    expect(hangup).toMatchObject({
      terminated_by: 'caller',
      state: 'HANGUP',
      context: 'LOCAL_USER',
      destination: 'in',
    });
  });

  it('is called by a handset, answers, and is hung up on', async () => {
    const { call_id } = await stage.act('102', 'call', { to: '101' });
    const callId = Number(call_id);
    const invitation = await phone.invitation();
    expect(invitation.remoteIdentity.uri.user).toBe('102');
    expect(await stage.inState(callId, 'RINGING')).toMatchObject({ state: 3, src: '102', dst: '101' });
    await invitation.accept();
    await reached(invitation, SessionState.Established);
    expect(await stage.inState(callId, 'CONNECTED')).toMatchObject({ state: 4, dst_ua: 'sipjs-test-phone' });
    await stage.act('102', 'hangup');
    await reached(invitation, SessionState.Terminated);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], {
      type: 'I',
      disposition: 'CONNECTED',
      dst_ua: 'sipjs-test-phone',
    });
    expect((await story.inbox.ofCall(callId, 'call.hangup')).at(-1)).toMatchObject({ terminated_by: 'caller' });
  });

  it('places a call by click: it rings first, then the destination, and DELETE ends both', async () => {
    const created = await stage.api('POST', '/calls', { to: '102' });
    const callId = Number((created.body.data as Facts).id);
    expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 1, src: '101', dst: '102' });
    const invitation = await phone.invitation();
    await stage.behave('102', { on_call: 'ring' });
    await invitation.accept();
    await reached(invitation, SessionState.Established);
    await stage.inState(callId, 'ACCEPTED');
    expect(await stage.inState(callId, 'RINGING')).toMatchObject({ state: 3 });
    await stage.act('102', 'answer');
    expect(await stage.inState(callId, 'CONNECTED')).toMatchObject({ state: 4, src_ua: 'sipjs-test-phone' });
    expect((await stage.api('DELETE', `/calls/${callId}`)).status).toBe(204);
    await reached(invitation, SessionState.Terminated);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], {
      disposition: 'CONNECTED',
      src_ua: 'sipjs-test-phone',
    });
    expect((await story.inbox.ofCall(callId, 'call.hangup')).at(-1)).toMatchObject({ terminated_by: '' });
  });

  it('is rung by the public network through its number, and hangs up', async () => {
    const number = stage.simulator.world.customers[0]?.numbers[0];
    const created = await stage.control('POST', '/calls', { from: '+442079469990', to: number });
    expect(created.status).toBe(201);
    const callId = Number(created.body.call_id);
    const invitation = await phone.invitation();
    expect(invitation.remoteIdentity.uri.user).toBe('+442079469990');
    await invitation.accept();
    await reached(invitation, SessionState.Established);
    await stage.inState(callId, 'CONNECTED');
    await phone.hangUp(invitation);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'], {
      type: 'I',
      context: 'PSTN_CALL',
    });
    expect((await story.inbox.ofCall(callId, 'call.hangup')).at(-1)).toMatchObject({ terminated_by: 'callee' });
  });

  it('cancels before the answer: the handset stops ringing and the call counts as missed', async () => {
    await stage.behave('102', { on_call: 'ring' });
    const before = stage.now;
    const { session, final } = await phone.call('102');
    const callId = await stage.callBegun(before);
    await stage.inState(callId, 'RINGING');
    await session.cancel();
    expect(await final).toBe(487);
    await story.expectOne(callId, ['call.initial', 'call.ringing', 'call.missed'], {
      type: 'M',
      disposition: 'RINGING',
      billsec: 0,
      t_cause: 'Originator cancel',
    });
    expect((await phoneAt('102')).calls).toEqual([]);
    expect((await story.inbox.ofCall(callId, 'call.missed')).at(-1)).toMatchObject({
      terminated_by: 'caller',
      connected_at: null,
    });
  });

  it('rings, and its caller gives up', async () => {
    const { call_id } = await stage.act('102', 'call', { to: '101' });
    const invitation = await phone.invitation();
    await stage.inState(Number(call_id), 'RINGING');
    await stage.act('102', 'hangup');
    await reached(invitation, SessionState.Terminated);
    await story.expectOne(Number(call_id), ['call.initial', 'call.ringing', 'call.missed'], { type: 'M' });
  });

  it('hears that a handset is busy, that an extension does not exist, and that nobody is registered', async () => {
    await stage.behave('102', 'busy');
    const before = stage.now;
    expect(await (await phone.call('102')).final).toBe(486);
    const callId = await stage.callBegun(before);
    await story.expectOne(callId, ['call.initial', 'call.missed'], { type: 'M', t_cause: 'User busy' });
    expect(await (await phone.call('799')).final).toBe(404);
    await stage.act('103', 'unregister');
    expect(await (await phone.call('103')).final).toBe(480);
  });

  it('is busy itself', async () => {
    const { call_id } = await stage.act('102', 'call', { to: '101' });
    const invitation = await phone.invitation();
    await invitation.reject({ statusCode: 486 });
    await story.expectOne(Number(call_id), ['call.initial', 'call.ringing', 'call.missed'], {
      type: 'M',
      t_cause: 'User busy',
    });
  });

  it('reaches the public network: an outbound call that is declined fails', async () => {
    const before = stage.now;
    expect(await (await phone.call('+442079460004')).final).toBe(603);
    const callId = await stage.callBegun(before);
    await stage.callOver(callId);
    const names = stage.eventNames(callId);
    expect([names[0], names.at(-1)]).toEqual(['call.initial', 'call.failed']);
    await story.expectOne(callId, names, { type: 'O', t_cause: 'Call rejected' });
  });
});
