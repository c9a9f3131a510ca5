// What a supervisor does when the watched call changes: goes with the user beside whom it listens, and is gone when there is none.
import { describe, expect, it } from 'vitest';
import type { TestCall, TestPhone } from '../exchange.rig.ts';
import { makeGroup } from '../ring-group.rig.ts';
import { supervised, talked, watching } from './barge.rig.ts';
import { makeConference } from './conference.rig.ts';
import { makeQueue } from './queue.rig.ts';

const replacing = ({ session }: TestCall): string =>
  `${session.callId};to-tag=${session.remoteTag};from-tag=${session.localTag}`;

/** The phone sends its party to whom it talks to in the other call. */
const attend = (call: TestCall, consulted: TestCall): unknown =>
  call.send('REFER', [['Refer-To', `<sip:x@pbx.example?Replaces=${encodeURIComponent(replacing(consulted))}>`]]);

const takeOver = (phone: TestPhone, replaced: TestCall): TestCall =>
  phone.dial('x', { headers: [['Replaces', replacing(replaced)]] });

describe('a watched call on hold', () => {
  it('keeps its supervisor, whoever holds, and takes one', () => {
    const { rig, exts, call, party, callId, supervisor, refusal, live, over } = watching();
    for (const holder of [call, party]) {
      holder.reoffer('sendonly');
      rig.pass(1000);
      expect(live()[0]).toMatchObject({ id: callId, state: 5 });
      expect(supervisor.session.state).toBe('confirmed');
    }
    expect(refusal(`*33${exts[0]}`)).toBe('confirmed');
    for (const holder of [call, party]) holder.reoffer('sendrecv');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 4, 4]);
    call.hangUp();
    over();
  });

  it('is not the one that is heard where the user talks in another one', () => {
    const { rig, exts, phones, network, call, callId, supervision, live, over } = talked();
    call.reoffer('sendonly');
    rig.pass(0);
    const second = phones[0].dial('+442079460123');
    rig.pass(0);
    network.call.answer();
    rig.pass(1000);
    const other = live().find(({ id }) => id !== callId)?.id;
    const supervisor = phones[2].dial(`*33${exts[0]}`);
    rig.pass(0);
    second.hangUp();
    rig.pass(0);
    expect(supervision).toEqual([`began ${other} ${exts[0]} nobody`, `ended ${other} ${exts[0]} nobody`]);
    expect(supervisor.session.state).toBe('terminated');
    expect(live()).toMatchObject([{ id: callId, state: 5 }]);
    call.hangUp();
    over();
  });
});

