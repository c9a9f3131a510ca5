// Text messages through the whole simulator: from one account's API to the other's list and webhook, over resets and restores.
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSimulator, type PbxSimulator } from '../index.ts';
import { KeptStage } from './kept-stage.ts';

let simulator: PbxSimulator;
beforeEach(async () => {
  simulator = await createSimulator({ http: false });
});
afterEach(() => simulator.close());

type Role = Parameters<PbxSimulator['authorization']>[0];

const THEIRS = '+442079460201';

async function send(to: string): Promise<{ readonly id: number; readonly from: string }> {
  const answer = await request(simulator.app)
    .post('/v1.1/pbx/sms')
    .set('authorization', simulator.authorization('agent'))
    .send({ to, message: 'Are you open on Friday?' })
    .expect(201);
  return answer.body.data;
}

/** The messages that a user sees which are younger than the world, as type and result. */
async function messages(role: Role): Promise<string[]> {
  const filter = JSON.stringify([{ property: 'created_at', operator: 'gte', value: '2026-01-01' }]);
  const { body } = await request(simulator.app)
    .get('/v1.1/pbx/sms')
    .query({ filter })
    .set('authorization', simulator.authorization(role))
    .expect(200);
  return body.data.map(({ type, result }: { type: string; result: string }) => `${type} ${result}`);
}

describe('a message to a number of another account', () => {
  it('is on its way when the answer leaves, arrives there, and is told to its webhook alone', async () => {
    const ours = simulator.webhooks.capture();
    const theirs = simulator.webhooks.capture({ customerId: 2 });
    const { from } = await send(THEIRS);
    expect([await messages('agent'), await messages('other_customer')]).toEqual([['out queued'], []]);
    await simulator.clock.advance('1s');
    expect([await messages('agent'), await messages('other_customer')]).toEqual([['out sent'], []]);
    await simulator.clock.advance('1s');
    expect([await messages('agent'), await messages('other_customer')]).toEqual([['out delivered'], ['in received']]);
    expect(ours.names).toEqual([]);
    expect(theirs.names).toEqual(['sms.received']);
    expect(theirs.events[0]?.body).toMatchObject({
      ...{ event_name: 'sms.received', customer_id: 2, user_id: 20_000_001, from_no: from, to_no: THEIRS },
      text: 'Are you open on Friday?',
    });
  });

  it('is kept like one from outside', async () => {
    simulator.trunk.sms({ from: '+442079469999', to: THEIRS, text: 'Hello' });
    expect(await messages('other_customer')).toEqual(['in received']);
    expect(await messages('agent')).toEqual([]);
  });
});

describe('a message under way', () => {
  it('goes on from a snapshot as often as that is restored', async () => {
    await send(THEIRS);
    await simulator.clock.advance('1s');
    const snapshot = await simulator.snapshot();
    for (let round = 0; round < 2; round += 1) {
      await simulator.clock.advance('10s');
      expect([await messages('agent'), await messages('other_customer')]).toEqual([['out delivered'], ['in received']]);
      await simulator.restore(snapshot);
      expect([await messages('agent'), await messages('other_customer')]).toEqual([['out sent'], []]);
    }
  });

  it('goes on when the process has died and another has come', async () => {
    const stage = new KeptStage();
    try {
      const { body } = await stage.api('post', '/sms', { to: THEIRS, message: 'Still there?' });
      await stage.dieAndComeBack();
      expect((await stage.api('get', `/sms/${body.data.id}`)).body.data.result).toBe('queued');
      await stage.advance('2s');
      expect((await stage.api('get', `/sms/${body.data.id}`)).body.data.result).toBe('delivered');
    } finally {
      await stage.close();
    }
  });

  it('is forgotten with a reset', async () => {
    await send(THEIRS);
    await simulator.reset();
    await simulator.clock.advance('10s');
    expect([await messages('agent'), await messages('other_customer')]).toEqual([[], []]);
  });
});
