// Pickup as stories: by *8 or ** and an extension a colleague answers what rings elsewhere, and nobody has missed it.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { queueing } from './attendants/queue.rig.ts';
import { makeGroup, refusalOf, watched } from './ring-group.rig.ts';

/** The first user calls the second one, whose phone rings; the third one is its colleague. */
function ringing(groups: readonly [number, number] = [7, 7]) {
  const all = watched();
  const { rig, phones, exts, set } = all;
  set(1, { pickup_group_id: groups[0] });
  set(2, { pickup_group_id: groups[1] });
  const calling = phones[0].dial(exts[1]);
  rig.pass(0);
  phones[1].call.ring();
  rig.pass(2000);
  const pick = (code: string) => {
    const call = phones[2].dial(code);
    rig.pass(0);
    return call;
  };
  return { ...all, calling, pick };
}

describe('a call that rings at a colleague', () => {
  it.each(['*8', '**102'])(
    'is answered by %s: it goes on under its id with another dst, answered once, missed by nobody',
    (code) => {
      const { rig, phones, exts, ids, calling, pick, live, told, cdrs, over } = ringing();
      const [{ id = 0 } = {}] = live();
      const picking = pick(code);
      expect([picking.session.state, calling.session.state]).toEqual(['confirmed', 'confirmed']);
      expect(live()).toMatchObject([
        {
          id,
          state: 4,
          dst: exts[2],
          dst_id: String(ids[2]),
          referred_by: exts[1],
          dst_call_id: picking.session.callId,
        },
      ]);
      expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
      rig.pass(3000);
      calling.hangUp();
      rig.pass(0);
      expect(told()).toEqual([`initial ${exts[1]}`, `ringing ${exts[1]}`, `connected ${exts[2]}`, `hangup ${exts[2]}`]);
      expect(cdrs()).toMatchObject([{ live_id: id, type: 'I', dst: exts[2], billsec: 3, duration: 5 }]);
      over();
    },
  );

  it('rings no more there, and the phone is told that it was answered elsewhere', () => {
    const { rig, phones, pick } = ringing();
    const cancels: string[] = [];
    rig.journal.subscribe((entry) => {
      const text = entry.kind === 'sip.out' ? String(dataOf(entry).text) : '';
      if (text.startsWith('CANCEL')) cancels.push(/^Reason: (.*)\r$/m.exec(text)?.[1] ?? '');
    });
    pick('*8');
    expect(cancels).toEqual(['SIP;cause=200;text="Call completed elsewhere"']);
    expect(phones[1].call.session.state).toBe('terminated');
  });

  it('may be one for a group: the member call goes on with whoever picked it up', () => {
    const { rig, phones, ids, exts, set, live, told, over } = watched();
    set(1, { pickup_group_id: 7 });
    set(2, { pickup_group_id: 7 });
    makeGroup({ rig }, { users: [ids[1]] });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(1000);
    phones[2].dial('*8');
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(live()).toMatchObject([
      { dst: '790', state: 4 },
      { dst: exts[2], state: 4 },
    ]);
    calling.hangUp();
    rig.pass(0);
    expect(told().filter((line) => line.startsWith('missed'))).toEqual([]);
    over();
  });

  it('may be one at an agent of a queue: whoever picks up is the agent', () => {
    const { rig, phones, ids, exts, set, states, sounds, queue, told, over } = queueing();
    set(1, { pickup_group_id: 7 });
    set(2, { pickup_group_id: 7 });
    const support = queue({ agents: [ids[1]], out: [ids[2]], agent_sounds: 'connecting' });
    const calling = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(1000);
    phones[2].dial('**102');
    rig.pass(0);
    expect(states()).toEqual(['690 3 ringing', `${exts[2]} 4`]);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    rig.pass(2500);
    expect(states()).toEqual(['690 4 connected', `${exts[2]} 4`]);
    expect(sounds).toEqual(['music 0', 'prompt/connecting 1', '- 3.5']);
    expect(rig.exchange.queues.view(support.id)?.agents.map(({ taken }) => taken)).toEqual([0, 1]);
    calling.hangUp();
    rig.pass(0);
    expect(told().filter((line) => line.startsWith('missed'))).toEqual([]);
    over();
  });

  it('may be one for a user who is followed: whoever picks up is not asked', () => {
    const { rig, phones, exts, set, network, live, told, over } = watched();
    set(0, { pickup_group_id: 7 });
    set(1, { fm: true, fm_init_ring_time: 0, fm_targets: [exts[2]], fm_confirm_required: true });
    set(2, { pickup_group_id: 7 });
    const calling = network.dial(rig.customer.numbers[1] ?? '');
    rig.pass(0);
    phones[2].call.ring();
    rig.pass(0);
    phones[0].dial('*8');
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(live()).toMatchObject([
      { dst: exts[1], state: 4 },
      { dst: exts[0], state: 4, referred_by: exts[2] },
    ]);
    calling.hangUp();
    rig.pass(0);
    expect(told().slice(-2).sort()).toEqual([`hangup ${exts[0]}`, `hangup ${exts[1]}`]);
    over();
  });

  it('may be picked up by a phone without an offer, and by another phone of the one who is called', () => {
    const { rig, phones, calling, over } = ringing();
    const picking = phones[2].dial('**102', { body: null });
    rig.pass(0);
    picking.session.ack(picking.sdp());
    rig.pass(0);
    expect([picking.session.state, calling.session.state]).toEqual(['confirmed', 'confirmed']);
    calling.hangUp();
    over();
    const own = ringing([0, 0]);
    own.phones[1].dial('**102');
    own.rig.pass(0);
    expect(own.calling.session.state).toBe('confirmed');
  });

  it('is that of the caller who has waited longest', () => {
    const { rig, phones, network, calling, pick } = ringing();
    const second = network.dial(rig.customer.numbers[1] ?? '', { from: '<sip:+442079469999@network>' });
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(2);
    pick('*8');
    expect([calling.session.state, second.session.state]).toEqual(['confirmed', 'calling']);
  });
});

