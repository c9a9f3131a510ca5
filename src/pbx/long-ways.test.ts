// Long ways of one caller through the exchange, as stories: menu, queue, agent, transfer, voicemail. One chain of parents, one src_hash,
// one end of each call, and records that agree.
import { describe, expect, it } from 'vitest';
import { LETTERS, makeIvr } from './attendants/ivr.rig.ts';
import { makeQueue, queueing } from './attendants/queue.rig.ts';
import { referTo } from './attended-transfer.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

const blind = (to: string) => [['Refer-To', `<sip:${to}@pbx.example>`]] as const;

/** Somebody outside calls a menu, whose key leads to a queue with the first two users as agents. */
function company() {
  const all = queueing();
  const { rig, ids, network } = all;
  const queue = makeQueue(rig, { agents: [ids[0]], strategy: 'linear', monitor: 1 });
  const second = makeQueue(rig, { agents: [ids[1]], number: 691, name: 'Billing' });
  const ivr = makeIvr(all, { one: `Q:${queue.id}` });
  const number = rig.customer.numbers[0] ?? '';
  const [ddi] = rig.store.ddis.find('e164', number);
  rig.store.ddis.update(ddi?.id ?? '', { target_type: LETTERS.I, target_id: ivr.id });
  const arrive = () => {
    const call = network.dial(number);
    rig.pass(1000);
    all.press(call, '1');
    rig.pass(900);
    return call;
  };
  /** The events of each call, by its id. */
  const lives = () => {
    const byId = new Map<number, string[]>();
    for (const event of rig.events)
      if (event.kind === 'call') byId.set(event.callId, [...(byId.get(event.callId) ?? []), event.name.slice(5)]);
    return [...byId.values()];
  };
  const hashes = () => new Set(rig.events.flatMap((event) => (event.kind === 'call' ? [event.srcHash] : [])));
  const recordings = () => [...rig.store.monitors.list(rig.customer.customerId)];
  return { ...all, queue, second, arrive, lives, hashes, recordings };
}

