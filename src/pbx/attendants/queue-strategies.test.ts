// Which agent is rung next, strategy by strategy, and which caller is served first.
import { describe, expect, it } from 'vitest';
import { office, type Strategy } from './queue.rig.ts';

describe('the strategies', () => {
  it.each<[Strategy, string[]]>([
    ['ring_all', ['0 0', '1 0', '2 0', '0 15', '1 15', '2 15']],
    ['linear', ['0 0', '1 10', '2 20', '0 30', '1 40']],
    ['round_robin', ['0 0', '1 10', '2 20', '0 30', '1 40']],
    ['longest_idle', ['0 0', '1 10', '2 20', '0 30', '1 40']],
    ['fewest_calls', ['0 0', '1 10', '2 20', '0 30', '1 40']],
  ])('%s: agents who do not answer are rung again, each after the others', (strategy, expected) => {
    const { rig, rung, arrive, over } = office(strategy, { max_wait_time: 45 });
    arrive();
    rig.pass(44_000);
    expect(rung.slice(0, expected.length)).toEqual(expected);
    rig.exchange.hangUpAll();
    over();
  });

  it('random: draws whose turn it is, everybody once in a round', () => {
    const { rig, rung, arrive, over } = office('random', { max_wait_time: 60 });
    arrive();
    rig.pass(59_000);
    const order = rung.map((text) => text[0]).join('');
    expect([order.slice(0, 3), order.slice(3, 6)].map((round) => [...round].toSorted().join(''))).toEqual([
      '012',
      '012',
    ]);
    rig.exchange.hangUpAll();
    over();
  });

  /** Calls of a second each, one after the other, answered by whoever is rung. */
  const served = (strategy: Strategy, calls: number, settings = {}) => {
    const { rig, phones, rung, arrive, over } = office(strategy, settings);
    for (let call = 0; call < calls; call += 1) {
      const calling = arrive();
      rig.pass(0);
      phones[Number(rung.at(-1)?.[0])]?.call.answer();
      rig.pass(1000);
      calling.hangUp();
      rig.pass(1000);
    }
    over();
    return rung.map((text) => text[0]).join('');
  };

  it.each<[Strategy, string]>([
    ['linear', '000000'],
    ['round_robin', '012012'],
    ['longest_idle', '012012'],
    ['fewest_calls', '012012'],
  ])('%s: one call after the other goes to %s', (strategy, order) => {
    expect(served(strategy, 6)).toBe(order);
  });

  it('fewest_calls: among equals the order of the queue decides, or the longest rest', () => {
    const story = (liaf: boolean): string => {
      const { rig, phones, ids, support, rung, arrive, over } = office('fewest_calls', { liaf });
      // Both take one: the third agent first, then the second.
      for (const index of [2, 1] as const) {
        rig.store.queues.update(support.id, { users: [{ id: ids[index], status: true }] });
        const calling = arrive();
        rig.pass(0);
        phones[index].call.answer();
        rig.pass(1000);
        calling.hangUp();
        rig.pass(1000);
      }
      rig.store.queues.update(support.id, { users: [ids[1], ids[2]].map((id) => ({ id, status: true })) });
      arrive();
      rig.pass(0);
      rig.exchange.hangUpAll();
      over();
      return rung.at(-1)?.[0] ?? '';
    };
    expect([story(false), story(true)]).toEqual(['1', '2']);
  });
});

describe('several callers', () => {
  it('are served first come, first served, each by an agent of its own', () => {
    const { rig, phones, rung, arrive, states, over } = office('linear');
    const calls = [arrive(), arrive(), arrive(), arrive()];
    rig.pass(0);
    expect(rung).toEqual(['0 0', '1 0', '2 0']);
    expect(states().filter((text) => text.startsWith('690'))).toEqual([
      ...Array(3).fill('690 1 ringing'),
      '690 1 waiting',
    ]);
    for (const phone of phones) phone.call.answer();
    rig.pass(5000);
    calls[1]?.hangUp();
    rig.pass(0);
    expect(rung.at(-1)).toBe('1 5');
    phones[1].call.answer();
    rig.pass(0);
    expect(states().filter((text) => text.startsWith('690'))).toEqual(Array(3).fill('690 4 connected'));
    rig.exchange.hangUpAll();
    over();
  });

  it('of ring_all: the first has them all, the next those who are left when one has answered', () => {
    const { rig, phones, rung, arrive, states, over } = office('ring_all');
    arrive();
    arrive();
    rig.pass(0);
    expect(rung).toEqual(['0 0', '1 0', '2 0']);
    phones[1].call.answer();
    rig.pass(0);
    expect(rung.slice(3)).toEqual(['0 0', '2 0']);
    expect(states().filter((text) => text.startsWith('690'))).toEqual(['690 4 connected', '690 1 ringing']);
    rig.exchange.hangUpAll();
    over();
  });
});
