// How waits in a queue end without an agent, and what goes on meanwhile: limits, keys, announcements, the next place.
import { describe, expect, it } from 'vitest';
import { codeOf, destinationTypeCodes, targetTypeCodes } from '../../contract/codes.ts';
import { queueing } from './queue.rig.ts';

describe('a caller whom no agent takes', () => {
  it('goes on to the final destination when it has waited long enough: the queue has missed it, whoever answers next', () => {
    const { rig, phones, exts, ids, queue, states, told, cdrs, over } = queueing();
    queue({ next: ['V', ids[2]], agents: [ids[1]], max_wait_time: 28, ring_time: 10, retry: 5 });
    const calling = phones[0].dial('690');
    rig.pass(24_999);
    expect(states()).toEqual(['690 1 ringing', `${exts[1]} 1`]);
    rig.pass(3000);
    expect(states()).toEqual(['690 1 waiting']);
    rig.pass(1);
    expect(states()).toEqual([`${exts[2]} 4`]);
    expect(phones[1].calls).toHaveLength(2);
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(told().slice(-5)).toEqual([
      ...[`missed ${exts[1]}`, 'missed 690', `initial ${exts[2]}`, `connected ${exts[2]}`, `hangup ${exts[2]}`],
    ]);
    const missed = rig.events.find(
      (event) => event.kind === 'call' && event.name === 'call.missed' && event.dst.number === '690',
    );
    expect(missed).toMatchObject({
      context: 'QUEUE',
      state: 'FAILED',
      cause: 'No answer',
      durationS: 28,
      terminatedBy: null,
    });
    const [queued, box] = [
      cdrs().find(({ dst }) => dst === '690'),
      cdrs().find(({ context }) => context === 'VOICEMAIL'),
    ];
    expect(queued).toMatchObject({ context: 'QUEUE', type: 'M', disposition: 'INITIAL', billsec: 0, duration: 28 });
    expect(box).toMatchObject({ parent_live_id: queued?.live_id, type: 'I', dst_id: String(ids[2]) });
    over();
  });

  it('and who was transferred into the queue has talked before: its call ends with call.hangup, in the context of the queue', () => {
    const { rig, phones, exts, queue, told, cdrs, over } = queueing();
    queue({ agents: [] });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(1000);
    phones[1].call.send('REFER', [['Refer-To', '<sip:690@pbx.example>']]);
    rig.pass(5000);
    calling.hangUp();
    rig.pass(0);
    expect(told()).toEqual([`initial ${exts[1]}`, `connected ${exts[1]}`, 'hangup 690']);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', context: 'QUEUE', terminatedBy: 'caller' });
    expect(cdrs()).toMatchObject([{ context: 'QUEUE', type: 'I', disposition: 'CONNECTED', billsec: 6 }]);
    over();
  });

  it('hangs up: the queue and the agents who were rung have missed it', () => {
    const { rig, phones, exts, queue, told, cdrs, over } = queueing();
    queue();
    const calling = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(2000);
    calling.hangUp();
    rig.pass(0);
    expect(told().slice(-3)).toEqual([`missed ${exts[1]}`, `missed ${exts[2]}`, 'missed 690']);
    expect(rig.events.at(-1)).toMatchObject({ context: 'QUEUE', cause: 'Originator cancel', terminatedBy: 'caller' });
    expect(cdrs()).toMatchObject(Array(3).fill({ type: 'M', duration: 2, t_cause: 'Originator cancel' }));
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    over();
  });

  it('leaves with the hash key, where the queue lets it', () => {
    const { rig, phones, exts, ids, queue, press, states, told, over } = queueing();
    const support = queue({ next: ['U', ids[2]], agents: [ids[1]], hash_to_exit: true });
    const calling = phones[0].dial('690');
    rig.pass(5000);
    press(calling, '1#');
    expect(states()).toEqual([`${exts[2]} 1`]);
    expect(told().slice(-3)).toEqual([`missed ${exts[1]}`, 'missed 690', `initial ${exts[2]}`]);
    phones[2].call.answer();
    rig.pass(1000);
    expect(states()).toEqual([`${exts[2]} 4`]);
    calling.hangUp();
    rig.pass(0);
    rig.store.queues.update(support.id, { hash_to_exit: false });
    const again = phones[0].dial('690');
    rig.pass(0);
    press(again, '#');
    expect(states()[0]).toBe('690 1 ringing');
    again.hangUp();
    over();
  });

  it('is hung up on when the queue leads nowhere', () => {
    const { rig, phones, queue, cdrs, over } = queueing();
    queue({ agents: [], max_wait_time: 12 });
    const calling = phones[0].dial('690');
    rig.pass(12_000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrs()).toMatchObject([{ dst: '690', type: 'M', duration: 12, t_cause: 'No answer', dst_ua: '' }]);
    over();
  });

  it('may wait for ever where nothing limits it', () => {
    const { rig, phones, queue, states, over } = queueing();
    queue({ agents: [], max_wait_time: 0 });
    const calling = phones[0].dial('690');
    rig.pass(3_600_000);
    expect(states()).toEqual(['690 1 waiting']);
    calling.hangUp();
    over();
  });

  it('does not come in when as many wait as may', () => {
    const { rig, phones, exts, ids, queue, states, told, cdrs, over } = queueing();
    queue({ agents: [], max_callers: 1, next: ['U', ids[2]] });
    const first = phones[0].dial('690');
    rig.pass(0);
    phones[1].dial('690');
    rig.pass(0);
    expect(states()).toEqual(['690 1 waiting', `${exts[2]} 1`]);
    expect(told()).toEqual(['initial 690', 'initial 690', 'missed 690', `initial ${exts[2]}`]);
    expect(cdrs()).toMatchObject([{ dst: '690', t_cause: 'Switching equipment congestion', duration: 0 }]);
    first.hangUp();
    phones[1].call.hangUp();
    over();
  });

  it('neither comes in nor stays where nobody is logged in, unless the queue lets it', () => {
    const { rig, phones, ids, queue, states, cdrs, over } = queueing();
    const support = queue({ agents: [], out: [ids[1]], join_empty: false });
    const calling = phones[0].dial('690');
    rig.pass(0);
    expect(calling.log).toEqual(['200', 'remote-bye']);
    expect(cdrs()).toMatchObject([{ context: 'QUEUE', type: 'M', t_cause: 'Subscriber absent' }]);
    rig.store.queues.update(support.id, { users: [{ id: ids[1], status: true }] });
    const again = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.session.reject(486);
    rig.pass(500);
    expect(states()).toEqual(['690 1 waiting']);
    rig.store.queues.update(support.id, { users: [{ id: ids[1], status: false }] });
    rig.pass(1000);
    expect(again.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('goes on when the queue is removed', () => {
    const { rig, phones, queue, over } = queueing();
    const support = queue({ agents: [] });
    const calling = phones[0].dial('690');
    rig.pass(1000);
    rig.store.queues.delete(support.id);
    rig.pass(1000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('is hung up on in the middle of an announcement when it has waited long enough', () => {
    const { rig, phones, queue, sounds, over } = queueing();
    queue({ agents: [], pos_ann: true, hash_to_exit: true, ann_freq: 3, max_wait_time: 12 });
    const calling = phones[0].dial('690');
    rig.pass(12_000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    expect(sounds).toEqual([
      ...['prompt/queue-welcome 0', 'prompt/position/1 4', 'prompt/queue-exit 7', 'music 9.5'],
      ...['prompt/position/1 9.5', '- 12'],
    ]);
    over();
  });

  it('is hung up on, as its agents are, when its account or its user is gone', () => {
    const { rig, phones, ids, queue, inQueues } = queueing();
    queue();
    const gone = phones[0].dial('690');
    rig.pass(1000);
    rig.exchange.forgetUser(ids[0]);
    rig.pass(0);
    expect([gone.ending, phones[1].call.ending]).toMatchObject([{ by: 'remote-bye' }, { by: 'cancel' }]);
    expect(inQueues()).toBe(0);
    phones[0].register();
    rig.pass(0);
    const next = phones[0].dial('690');
    rig.pass(1000);
    expect(inQueues()).toBe(1);
    rig.exchange.forgetCustomer(rig.customer.customerId);
    rig.pass(0);
    expect(next.ending).toMatchObject({ by: 'remote-bye' });
    expect(inQueues()).toBe(0);
    rig.pass(40_000);
  });

  it('goes to the next queue, and back to none that it was in', () => {
    const { rig, phones, queue, states, told, over } = queueing();
    const second = queue({ number: 691, agents: [], max_wait_time: 10 });
    const first = queue({ number: 692, agents: [], max_wait_time: 10, next: ['Q', second.id] });
    const to = { final_dst_type: codeOf(destinationTypeCodes, 'Q'), final_dst_id: first.id };
    rig.store.queues.update(second.id, to);
    const calling = phones[0].dial('692');
    rig.pass(10_000);
    expect(states()).toEqual(['691 1 waiting']);
    rig.pass(10_000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    expect(told()).toEqual(['initial 692', 'missed 692', 'initial 691', 'missed 691']);
    over();
  });

  it('is where a number leads, from outside and when a call is ordered', () => {
    const { rig, phones, network, ids, queue, states, over } = queueing();
    const support = queue({ agents: [ids[1]] });
    const [ddi] = rig.store.ddis.find('e164', rig.customer.numbers[0] ?? '');
    rig.store.ddis.update(ddi?.id ?? '', { target_type: codeOf(targetTypeCodes, 'Q'), target_id: support.id });
    const calling = network.dial(rig.customer.numbers[0] ?? '');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    expect(states()[0]).toBe('690 4 connected');
    calling.hangUp();
    rig.pass(0);
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: '690' });
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    expect(states()[0]).toBe('690 4 connected');
    phones[0].call.hangUp();
    over();
  });
});

describe('what a waiting caller hears', () => {
  it('is its place, how long it will be, how to leave, and music between the news', () => {
    const { rig, phones, queue, sounds, over } = queueing();
    queue({
      agents: [],
      pos_ann: true,
      hold_ann: true,
      hash_to_exit: true,
      ann_freq: 30,
      caller_sounds: 'connecting, Hi',
    });
    const calling = phones[0].dial('690');
    rig.pass(60_000);
    calling.hangUp();
    rig.pass(0);
    expect(sounds).toEqual([
      ...[
        'prompt/connecting 0',
        'text/Hi 2.5',
        'prompt/position/1 3',
        'prompt/wait-minutes/1 6',
        'prompt/queue-exit 9',
      ],
      ...['music 11.5', 'prompt/position/1 30', 'prompt/wait-minutes/1 33', 'music 36'],
      ...['prompt/position/1 60'],
    ]);
    over();
  });

  it('is a word of welcome when nobody is free, and the place of whoever moved up', () => {
    const { rig, phones, queue, sounds, over } = queueing();
    queue({ agents: [], pos_ann: true, ann_freq: 20 });
    const first = phones[0].dial('690');
    rig.pass(1000);
    const second = phones[1].dial('690');
    rig.pass(9000);
    first.hangUp();
    rig.pass(11_000);
    second.hangUp();
    expect(sounds.filter((sound) => sound.startsWith('prompt/'))).toEqual([
      ...['prompt/queue-welcome 0', 'prompt/queue-welcome 1', 'prompt/position/1 4', 'prompt/position/2 5'],
      ...['prompt/position/1 21'],
    ]);
    over();
  });

  it('is as many minutes as callers waited lately, for each place before it', () => {
    const { rig, phones, ids, queue, sounds, over } = queueing();
    const support = queue({ agents: [ids[2]], ring_time: 300, hold_ann: true });
    const taken = phones[0].dial('690');
    rig.pass(130_000);
    phones[2].call.answer();
    rig.pass(0);
    rig.store.queues.update(support.id, { users: [] });
    const next = phones[1].dial('690');
    rig.pass(0);
    const last = phones[1].dial('690');
    rig.pass(10_000);
    expect(sounds.filter((sound) => sound.includes('minutes'))).toEqual([
      ...['prompt/wait-minutes/1 0', 'prompt/wait-minutes/3 134', 'prompt/wait-minutes/5 134'],
    ]);
    for (const call of [taken, next, last]) call.hangUp();
    over();
  });

  it('ends in the middle of a word when an agent answers', () => {
    const { rig, phones, ids, queue, sounds, over } = queueing();
    queue({ agents: [ids[1]], pos_ann: true, ann_freq: 10 });
    const calling = phones[0].dial('690');
    rig.pass(1000);
    phones[1].call.answer();
    rig.pass(30_000);
    expect(sounds).toEqual(['prompt/position/1 0', '- 1']);
    calling.hangUp();
    over();
  });
});

describe('keys of a waiting caller', () => {
  it('lead to where the IVR of the queue has them', () => {
    const { rig, phones, exts, ids, queue, press, states, told, over } = queueing();
    const ivr = [...rig.store.ivrs.list(rig.customer.customerId)][0];
    rig.store.ivrs.update(ivr?.id ?? 0, { five: `U:${ids[2]}`, six: 'H' });
    queue({ agents: [], ivr: ivr?.id ?? 0 });
    const calling = phones[0].dial('690');
    rig.pass(1000);
    press(calling, '7');
    expect(states()).toEqual(['690 1 waiting']);
    press(calling, '5');
    expect(states()).toEqual([`${exts[2]} 1`]);
    expect(told()).toEqual(['initial 690', 'missed 690', `initial ${exts[2]}`]);
    calling.hangUp();
    const leaving = phones[0].dial('690');
    rig.pass(1000);
    press(leaving, '6');
    expect(leaving.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });
});
