// The strategies of ring groups, the ways that lead to one, and what comes after: on to the next destination, hold, transfer, orders.
import { describe, expect, it } from 'vitest';
import { codeOf, destinationTypeCodes, ruleDirectionCodes } from '../contract/codes.ts';
import type { TestCall } from './exchange.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

/** How many calls each phone has made or got, and whether it rings. */
function ringing({ phones }: ReturnType<typeof watched>): string {
  return phones.map(({ calls }) => `${calls.length}${isRinging(calls.at(-1)) ? ' rings' : ''}`).join(', ');
}

function isRinging(call: TestCall | undefined): boolean {
  return call?.session.role === 'uas' && call.session.state === 'calling';
}

describe('hunting', () => {
  it('rings one after the other, each for the ring time; only who was rung in vain has missed a call', () => {
    const all = watched();
    const { rig, phones, exts, told, over } = all;
    makeGroup(all, { strategy: 'hunt', ringTimeS: 6 });
    const calling = phones[0].dial('790');
    rig.pass(5999);
    expect(ringing(all)).toBe('1, 1 rings, 0');
    rig.pass(1);
    expect(ringing(all)).toBe('1, 1, 1 rings');
    phones[2].call.answer();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      ...['initial 790', `initial ${exts[1]}`, `missed ${exts[1]}`, `initial ${exts[2]}`],
      ...[`connected ${exts[2]}`, 'connected 790', `hangup ${exts[2]}`, 'hangup 790'],
    ]);
    over();
  });

  it('goes on at once when a phone refuses, and ends after the last', () => {
    const all = watched();
    const { rig, phones, cdrs, over } = all;
    makeGroup(all, { strategy: 'hunt', ringTimeS: 6 });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.session.reject(486);
    rig.pass(0);
    expect(ringing(all)).toBe('1, 1, 1 rings');
    rig.pass(6000);
    expect(calling.log).toEqual(['486']);
    expect(cdrs().map(({ t_cause }) => t_cause)).toEqual(['User busy', 'No answer', 'User busy']);
    over();
  });

  it('with memory keeps those ringing who rang before', () => {
    const all = watched();
    const { rig, phones, cdrs, over } = all;
    makeGroup(all, { strategy: 'memory_hunt', ringTimeS: 6 });
    phones[0].dial('790');
    rig.pass(0);
    expect(ringing(all)).toBe('1, 1 rings, 0');
    rig.pass(6000);
    expect(ringing(all)).toBe('1, 1 rings, 1 rings');
    phones[1].call.answer();
    rig.pass(0);
    phones[1].call.hangUp();
    rig.pass(0);
    expect(cdrs().map(({ t_cause }) => t_cause)).toContain('Call completed elsewhere');
    phones[0].dial('790');
    rig.pass(11_999);
    expect(ringing(all)).toBe('2, 2 rings, 2 rings');
    rig.pass(1);
    expect(ringing(all)).toBe('2, 2, 2');
    over();
  });

  it('at random rings each once, in an order that chance decides', () => {
    const all = watched();
    const { rig, phones, ids, told, exts, over } = all;
    makeGroup(all, { strategy: 'random', ringTimeS: 1, users: [ids[1], ids[2]] });
    const orders: string[] = [];
    for (let time = 0; time < 12; time += 1) {
      const before = told().length;
      phones[0].dial('790');
      rig.pass(5000);
      const rung = told()
        .slice(before)
        .filter((text) => /^initial .*(?<!790)$/.test(text));
      orders.push(rung.map((text) => (text.endsWith(exts[1]) ? 'B' : 'C')).join(''));
    }
    expect(new Set(orders)).toEqual(new Set(['BC', 'CB']));
    over();
  });
});

