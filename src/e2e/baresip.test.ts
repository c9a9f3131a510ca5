// Interop with baresip, a packaged softphone, through the real command: it registers, calls and is called, holds, transfers, presses keys.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { heard, strength } from '../media/ffmpeg.rig.ts';
import { BaresipPhone } from './baresip-phone.ts';
import { type Collection, eventually, ServedSimulator, type ServedUser } from './sipp-served.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';
if (!interop) console.log('PBXSIM_INTEROP=off: the interop tests with baresip are left out.');

/** Published numbers of a live call's state. */
const CONNECTED = 4;
const ON_HOLD = 5;

interface LiveCall {
  readonly id: number;
  readonly state: number;
  readonly dst: string;
  readonly src_ua: string;
  readonly src_codec: string;
}

interface Entry {
  readonly kind: string;
  readonly data: { readonly name?: string; readonly payload?: { readonly [member: string]: unknown } };
}

describe.runIf(interop)('baresip', () => {
  let simulator: ServedSimulator;
  const open: BaresipPhone[] = [];

  beforeAll(async () => {
    simulator = await ServedSimulator.start('--history', '0');
  });
  afterEach(async () => {
    for (const phone of open.splice(0)) await phone.close();
  });
  afterAll(async () => {
    await simulator.stop();
  });

  function user(index: number): ServedUser {
    const found = simulator.ready.users[index];
    if (found === undefined) throw new Error(`the ready line has no user ${index}`);
    return found;
  }

  async function phoneOf(index: number, toneHz = 440): Promise<BaresipPhone> {
    const { sip_username: username, sip_password: password } = user(index);
    const phone = await BaresipPhone.open({ username, password, registrar: simulator.ready.sip.udp, toneHz });
    open.push(phone);
    return phone;
  }

  /** What the user of a handset does. */
  async function act(index: number, what: object): Promise<void> {
    const { status, body } = await simulator.control('POST', `/phones/${user(index).ext}/acts`, what);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  const uriOf = (index: number): string => `sip:${user(index).ext}@${simulator.ready.sip.udp}`;

  async function calls(): Promise<readonly LiveCall[]> {
    return (await simulator.api<Collection<LiveCall>>(user(0), 'GET', '/calls')).body.data;
  }

  /** The names of the call's events so far. */
  async function eventsOf(callId: number): Promise<readonly string[]> {
    const { body } = await simulator.control<{ readonly data: readonly Entry[] }>(
      'GET',
      `/journal?kind=event&call_id=${callId}&limit=100`,
    );
    return body.data.map(({ data }) => data.name ?? '');
  }

  it('registers, calls a handset, holds, resumes and hangs up', async () => {
    const phone = await phoneOf(0);
    const { body: me } = await simulator.api<{ readonly data: { readonly nb_sip_locations: number } }>(
      user(0),
      'GET',
      `/users/${user(0).user_id}`,
    );
    expect(me.data.nb_sip_locations).toBe(1);
    await simulator.behave(user(1).ext, { on_call: 'answer', after_ms: 50 });
    await phone.command('dial', uriOf(1));
    await phone.says('CALL_ESTABLISHED');
    const [call] = await eventually(calls, (live) => live[0]?.state === CONNECTED);
    expect(call).toMatchObject({ dst: user(1).ext, src_codec: 'PCMU' });
    expect(call?.src_ua).toMatch(/^baresip v/);
    await phone.command('hold');
    await eventually(calls, (live) => live[0]?.state === ON_HOLD);
    await phone.command('resume');
    await eventually(calls, (live) => live[0]?.state === CONNECTED);
    await phone.command('hangup');
    await eventually(calls, (live) => live.length === 0);
    expect(await eventsOf(call?.id ?? 0)).toEqual([
      'call.initial',
      'call.ringing',
      'call.connected',
      'call.hold',
      'call.unhold',
      'call.hangup',
    ]);
  });

  it('is called, answers, and is hung up on', async () => {
    const phone = await phoneOf(0);
    await act(1, { act: 'call', to: user(0).ext });
    await phone.says('CALL_INCOMING');
    await phone.command('accept');
    const [call] = await eventually(calls, (live) => live[0]?.state === CONNECTED);
    await act(1, { act: 'hangup' });
    await phone.says('CALL_CLOSED');
    await eventually(calls, (live) => live.length === 0);
    expect((await eventsOf(call?.id ?? 0)).at(-1)).toBe('call.hangup');
  });

  it('refuses a call: the caller is told that it is busy', async () => {
    const phone = await phoneOf(0);
    await act(1, { act: 'call', to: user(0).ext });
    await phone.says('CALL_INCOMING');
    const [call] = await calls();
    await phone.command('hangup');
    await eventually(calls, (live) => live.length === 0);
    expect((await eventsOf(call?.id ?? 0)).at(-1)).toBe('call.missed');
  });

  it('transfers its party by REFER and hears how that goes', async () => {
    const phone = await phoneOf(0);
    await simulator.behave(user(2).ext, { on_call: 'answer', after_ms: 50 });
    await phone.command('dial', uriOf(1));
    await phone.says('CALL_ESTABLISHED');
    const [call] = await eventually(calls, (live) => live[0]?.state === CONNECTED);
    await phone.command('transfer', uriOf(2));
    await phone.says('CALL_CLOSED');
    const [transferred] = await eventually(calls, (live) => live[0]?.dst === user(2).ext);
    expect(transferred?.id).toBe(call?.id);
    await simulator.api(user(0), 'DELETE', `/calls/${call?.id}`);
    await eventually(calls, (live) => live.length === 0);
  });

  it('presses keys in its sound, and the webhooks hear of each once', async () => {
    const phone = await phoneOf(0);
    await phone.command('dial', uriOf(1));
    await phone.says('CALL_ESTABLISHED');
    const [call] = await eventually(calls, (live) => live[0]?.state === CONNECTED);
    for (const key of ['4', '2', '#']) {
      await phone.command('sndcode', key);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const heard = await eventually(
      () => eventsOf(call?.id ?? 0),
      (names) => names.length >= 6,
    );
    expect(heard.slice(3)).toEqual(['call.dtmf', 'call.dtmf', 'call.dtmf']);
    await phone.command('hangup');
    await eventually(calls, (live) => live.length === 0);
  });

  it('is heard in the recording, and so is the softphone that it speaks to', async () => {
    const [first, second] = [await phoneOf(0, 440), await phoneOf(1, 880)];
    await simulator.control('PATCH', `/records/users/${user(0).user_id}`, { monitor: 'A' });
    await first.command('dial', uriOf(1));
    await second.says('CALL_INCOMING');
    await second.command('accept');
    await first.says('CALL_ESTABLISHED');
    const [call] = await eventually(calls, (live) => live[0]?.state === CONNECTED);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await first.command('hangup');
    await eventually(calls, (live) => live.length === 0);
    const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: call?.id }]));
    const { body } = await simulator.api<Collection<{ readonly id: number }>>(
      user(0),
      'GET',
      `/monitors?filter=${filter}`,
    );
    const samples = heard(await simulator.file(user(0), `/monitors/${body.data[0]?.id}.mp3`));
    expect(samples.length).toBeGreaterThan(8_000);
    const spoken = samples.subarray(4_000);
    expect(strength(spoken, 440)).toBeGreaterThan(0.05);
    expect(strength(spoken, 880)).toBeGreaterThan(0.05);
    expect(strength(spoken, 620)).toBeLessThan(0.01);
  });
});