describe('a watched call that is transferred', () => {
  it('by the user loses its supervisor with the user', () => {
    const { rig, network, call, callId, supervisor, live, over } = watching();
    call.send('REFER', [['Refer-To', '<sip:+442079460123@pbx.example>']]);
    rig.pass(0);
    expect(supervisor.session.state).toBe('confirmed');
    network.call.answer();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([{ id: callId, state: 4 }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('by the user who hangs up at once loses its supervisor at once', () => {
    const { rig, call, callId, supervisor, live, over } = watching();
    call.send('REFER', [['Refer-To', '<sip:+442079460123@pbx.example>']]);
    call.hangUp();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([{ id: callId }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('by the other party keeps its supervisor, who hears the new party', () => {
    const { rig, network, call, party, callId, supervisor, supervision, exts, live, over } = watching();
    party.send('REFER', [['Refer-To', '<sip:+442079460123@pbx.example>']]);
    rig.pass(0);
    network.call.answer();
    rig.pass(1000);
    expect(party.ending).toMatchObject({ by: 'remote-bye' });
    expect(supervisor.session.state).toBe('confirmed');
    expect(live()[0]).toMatchObject({ id: callId, dst: '+442079460123' });
    network.call.hangUp();
    rig.pass(0);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(supervision).toEqual([`began ${callId} ${exts[0]} nobody`, `ended ${callId} ${exts[0]} nobody`]);
    over();
  });

  it('to where the exchange itself answers loses its supervisor', () => {
    const { rig, party, callId, supervisor, live, over } = watching();
    makeConference(rig);
    party.send('REFER', [['Refer-To', '<sip:990@pbx.example>']]);
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([{ id: callId, dst: '990', state: 4 }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('after a consultation with the user keeps its supervisor, in the call in which the user talks then', () => {
    const { rig, exts, phones, network, ...all } = supervised();
    const customer = phones[1].dial('+442079460123');
    rig.pass(0);
    network.call.answer();
    rig.pass(0);
    customer.reoffer('sendonly');
    const consulting = phones[1].dial(exts[0]);
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(1000);
    const [first, second] = all.live().map(({ id }) => id);
    const supervisor = phones[2].dial(`*33${exts[0]}`);
    rig.pass(0);
    all.press(supervisor, '6');
    attend(customer, consulting);
    rig.pass(1000);
    expect(supervisor.session.state).toBe('confirmed');
    expect(all.supervision).toEqual([
      `began ${second} ${exts[0]} nobody`,
      `changed ${second} ${exts[0]} both`,
      `ended ${second} ${exts[0]} both`,
      `began ${first} ${exts[0]} both`,
    ]);
    network.call.hangUp();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    all.over();
  });
});

describe('a watched call that moves to another phone', () => {
  it.each([0, 1] as const)('of party %i keeps its supervisor', (index) => {
    const { rig, phones, call, party, callId, supervisor, live, over } = watching();
    const mobile = rig.phone(index, { device: 'mobile' });
    mobile.register();
    const moved = takeOver(mobile, [call, party][index] ?? call);
    rig.pass(1000);
    expect(moved.session.state).toBe('confirmed');
    expect(supervisor.session.state).toBe('confirmed');
    expect(live()[0]).toMatchObject({ id: callId, state: 4 });
    phones[index === 0 ? 1 : 0].call.hangUp();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });
});

describe('a user who answered', () => {
  it.each([
    ['for a ring group', '790'],
    ['as the agent of a queue', '690'],
  ])('%s is watched in its own call', (_, number) => {
    const { rig, exts, ids, phones, network, refusal, supervision, live, over } = supervised();
    makeGroup({ rig }, { users: [ids[0]] });
    makeQueue(rig, { agents: [ids[0]] });
    const caller = phones[1].dial(number);
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(3000);
    expect(refusal(`*33${exts[0]}`)).toBe('confirmed');
    const member = live().find(({ dst }) => dst === exts[0])?.id;
    expect(supervision).toEqual([`began ${member} ${exts[0]} nobody`]);
    caller.hangUp();
    rig.pass(1000);
    expect(live()).toEqual([]);
    expect(network.calls).toEqual([]);
    over();
  });

  it('may be the one who was called from outside, or have picked up', () => {
    const { rig, exts, ids, phones, network, refusal, set, live, over } = supervised();
    const [ddi] = rig.store.ddis.find('e164', rig.customer.numbers[0] ?? '');
    rig.store.ddis.update(ddi?.id ?? '', { target_type: 1, target_id: ids[1] });
    for (const index of [0, 1] as const) set(index, { pickup_group_id: 7 });
    network.dial(rig.customer.numbers[0] ?? '');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    phones[0].dial('*8');
    rig.pass(0);
    expect(refusal(`*33${exts[0]}`)).toBe('confirmed');
    expect(refusal(`*33${exts[1]}`)).toBe('403 No user group in common');
    expect(live()).toHaveLength(2);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(live()).toEqual([]);
    over();
  });
});

describe('a watched call that is recorded', () => {
  it('has the record that it would have had', () => {
    const { rig, ids, exts, phones, set, press, over } = supervised();
    const before = new Set([...rig.store.monitors.list(rig.customer.customerId)].map(({ id }) => id));
    set(0, { monitor: 'A' });
    set(2, { monitor: 'A' });
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(1000);
    const supervisor = phones[2].dial(`*33${exts[0]}`);
    rig.pass(1000);
    press(supervisor, '6');
    rig.pass(2900);
    call.hangUp();
    rig.pass(0);
    const made = [...rig.store.monitors.list(rig.customer.customerId)].filter(({ id }) => !before.has(id));
    expect(made).toMatchObject([{ duration: 5, caller: exts[0], called: exts[1], user_id: ids[0] }]);
    over();
  });
});

describe('a user who is removed', () => {
  it('takes its call and the supervisor along', () => {
    const { rig, ids, supervisor, live, over } = watching();
    rig.exchange.forgetUser(ids[0]);
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toEqual([]);
    over();
  });

  it('and was a supervisor leaves the call as it is', () => {
    const { rig, ids, callId, live, call, disturbed, over } = watching();
    rig.exchange.forgetUser(ids[2]);
    rig.pass(0);
    expect(live()).toMatchObject([{ id: callId, state: 4 }]);
    expect(disturbed()).toEqual([]);
    call.hangUp();
    over();
  });
});
