// A queue with real phones: music while one waits, the agent's own sound before the two hear each other, keys in the sound.
import { afterEach, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { strength } from '../media/ffmpeg.rig.ts';
import { type Facts, SocketStage } from './sockets-stage.ts';
import { UdpPhone } from './udp-phone.ts';

let stage: SocketStage;
const phones: UdpPhone[] = [];
const speaking: Array<() => void> = [];

afterEach(async () => {
  for (const hush of speaking.splice(0)) hush();
  for (const phone of phones.splice(0)) await phone.stop();
  await stage.close();
});

/** A caller's and an agent's phone, and the number of a queue with that agent. */
async function open(settings: () => Facts): Promise<[caller: UdpPhone, agent: UdpPhone, number: string]> {
  stage = await SocketStage.open({ clock: 'manual' });
  for (const index of [0, 1]) {
    const phone = new UdpPhone(stage, index, 101);
    await phone.start();
    expect(await phone.register()).toBe(200);
    phones.push(phone);
  }
  const { queues } = stage.simulator.world.store;
  const [queue] = [...queues.list(stage.user(0).customer_id)];
  queues.update(queue?.id ?? 0, { pos_ann: false, hash_to_exit: false, ...settings() });
  return [...phones, String(queue?.number)] as [UdpPhone, UdpPhone, string];
}

const advance = (ms: number): unknown => stage.simulator.clock.advanceTo(stage.simulator.clock.now() + ms);

describe('a queue with real phones', () => {
  it('plays music to the caller, something else to the agent, and then lets them hear each other', async () => {
    const [caller, agent, number] = await open(() => ({
      agent_sounds: 'connecting',
      users: [{ id: stage.user(1).user_id, status: true }],
    }));
    await caller.call(number);
    await agent.rung;
    // The agent listens, for two seconds and a half.
    caller.heard.length = 0;
    await caller.hears(40);
    // The first notes of the music.
    expect(strength(caller.sound.subarray(800, 3600), 261.63)).toBeGreaterThan(0.02);
    speaking.push(agent.speak(440));
    caller.heard.length = 0;
    await caller.hears(20);
    expect(strength(caller.sound, 440)).toBeLessThan(0.01);
    advance(2500);
    await stage.entry('call.state', ({ to }) => to === 'CONNECTED');
    await caller.hears(25);
    caller.heard.length = 0;
    await caller.hears(25);
    expect(strength(caller.sound, 440)).toBeGreaterThan(0.2);
  });

  it('is left with the hash in the sound (RFC 4733)', async () => {
    const [caller, , number] = await open(() => ({
      users: [],
      hash_to_exit: true,
      final_dst_type: 7,
      final_dst_id: 0,
    }));
    await caller.call(number);
    caller.press('#');
    const end = await stage.entry('call.closed', () => true);
    expect(dataOf(end)).toMatchObject({ cause: 'Normal clearing' });
    const [cdr] = stage.simulator.world.store.cdrs.find('live_id', end.callId ?? 0);
    expect(cdr).toMatchObject({ context: 'QUEUE', type: 'M' });
  });
});
