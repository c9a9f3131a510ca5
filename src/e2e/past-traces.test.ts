// History that the simulator started with, over HTTP: its ladder, and its capture as tshark reads it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingFile, voiceMessageFile } from '../api/sound-files.ts';
import { pcapFile, traceFile, traceOfDialog } from '../api/trace-files.ts';
import { mp3Bytes } from '../contract/recording-format.ts';
import type { Cdr } from '../contract/resources/history.ts';
import { parseUtc } from '../kernel/time.ts';
import { Recordings } from '../media/recordings.ts';
import { SocketStage } from './sockets-stage.ts';
import { interop, tshark } from './tshark.ts';

let stage: SocketStage;
let calls: Cdr[];

beforeAll(async () => {
  stage = await SocketStage.open({ clock: 'manual' });
  calls = [...stage.simulator.world.store.cdrs.list(1)];
});

afterAll(() => stage.close());

function callWhere(is: (cdr: Cdr) => boolean): Cdr {
  const found = calls.find(is);
  if (found === undefined) throw new Error('the seed world has no such call');
  return found;
}

async function file(path: string): Promise<Buffer> {
  const { user_id, api_key } = stage.user(0);
  const authorization = `Basic ${Buffer.from(`${user_id}:${api_key}`).toString('base64')}`;
  const response = await fetch(`${stage.root}/v1.1/pbx${path}`, { headers: { authorization } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const isAnswered = ({ disposition, destination }: Cdr): boolean => disposition === 'CONNECTED' && destination === 'in';

describe('a call of the past', () => {
  it('has a ladder that begins when it was placed', async () => {
    const cdr = callWhere(isAnswered);
    const text = (await file(`/cdrs/${cdr.id}.trace`)).toString();
    expect(text).toContain(`${cdr.live_id}`);
    expect(text).toMatch(
      /INVITE \(SDP\)[\s\S]*180 Ringing[\s\S]*200 OK \(SDP\)[\s\S]*CONNECTED[\s\S]*BYE[\s\S]*HANGUP/,
    );
    expect((await file(`/cdrs/${cdr.id}.trace`)).toString()).toBe(text);
  });
});

describe('a media session of the past', () => {
  it('has the trace of its call, found by its Call-ID, and is one leg of it', () => {
    const { store, exchange, traces } = stage.simulator.world;
    const [msdr] = store.msdrs.list(1);
    const [session] = store.mediasessions.list(1);
    expect(msdr?.call_id).toBe(session?.call_id);
    const trace = traceOfDialog({ exchange, traces }, msdr?.call_id ?? '');
    const name = `msdr-${msdr?.id}`;
    expect(traceFile(trace, name)).toMatchObject({ ok: true, value: { file: { name: `${name}.trace.txt` } } });
    const [whole, leg] = [pcapFile(trace, name), pcapFile(trace, name, msdr?.call_id)].map((made) =>
      made.ok ? (made.value.file?.content.length ?? 0) : 0,
    );
    expect(leg).toBeGreaterThan(1000);
    expect(leg).toBeLessThan(whole ?? 0);
    expect(traceOfDialog({ exchange, traces }, 'nobody@knows')).toMatchObject({
      ok: false,
      failure: { kind: 'not_found', message: 'This media session has no trace: its signalling is forgotten.' },
    });
  });
});

describe('a recording of the past', () => {
  it('has as many bytes as its record says, and follows the call', async () => {
    const { store, traces } = stage.simulator.world;
    const recordings = new Recordings({ defer: setImmediate });
    const [monitor] = store.monitors.list(1);
    if (monitor === undefined) throw new Error('the seed world has recordings');
    const made = await recordingFile(recordings, traces, monitor);
    expect(made.ok && made.value.file?.content.length).toBe(monitor.size);
    expect(made).toMatchObject({ ok: true, value: { file: { name: `monitor-${monitor.id}.mp3` } } });
    const [message] = store.voicemessages.list(1);
    if (message === undefined) throw new Error('the seed world has voice messages');
    const spoken = await voiceMessageFile(recordings, message);
    expect(spoken.ok && spoken.value.file?.content.length).toBe(mp3Bytes(message.duration));
  });
});

const FIELDS = ['frame.time_epoch', 'sip.Method', 'sip.Status-Code', 'sip.CSeq.method'];

/** Of each packet: seconds since the call was placed, and what it says. */
async function packets(cdr: Cdr): Promise<string[]> {
  const start = (parseUtc(cdr.calldate) ?? 0) / 1000;
  const lines = tshark(await file(`/cdrs/${cdr.id}.pcap`), FIELDS);
  return lines.map((line) => {
    const [at, method, status, of] = line.split(' ');
    return `${Number(at) - start} ${method === '' ? `${status} ${of}` : method}`;
  });
}

describe.each(interop ? ['tshark'] : [])('%s', () => {
  it('reads an answered call, its messages in order and at their times', async () => {
    const cdr = callWhere(isAnswered);
    const answered = cdr.duration - cdr.billsec;
    const order = [`0 INVITE`, `0 180 INVITE`, `${answered} 200 INVITE`, `${answered} ACK`, `${cdr.duration} BYE`];
    const seen = await packets(cdr);
    const places = order.map((message) => seen.indexOf(message));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // Both legs have each of them.
    for (const message of order) expect(seen.filter((line) => line === message).length).toBeGreaterThan(1);
    expect(seen.filter((line) => line.endsWith('BYE')).map((line) => line.split(' ')[0])).toEqual(
      Array.from({ length: 4 }, () => String(cdr.duration)),
    );
  });

  it('reads a call that nobody answered, and one to somebody who was busy', async () => {
    const missed = callWhere(({ t_cause }) => t_cause === 'No answer');
    const unanswered = await packets(missed);
    expect(unanswered).toContain(`${missed.duration} CANCEL`);
    expect(unanswered.some((line) => line.includes('200 INVITE'))).toBe(false);
    const busy = callWhere(({ t_cause }) => t_cause === 'User busy');
    expect(await packets(busy)).toContain(`${busy.duration} 486 INVITE`);
  });

  it('reads the same bytes in a new world', async () => {
    const cdr = callWhere(isAnswered);
    const first = await file(`/cdrs/${cdr.id}.pcap`);
    await stage.control('POST', '/reset');
    expect((await file(`/cdrs/${cdr.id}.pcap`)).equals(first)).toBe(true);
  });
});
