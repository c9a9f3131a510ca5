// A supervisor's view of a queue, as a story: who waits, what each agent does, and a login from the desk.
import { describe, expect, it } from 'vitest';
import { queueing } from './attendants/queue.rig.ts';

describe('the desk of a queue', () => {
  it('shows callers in their order and each agent in what it does', () => {
    const { rig, phones, exts, ids, set, queue, over } = queueing();
    const fourth = rig.customer.users[3]?.user_id ?? 0;
    const support = queue({ strategy: 'linear', agents: [ids[1], ids[2], fourth], out: [ids[0]], wrap_up_time: 30 });
    const desk = () => rig.exchange.queues.view(support.id);
    const states = () => desk()?.agents.map(({ state }) => state);
    expect(desk()).toEqual({
      ...{ queue_id: support.id, customer_id: rig.customer.customerId, name: 'Support', callers: [] },
      agents: [
        { user_id: ids[1], ext: exts[1], status: true, state: 'free', taken: 0 },
        { user_id: ids[2], ext: exts[2], status: true, state: 'free', taken: 0 },
        { user_id: fourth, ext: rig.customer.users[3]?.ext, status: true, state: 'unreachable', taken: 0 },
        { user_id: ids[0], ext: exts[0], status: false, state: 'logged_out', taken: 0 },
      ],
    });
    set(2, { dnd: true });
    const first = phones[0].dial('690');
    rig.pass(2000);
    const second = phones[0].dial('690');
    rig.pass(1000);
    const [one, two] = rig.exchange.liveCalls(rig.customer.customerId).map(({ record }) => record.id);
    expect(desk()?.callers).toMatchObject([
      { call_id: one, position: 1, waited_s: 3, from: exts[0], state: 'ringing' },
      { position: 2, waited_s: 1, from: exts[0], state: 'waiting' },
    ]);
    expect(two).not.toBe(one);
    expect(states()).toEqual(['ringing', 'unreachable', 'unreachable', 'logged_out']);
    phones[1].call.answer();
    rig.pass(1000);
    expect(desk()?.callers).toMatchObject([{ position: 1, state: 'waiting' }]);
    expect(desk()?.agents[0]).toMatchObject({ state: 'talking', taken: 1 });
    first.hangUp();
    rig.pass(1000);
    expect(states()?.[0]).toBe('resting');
    second.hangUp();
    over();
  });

  it('logs an agent in, who gets the caller who waits, and out again', () => {
    const { rig, phones, ids, queue, states, over } = queueing();
    const support = queue({ agents: [], out: [ids[1]] });
    const calling = phones[0].dial('690');
    rig.pass(1000);
    const { queues } = rig.exchange;
    expect(queues.login(support.id, ids[2], true)).toBe(false);
    expect(queues.login(0, ids[1], true)).toBe(false);
    expect(queues.view(0)).toBeUndefined();
    expect(queues.login(support.id, ids[1], true)).toBe(true);
    rig.pass(0);
    expect(states()[0]).toBe('690 1 ringing');
    expect(queues.login(support.id, ids[1], false)).toBe(true);
    expect(rig.store.queues.get(support.id)?.users).toEqual([{ id: ids[1], status: false }]);
    calling.hangUp();
    over();
  });
});
