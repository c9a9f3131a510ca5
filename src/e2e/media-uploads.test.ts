// What users have uploaded and written is what real phones hear: greetings, sounds of menus and queues, the words of a lead call.
import { afterEach, describe, expect, it } from 'vitest';
import { interop, madeByFfmpeg, strength } from '../media/ffmpeg.rig.ts';
import { toneFile } from '../media/wav.rig.ts';
import { SocketStage } from './sockets-stage.ts';
import { UdpPhone } from './udp-phone.ts';

let stage: SocketStage;
let alice: UdpPhone;

/** A simulator, and a phone of its first user. `path`: where the simulator looks for programs that speak and decode. */
async function open(path = process.env.PATH ?? ''): Promise<void> {
  const before = process.env.PATH;
  process.env.PATH = path;
  stage = await SocketStage.open({ clock: 'manual' });
  process.env.PATH = before;
  alice = new UdpPhone(stage, 0, 101);
  await alice.start();
  expect(await alice.register()).toBe(200);
}

afterEach(async () => {
  await alice.stop();
  await stage.close();
});

/** Three seconds of a tone: 16 bits, one channel, 8000 a second. */
const wav = (hertz: number): Buffer => toneFile(hertz, 3, 12_000);

async function upload(file: Uint8Array, audio_type: 'WAV' | 'MP3' = 'WAV'): Promise<number> {
  const body = { data: Buffer.from(file).toString('base64'), audio_type, description: 'Tone' };
  const made = await stage.api('POST', '/vmannouncements', body);
  expect(made.status).toBe(201);
  return Number((made.body.data as { id: number }).id);
}

/** What the phone hears in so many packets from now on. */
async function ear(packets: number): Promise<Float32Array> {
  await alice.hears(packets);
  return alice.sound;
}

const update = (index: number, members: object): unknown =>
  stage.simulator.world.store.users.update(stage.user(index).user_id, members);

describe('an upload', () => {
  it('is the greeting of a voicemail box', async () => {
    await open();
    const vm_announcement_id = await upload(wav(700));
    const { user_id, ext } = stage.user(1);
    update(1, { dnd: true, final_dst_type: 'V', final_dst_id: user_id, vm_announcement_id });
    await alice.call(ext);
    expect(strength(await ear(50), 700)).toBeGreaterThan(0.2);
  });

  it('is the announcement of follow-me', async () => {
    await open();
    const fm_announcement_id = await upload(wav(820));
    const follow = { fm: true, fm_allowed: true, fm_init_ring_time: 0, fm_targets: ['+442079460002'] };
    update(1, { ...follow, fm_announcement_enabled: true, fm_announcement_id });
    await alice.call(stage.user(1).ext);
    expect(strength(await ear(50), 820)).toBeGreaterThan(0.2);
  });

  it('is what an IVR says', async () => {
    await open();
    const sounds = String(await upload(wav(940)));
    const { ivrs } = stage.simulator.world.store;
    const [menu] = [...ivrs.list(stage.user(0).customer_id)];
    ivrs.update(menu?.id ?? 0, { sounds });
    await alice.call(String(menu?.number));
    expect(strength(await ear(50), 940)).toBeGreaterThan(0.2);
  });

  it('is what a queue says to who comes', async () => {
    await open();
    const id = await upload(wav(1130));
    const { queues } = stage.simulator.world.store;
    const [queue] = [...queues.list(stage.user(0).customer_id)];
    queues.update(queue?.id ?? 0, { users: [], join_empty: true, caller_sounds: `[${id}]` });
    await alice.call(String(queue?.number));
    expect(strength(await ear(50), 1130)).toBeGreaterThan(0.2);
  });

  it.runIf(interop)('is decoded where it is an MP3', async () => {
    await open();
    const sounds = String(await upload(madeByFfmpeg('a.mp3', 4, '-c:a', 'libmp3lame'), 'MP3'));
    const { ivrs } = stage.simulator.world.store;
    const [menu] = [...ivrs.list(stage.user(0).customer_id)];
    ivrs.update(menu?.id ?? 0, { sounds });
    // A busy machine decodes too late for the first caller, who hears a melody after half a second of silence.
    for (let tries = 0; tries < 10; tries += 1) {
      alice.heard.length = 0;
      await alice.call(String(menu?.number));
      if (strength((await ear(60)).subarray(-4000), 440) > 0.05) break;
      alice.session?.end();
    }
    expect(strength(alice.sound.subarray(-4000), 440)).toBeGreaterThan(0.05);
  });
});

describe('the words of a lead call', () => {
  it('are heard by the agent before the lead is called: a melody in the agent’s language where nobody speaks', async () => {
    await open('');
    update(0, { language: 'de' });
    const lead = { to: stage.user(0).ext, caller_id: '+442079460999', tts: 'Eine neue Anfrage aus Berlin.' };
    expect((await stage.api('POST', '/leadcalls', lead)).status).toBe(201);
    await alice.rung;
    const heard = await ear(50);
    // German is 2 in the table of languages: 1200 Hz and twice 70, for 0.3 s.
    expect(strength(heard.subarray(0, 2400), 1340)).toBeGreaterThan(0.15);
    expect(strength(heard.subarray(2600, 8000), 1340)).toBeLessThan(0.01);
    const before = stage.simulator.journal.query({ kind: 'sip.out' }).length;
    stage.simulator.clock.advanceTo(stage.simulator.clock.now() + 5000);
    expect(stage.simulator.journal.query({ kind: 'sip.out' }).length).toBeGreaterThan(before);
  });
});