describe('nobody picks up', () => {
  it('what an agent or a number of follow-me has answered already', () => {
    const { rig, phones, ids, exts, set, queue, over } = queueing();
    for (const index of [0, 1, 2] as const) set(index, { pickup_group_id: 7 });
    queue({ agents: [ids[1]], agent_sounds: 'connecting' });
    phones[0].dial('690');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    const late = phones[2].dial('**102');
    rig.pass(0);
    expect(late.log.at(-1)).toBe('480');
    rig.exchange.hangUpAll();
    set(1, { fm: true, fm_init_ring_time: 0, fm_targets: [exts[2]], fm_confirm_required: true });
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    const asked = phones[1].dial('**103');
    rig.pass(0);
    expect(asked.log.at(-1)).toBe('480');
    rig.exchange.hangUpAll();
    over();
  });

  it.each([
    ['a colleague of no group', [7, 0], '*8', '480 Nothing rings there'],
    ['what rings in another group', [7, 8], '*8', '480 Nothing rings there'],
    ['what rings in another group, by its extension', [7, 8], '**102', '403 No pickup group in common'],
    ['at an extension that nobody has', [7, 7], '**777', '404 Nobody has that extension'],
    ['where nothing rings', [7, 7], '**103', '480 Nothing rings there'],
  ] as const)('%s', (_, groups, code, refusal) => {
    const { pick, calling, over } = ringing(groups);
    expect(refusalOf(pick(code))).toBe(refusal);
    expect(calling.log.at(-1)).toBe('180');
    calling.hangUp();
    over();
  });

  it('a call of its own, one that is answered, or anything from outside', () => {
    const { rig, phones, network, pick, set, over } = ringing();
    set(0, { pickup_group_id: 7 });
    const own = phones[0].dial('*8');
    rig.pass(0);
    expect(own.log.at(-1)).toBe('480');
    phones[1].call.answer();
    rig.pass(0);
    expect(pick('**102').log.at(-1)).toBe('480');
    const outside = network.dial('*8');
    rig.pass(0);
    expect(outside.log.at(-1)).toBe('404');
    phones[1].call.hangUp();
    over();
  });

  it('with a codec that the caller cannot do: 488, and it rings on', () => {
    const { rig, phones, exts, set, over } = watched();
    set(1, { pickup_group_id: 7 });
    set(2, { pickup_group_id: 7 });
    const pcma = rig.phone(0, { codecs: ['PCMA'], device: 'pcma' });
    pcma.register();
    const pcmu = rig.phone(2, { codecs: ['PCMU'], device: 'pcmu' });
    rig.pass(0);
    const calling = pcma.dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    const picking = pcmu.dial('*8');
    rig.pass(0);
    expect([picking.log.at(-1), calling.log.at(-1)]).toEqual(['488', '180']);
    phones[1].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    calling.hangUp();
    over();
  });
});

/** The first user has called the second one, who leads it to the third one, whose phone rings. All are in one pickup group. */
function led(hangsUp: boolean) {
  const all = watched();
  const { rig, phones, exts, set } = all;
  for (const index of [0, 1, 2] as const) set(index, { pickup_group_id: 7 });
  const calling = phones[0].dial(exts[1]);
  rig.pass(0);
  const held = phones[1].call;
  held.answer();
  rig.pass(0);
  held.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
  rig.pass(0);
  phones[2].call.ring();
  if (hangsUp) held.hangUp();
  rig.pass(0);
  const [{ id = 0 } = {}] = all.live();
  const pick = (index: 0 | 1 | 2, code: string, device: string) => {
    const phone = rig.phone(index, { device });
    const call = phone.dial(code);
    rig.pass(0);
    return call;
  };
  return { ...all, calling, held, id, pick };
}

describe('a call that rings for a transferred party', () => {
  it.each([
    ['**103', true],
    ['**103', false],
    ['*8', true],
    ['*8', false],
  ] as const)('is answered by %s where it rings, also by the one who transferred it (gone: %s)', (code, isGone) => {
    const { phones, exts, calling, held, id, pick, live, over } = led(isGone);
    const picking = pick(1, code, 'desk');
    expect(picking.session.state).toBe('confirmed');
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(held.session.state).toBe('terminated');
    expect(live()).toMatchObject([{ id, src: exts[0], dst: exts[1], state: 4 }]);
    calling.hangUp();
    over();
  });

  it.each(['**103', '**102', '*8'])('is not answered by the party itself, nor where it does not ring: %s', (code) => {
    const { phones, exts, calling, pick, live, over } = led(false);
    const picking = code === '**102' ? pick(1, code, 'desk') : pick(0, code, 'desk');
    expect(picking.log.at(-1)).toBe('480');
    expect(live()).toMatchObject([{ src: exts[0], dst: exts[1], state: 4 }]);
    expect(phones[2].call.ending).toBeUndefined();
    calling.hangUp();
    over();
  });

  it('is not answered by the party itself by Replaces either', () => {
    const { rig, phones, calling, over } = led(false);
    const { callId, localTag, remoteTag } = phones[2].call.session;
    const headers = [['Replaces', `${callId};to-tag=${remoteTag};from-tag=${localTag};early-only`]] as const;
    const taking = rig.phone(0, { device: 'desk' }).dial('x', { headers });
    rig.pass(0);
    expect(taking.log.at(-1)).toBe('403');
    calling.hangUp();
    over();
  });
});
