// The library's `data` option: two simulators in turn see the same world, and a file that cannot be used is refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CreateOptions, createSimulator, type PbxSimulator, Refused } from '../index.ts';
import { simulatorTest } from '../vitest.ts';

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-library-'));
  data = join(folder, 'world.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const create = (options: CreateOptions = {}) => createSimulator({ http: false, data, ...options });

async function get(simulator: PbxSimulator, path: string) {
  const authorization = simulator.authorization('root');
  const answer = await request(simulator.app).get(`/v1.1/pbx${path}`).set('authorization', authorization).buffer(true);
  expect(answer.status, path).toBe(200);
  return answer.body;
}

async function refusalOf(options: CreateOptions): Promise<string> {
  const error = await create(options).then(
    async (made) => made.close(),
    (failed: unknown) => failed,
  );
  expect(error).toBeInstanceOf(Refused);
  return (error as Refused).message;
}

describe('a simulator with a file', () => {
  it('is gone on with by the next one: records, calls and their traces, mails, the time, the seed', async () => {
    const first = await create({ seed: 'wonder' });
    await request(first.app)
      .post('/v1.1/pbx/calllabels')
      .set('authorization', first.authorization('root'))
      .send({ name: 'Kept' })
      .expect(201);
    const { callId } = first.phones.act('101', { act: 'call', to: '102' });
    await first.clock.advance('10s');
    first.phones.act('101', 'hangup');
    await first.clock.advance('1h');
    const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: callId }]));
    const [cdr] = (await get(first, `/cdrs?filter=${filter}`)).data;
    const paths = ['/calllabels', '/users', '/cdrs?limit=5000', `/cdrs/${cdr.id}.pcap`, '/me'];
    const before = [];
    for (const path of paths) before.push(await get(first, path));
    const { now, users, outbox } = { now: first.clock.now, users: first.users, outbox: first.outbox };
    await first.close();

    await using second = await create();
    expect([second.seed, second.clock.now]).toEqual(['wonder', now]);
    expect([second.users, second.outbox]).toEqual([users, outbox]);
    const after = [];
    for (const path of paths) after.push(await get(second, path));
    expect(after).toEqual(before);
    expect(after[0].data.map(({ name }: { name: string }) => name)).toContain('Kept');
    // The world goes on: a phone of the second one has its own calls.
    const next = second.phones.act('101', { act: 'call', to: '102' });
    expect(next.callId).toBeGreaterThan(callId);
  });

  it('is refused another seed and an earlier time than the file has', async () => {
    const first = await create({ seed: 7, start: '2026-03-01T00:00:00Z' });
    await first.clock.advance('1h');
    await first.close();
    expect(await refusalOf({ seed: 8 })).toBe(
      `seed: ${data} was made with seed 7; leave seed out, or name another file.`,
    );
    expect(await refusalOf({ start: '2026-03-01T00:30:00Z' })).toBe(
      `start: the clock of ${data} stands at 2026-03-01T01:00:00.000Z, and time does not go back; leave start out, or name a later time.`,
    );
    await using later = await create({ seed: 7, start: '2026-04-01T00:00:00Z' });
    expect(new Date(later.clock.now).toISOString()).toBe('2026-04-01T00:00:00.000Z');
  });

  it('has it for itself until it is closed', async () => {
    const first = await create();
    expect(await refusalOf({})).toBe(
      `data: ${data} is in use by another simulator or program; end that one, or name another file.`,
    );
    await first.close();
    await (await create()).close();
  });

  it('is refused what is no file of a simulator', async () => {
    writeFileSync(data, 'not a database, and longer than a header of SQLite would be: '.repeat(20));
    expect(await refusalOf({})).toBe(`data: ${data} is no file of pbxsim; name another file.`);
  });

  it('goes back to its own snapshots, with the traces of then', async () => {
    await using simulator = await create();
    const { callId } = simulator.phones.act('101', { act: 'call', to: '102' });
    await simulator.clock.advance('10s');
    simulator.phones.act('101', 'hangup');
    await simulator.clock.advance('1m');
    const ladder = () => request(simulator.app).get(`/_sim/calls/${callId}/ladder`);
    const { text } = await ladder().expect(200);
    const snapshot = await simulator.snapshot();
    await simulator.reset();
    await ladder().expect(404);
    await simulator.restore(snapshot);
    expect((await ladder().expect(200)).text).toBe(text);
  });
});

describe('the traces of an account', () => {
  it('are gone from the file with it', async () => {
    const simulator = await create();
    const made = await request(simulator.app).post('/_sim/customers').send({}).expect(201);
    const [{ ext, customer_id: customerId }] = made.body.users;
    const { callId } = simulator.phones.act(ext, { act: 'call', to: '+442079460999' }, { customerId });
    await simulator.clock.advance('10s');
    simulator.phones.act(ext, 'hangup', { customerId });
    await simulator.clock.advance('1m');
    await request(simulator.app).get(`/_sim/calls/${callId}/ladder`).expect(200);
    await request(simulator.app).delete(`/_sim/customers/${customerId}`).expect(204);
    await request(simulator.app).get(`/_sim/calls/${callId}/ladder`).expect(404);
    await simulator.close();
    const db = new DatabaseSync(data, { readOnly: true });
    expect(db.prepare("SELECT key FROM kept WHERE section = 'traces'").all()).toEqual([]);
    expect(db.prepare('SELECT count(*) AS parts FROM bulk').get()).toEqual({ parts: 0 });
    db.close();
  });
});

describe('the fixture of Vitest', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pbxsim-fixture-')), 'world.db');
  const keeping = simulatorTest.extend({ simulatorOptions: { http: false, data: file } as CreateOptions });

  for (const turn of [1, 2])
    keeping(`takes the option, too: turn ${turn}`, async ({ simulator }) => {
      expect(simulator.journal.entries({ kind: 'control.reset' })).toEqual([]);
      await simulator.clock.advance('1h');
      expect(new Date(simulator.clock.now).toISOString()).toBe(`2026-01-01T0${turn}:00:00.000Z`);
    });
});
