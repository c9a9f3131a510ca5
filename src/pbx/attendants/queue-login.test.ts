// Agents log in and out by *45, as stories.
import { describe, expect, it } from 'vitest';
import { queueing } from './queue.rig.ts';

function desk() {
  const all = queueing();
  const { rig, phones, ids } = all;
  const support = all.queue({ agents: [ids[1]], out: [ids[2]] });
  const orders = all.queue({ agents: [], out: [ids[1]], number: 691 });
  const logins = () =>
    [support.id, orders.id].map((id) =>
      (rig.store.queues.get(id)?.users ?? []).map((user) => `${ids.indexOf(user.id)} ${user.status}`),
    );
  const dial = (index: 0 | 1 | 2, code: string) => {
    const call = phones[index].dial(code);
    rig.pass(3000);
    return call;
  };
  return { ...all, logins, dial };
}

describe('*45', () => {
  it('logs an agent out of all its queues, and then in to all of them', () => {
    const { logins, dial, sounds, told, cdrs, over } = desk();
    const call = dial(1, '*45');
    expect(call.log).toEqual(['200', 'remote-bye']);
    expect(logins()).toEqual([['1 false', '2 false'], ['1 false']]);
    dial(1, '*45');
    expect(logins()).toEqual([['1 true', '2 false'], ['1 true']]);
    expect(sounds).toEqual(['prompt/agent-logged-out 0', 'prompt/agent-logged-in 3']);
    expect(told().slice(0, 3)).toEqual(['initial *45', 'connected *45', 'hangup *45']);
    expect(cdrs()[0]).toMatchObject({ context: 'USER_LOCAL', dst: '*45', dst_name: 'Queue login', type: 'I' });
    over();
  });

  it('with an extension is about that queue alone', () => {
    const { logins, dial, over } = desk();
    dial(1, '*45691');
    expect(logins()).toEqual([['1 true', '2 false'], ['1 true']]);
    dial(1, '*45690');
    expect(logins()).toEqual([['1 false', '2 false'], ['1 true']]);
    over();
  });

  it('changes nothing for whoever is no agent', () => {
    const { logins, dial, sounds, over } = desk();
    dial(0, '*45');
    dial(1, '*45999');
    expect(logins()).toEqual([['1 true', '2 false'], ['1 false']]);
    expect(sounds).toEqual(['prompt/invalid 0', 'prompt/invalid 3']);
    over();
  });

  it('brings the agent the caller who waits, as soon as its phone is free', () => {
    const { rig, phones, ids, queue, states, over } = desk();
    queue({ number: 692, agents: [], out: [ids[2]] });
    phones[0].dial('692');
    rig.pass(1000);
    expect(states()).toEqual(['692 1 waiting']);
    phones[2].dial('*45692');
    rig.pass(1500);
    expect(states()[0]).toBe('692 1 ringing');
    expect(phones[2].call.session.role).toBe('uas');
    rig.exchange.hangUpAll();
    over();
  });
});
