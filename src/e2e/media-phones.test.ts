// What real phones hear and say, and what becomes of it: keys, music, recordings, voice messages, and silence.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { heard, interop, loudness, madeByFfmpeg, strength } from '../media/ffmpeg.rig.ts';
import type { SimulatorOptions } from '../simulator.ts';
import { type Facts, SocketStage, until } from './sockets-stage.ts';
import { UdpPhone } from './udp-phone.ts';

let stage: SocketStage;
const phones: UdpPhone[] = [];
const speaking: Array<() => void> = [];

afterEach(async () => {
  for (const hush of speaking.splice(0)) hush();
  for (const phone of phones.splice(0)) await phone.stop();
  await stage.close();
});

/** Real phones for the first users: the first one numbers keys as 97. */
async function open(count: number, options: SimulatorOptions = {}): Promise<UdpPhone[]> {
  stage = await SocketStage.open(options);
  for (let index = 0; index < count; index += 1) {
    const phone = new UdpPhone(stage, index, index === 0 ? 97 : 101);
    await phone.start();
    expect(await phone.register()).toBe(200);
    phones.push(phone);
  }
  return phones;
}

async function talking(options: SimulatorOptions = {}): Promise<[alice: UdpPhone, bob: UdpPhone]> {
  const [alice, bob] = (await open(2, options)) as [UdpPhone, UdpPhone];
  await alice.call(stage.user(1).ext);
  return [alice, bob];
}

const speaks = (phone: UdpPhone, hertz: number): void => void speaking.push(phone.speak(hertz));
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));

const advance = (ms: number): unknown => stage.simulator.clock.advanceTo(stage.simulator.clock.now() + ms);
const change = (index: number, members: Facts): unknown =>
  stage.simulator.world.store.users.update(stage.user(index).user_id, members);

async function sound(path: string): Promise<Float32Array> {
  const { user_id, api_key } = stage.user(0);
  const authorization = `Basic ${Buffer.from(`${user_id}:${api_key}`).toString('base64')}`;
  const response = await fetch(`${stage.root}/v1.1/pbx${path}`, { headers: { authorization } });
  expect(response.status).toBe(200);
  return heard(new Uint8Array(await response.arrayBuffer()));
}

describe('keys in the sound (RFC 4733)', () => {
  it('raise the event, once each, and reach the other phone under its own number', async () => {
    const [alice, bob] = await talking();
    alice.press('5');
    await stage.entry('event', ({ payload }) => (payload as Facts | undefined)?.digit === '5');
    const arrived = alice.hears(1);
    bob.press('#');
    await stage.entry('event', ({ payload }) => (payload as Facts | undefined)?.digit === '#');
    await arrived;
    const told = stage.simulator.journal
      .query({ kind: 'event' })
      .map((entry) => dataOf(entry) as { name: string; payload: Facts })
      .filter(({ name }) => name === 'call.dtmf');
    expect(told.map(({ payload }) => payload.digit)).toEqual(['5', '#']);
    expect([alice.payloadTypes, bob.payloadTypes]).toEqual([[97], [101]]);
    const out = stage.simulator.journal.query({ kind: 'sip.out' });
    expect(out.filter((entry) => JSON.stringify(dataOf(entry)).includes('Signal='))).toEqual([]);
  });

  it('go to a phone that refuses SIP INFO, whatever way they came', async () => {
    const [, bob] = (await open(2)) as [UdpPhone, UdpPhone];
    const { ext } = stage.user(2);
    await stage.act(ext, 'call', { to: stage.user(1).ext });
    await bob.rung;
    await stage.entry('call.state', ({ to }) => to === 'CONNECTED');
    await stage.act(ext, 'digits', { digits: '8' });
    await until(
      () => bob.keys.find((key) => key === '8'),
      (changed) => {
        bob.rtp.on('message', changed);
        return () => bob.rtp.off('message', changed);
      },
      'the key in the sound of the phone',
    );
    expect(bob.keys).toEqual(['8']);
  });

  it('reach a phone within this process by SIP INFO', async () => {
    const [alice] = (await open(1)) as [UdpPhone];
    await stage.behave(stage.user(2).ext, { on_call: 'answer', after_ms: 0 });
    await alice.call(stage.user(2).ext);
    alice.press('9');
    const info = await stage.entry('sip.out', (data) => JSON.stringify(data).includes('Signal=9'));
    expect(info.callId).not.toBeNull();
  });
});