describe('a ring group is reached', () => {
  it('by a number of the house, from outside', () => {
    const all = watched();
    const { rig, phones, network, live, cdrs, over } = all;
    const group = makeGroup(all);
    const [number = ''] = rig.customer.numbers;
    const [ddi] = rig.store.ddis.find('e164', number);
    rig.store.ddis.update(ddi?.id ?? '', { target_type: codeOf(destinationTypeCodes, 'R'), target_id: group.id });
    network.dial(number, { from: '<sip:+442079460123@network.example>' });
    rig.pass(0);
    expect(live()).toMatchObject([
      { context: 'RING_GROUP', src: '+442079460123', dst: '790', destination: 0 },
      { context: 'PSTN_CALL', src: '+442079460123', clid: '<+442079460123>' },
      { context: 'PSTN_CALL' },
    ]);
    phones[1].call.answer();
    rig.pass(2000);
    network.call.hangUp();
    rig.pass(0);
    expect(cdrs().map(({ billsec, user_id }) => [billsec, user_id])).toEqual([
      [0, all.ids[2]],
      [2, 0],
      [2, all.ids[1]],
    ]);
    over();
  });

  it('by the final destination of a user, and of another group; never twice', () => {
    const all = watched();
    const { rig, phones, exts, ids, set, cdrs, over } = all;
    const last = makeGroup(all, { number: 791, users: [ids[2]], ringTimeS: 5 });
    const first = makeGroup(all, { number: 790, users: [ids[1]], ringTimeS: 5, next: ['R', last.id] });
    rig.store.ringgroups.update(last.id, { final_dst_type: codeOf(destinationTypeCodes, 'R'), final_dst_id: first.id });
    set(1, { dnd: true, final_dst_type: 'R', final_dst_id: first.id });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    expect(ringing(all)).toBe('1, 0, 1 rings');
    rig.pass(5000);
    expect(calling.log).toEqual(['480']);
    const [direct, group, member, other] = cdrs();
    expect([direct, group, member, other]).toMatchObject([
      { dst: exts[1], parent_live_id: 0, t_cause: 'Do not disturb' },
      { dst: '790', parent_live_id: direct?.live_id, t_cause: 'Do not disturb' },
      { dst: exts[2], parent_live_id: other?.live_id, t_cause: 'No answer' },
      { dst: '791', parent_live_id: group?.live_id, t_cause: 'No answer' },
    ]);
    expect(cdrs()).toHaveLength(4);
    over();
  });

  it('and left to a user when nobody answers', () => {
    const all = watched();
    const { rig, phones, ids, live, over } = all;
    makeGroup(all, { users: [ids[1]], ringTimeS: 5, next: ['U', ids[2]] });
    const calling = phones[0].dial('790');
    rig.pass(5000);
    expect(ringing(all)).toBe('1, 1, 1 rings');
    phones[2].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(live()).toMatchObject([{ context: 'USER_LOCAL', dst: all.exts[2], state: 4 }]);
    calling.hangUp();
    over();
  });

  it('by a routing rule, and a rule may be about it', () => {
    const all = watched();
    const { rig, phones, exts, over } = all;
    const group = makeGroup(all);
    const { customerId } = rig.customer;
    const rule = (id: number, destination: string, action: string) =>
      rig.store.routingrules.insert(customerId, {
        ...{ id, customer: customerId, pos: id, source: '', time_interval: '', final_dst: false },
        ...{ direction: codeOf(ruleDirectionCodes, 'in'), destination, action },
      });
    rule(1, exts[1], `redirect:R:${group.id}`);
    phones[0].dial(exts[1]);
    rig.pass(0);
    expect(ringing(all)).toBe('1, 1 rings, 1 rings');
    phones[0].call.hangUp();
    rule(2, '790', 'block');
    const blocked = phones[0].dial('790');
    rig.pass(0);
    expect(blocked.log).toEqual(['403']);
    over();
  });

  it('by click to call, which tells of the same call from the first ring to the end', () => {
    const all = watched();
    const { rig, phones, ids, exts, told, live, over } = all;
    makeGroup(all);
    const placed = rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: '790' });
    expect(placed).toMatchObject({ ok: true, value: { dst: '790', context: 'RING_GROUP', src: exts[0] } });
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(0);
    const id = placed.ok ? placed.value.id : 0;
    expect(live().map(({ state, parent_id }) => [state, parent_id])).toEqual([
      [2, 0],
      [1, id],
      [1, id],
    ]);
    phones[1].call.answer();
    rig.pass(3000);
    expect(rig.exchange.liveCall(id)?.record).toMatchObject({ state: 4 });
    expect(rig.exchange.hangUp(id)).toBe(true);
    rig.pass(0);
    expect([phones[0].call.ending, phones[1].call.ending]).toMatchObject([{ by: 'remote-bye' }, { by: 'remote-bye' }]);
    expect(told().filter((text) => text.endsWith('790'))).toEqual(['initial 790', 'connected 790', 'hangup 790']);
    over();
  });
});

