// The agents of a queue, as stories: who is rung when, who is left alone, and what becomes of those who do not speak to the caller.
import { describe, expect, it } from 'vitest';
import { codeOf, monitorModeCodes } from '../../contract/codes.ts';
import { fromOf } from '../../sip/fields.ts';
import { office } from './queue.rig.ts';

describe('agents', () => {
  it('rest after a call, and are rung when the rest is over', () => {
    const { rig, phones, ids, support, rung, arrive, over } = office('linear', { wrap_up_time: 15 });
    rig.store.queues.update(support.id, { users: [{ id: ids[1], status: true }] });
    const first = arrive();
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(2500);
    first.hangUp();
    rig.pass(0);
    arrive();
    rig.pass(14_999);
    expect(rung).toEqual(['1 0']);
    rig.pass(1);
    expect(rung).toEqual(['1 0', '1 17.5']);
    rig.exchange.hangUpAll();
    over();
  });

  it('rest from the moment at which they transferred the caller to somebody else', () => {
    const { rig, phones, exts, ids, support, rung, arrive, over } = office('linear', { wrap_up_time: 15 });
    rig.store.queues.update(support.id, { users: [{ id: ids[1], status: true }] });
    const first = arrive();
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(3000);
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@x.example>`]]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(7000);
    arrive();
    rig.pass(7999);
    expect(rung.filter((text) => text.startsWith('1'))).toEqual(['1 0']);
    rig.pass(1);
    expect(rung.filter((text) => text.startsWith('1'))).toEqual(['1 0', '1 18']);
    first.hangUp();
    rig.exchange.hangUpAll();
    over();
  });

  it('who refuse are passed over at once, and left alone for a while', () => {
    const { rig, phones, rung, arrive, states, over } = office('linear', { retry: 8 });
    arrive();
    rig.pass(0);
    phones[0].call.session.reject(603);
    rig.pass(0);
    phones[1].call.session.reject(486);
    rig.pass(0);
    phones[2].call.session.reject(480);
    rig.pass(0);
    expect(rung).toEqual(['0 0', '1 0', '2 0']);
    expect(states()).toEqual(['690 1 waiting']);
    rig.pass(8000);
    expect(rung.slice(3)).toEqual(['0 8']);
    rig.exchange.hangUpAll();
    over();
  });

  it('are not rung who talk, do not want calls, have no phone, are logged out, or call themselves', () => {
    const { rig, phones, ids, support, set, rung, states, over } = office('ring_all');
    set(1, { dnd: true });
    rig.store.queues.update(support.id, {
      users: [...ids.map((id) => ({ id, status: true })), { id: rig.customer.users[3]?.user_id ?? 0, status: true }],
    });
    phones[2].dial('+442079460123');
    rig.pass(0);
    phones[0].dial('690');
    rig.pass(3000);
    expect(rung).toEqual([]);
    expect(states().at(-1)).toBe('690 1 waiting');
    set(1, { dnd: false });
    rig.pass(1000);
    expect(rung).toEqual(['1 4']);
    phones[2].call.hangUp();
    phones[1].call.session.reject(486);
    rig.pass(0);
    expect(rung).toEqual(['1 4', '2 4']);
    rig.exchange.hangUpAll();
    over();
  });

  it('who talk are rung where the queue does not skip them and they take a second call', () => {
    const { rig, phones, ids, support, set, rung, arrive, over } = office('ring_all', { skip_busy: false });
    rig.store.queues.update(support.id, { users: [ids[1], ids[2]].map((id) => ({ id, status: true })) });
    set(1, { cw: true });
    set(2, { cw: false });
    phones[1].dial('+442079460123');
    phones[2].dial('+442079460124');
    rig.pass(0);
    arrive();
    rig.pass(2000);
    expect(rung).toEqual(['1 0']);
    rig.exchange.hangUpAll();
    over();
  });

  it('are rung when their phone comes', () => {
    const { rig, rung, support, arrive, over } = office('ring_all');
    const fourth = rig.customer.users[3];
    rig.store.queues.update(support.id, { users: [{ id: fourth?.user_id ?? 0, status: true }] });
    arrive();
    rig.pass(2500);
    const phone = rig.phone(3);
    phone.register();
    rig.pass(1000);
    expect(phone.calls).toHaveLength(1);
    expect(rung).toEqual([]);
    rig.exchange.hangUpAll();
    over();
  });

  it('see the name of the queue and how long the caller has waited', () => {
    const { rig, phones, arrive, live, over } = office('linear', {
      cli_prefix: true,
      wait_time_prefix: true,
      ring_time: 70,
    });
    arrive();
    rig.pass(0);
    expect(fromOf(phones[0].call.session.invite)?.displayName).toMatch(/^Support 0:00/);
    rig.pass(70_000);
    expect(fromOf(phones[1].call.session.invite)?.displayName).toMatch(/^Support 1:10/);
    expect(live()[1]?.clid).toMatch(/^"Support 1:10/);
    rig.exchange.hangUpAll();
    over();
  });

  it('who want no record of missed calls have none, and the event all the same', () => {
    const { rig, exts, set, told, cdrs, arrive, over } = office('linear');
    set(0, { log_missed_calls: false });
    const calling = arrive();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(told()).toContain(`missed ${exts[0]}`);
    expect(cdrs().map(({ dst }) => dst)).toEqual(['690']);
    over();
  });
});

describe('an agent who has answered', () => {
  it('hears what the queue has for agents before the caller, who hears music until then', () => {
    const { rig, phones, exts, sounds, arrive, states, over } = office('linear', { agent_sounds: 'connecting' });
    arrive();
    rig.pass(2000);
    phones[0].call.answer();
    rig.pass(2499);
    expect(states()).toEqual(['690 1 ringing', `${exts[0]} 4`]);
    rig.pass(1);
    expect(states()).toEqual(['690 4 connected', `${exts[0]} 4`]);
    expect(sounds).toEqual(['music 0', 'prompt/connecting 2', '- 4.5']);
    rig.exchange.hangUpAll();
    over();
  });

  it('and drops before it hears the caller costs the caller nothing: it keeps its place, and the next one is rung', () => {
    const { rig, phones, exts, rung, told, cdrs, arrive, states, over } = office('linear', {
      agent_sounds: 'connecting',
    });
    const [first] = [arrive(), arrive()];
    rig.pass(0);
    phones[1].call.session.reject(486);
    phones[0].call.answer();
    rig.pass(1000);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(first?.session.state).toBe('confirmed');
    expect(states().filter((text) => text.startsWith('690'))).toEqual(['690 1 waiting', '690 1 ringing']);
    rig.pass(4000);
    expect(rung).toEqual(['0 0', '1 0', '2 0', '1 5']);
    phones[1].call.answer();
    rig.pass(2500);
    expect(states().filter((text) => text.startsWith('690'))).toEqual(['690 4 connected', '690 1 ringing']);
    expect(told()).toContain(`hangup ${exts[0]}`);
    expect(cdrs().find(({ dst }) => dst === exts[0])).toMatchObject({
      type: 'I',
      billsec: 1,
      disposition: 'CONNECTED',
    });
    rig.exchange.hangUpAll();
    over();
  });

  it('is hung up on when the caller leaves while it listens', () => {
    const { rig, phones, exts, told, arrive, over } = office('linear', { agent_sounds: 'connecting' });
    const calling = arrive();
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(phones[0].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().slice(-2)).toEqual([`hangup ${exts[0]}`, 'missed 690']);
    over();
  });

  it('in the moment in which the caller hangs up is hung up on', () => {
    const { rig, phones, arrive, over } = office('linear');
    const calling = arrive();
    rig.pass(0);
    calling.hangUp();
    phones[0].call.answer();
    rig.pass(0);
    expect(phones[0].call.session.state).toBe('terminated');
    over();
  });

  it('is not cut off by the longest wait', () => {
    const { rig, phones, arrive, states, over } = office('linear', { agent_sounds: 'ivr-menu', max_wait_time: 5 });
    arrive();
    rig.pass(4000);
    phones[0].call.answer();
    rig.pass(3000);
    expect(states()[0]).toBe('690 4 connected');
    rig.exchange.hangUpAll();
    over();
  });

  it('and hangs up sends the caller to the IVR that the queue has for afterwards', () => {
    const { rig, phones, exts, told, cdrs, live, support, arrive, over } = office('linear');
    const ivr = [...rig.store.ivrs.list(rig.customer.customerId)][0];
    rig.store.queues.update(support.id, { post_call_ivr_id: ivr?.id ?? 0 });
    const calling = arrive();
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(3000);
    const [queued] = live();
    phones[0].call.hangUp();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(live()).toMatchObject([{ context: 'IVR', dst_id: String(ivr?.id), parent_id: queued?.id, state: 4 }]);
    expect(told().slice(-4)).toEqual([
      `hangup ${exts[0]}`,
      'hangup 690',
      `initial ${ivr?.number}`,
      `connected ${ivr?.number}`,
    ]);
    expect(cdrs().find(({ dst }) => dst === '690')).toMatchObject({ type: 'I', billsec: 3 });
    calling.hangUp();
    over();
  });

  it.each([
    ['alone', []],
    ['who had held the call', ['sendonly'] as const],
  ])(
    '%s hangs up: the IVR for afterwards is asked of who was transferred into the queue, too, in its own call',
    (_, holds) => {
      const { rig, phones, exts, told, cdrs, live, support, over, ids } = office('linear');
      const ivr = [...rig.store.ivrs.list(rig.customer.customerId)][0];
      rig.store.queues.update(support.id, { post_call_ivr_id: ivr?.id ?? 0, users: [{ id: ids[2], status: true }] });
      phones[0].dial(exts[1]);
      rig.pass(0);
      phones[1].call.answer();
      rig.pass(0);
      const [id] = live()
        .filter(({ dst }) => dst === exts[1])
        .map((one) => one.id);
      phones[1].call.send('REFER', [['Refer-To', '<sip:690@pbx.example>']]);
      rig.pass(0);
      phones[2].call.answer();
      rig.pass(2000);
      for (const direction of holds) phones[2].call.reoffer(direction);
      rig.pass(0);
      phones[2].call.hangUp();
      rig.pass(0);
      const [led] = live().filter((one) => one.id === id);
      expect(led).toMatchObject({ context: 'IVR', dst: String(ivr?.number), src: exts[0], parent_id: 0, state: 4 });
      expect(led?.queue_state).toBe('');
      expect(told().filter((one) => one === `hangup ${exts[2]}`)).toHaveLength(1);
      phones[0].call.hangUp();
      rig.pass(0);
      expect(cdrs().filter(({ live_id }) => live_id === id)).toMatchObject([{ context: 'IVR', billsec: 2 }]);
      rig.exchange.hangUpAll();
      over();
    },
  );

  it.each<[word: 'N' | 'A' | 'I' | 'O', states: readonly number[]]>([
    ['N', [0, 0]],
    ['A', [1, 1]],
    ['I', [1, 1]],
    ['O', [0, 0]],
  ])('is recorded with the caller as the queue wishes: %s', (word, states) => {
    const { rig, phones, ids, live, arrive, over } = office('linear', { monitor: codeOf(monitorModeCodes, word) });
    const calling = arrive();
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(4000);
    expect(live().map(({ monitor_state }) => monitor_state)).toEqual(states);
    const [, child] = live();
    calling.hangUp();
    rig.pass(0);
    const made = rig.store.monitors.find('live_id', child?.id ?? 0);
    expect(made).toMatchObject(states[0] === 1 ? [{ user_id: ids[0], duration: 4 }] : []);
    expect(made).toHaveLength(states[0] ?? 0);
    over();
  });

  it('talks on when the caller takes the call to another of its phones (RFC 3891)', () => {
    const { rig, phones, ids, support, states, over } = office('linear');
    rig.store.queues.update(support.id, { users: [{ id: ids[1], status: true }] });
    const calling = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(1000);
    const desk = rig.phone(0, { device: 'desk' });
    desk.register();
    rig.pass(0);
    const { callId, remoteTag, localTag } = calling.session;
    // To and from are the exchange's view of that dialog (RFC 3891, 3).
    const replaces = `${callId};to-tag=${remoteTag};from-tag=${localTag}`;
    desk.dial('x', { headers: [['Replaces', replaces]] });
    rig.pass(1000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    expect(states()).toMatchObject(['690 4 connected', expect.stringMatching(/ 4$/)]);
    phones[1].call.hangUp();
    rig.pass(0);
    expect(desk.call.ending).toMatchObject({ by: 'remote-bye' });
    expect(states()).toEqual([]);
    over();
  });

  it('may be told by REST: its call rings, answers and ends, and the caller waits on', () => {
    const { rig, phones, exts, ids, live, rung, arrive, states, over } = office('linear');
    arrive();
    rig.pass(0);
    const [, child] = live();
    rig.exchange.hangUp(child?.id ?? 0);
    rig.pass(0);
    expect(rung).toEqual(['0 0', '1 0']);
    expect(phones[0].call.ending).toMatchObject({ by: 'cancel' });
    phones[1].call.ring();
    rig.pass(0);
    const refused: unknown[] = [];
    rig.exchange.changeCall(live()[0]?.id ?? 0, ids[1], { dst: exts[2] }, (result) => refused.push(result.ok));
    expect(refused).toEqual([false]);
    rig.exchange.changeCall(live()[0]?.id ?? 0, ids[1], { state: 'CONNECTED' }, () => {});
    rig.pass(0);
    expect(phones[1].call.notified).toEqual(['talk']);
    phones[1].call.answer();
    rig.pass(0);
    expect(states()[0]).toBe('690 4 connected');
    rig.exchange.hangUp(live()[0]?.id ?? 0);
    over();
  });
});
