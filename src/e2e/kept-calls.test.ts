// What the end of the process is to calls and webhooks: live calls have ended when the next one is there, and deliveries go on.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptStage } from './kept-stage.ts';

let stage: KeptStage;
let receiver: Receiver;

/** Answers with `status` and keeps what it got. */
interface Receiver {
  readonly url: string;
  readonly server: Server;
  status: number;
  readonly got: Array<Record<string, unknown>>;
}

async function receive(): Promise<Receiver> {
  const got: Receiver['got'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(made.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const made = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, status: 200, got };
  return made;
}

beforeEach(async () => {
  receiver = await receive();
  stage = new KeptStage();
});

afterEach(async () => {
  await stage.close();
  receiver.server.closeAllConnections();
  await new Promise((resolve) => receiver.server.close(resolve));
});

const events = () => receiver.got.map(({ event_name }) => event_name);
const subscribe = () =>
  stage.sim('post', '/webhooks', { url: receiver.url, events: ['call_state_change', 'missed', 'ended'] });
const newCdrs = async (before: number) => (await stage.get('/cdrs?limit=5000')).data.slice(before);
const countOf = async (path: string) => Number((await stage.get(path)).total);

describe('a live call', () => {
  it('that was answered has ended, with its records and its last event', async () => {
    await subscribe();
    const [cdrs, msdrs] = [await countOf('/cdrs'), await countOf('/msdrs')];
    const { body } = await stage.api('post', '/calls', { to: '102' });
    await stage.advance('5s');
    await stage.advance('60s');
    expect((await stage.get('/calls')).total).toBe(1);
    await stage.dieAndComeBack({ startMs: Date.UTC(2026, 0, 1, 0, 1, 5) });
    expect((await stage.get('/calls')).total).toBe(0);
    const [cdr, ...others] = await newCdrs(cdrs);
    expect(others).toEqual([]);
    expect(cdr).toMatchObject({
      ...{ live_id: body.data.id, disposition: 'CONNECTED', t_cause: 'System restarted', type: 'I' },
      ...{ src: '101', dst: '102', duration: 65, billsec: 61, src_codec: 'PCMU', src_ua: 'pbxsim-phone' },
    });
    const { data } = await stage.get('/msdrs?limit=5000');
    expect(data.slice(msdrs)).toMatchObject([
      { src: '101', dst: '102', t_cause: 'System restarted', user_id: 10_000_001, duration: 63 },
      { src: '101', dst: '102', t_cause: 'System restarted', user_id: 10_000_002, duration: 61 },
    ]);
    const sessions = (await stage.get('/mediasessions?limit=5000')).data.map(({ status }) => status);
    expect(new Set(sessions)).toEqual(new Set(['ended']));
    await stage.advance('1s');
    expect(receiver.got.at(-1)).toMatchObject({
      ...{ event_name: 'call.hangup', call_id: body.data.id, state: 'HANGUP', t_cause: 'System restarted' },
      ...{ duration: 65, terminated_by: '', event_time: '2026-01-01 00:01:05' },
    });
    const again = await stage.api('post', '/calls', { to: '102' });
    expect(again.body.data.id).toBe(body.data.id + 1);
    await stage.dieAndComeBack();
    expect(await newCdrs(cdrs)).toHaveLength(2);
  });

  it('that rang was missed, and one to the public network has failed', async () => {
    await subscribe();
    const cdrs = await countOf('/cdrs');
    await stage.sim('patch', '/phones/102', { behaviour: { on_call: 'ring' } });
    await stage.sim('post', '/phones/103/acts', { act: 'call', to: '102' });
    await stage.sim('post', '/phones/104/acts', { act: 'call', to: '+442079460002' });
    await stage.advance('5s');
    await stage.dieAndComeBack({ startMs: Date.UTC(2026, 0, 1, 0, 0, 5) });
    const records = await newCdrs(cdrs);
    expect(records).toMatchObject([
      { src: '103', dst: '102', disposition: 'RINGING', type: 'M', billsec: 0, duration: 5, charge: 0 },
      { src: '104', dst: '+442079460002', disposition: 'RINGING', type: 'O', billsec: 0, charge: 0 },
    ]);
    expect(records.map(({ t_cause }) => t_cause)).toEqual(['System restarted', 'System restarted']);
    await stage.advance('1s');
    expect(events().slice(-2)).toEqual(['call.missed', 'call.failed']);
  });

  it('is all that ends: what had ended before has one record and one last event', async () => {
    await subscribe();
    const cdrs = await countOf('/cdrs');
    await stage.sim('post', '/phones/101/acts', { act: 'call', to: '102' });
    await stage.advance('5s');
    await stage.sim('post', '/phones/101/acts', { act: 'hangup' });
    await stage.advance('5s');
    await stage.dieAndComeBack();
    await stage.advance('5s');
    expect((await newCdrs(cdrs)).map(({ t_cause }) => t_cause)).toEqual(['Normal clearing']);
    expect(events().filter((name) => name === 'call.hangup')).toHaveLength(1);
  });

  it('of which the trace was kept in memory is not made up afterwards', async () => {
    const cdrs = await countOf('/cdrs');
    await stage.sim('post', '/phones/101/acts', { act: 'call', to: '102' });
    await stage.advance('5s');
    await stage.dieAndComeBack();
    const [cdr] = await newCdrs(cdrs);
    const trace = await stage.api('get', `/cdrs/${cdr?.id}.trace`);
    expect(trace.status).toBe(404);
  });
});

describe('registrations', () => {
  it('are no more, but for those of the simulated phones, which register again', async () => {
    await stage.sim('post', '/phones/103/acts', { act: 'unregister' });
    await stage.dieAndComeBack();
    const { data } = await stage.get('/users');
    expect(data.map(({ ext, nb_sip_locations }) => [ext, nb_sip_locations]).slice(0, 4)).toEqual([
      ['101', 1],
      ['102', 1],
      ['103', 0],
      ['104', 1],
    ]);
  });
});

describe('a webhook', () => {
  it('is there again, and tries on what had not arrived, with the attempts that it had', async () => {
    const { id } = await subscribe();
    receiver.status = 500;
    await stage.sim('post', '/phones/101/acts', { act: 'call', to: '102' });
    await stage.advance('3s');
    const log = async () => (await stage.sim('get', `/webhooks/${id}/deliveries`)).data;
    const before = await log();
    expect(before.map(({ state }: { state: string }) => state)).toEqual(['pending', 'pending', 'pending']);
    expect(before[0].attempts.length).toBeGreaterThan(0);
    await stage.dieAndComeBack({ startMs: Date.UTC(2026, 0, 1, 0, 0, 3) });
    const after = await log();
    expect(after.slice(0, 3)).toEqual(before);
    expect(after).toHaveLength(4);
    receiver.status = 200;
    receiver.got.length = 0;
    await stage.advance('1h');
    expect(events()).toEqual(['call.initial', 'call.ringing', 'call.connected', 'call.hangup']);
    const done = await log();
    expect(done.map(({ state }: { state: string }) => state)).toEqual(Array(4).fill('delivered'));
    expect(done[0].attempts).toHaveLength(before[0].attempts.length + 1);
    expect(new Set(receiver.got.map((event) => event.id)).size).toBe(4);
  });

  it('that was removed is gone with its log', async () => {
    const { id } = await subscribe();
    receiver.status = 500;
    await stage.sim('post', '/phones/101/acts', { act: 'call', to: '102' });
    await stage.advance('3s');
    await stage.sim('delete', `/webhooks/${id}`);
    await stage.dieAndComeBack();
    expect((await stage.sim('get', '/webhooks')).data).toEqual([]);
    expect(stage.file.count(0, 'deliveries')).toBe(0);
    expect((await subscribe()).id).toBe(id + 1);
  });
});
