// The one way across from account to account: a number that somebody dials or writes to. Each side learns the other's number, and no more.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { Simulator } from '../simulator.ts';
import type { SeededUser } from '../store/seed/people.ts';

const OURS = '+442079460103';
const THEIRS = '+442079460201';
const NOBODYS = '+442079460298';

let simulator: Simulator;
beforeEach(() => {
  simulator = new Simulator({ history: 10 });
  return () => simulator.close();
});

function userOf(account: number, index: number): SeededUser {
  const user = simulator.world.customers.find(({ customerId }) => customerId === account)?.users[index];
  if (user === undefined) throw new Error(`account ${account} has no user ${index}`);
  return user;
}

function ask(user: SeededUser, method: 'get' | 'post', path: string, body?: object) {
  const asked = request(simulator.handler)[method](`/v1.1/pbx${path}`);
  asked.set('Authorization', `Basic ${Buffer.from(`${user.user_id}:${user.api_key}`).toString('base64')}`);
  return body === undefined ? asked : asked.send(body);
}

/** Ids, names and emails of everybody in the account, as they may not be read by others; a caller's name goes with the call. */
function secretsOf(account: number, caller?: SeededUser): string[] {
  return [...simulator.world.store.users.list(account)].flatMap(({ id, email, first_name, last_name }) => {
    const name = id === caller?.user_id ? [] : [`${first_name} ${last_name}`];
    return [String(id), email, ...name];
  });
}

interface Answer {
  readonly text: string;
}

function expectNothingOf(secrets: readonly string[], ...answers: readonly Answer[]): void {
  for (const { text } of answers) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

async function passTime(seconds: number): Promise<void> {
  await request(simulator.handler)
    .post('/_sim/clock')
    .send({ advance: `${seconds}s` })
    .expect(200);
}

describe('a call to a number of another account', () => {
  test('is a live call and a record of each, which tell of the other side by its number', async () => {
    const [ours, theirs] = [userOf(1, 2), userOf(2, 0)];
    const before = (await ask(theirs, 'get', '/cdrs')).body.total;
    const made = await ask(ours, 'post', '/calls', { to: THEIRS });
    expect(made.status).toBe(201);
    await passTime(6);
    const [here, there] = [await ask(ours, 'get', '/calls'), await ask(theirs, 'get', '/calls')];
    expect(here.body.data).toHaveLength(1);
    expect(there.body.data).toHaveLength(1);
    expect(there.body.data[0].id).not.toBe(here.body.data[0].id);
    expect((await ask(theirs, 'get', `/calls/${here.body.data[0].id}`)).status).toBe(404);
    expect((await ask(ours, 'get', `/calls/${there.body.data[0].id}`)).status).toBe(404);
    simulator.world.exchange.hangUpAll();
    await passTime(5);
    const filter = encodeURIComponent(JSON.stringify([{ property: 'dst', operator: 'eq', value: THEIRS }]));
    const cdrs = await ask(ours, 'get', `/cdrs?filter=${filter}&sort=-id&limit=1`);
    const trace = await ask(ours, 'get', `/cdrs/${cdrs.body.data[0].id}.trace`);
    expectNothingOf(secretsOf(2), made, here, cdrs, trace);
    const after = await ask(theirs, 'get', '/cdrs?sort=-id&limit=1');
    expect(after.body.total).toBe(before + 1);
    expect(after.body.data[0]).toMatchObject({ src: OURS, user_id: theirs.user_id });
    expectNothingOf(secretsOf(1, ours), there, after, await ask(theirs, 'get', `/cdrs/${after.body.data[0].id}.trace`));
  });
});

describe('an anonymous call to a number of another account', () => {
  test('tells neither number nor name', async () => {
    const [ours, theirs] = [userOf(1, 2), userOf(2, 0)];
    expect((await ask(ours, 'post', '/calls', { to: THEIRS, caller_id: 'anonymous' })).status).toBe(201);
    await passTime(6);
    const there = await ask(theirs, 'get', '/calls');
    expect(there.body.data).toHaveLength(1);
    simulator.world.exchange.hangUpAll();
    await passTime(5);
    const after = await ask(theirs, 'get', '/cdrs?sort=-id&limit=1');
    const trace = await ask(theirs, 'get', `/cdrs/${after.body.data[0].id}.trace`);
    expectNothingOf([...secretsOf(1), OURS.slice(1)], there, after, trace);
  });
});

describe('an SMS to a number of another account', () => {
  test('arrives there with the number it came from, and answers like one to anybody', async () => {
    const [ours, theirs] = [userOf(1, 2), userOf(2, 0)];
    const before = (await ask(theirs, 'get', '/sms')).body.total;
    const sent = await ask(ours, 'post', '/sms', { to: THEIRS, from: OURS, message: 'Hello over there.' });
    const lost = await ask(ours, 'post', '/sms', { to: NOBODYS, from: OURS, message: 'Hello over there.' });
    expect([sent.status, lost.status]).toEqual([201, 201]);
    const bare = ({ body }: { body: { data: object } }) => ({ ...body.data, id: 0, to: '' });
    expect(bare(sent)).toEqual(bare(lost));
    await passTime(60);
    const arrived = await ask(theirs, 'get', '/sms?sort=-id&limit=1');
    expect(arrived.body.total).toBe(before + 1);
    expect(arrived.body.data[0]).toMatchObject({ from: OURS, to: THEIRS, type: 'in', message: 'Hello over there.' });
    expectNothingOf(secretsOf(1), arrived);
    expectNothingOf(secretsOf(2), sent, await ask(ours, 'get', '/sms?sort=-id&limit=5'));
  });
});