describe('a call that a member of a group has answered', () => {
  function answered() {
    const all = watched();
    makeGroup(all);
    const calling = all.phones[0].dial('790');
    all.rig.pass(0);
    all.phones[1].call.answer();
    all.rig.pass(1000);
    const [group, member] = all.live().map(({ id }) => id);
    return { ...all, calling, group: group ?? 0, member: member ?? 0 };
  }

  it('is held and resumed, and so is that of the group', () => {
    const { rig, phones, exts, live, told, calling, over } = answered();
    phones[1].call.reoffer('sendonly');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([5, 5]);
    phones[1].call.reoffer('sendrecv');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 4]);
    expect(told().slice(-4)).toEqual([`hold ${exts[1]}`, 'hold 790', `unhold ${exts[1]}`, 'unhold 790']);
    calling.hangUp();
    over();
  });

  it('is transferred by its member; the caller stays the group’s', () => {
    const { rig, phones, exts, live, calling, group, member, over } = answered();
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(live()).toMatchObject([
      { id: group, dst: '790', state: 4 },
      { id: member, dst: exts[2], referred_by: exts[1], state: 4 },
    ]);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    calling.hangUp();
    over();
  });

  it('is transferred and ended by orders to the call of the group', () => {
    const { rig, phones, ids, live, group, member, over } = answered();
    const answers: unknown[] = [];
    const order = (changes: { dst?: string; state?: string }) =>
      rig.exchange.changeCall(group, ids[1], changes, (answer) => answers.push(answer));
    order({ dst: '799' });
    rig.pass(0);
    expect(answers).toMatchObject([{ ok: false }]);
    order({ dst: rig.customer.users[2]?.ext ?? '' });
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(live().map(({ id, state }) => [id, state])).toEqual([
      [group, 4],
      [member, 4],
    ]);
    order({ state: 'HANGUP' });
    rig.pass(0);
    expect(answers).toMatchObject([{ ok: false }, { ok: true }, { ok: true, value: { id: group, state: 6 } }]);
    expect(live()).toEqual([]);
    over();
  });
});

describe('orders while a group rings', () => {
  it('a phone is told to answer by the call of the group, or by its own', () => {
    const all = watched();
    const { rig, phones, ids, live, over } = all;
    makeGroup(all);
    phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    phones[2].call.ring();
    rig.pass(0);
    const answers: unknown[] = [];
    const [group] = live();
    rig.exchange.changeCall(group?.id ?? 0, ids[2], { state: 'CONNECTED' }, (answer) => answers.push(answer));
    rig.pass(0);
    expect([phones[1].call.notified, phones[2].call.notified]).toEqual([[], ['talk']]);
    phones[2].call.answer();
    rig.pass(0);
    expect(answers).toMatchObject([{ ok: true, value: { id: group?.id, state: 4 } }]);
    phones[0].call.hangUp();
    over();
  });

  it('ending the call of one member stops its phone alone, ending the group’s stops all', () => {
    const all = watched();
    const { rig, phones, live, cdrs, over } = all;
    makeGroup(all);
    const calling = phones[0].dial('790');
    rig.pass(0);
    const [group, one] = live();
    rig.exchange.hangUp(one?.id ?? 0);
    rig.pass(0);
    expect(ringing(all)).toBe('1, 1, 1 rings');
    rig.exchange.hangUp(group?.id ?? 0);
    rig.pass(0);
    expect(ringing(all)).toBe('1, 1, 1');
    expect(calling.log).toEqual(['480']);
    expect(cdrs().map(({ type }) => type)).toEqual(['M', 'M', 'M']);
    over();
  });
});

describe('a call that is transferred to a group', () => {
  function transferred(ringTimeS = 20) {
    const all = watched();
    const { rig, phones, exts, ids } = all;
    makeGroup(all, { users: [ids[2]], ringTimeS });
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(1000);
    const [first] = all.live();
    phones[1].call.send('REFER', [['Refer-To', '<sip:790@pbx.example>']]);
    rig.pass(0);
    return { ...all, calling, id: first?.id ?? 0 };
  }

  it('rings its members; who answers talks to the party that stayed, whose call goes on', () => {
    const { rig, phones, exts, calling, id, live, told, over } = transferred();
    phones[2].call.ring();
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 3]);
    phones[2].call.answer();
    rig.pass(0);
    expect(phones[1].call.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 180 Ringing', 'SIP/2.0 200 OK']);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([
      { id, context: 'RING_GROUP', dst: '790', referred_by: exts[1], state: 4 },
      { dst: exts[2], src: exts[0], parent_id: id, state: 4 },
    ]);
    phones[2].call.hangUp();
    rig.pass(0);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().slice(-3)).toEqual([`connected ${exts[2]}`, `hangup ${exts[2]}`, 'hangup 790']);
    over();
  });

  it('stays with the transferor when nobody answers there', () => {
    const { rig, phones, exts, calling, id, live, told, over } = transferred(5);
    rig.pass(5000);
    expect(phones[1].call.notified.at(-1)).toBe('SIP/2.0 480 Temporarily Unavailable');
    expect(live()).toMatchObject([{ id, dst: exts[1], state: 4 }]);
    expect(told().at(-1)).toBe(`missed ${exts[2]}`);
    calling.hangUp();
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('rings nobody any more when the party that stayed hangs up', () => {
    const { rig, phones, calling, live, over } = transferred();
    calling.hangUp();
    rig.pass(0);
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(live()).toEqual([]);
    over();
  });
});