describe('what a real phone hears', () => {
  it('is music while it is held, and the other one again afterwards', async () => {
    const [alice, bob] = await talking();
    speaks(alice, 440);
    await bob.hears(10);
    expect(await alice.offer('sendonly')).toBe(200);
    bob.heard.length = 0;
    await bob.hears(50);
    // The first two notes of the music.
    expect(strength(bob.sound.subarray(800, 3600), 261.63)).toBeGreaterThan(0.02);
    expect(strength(bob.sound, 440)).toBeLessThan(0.005);
    expect(await alice.offer('sendrecv')).toBe(200);
    bob.heard.length = 0;
    await bob.hears(25);
    expect(strength(bob.sound, 440)).toBeGreaterThan(0.2);
  });

  it('is a voice where the other party is a phone within this process', async () => {
    const [alice] = (await open(1)) as [UdpPhone];
    await stage.behave(stage.user(2).ext, { on_call: 'answer', after_ms: 0 });
    await alice.call(stage.user(2).ext);
    await alice.hears(50);
    expect(strength(alice.sound, 330)).toBeGreaterThan(0.05);
  });

  it('is itself at the echo test', async () => {
    const [alice] = (await open(1, { clock: 'manual' })) as [UdpPhone];
    await alice.call('*43');
    await alice.hears(10);
    advance(4000);
    speaks(alice, 440);
    await alice.hears(25);
    alice.heard.length = 0;
    await alice.hears(25);
    expect(strength(alice.sound, 440)).toBeGreaterThan(0.2);
  });
});

describe.runIf(interop)('a prompt', () => {
  const path = process.env.PATH;
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-voice-'));
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  it('is spoken where the machine can speak', async () => {
    // A voice that says 440 Hz, whatever it is told.
    writeFileSync(join(folder, 'spoken.wav'), madeByFfmpeg('a.wav', 4));
    writeFileSync(join(folder, 'espeak-ng'), `#!/bin/sh\ncp ${folder}/spoken.wav "$3"\n`);
    chmodSync(join(folder, 'espeak-ng'), 0o755);
    process.env.PATH = `${folder}${delimiter}${path}`;
    const [alice] = (await open(1, { clock: 'manual' })) as [UdpPhone];
    // A busy machine speaks too late for the first caller, who hears the melody after half a second of silence.
    for (let tries = 0; tries < 10; tries += 1) {
      await alice.call('*43');
      alice.heard.length = 0;
      await alice.hears(60);
      if (strength(alice.sound.subarray(-4000), 440) > 0.05) break;
      alice.session?.end();
    }
    expect(strength(alice.sound.subarray(-4000), 440)).toBeGreaterThan(0.05);
    expect(strength(alice.sound.subarray(-4000), 523.25)).toBeLessThan(0.01);
  });
});

describe('a conference', () => {
  it('lets each hear the others and not itself', async () => {
    const [alice, bob, carol] = (await open(3)) as [UdpPhone, UdpPhone, UdpPhone];
    const { conferences } = stage.simulator.world.store;
    const [room] = [...conferences.list(stage.user(0).customer_id)];
    conferences.update(room?.id ?? 0, { pin: '', pin_pstn: '', ann_join_leave: false, monitor: false });
    change(3, { dnd: true, final_dst_type: 'C', final_dst_id: room?.id });
    for (const phone of [alice, bob, carol]) await phone.call(stage.user(3).ext);
    speaks(alice, 440);
    speaks(bob, 880);
    await carol.hears(25);
    for (const { heard: packets } of phones) packets.length = 0;
    await Promise.all([alice, bob, carol].map((phone) => phone.hears(40)));
    const loud = ({ sound: samples }: UdpPhone): boolean[] => [440, 880].map((hertz) => strength(samples, hertz) > 0.1);
    expect([loud(alice), loud(bob), loud(carol)]).toEqual([
      [false, true],
      [true, false],
      [true, true],
    ]);
  });
});