describe('a caller who comes by a menu to a queue', () => {
  it('and whom the agent leads to a colleague who is away leaves a message: one chain, one hash, one end each', () => {
    const all = company();
    const { rig, phones, exts, ids, set, live, cdrs, lives, hashes, recordings, over } = all;
    set(1, { dnd: true, final_dst_type: 'V' });
    const caller = all.arrive();
    phones[0].call.ring();
    phones[0].call.answer();
    rig.pass(5000);
    const [queued, member] = live();
    expect(live()).toMatchObject([
      { context: 'QUEUE', dst: '690', state: 4 },
      { dst: exts[0], state: 4, parent_id: queued?.id, monitor_state: 1 },
    ]);
    phones[0].call.send('REFER', blind(exts[1]));
    rig.pass(0);
    expect(phones[0].call.notified.at(-1)).toBe('SIP/2.0 200 OK');
    expect(recordings()).toMatchObject([{ live_id: member?.id, user_id: ids[0], duration: 5 }]);
    rig.pass(20_000);
    caller.hangUp();
    rig.pass(0);
    expect(all.messages()).toMatchObject([{ extension_id: ids[1], live_id: member?.id }]);
    expect(hashes().size).toBe(1);
    expect(lives()).toEqual([
      ['initial', 'connected', 'hangup'],
      ['initial', 'ringing', 'connected', 'hangup'],
      ['initial', 'ringing', 'connected', 'hangup'],
    ]);
    const [menu] = cdrs().filter(({ context }) => context === 'IVR');
    expect(cdrs()).toHaveLength(3);
    expect(cdrs().find(({ live_id }) => live_id === queued?.id)).toMatchObject({
      parent_live_id: menu?.live_id,
      context: 'QUEUE',
      billsec: 25,
    });
    expect(cdrs().find(({ live_id }) => live_id === member?.id)).toMatchObject({
      parent_live_id: queued?.id,
      context: 'VOICEMAIL',
      disposition: 'VM',
      dst: exts[1],
    });
    expect(recordings()).toHaveLength(1);
    over();
  });

  it('is led to another queue by the agent, whose agent takes the caller; nobody waits any more', () => {
    const all = company();
    const { rig, phones, exts, live, lives, hashes, cdrs, inQueues, over } = all;
    const caller = all.arrive();
    phones[0].call.answer();
    rig.pass(2000);
    const [queued, member] = live();
    phones[0].call.send('REFER', blind('691'));
    rig.pass(0);
    expect(inQueues()).toBe(1);
    expect(live().map(({ dst, queue_state, state }) => [dst, queue_state, state])).toEqual([
      ['690', 'connected', 4],
      ['691', 'ringing', 4],
      [exts[1], '', 1],
    ]);
    phones[1].call.answer();
    rig.pass(3000);
    expect(inQueues()).toBe(0);
    const last = live().at(-1);
    expect(last).toMatchObject({ parent_id: member?.id, dst: exts[1], state: 4 });
    expect(live()[1]).toMatchObject({ id: member?.id, parent_id: queued?.id, referred_by: exts[0], dst: '691' });
    phones[1].call.hangUp();
    rig.pass(0);
    expect(caller.ending).toMatchObject({ by: 'remote-bye' });
    expect(hashes().size).toBe(1);
    expect(lives().map((events) => events.filter((name) => ['hangup', 'missed', 'failed'].includes(name)))).toEqual(
      lives().map(() => ['hangup']),
    );
    expect(cdrs().map(({ live_id }) => live_id)).toHaveLength(4);
    over();
  });

  it('is parked by the agent on hold, and fetched by a colleague', () => {
    const all = company();
    const { rig, phones, exts, live, recordings, inQueues, over } = all;
    const caller = all.arrive();
    phones[0].call.answer();
    rig.pass(2000);
    const [queued, member] = live();
    phones[0].call.reoffer('sendonly');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([5, 5]);
    phones[0].call.send('REFER', blind('*681'));
    rig.pass(0);
    expect(live().map(({ dst, state }) => [dst, state])).toEqual([
      ['690', 4],
      ['*681', 4],
    ]);
    expect(recordings()).toMatchObject([{ live_id: member?.id, duration: 2 }]);
    const fetched = phones[2].dial('*691');
    rig.pass(0);
    expect(fetched.session.state).toBe('confirmed');
    expect(live()).toMatchObject([
      { id: queued?.id, dst: '690' },
      { id: member?.id, dst: exts[2], referred_by: exts[0], monitor_state: 0 },
    ]);
    fetched.hangUp();
    rig.pass(0);
    expect(caller.ending).toMatchObject({ by: 'remote-bye' });
    expect([live(), inQueues()]).toEqual([[], 0]);
    over();
  });

  it('is handed over after a consultation, while the agent holds and records it by hand', () => {
    const all = company();
    const { rig, phones, exts, ids, queue, live, recordings, lives, over } = all;
    rig.store.queues.update(queue.id, { monitor: 0 });
    const caller = all.arrive();
    phones[0].call.answer();
    rig.pass(1000);
    const [queued, member] = live();
    const held = phones[0].call;
    rig.exchange.changeCall(queued?.id ?? 0, ids[0], { recording: 'start' }, () => {});
    rig.pass(2000);
    held.reoffer('sendonly');
    const consulted = phones[0].dial(exts[2]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(1000);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(live()).toMatchObject([
      { id: queued?.id, dst: '690', state: 4, monitor_state: 0 },
      { id: member?.id, dst: exts[2], state: 4, referred_by: exts[0], monitor_state: 0 },
    ]);
    expect(recordings()).toMatchObject([{ live_id: member?.id, user_id: ids[0], duration: 3 }]);
    caller.hangUp();
    rig.pass(0);
    expect(phones[2].call.ending).toMatchObject({ by: 'remote-bye' });
    for (const events of lives()) expect(events.filter((name) => name === 'hangup')).toHaveLength(1);
    over();
  });

  it('led to a group by the agent rings there, is picked up by the agent, and nobody has missed it', () => {
    const all = company();
    const { rig, phones, exts, ids, set, live, told, over } = all;
    for (const index of [0, 2] as const) set(index, { pickup_group_id: 7 });
    makeGroup(all, { users: [ids[2]] });
    const caller = all.arrive();
    phones[0].call.answer();
    rig.pass(1000);
    phones[0].call.send('REFER', blind('790'));
    rig.pass(0);
    phones[0].call.hangUp();
    phones[2].call.ring();
    rig.pass(0);
    const picked = phones[0].dial('*8');
    rig.pass(0);
    expect([picked, caller].map(({ session }) => session.state)).toEqual(['confirmed', 'confirmed']);
    expect(live().map(({ dst, state }) => [dst, state])).toEqual([
      ['690', 4],
      ['790', 4],
      [exts[0], 4],
    ]);
    picked.hangUp();
    rig.pass(0);
    expect(caller.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().filter((line) => line.startsWith('missed'))).toEqual([]);
    over();
  });
});
