// The `sip` driver: what a scenario's phone does, over each wire, at the real exchange.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhoneTrouble, type ScenarioPhone } from '../harness/drivers/phone-driver.ts';
import { sipPhoneDriver } from '../harness/peers/sip-phone-driver.ts';
import type { OpenWire } from '../harness/peers/wire.ts';
import type { TimeHost } from '../kernel/clock.ts';
import { systemTime } from '../wires/system-time.ts';
import { SipDriverStage, serverOf } from './sip-driver-stage.ts';
import { WIRES } from './sockets-peer.ts';
import type { Facts } from './sockets-stage.ts';

const DONE = { done: true };

describe('a process that has used the driver', () => {
  it('ends by itself: no socket and no timer of sip.js is left, not even of calls that a phone vanished from', async () => {
    const script = fileURLToPath(new URL('./sip-driver-day.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 15_000 });
    expect(stdout).toBe('UDP: 0 calls left\nTCP: 0 calls left\nWS: 0 calls left\n');
  });
});

/** Refuses the first re-INVITE in the exchange's place, as if one of its own were under way. */
function refusingOnce(usual: OpenWire): OpenWire {
  let refused = false;
  return async (listener) => {
    const wire = await usual(listener);
    const send = (text: string): void => {
      if (refused || !/^INVITE [\s\S]*\r\nTo: [^\r]*;tag=/.test(text)) return wire.send(text);
      refused = true;
      const headers = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/i.test(line));
      const refusal = ['SIP/2.0 491 Request Pending', ...headers, 'Content-Length: 0', '', ''].join('\r\n');
      setImmediate(() => listener.received(refusal));
    };
    return { ...wire, send };
  };
}

describe('a phone whose hold meets a re-INVITE of the other side', () => {
  it('waits 2.5 s for its turn and holds then', async () => {
    const waits: number[] = [];
    const real = systemTime();
    const time: TimeHost = {
      ...real,
      alarm: (delayMs, fn) => {
        waits.push(delayMs);
        return real.alarm(delayMs === 2500 ? 0 : delayMs, fn);
      },
    };
    const on = await SipDriverStage.open('TCP', { wire: refusingOnce, time });
    await on.stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const phone = await on.phone(0);
    await phone.act({ act: 'call', to: '102' });
    await on.inCall(phone, 'connected');
    expect(await phone.act({ act: 'hold' })).toEqual(DONE);
    await on.inCall(phone, 'connected', true);
    expect(waits).toContain(2500);
    expect((await on.lines(phone, 'received')).slice(-3)).toEqual(['491 INVITE', '100 INVITE', '200 INVITE']);
    await on.close();
  });
});

it('is told of messages when it registers; sip.js knows no news without a subscription, and is left alone then', async () => {
  const on = await SipDriverStage.open('TCP');
  const phone = await on.phone(0, { on_call: 'ring' }, 2);
  await on.stage.entry('sip.in', ({ method, status }) => method === 'NOTIFY' && status === 481);
  on.stage.simulator.world.store.users.update(on.stage.user(0).user_id, { vm_new: 3 });
  await on.stage.act('102', 'call', { to: '101' });
  await on.inCall(phone, 'ringing');
  expect((await on.lines(phone, 'received')).slice(2)).toEqual(['NOTIFY', 'INVITE']);
  await on.close();
});

describe.each(['TCP', 'WS'] as const)('a phone whose %s connection is lost', (wire) => {
  it('is registered no more, has no call, and says so when it is to register', async () => {
    const on = await SipDriverStage.open(wire);
    await on.stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const phone = await on.phone(0);
    await phone.act({ act: 'call', to: '102' });
    await on.inCall(phone, 'connected');
    await on.stage.close();
    await on.sees(phone, 'its connection gone', ({ registered, calls }) => !registered && calls.length === 0);
    const why = expect.stringMatching(/^(?:The|Registration of the) phone phone-101 .*: connection refused\.$/);
    expect(await phone.act({ act: 'register' })).toEqual({ done: false, why });
    await on.driver.close();
  });
});

describe.each(WIRES)('phones of sip.js over %s', (wire) => {
  let on: SipDriverStage;
  let phone: ScenarioPhone;

  beforeEach(async () => {
    on = await SipDriverStage.open(wire);
    phone = await on.phone(0);
  });

  afterEach(async () => {
    await on.close();
    expect(on.stage.simulator.world.violations).toEqual([]);
  });

  const handset = async (ext: string): Promise<Facts> => (await on.stage.control('GET', `/phones/${ext}`)).body;

  /** The phone and the handset at 102 talk. */
  async function talking(): Promise<number> {
    await on.stage.behave('102', { on_call: 'answer', after_ms: 0 });
    const before = on.stage.now;
    expect(await phone.act({ act: 'call', to: '102' })).toEqual(DONE);
    const callId = await on.stage.callBegun(before);
    await on.inCall(phone, 'connected');
    await on.stage.inState(callId, 'CONNECTED');
    return callId;
  }

  it('registers, unregisters, registers again, and leaves the extension when it is closed', async () => {
    expect(await handset('101')).toMatchObject({ stepped_back: true, registered: false });
    expect(await phone.view()).toEqual({ registered: true, calls: [] });
    expect(await on.lines(phone, 'sent')).toEqual(['REGISTER', 'REGISTER']);
    expect(await on.lines(phone, 'received')).toEqual(['401 REGISTER', '200 REGISTER']);
    const [, second] = (await phone.messages()).filter(({ direction }) => direction === 'sent');
    expect(second?.text).toMatch(/^Authorization: Digest algorithm=MD5, username=/m);
    expect(await phone.act({ act: 'unregister' })).toEqual(DONE);
    expect(await phone.view()).toEqual({ registered: false, calls: [] });
    expect(await phone.act({ act: 'register' })).toEqual(DONE);
    expect((await phone.view()).registered).toBe(true);
    await phone.close();
    expect((await on.lines(phone, 'received')).at(-1)).toBe('200 REGISTER');
    await on.stage.entry('sip.out', ({ status, transport }) => status === 200 && transport === 'MEM');
    expect(await handset('101')).toMatchObject({ stepped_back: false });
    expect(await phone.act({ act: 'register' })).toMatchObject({ done: false, why: /closed/ });
  });

  it('calls, hears ringback, talks and hangs up', async () => {
    await on.stage.behave('102', 'ring');
    const before = on.stage.now;
    expect(await phone.act({ act: 'call', to: '102' })).toEqual(DONE);
    const callId = await on.stage.callBegun(before);
    const { calls } = await on.inCall(phone, 'ringback');
    expect(calls).toEqual([{ sipCallId: expect.any(String), state: 'ringback', held: false, peer: '102' }]);
    await on.stage.act('102', 'answer');
    await on.inCall(phone, 'connected');
    const live = await on.stage.inState(callId, 'CONNECTED');
    expect(live).toMatchObject({ src: '101', dst: '102', src_call_id: calls[0]?.sipCallId, src_codec: 'PCMU' });
    expect(await phone.act({ act: 'hang_up' })).toEqual(DONE);
    await on.noCall(phone);
    await on.stage.callOver(callId);
    expect(await on.stage.cdr(callId)).toMatchObject({ disposition: 'CONNECTED', t_cause: 'Normal clearing' });
    const sent = await on.lines(phone, 'sent');
    expect(sent.slice(2)).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK', 'BYE']);
    const invite = (await phone.messages()).find(({ method, status }) => method === 'INVITE' && status === undefined);
    expect(invite).toMatchObject({ direction: 'sent', sdp: 'sendrecv', sipCallId: calls[0]?.sipCallId });
  });

  it('gives a call up before it is answered, which cancels it', async () => {
    await on.stage.behave('102', 'ring');
    const before = on.stage.now;
    await phone.act({ act: 'call', to: '102' });
    const callId = await on.stage.callBegun(before);
    await on.inCall(phone, 'ringback');
    expect(await phone.act({ act: 'hang_up' })).toEqual(DONE);
    await on.noCall(phone);
    await on.stage.callOver(callId);
    expect(await on.stage.cdr(callId)).toMatchObject({ t_cause: 'Originator cancel', billsec: 0 });
    expect(await on.lines(phone, 'sent')).toContain('CANCEL');
  });

  it('rings, is answered, and is hung up on', async () => {
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    const { calls } = await on.inCall(phone, 'ringing');
    expect(calls[0]).toMatchObject({ peer: '102', held: false });
    expect(await on.stage.inState(Number(call_id), 'RINGING')).toMatchObject({ dst: '101' });
    expect(await phone.act({ act: 'answer' })).toEqual(DONE);
    await on.inCall(phone, 'connected');
    await on.stage.inState(Number(call_id), 'CONNECTED');
    await on.stage.act('102', 'hangup');
    await on.noCall(phone);
    expect((await on.lines(phone, 'received')).slice(2)).toEqual(['INVITE', 'ACK', 'BYE']);
    expect((await on.lines(phone, 'sent')).slice(2)).toEqual(['100 INVITE', '180 INVITE', '200 INVITE', '200 BYE']);
    expect(await phone.act({ act: 'answer' })).toEqual({
      done: false,
      why: 'The phone phone-101 has no call that rings.',
    });
  });

  it.each([
    [486, 'User busy'],
    [603, 'Call rejected'],
    [480, 'No user responding'],
  ] as const)('rejects with %i', async (status, cause) => {
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    await on.inCall(phone, 'ringing');
    expect(await phone.act({ act: 'reject', status })).toEqual(DONE);
    await on.noCall(phone);
    await on.stage.callOver(Number(call_id));
    expect(await on.stage.cdr(Number(call_id))).toMatchObject({ t_cause: cause });
    expect(await on.lines(phone, 'sent')).toContain(`${status} INVITE`);
  });

  it('meets calls as it was told: busy, declining, away, answering after a while', async () => {
    for (const [on_call, status] of [
      ['busy', 486],
      ['decline', 603],
      ['unavailable', 480],
    ] as const) {
      expect(await phone.whenCalled({ on_call })).toEqual(DONE);
      const { call_id } = await on.stage.act('102', 'call', { to: '101' });
      await on.stage.callOver(Number(call_id));
      expect((await on.lines(phone, 'sent')).at(-1)).toBe(`${status} INVITE`);
    }
    await phone.whenCalled({ on_call: 'busy', after_ms: 50 });
    const { call_id: first } = await on.stage.act('102', 'call', { to: '101' });
    await on.stage.callOver(Number(first));
    expect((await on.lines(phone, 'sent')).slice(-3)).toEqual(['100 INVITE', '180 INVITE', '486 INVITE']);
    await phone.whenCalled({ on_call: 'answer', after_ms: 50 });
    const { call_id: second } = await on.stage.act('102', 'call', { to: '101' });
    await on.inCall(phone, 'connected');
    await on.stage.inState(Number(second), 'CONNECTED');
    await phone.act({ act: 'hang_up' });
    await on.stage.callOver(Number(second));
  });

  it('says nothing at all when it is silent', async () => {
    await phone.whenCalled({ on_call: 'silent' });
    const before = (await on.lines(phone, 'sent')).length;
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    await on.sees(phone, 'the INVITE', () => true);
    await on.stage.entry('sip.out', ({ method, transport }) => method === 'INVITE' && transport === wire);
    await on.stage.act('102', 'hangup');
    await on.stage.callOver(Number(call_id));
    expect((await phone.view()).calls).toEqual([]);
    expect((await on.lines(phone, 'sent')).length).toBe(before);
    expect(await on.lines(phone, 'received')).toContain('INVITE');
  });

  it('holds with a=sendonly and resumes with a=sendrecv', async () => {
    const callId = await talking();
    expect(await phone.act({ act: 'hold' })).toEqual(DONE);
    await on.inCall(phone, 'connected', true);
    expect(await on.stage.inState(callId, 'ON_HOLD')).toMatchObject({ state: 5 });
    const held = on.stage.now;
    expect(await phone.act({ act: 'hold' })).toMatchObject({ done: false });
    expect(await phone.act({ act: 'resume' })).toEqual(DONE);
    await on.inCall(phone, 'connected', false);
    await on.stage.entry('call.state', (data, entry) => entry.callId === callId && data.to === 'CONNECTED', held);
    const described = (await phone.messages()).filter(({ sdp }) => sdp !== undefined);
    expect(described.map(({ direction, sdp }) => `${direction} ${sdp}`).slice(-4)).toEqual([
      'sent sendonly',
      'received recvonly',
      'sent sendrecv',
      'received sendrecv',
    ]);
  });

  it('transfers by REFER and leaves when the target has answered', async () => {
    await on.stage.behave('103', { on_call: 'answer', after_ms: 0 });
    const callId = await talking();
    expect(await phone.act({ act: 'transfer', to: '103' })).toEqual(DONE);
    await on.stage.entry('call.transferred', (_, entry) => entry.callId === callId);
    await on.noCall(phone);
    expect(await on.stage.read(`/calls/${callId}`)).toMatchObject({ src: '102', dst: '103', referred_by: '101' });
    expect(await on.lines(phone, 'sent')).toContain('REFER');
  });

  it('keeps its party when the target of the transfer is busy', async () => {
    await on.stage.behave('103', 'busy');
    const callId = await talking();
    await phone.act({ act: 'transfer', to: '103' });
    await on.stage.entry('sip.in', ({ method, status }) => method === 'NOTIFY' && status === 200);
    await on.inCall(phone, 'connected');
    expect(await on.stage.read(`/calls/${callId}`)).toMatchObject({ state: 4, src: '101', dst: '102' });
    expect(await phone.act({ act: 'digits', digits: '7' })).toEqual(DONE);
  });

  it('presses keys by INFO', async () => {
    const callId = await talking();
    expect(await phone.act({ act: 'digits', digits: '1*#' })).toEqual(DONE);
    const infos = (await phone.messages()).filter(({ method, status }) => method === 'INFO' && status === undefined);
    expect(infos.map(({ text }) => /Signal=(.)/.exec(text)?.[1])).toEqual(['1', '*', '#']);
    expect(on.stage.eventNames(callId).filter((name) => name === 'call.dtmf')).toHaveLength(3);
  });

  it('obeys what REST asks of it: answer, hold, resume', async () => {
    const { call_id } = await on.stage.act('102', 'call', { to: '101' });
    const path = `/calls/${call_id}`;
    await on.inCall(phone, 'ringing');
    expect((await on.stage.api('PATCH', path, { state: 'CONNECTED' })).status).toBe(301);
    await on.inCall(phone, 'connected');
    expect((await on.stage.api('PATCH', path, { state: 'ON_HOLD' })).status).toBe(301);
    await on.inCall(phone, 'connected', true);
    expect(await on.stage.read(path)).toMatchObject({ state: 5 });
    expect((await on.stage.api('PATCH', path, { state: 'CONNECTED' })).status).toBe(301);
    await on.inCall(phone, 'connected', false);
    expect(await on.stage.read(path)).toMatchObject({ state: 4 });
  });

  it('talks to its like; while both hold, the call is on hold until the last resumes', async () => {
    const other = await on.phone(1, { on_call: 'answer' });
    const before = on.stage.now;
    await phone.act({ act: 'call', to: other.number });
    const callId = await on.stage.callBegun(before);
    await on.stage.inState(callId, 'CONNECTED');
    await Promise.all([on.inCall(phone, 'connected'), on.inCall(other, 'connected')]);
    expect(await Promise.all([phone.act({ act: 'hold' }), other.act({ act: 'hold' })])).toEqual([DONE, DONE]);
    await Promise.all([on.inCall(phone, 'connected', true), on.inCall(other, 'connected', true)]);
    await phone.act({ act: 'resume' });
    await on.inCall(phone, 'connected', false);
    expect(await on.stage.read(`/calls/${callId}`)).toMatchObject({ state: 5 });
    await other.act({ act: 'resume' });
    await on.inCall(other, 'connected', false);
    expect(await on.stage.read(`/calls/${callId}`)).toMatchObject({ state: 4 });
    await other.act({ act: 'hang_up' });
    await on.noCall(phone);
  });

  it('holds the call that it turns away from', async () => {
    await talking();
    await on.stage.act('103', 'call', { to: '101' });
    await on.sees(phone, 'two calls', ({ calls }) => calls.map(({ state }) => state).join() === 'connected,ringing');
    expect(await phone.act({ act: 'answer' })).toEqual(DONE);
    const { calls } = await on.sees(
      phone,
      'one of two held',
      (view) => view.calls[0]?.held === true && view.calls[1]?.state === 'connected',
    );
    expect(calls.map(({ peer, held }) => [peer, held])).toEqual([
      ['102', true],
      ['103', false],
    ]);
  });

  it('vanishes without a word, and comes back when it registers', async () => {
    await talking();
    const said = (await phone.messages()).length;
    expect(await phone.act({ act: 'vanish' })).toEqual(DONE);
    expect(await phone.view()).toEqual({ registered: false, calls: [] });
    await on.stage.act('102', 'hangup');
    await on.stage.entry('sip.out', ({ method, transport }) => method === 'BYE' && transport === wire);
    expect(await phone.act({ act: 'hang_up' })).toMatchObject({ done: false, why: /not connected/ });
    expect((await phone.messages()).length).toBe(said);
    expect(await phone.act({ act: 'register' })).toEqual(DONE);
    expect((await phone.view()).registered).toBe(true);
  });

  it('ends its calls when it is closed', async () => {
    const other = await on.phone(2);
    await on.stage.act('102', 'call', { to: '103' });
    await on.inCall(other, 'ringing');
    const callId = await talking();
    await on.driver.close();
    await on.stage.callOver(callId);
    expect((await on.stage.api('GET', '/calls')).body).toMatchObject({ total: 0 });
    expect((await on.lines(phone, 'sent')).slice(-2)).toEqual(['BYE', 'REGISTER']);
    expect(await on.lines(other, 'sent')).toContain('603 INVITE');
  });

  it('cannot be had without the right password, an account, or a server', async () => {
    const { user_id: userId, ext, sip_username: username } = on.stage.user(1);
    const line = { name: 'anna', userId, ext };
    const wrong = on.driver.open({ ...line, sip: { username, password: 'wrong' } }, { on_call: 'ring' });
    await expect(wrong).rejects.toThrow(
      new PhoneTrouble('Registration of the phone anna was answered 401 Unauthorized.'),
    );
    await expect(on.driver.open(line, { on_call: 'ring' })).rejects.toThrow(/names no SIP account for the phone anna/);
    if (wire === 'UDP') return;
    const server = serverOf(wire, on.stage.sip);
    const nobody = sipPhoneDriver({
      domain: 'pbxsim.test',
      server: server.transport === 'ws' ? { ...server, url: 'ws://127.0.0.1:9' } : { ...server, port: 9 },
    });
    await expect(nobody.open({ ...line, sip: { username, password: '' } }, { on_call: 'ring' })).rejects.toThrow(
      /phone anna .*connection refused/,
    );
  });
});
