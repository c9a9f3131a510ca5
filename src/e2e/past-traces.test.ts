// History that the simulator started with, over HTTP: its ladder, and its capture as tshark reads it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cdr } from '../contract/resources/history.ts';
import { parseUtc } from '../kernel/time.ts';
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
