// What was really heard and what was really sent, after the process has ended and another goes on with its file: the same bytes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heard, interop, probe, strength } from '../media/ffmpeg.rig.ts';
import { ServedFile, type ServedUser } from '../soak/durability/served-file.ts';
import { within } from './sockets-stage.ts';
import { type Surroundings, UdpPhone } from './udp-phone.ts';

type Facts = Readonly<Record<string, unknown>>;

let folder: string;
let path: string;
let served: ServedFile;
let isServed = false;
const phones: UdpPhone[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-sounds-'));
  path = join(folder, 'world.db');
  await start();
});

afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.stop();
  await end('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  served = await ServedFile.start(path);
  isServed = true;
}

async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (isServed) await served.end(signal);
  isServed = false;
}

const user = (index: number): ServedUser => {
  const found = served.ready.users[index];
  if (found === undefined) throw new Error(`there is no user ${index}`);
  return found;
};
const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));
const ask = (method: string, at: string, body?: object) =>
  served.ask(method, at, body, [user(0).user_id, user(0).api_key ?? '']);

async function read<T = Facts[]>(at: string): Promise<T> {
  const { status, body } = await ask('GET', at);
  expect(status, at).toBe(200);
  return body.data as T;
}

async function bytes(at: string): Promise<Buffer> {
  const answer = await served.fetch('GET', at, undefined, [user(0).user_id, user(0).api_key ?? '']);
  expect(answer.status, `${at}: ${answer.bytes.subarray(0, 200)}`).toBe(200);
  return answer.bytes;
}

async function soon<T>(find: () => Promise<T | undefined>, what: string): Promise<T> {
  const look = async (): Promise<T> => {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      await seconds(0.05);
    }
  };
  return within(look(), what);
}

/** Real phones for the first two users, once. */
async function phonesOfTwo(): Promise<readonly [alice: UdpPhone, bob: UdpPhone]> {
  const [host = '', port = ''] = served.ready.sip.udp.split(':');
  const around: Surroundings = { sip: { udp: { host, port: Number(port) } }, user };
  for (let index = phones.length; index < 2; index += 1) {
    const phone = new UdpPhone(around, index);
    await phone.start();
    expect(await phone.register()).toBe(200);
    phones.push(phone);
  }
  return phones as unknown as [UdpPhone, UdpPhone];
}

/** The record that is there when the call is over. */
async function newest(at: string, after: number): Promise<Facts> {
  const found = await soon(async () => (await read(at)).find(({ id }) => Number(id) > after), at);
  await soon(async () => ((await read('/calls')).length === 0 ? true : undefined), 'the end of the call');
  return found;
}
const last = async (at: string): Promise<number> => Math.max(...(await read(at)).map(({ id }) => Number(id)));

/** The first user talks with the second, and what both say is recorded. */
async function recordedTalk(): Promise<Facts> {
  const before = await last('/monitors?limit=5000');
  const [alice, bob] = await phonesOfTwo();
  await alice.call(user(1).ext);
  const hush = [alice.speak(440), bob.speak(1000)];
  const [call] = await read('/calls');
  await ask('PATCH', `/calls/${call?.id}`, { monitor_state: 'start' });
  await seconds(2.3);
  for (const stop of hush) stop();
  alice.session?.end();
  const monitor = await newest('/monitors?limit=5000', before);
  return monitor;
}

/** The first user speaks into the voicemail of the second, who takes no calls. */
async function spokenMessage(): Promise<Facts> {
  const before = await last('/voicemessages?limit=5000');
  const settings = { final_dst_type: 'V', dnd: true };
  expect((await served.ask('PATCH', `/_sim/records/users/${user(1).user_id}`, settings)).status).toBe(200);
  const [alice] = await phonesOfTwo();
  await alice.call(user(1).ext);
  const hush = alice.speak(700);
  await seconds(8);
  hush();
  alice.session?.end();
  const message = await newest('/voicemessages?limit=5000', before);
  return message;
}

/** Rows and bytes that the file holds of sounds and traces, when no process has it. */
function held(): { readonly takes: unknown[]; readonly traces: number; readonly bulks: number } {
  const db = new DatabaseSync(path, { readOnly: true });
  const count = (sql: string) => Number(db.prepare(sql).get()?.n);
  const takes = db.prepare("SELECT key FROM kept WHERE place = 0 AND section = 'takes'").all();
  const found = {
    takes: takes.map(({ key }) => key),
    traces: count("SELECT count(*) AS n FROM kept WHERE place = 0 AND section = 'traces'"),
    bulks: count('SELECT count(DISTINCT id) AS n FROM bulk'),
  };
  db.close();
  return found;
}

describe.runIf(interop).each(['SIGTERM', 'SIGKILL'] as const)('after %s', (signal) => {
  it('a recording and a voice message sound as they did, and the traces of their calls are what was sent', async () => {
    const monitor = await recordedTalk();
    const message = await spokenMessage();
    const cdrs = await read('/cdrs?limit=5000');
    const cdr = cdrs.find(({ live_id }) => live_id === monitor.live_id);
    const msdrs = await read('/msdrs?limit=5000');
    const own = msdrs.slice(-2).map(({ id }) => `/msdrs/${id}`);
    const paths = [
      ...[`/monitors/${monitor.id}.mp3`, `/voicemessages/${message.id}.mp3`],
      ...[`/cdrs/${cdr?.id}.trace`, `/cdrs/${cdr?.id}.pcap`],
      ...own.flatMap((one) => [`${one}.trace`, `${one}.pcap`]),
      ...[`/_sim/calls/${monitor.live_id}/ladder`, `/_sim/calls/${message.live_id}/ladder`],
    ];
    const before: Buffer[] = [];
    for (const one of paths) before.push(await bytes(one));
    await end(signal);
    await start();
    const after: Buffer[] = [];
    for (const one of paths) after.push(await bytes(one));
    expect(paths.filter((_, at) => !after[at]?.equals(before[at] ?? Buffer.alloc(0)))).toEqual([]);

    const [talk, voice, trace] = before as [Buffer, Buffer, Buffer];
    expect(probe(talk)).toMatchObject({ codec: 'mp3', sampleRate: 8000, channels: 1 });
    expect(strength(heard(talk).subarray(4000, 12_000), 440)).toBeGreaterThan(0.05);
    expect(strength(heard(talk).subarray(4000, 12_000), 1000)).toBeGreaterThan(0.05);
    expect(strength(heard(voice).subarray(2000, 6000), 700)).toBeGreaterThan(0.1);
    expect(trace.toString()).toContain('INVITE');
  }, 60_000);
});

describe('what is deleted', () => {
  it('is in the file no more: the sound of a recording and of a voice message', async () => {
    const monitor = await recordedTalk();
    const message = await spokenMessage();
    await end('SIGTERM');
    // A call that goes on to the voicemail is two.
    expect(held()).toEqual({
      takes: [`monitor/${monitor.id}`, `voicemessage/${message.id}`],
      traces: 3,
      bulks: 5,
    });
    await start();
    expect((await ask('DELETE', `/voicemessages/${message.id}`)).status).toBe(204);
    expect((await served.ask('DELETE', `/_sim/records/monitors/${monitor.id}`)).status).toBe(204);
    await end('SIGKILL');
    expect(held()).toEqual({ takes: [], traces: 3, bulks: 3 });
  }, 60_000);
});