describe.runIf(interop)('a conference with phones within this process', () => {
  it('lets a real phone hear a voice for each, in turn, and has them in its recording', async () => {
    const [alice] = (await open(1)) as [UdpPhone];
    const { conferences, monitors } = stage.simulator.world.store;
    const { customer_id } = stage.user(0);
    const [room] = [...conferences.list(customer_id)];
    conferences.update(room?.id ?? 0, { pin: '', pin_pstn: '', ann_join_leave: false, monitor: true });
    change(3, { dnd: true, final_dst_type: 'C', final_dst_id: room?.id });
    for (const index of [1, 2]) await stage.act(stage.user(index).ext, 'call', { to: String(room?.confno) });
    const before = new Set([...monitors.list(customer_id)].map(({ id }) => id));
    await alice.call(stage.user(3).ext);
    for (const packets of [200, 200]) await alice.hears(packets);
    // One speaks for 2.4 s, then the other one, then nobody: 8 s have both, and never together.
    const halves = Array.from({ length: 16 }, (_, at) => alice.sound.subarray(at * 4000, (at + 1) * 4000));
    const [first, second] = [220, 330].map((hertz) => halves.map((half) => strength(half, hertz) > 0.05));
    expect(first?.filter((isHeard) => isHeard).length).toBeGreaterThanOrEqual(3);
    expect(second?.filter((isHeard) => isHeard).length).toBeGreaterThanOrEqual(3);
    expect(halves.filter((_, at) => !first?.[at] && !second?.[at]).length).toBeGreaterThanOrEqual(3);
    alice.session?.end();
    await stage.entry('recording.ended', () => true);
    const [made] = [...monitors.list(customer_id)].filter(({ id }) => !before.has(id));
    const samples = await sound(`/monitors/${made?.id}.mp3`);
    expect([220, 330].map((hertz) => strength(samples, hertz) > 0.02)).toEqual([true, true]);
  });
});

describe.runIf(interop)('what was said', () => {
  it('is in the recording of a call: both voices', async () => {
    const [alice, bob] = (await open(2)) as [UdpPhone, UdpPhone];
    change(1, { monitor: 'A' });
    const before = new Set(
      [...stage.simulator.world.store.monitors.list(stage.user(0).customer_id)].map(({ id }) => id),
    );
    await alice.call(stage.user(1).ext);
    speaks(alice, 440);
    speaks(bob, 880);
    await seconds(2.2);
    alice.session?.end();
    await stage.entry('call.closed', () => true);
    const made = [...stage.simulator.world.store.monitors.list(stage.user(0).customer_id)].filter(
      ({ id }) => !before.has(id),
    );
    expect(made).toMatchObject([{ duration: 2 }]);
    const samples = (await sound(`/monitors/${made[0]?.id}.mp3`)).subarray(2000, 14_000);
    expect(strength(samples, 440)).toBeGreaterThan(0.1);
    expect(strength(samples, 880)).toBeGreaterThan(0.1);
    // Nothing of the pattern of calls in memory.
    expect(strength(samples, 330)).toBeLessThan(0.01);
  });

  it('is in the voice message, as long as the record says', async () => {
    const [alice] = (await open(1, { clock: 'manual' })) as [UdpPhone];
    const { user_id } = stage.user(1);
    change(1, { dnd: true, final_dst_type: 'V', final_dst_id: user_id });
    await alice.call(stage.user(1).ext);
    advance(5400);
    speaks(alice, 440);
    await seconds(1.5);
    advance(5000);
    alice.session?.end();
    await stage.entry('call.closed', () => true);
    const kept = dataOf(await stage.entry('voicemessage.kept', () => true)) as { id: number; duration: number };
    expect(kept.duration).toBe(5);
    const samples = await sound(`/voicemessages/${kept.id}.mp3`);
    expect(Math.round(samples.length / 8000)).toBe(5);
    expect(strength(samples.subarray(3000, 11_000), 440)).toBeGreaterThan(0.1);
    expect(loudness(samples.subarray(20_000))).toBeLessThan(0.01);
  });
});

describe('a phone that goes silent', () => {
  it('is hung up on, and so is the other one; the record says why', async () => {
    const [alice, bob] = await talking({ silenceS: 1 });
    const hush = alice.speak(440);
    speaks(bob, 880);
    await bob.hears(10);
    const begun = stage.now;
    await bob.hears(60);
    hush();
    const silent = await stage.entry('media.silent', () => true, begun);
    expect(dataOf(silent)).toEqual({ by: 'caller', seconds: 1 });
    const closed = await stage.entry('call.closed', () => true);
    expect(dataOf(closed)).toEqual({ cause: 'Media timeout', q850: 102, terminated_by: null });
    expect(await stage.cdr(closed.callId ?? 0)).toMatchObject({ t_cause: 'Media timeout', disposition: 'CONNECTED' });
  });

  it('may be silent while it holds the other', async () => {
    const [alice, bob] = await talking({ silenceS: 1 });
    alice.speak(440)();
    speaks(bob, 880);
    await bob.hears(1);
    await alice.offer('sendonly');
    await seconds(1.5);
    expect(stage.simulator.journal.query({ kind: 'media.silent' })).toEqual([]);
    expect(stage.simulator.world.exchange.liveCalls(stage.user(0).customer_id)).toHaveLength(1);
  });
});
