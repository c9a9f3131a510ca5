// What real phones hear of a supervisor, and what it hears: listening, whispering, barging in, on hold; what the recording has of it.
import { afterEach, describe, expect, it } from 'vitest';
import { heard, interop, strength } from '../media/ffmpeg.rig.ts';
import { SocketStage } from './sockets-stage.ts';
import { UdpPhone } from './udp-phone.ts';

let stage: SocketStage;
const phones: UdpPhone[] = [];
const speaking: Array<() => void> = [];

afterEach(async () => {
  for (const hush of speaking.splice(0)) hush();
  for (const phone of phones.splice(0)) await phone.stop();
  await stage.close();
});

const HERTZ = [440, 880, 1320];

/** The third may listen to the first; these have real phones. */
async function supervised(real = [0, 1, 2]): Promise<UdpPhone[]> {
  stage = await SocketStage.open();
  const { store } = stage.simulator.world;
  for (const index of [0, 1, 2]) store.users.update(stage.user(index).user_id, { groups: [1], monitor: 'N' });
  store.users.update(stage.user(2).user_id, { call_barge_allowed: true });
  store.users.update(stage.user(0).user_id, { monitor: 'A' });
  for (const index of real) {
    const phone = new UdpPhone(stage, index);
    await phone.start();
    expect(await phone.register()).toBe(200);
    phones.push(phone);
  }
  return phones;
}

/** They speak while they are in a call, a tone each. */
const speak = (index: number, phone: UdpPhone): void => void speaking.push(phone.speak(HERTZ[index] ?? 0));

/** All three talk on real phones, the third as the supervisor. */
async function watched(): Promise<readonly [alice: UdpPhone, bob: UdpPhone, carol: UdpPhone]> {
  const [alice, bob, carol] = (await supervised()) as [UdpPhone, UdpPhone, UdpPhone];
  await alice.call(stage.user(1).ext);
  await carol.call(code());
  [alice, bob, carol].forEach((phone, index) => {
    speak(index, phone);
  });
  return [alice, bob, carol];
}

/** Which of the three tones each hears in the next half a second. */
async function heardBy(...listening: readonly UdpPhone[]): Promise<number[][]> {
  await Promise.all(listening.map((phone) => phone.hears(12)));
  for (const phone of listening) phone.heard.length = 0;
  await Promise.all(listening.map((phone) => phone.hears(25)));
  return listening.map(({ sound }) => HERTZ.filter((hertz) => strength(sound, hertz) > 0.1));
}

const code = (): string => `*33${stage.user(0).ext}`;

/** Presses the key in its sound, and waits until the exchange has done what it says. */
async function press(supervisor: UdpPhone, key: string, word: string): Promise<void> {
  const from = stage.now;
  supervisor.press(key);
  await stage.entry('supervision.changed', ({ heard_by }) => heard_by === word, from);
}

describe('a supervisor on a real phone', () => {
  it('hears both; whispers to one; speaks to both; and is not heard when it listens again', async () => {
    const [alice, bob, carol] = await watched();
    expect(await heardBy(alice, bob, carol)).toEqual([[880], [440], [440, 880]]);
    await press(carol, '5', 'one');
    expect(await heardBy(alice, bob, carol)).toEqual([[880, 1320], [440], [440, 880]]);
    await press(carol, '6', 'both');
    expect(await heardBy(alice, bob, carol)).toEqual([
      [880, 1320],
      [440, 1320],
      [440, 880],
    ]);
    await press(carol, '4', 'nobody');
    expect(await heardBy(alice, bob, carol)).toEqual([[880], [440], [440, 880]]);
    carol.session?.end();
    await stage.entry('supervision.ended', () => true);
    expect(await heardBy(alice, bob)).toEqual([[880], [440]]);
  });

  it('is heard by nobody while the call is on hold, and by both again afterwards', async () => {
    const [alice, bob, carol] = await watched();
    await press(carol, '6', 'both');
    expect(await alice.offer('sendonly')).toBe(200);
    expect(await heardBy(bob)).toEqual([[]]);
    expect(await alice.offer('sendrecv')).toBe(200);
    expect(await heardBy(alice, bob)).toEqual([
      [880, 1320],
      [440, 1320],
    ]);
  });

  it('hears a voice in the place of each phone within this process', async () => {
    const [carol] = (await supervised([2])) as [UdpPhone];
    await stage.behave(stage.user(1).ext, { on_call: 'answer', after_ms: 0 });
    await stage.act(stage.user(0).ext, 'call', { to: stage.user(1).ext });
    await stage.entry('call.state', ({ to }) => to === 'CONNECTED');
    await carol.call(code());
    await carol.hears(50);
    expect(strength(carol.sound, 330)).toBeGreaterThan(0.05);
  });

  it('hears the real one and a voice in the place of the other', async () => {
    const [alice, carol] = (await supervised([0, 2])) as [UdpPhone, UdpPhone];
    await stage.behave(stage.user(1).ext, { on_call: 'answer', after_ms: 0 });
    await alice.call(stage.user(1).ext);
    await carol.call(code());
    speak(0, alice);
    await carol.hears(20);
    carol.heard.length = 0;
    await carol.hears(50);
    expect(strength(carol.sound, 330)).toBeGreaterThan(0.05);
    expect(strength(carol.sound, 440)).toBeGreaterThan(0.1);
  });
});

describe.runIf(interop)('the recording of a watched call', () => {
  it.each([
    ['5', 'one', [440, 880]],
    ['6', 'both', [440, 880, 1320]],
  ] as const)('has a supervisor after key %s as both parties hear it (%s)', async (key, word, tones) => {
    const [alice, , carol] = await watched();
    const { customer_id, user_id, api_key } = stage.user(0);
    const { monitors } = stage.simulator.world.store;
    const before = new Set([...monitors.list(customer_id)].map(({ id }) => id));
    await press(carol, key, word);
    await heardBy(alice);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    alice.session?.end();
    await stage.entry('recording.ended', () => true);
    const [made] = [...monitors.list(customer_id)].filter(({ id }) => !before.has(id));
    const authorization = `Basic ${Buffer.from(`${user_id}:${api_key}`).toString('base64')}`;
    const response = await fetch(`${stage.root}/v1.1/pbx/monitors/${made?.id}.mp3`, { headers: { authorization } });
    const samples = heard(new Uint8Array(await response.arrayBuffer())).subarray(-9000, -1000);
    expect(HERTZ.filter((hertz) => strength(samples, hertz) > 0.1)).toEqual(tones);
  });
});
