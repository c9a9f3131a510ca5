// Determinism over sockets: one seed and one script in real time, phones with identifiers and ports of their own, and the canonical journal of each call is the same.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { BarePhone } from './sockets-phone.ts';
import { type Facts, SocketStage, until } from './sockets-stage.ts';

/** What one run leaves: for each call of the script its canonical journal. */
type Journals = readonly Facts[][];

interface Cast {
  readonly stage: SocketStage;
  readonly anna: BarePhone;
  readonly bert: BarePhone;
}

/** Plays the script on a simulator of that seed. `phoneSeed` makes the phones' own identifiers. */
async function play(seed: number, phoneSeed: string): Promise<Journals> {
  const stage = await SocketStage.open({ seed });
  const anna = await BarePhone.open(stage.user(0), stage.sip, `anna ${phoneSeed}`);
  const bert = await BarePhone.open(stage.user(1), stage.sip, `bert ${phoneSeed}`);
  try {
    expect([await anna.register(), await bert.register()]).toEqual([200, 200]);
    const cast = { stage, anna, bert };
    const calls: number[] = [];
    for (const scene of [talk, busy, cancelled, clicked, inbound]) calls.push(await scene(cast));
    expect(stage.simulator.world.violations).toEqual([]);
    return await Promise.all(calls.map((callId) => canonicalOf(stage, callId)));
  } finally {
    await Promise.all([anna.close(), bert.close()]);
    await stage.close();
  }
}

async function canonicalOf(stage: SocketStage, callId: number): Promise<Facts[]> {
  const answer = await stage.control('GET', `/journal?form=canonical&call_id=${callId}&limit=10000`);
  expect(answer.status).toBe(200);
  return answer.body.data as Facts[];
}

/** Holds, resumes, presses a key, and is hung up on. */
async function talk({ stage, anna, bert }: Cast): Promise<number> {
  const before = stage.now;
  const calling = anna.call('102');
  const theirs = await bert.invited();
  const callId = await stage.callBegun(before);
  await stage.inState(callId, 'RINGING');
  bert.answer(theirs);
  const { session, status } = await calling;
  expect(status).toBe(200);
  await quiet(stage, callId);
  expect(await anna.reoffer(session, 'sendonly')).toBe(200);
  expect(await anna.reoffer(session, 'sendrecv')).toBe(200);
  expect(await anna.press(session, '5')).toBe(200);
  await stage.entry('sip.in', (data) => data.method === 'INFO' && data.status === 200);
  theirs.end();
  expect((await anna.ended(session)).by).toBe('remote-bye');
  return over(stage, callId);
}

async function busy({ stage, anna, bert }: Cast): Promise<number> {
  const before = stage.now;
  const calling = bert.call('101');
  const theirs = await anna.invited();
  const callId = await stage.callBegun(before);
  await stage.inState(callId, 'RINGING');
  theirs.reject(486);
  expect((await calling).status).toBe(486);
  return over(stage, callId);
}

async function cancelled({ stage, anna, bert }: Cast): Promise<number> {
  const before = stage.now;
  const mine = anna.dial('102');
  const theirs = await bert.invited();
  const callId = await stage.callBegun(before);
  await stage.inState(callId, 'RINGING');
  mine.cancel();
  expect((await anna.ended(mine)).by).toBe('cancel');
  expect((await bert.ended(theirs)).by).toBe('cancel');
  return over(stage, callId);
}

/** By REST: Anna's phone rings first, then Bert's; DELETE ends it. */
async function clicked({ stage, anna, bert }: Cast): Promise<number> {
  const created = await stage.api('POST', '/calls', { to: '102' });
  const callId = Number((created.body.data as Facts).id);
  const first = await anna.invited();
  anna.answer(first);
  const second = await bert.invited();
  await stage.inState(callId, 'RINGING');
  bert.answer(second);
  await stage.inState(callId, 'CONNECTED');
  await quiet(stage, callId);
  expect((await stage.api('DELETE', `/calls/${callId}`)).status).toBe(204);
  await Promise.all([anna.ended(first), bert.ended(second)]);
  return over(stage, callId);
}

/** From the public network to Bert's number. */
async function inbound({ stage, bert }: Cast): Promise<number> {
  const number = stage.simulator.world.customers[0]?.numbers[1];
  const created = await stage.control('POST', '/calls', { from: '+442079469990', to: number });
  const callId = Number(created.body.call_id);
  const session = await bert.invited();
  await stage.inState(callId, 'RINGING');
  bert.answer(session);
  await stage.inState(callId, 'CONNECTED');
  await quiet(stage, callId);
  session.end();
  await bert.ended(session);
  return over(stage, callId);
}

/** Waits until every request in the call's dialogs has its final response and every final response to an INVITE its ACK. */
function quiet(stage: SocketStage, callId: number): Promise<true> {
  const { journal } = stage.simulator;
  return until(
    () => {
      const messages = journal.query({ kind: 'sip', callId }).map((entry) => dataOf(entry) as Facts);
      return openEnds(messages) === 0 ? true : undefined;
    },
    (changed) => journal.subscribe(() => queueMicrotask(changed)),
    `call ${callId} is quiet`,
  );
}

function openEnds(messages: readonly Facts[]): number {
  const open = new Set<string>();
  for (const { sip_call_id, method, status, text } of messages) {
    const cseq = /^CSeq: *(\d+)/im.exec(String(text))?.[1];
    const key = `${sip_call_id} ${cseq}`;
    if (method === 'ACK') open.delete(`${key} ACK`);
    else if (status === undefined) open.add(`${key} ${method}`);
    else if (Number(status) >= 200 && open.delete(`${key} ${method}`) && method === 'INVITE') open.add(`${key} ACK`);
  }
  return open.size;
}

async function over(stage: SocketStage, callId: number): Promise<number> {
  await stage.callOver(callId);
  await quiet(stage, callId);
  return callId;
}

describe('one seed, over sockets and in real time', () => {
  it('gives each call the same canonical journal, whatever identifiers and ports the phones choose', async () => {
    const first = await play(11, 'one');
    const second = await play(11, 'two');
    expect(first.map((journal) => journal.length > 10)).toEqual([true, true, true, true, true]);
    const kinds = new Set(first.flat().map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['sip.in', 'sip.out', 'call.state', 'event', 'call.closed']));
    expect(second).toEqual(first);
    expect(JSON.stringify(first)).not.toMatch(/127\.0\.0\.1/);
    expect(await play(12, 'one')).not.toEqual(first);
  });
});
