// Bad weather as stories: nobody there, lost ACK, a phone that vanishes, a user without call waiting, the last call of the day.
import { describe, expect, it } from 'vitest';
import { company, talking } from './company.rig.ts';
import { makeRig } from './exchange.rig.ts';

describe('nobody there', () => {
  it('repeats the INVITE for 32 seconds and ends with 408', () => {
    const rig = makeRig();
    const alice = rig.phone(0);
    const bob = rig.phone(1, { unreliable: true });
    alice.register();
    bob.register();
    rig.pass(0);
    const user = rig.customer.users[1];
    rig.store.users.update(user?.user_id ?? 0, { ring_time: '60' });
    bob.deaf = true;
    const calling = alice.dial(user?.ext ?? '');
    rig.pass(31_999);
    expect(calling.log).toEqual([]);
    rig.pass(1);
    expect(calling.log).toEqual(['408']);
    const invites = rig.journal
      .query({ kind: 'sip.out' })
      .filter(({ data }) => JSON.stringify(data).includes(`INVITE sip:${user?.ext}`));
    expect(invites.map(({ at }) => at - (invites[0]?.at ?? 0))).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500]);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.missed', cause: 'No user responding' });
  });
});

describe('a lost ACK', () => {
  it('makes the exchange repeat its 200 for 32 seconds and then hang both up', () => {
    const rig = makeRig();
    const alice = rig.phone(0, { unreliable: true });
    const bob = rig.phone(1);
    alice.register();
    bob.register();
    rig.pass(0);
    alice.dial(rig.customer.users[1]?.ext ?? '');
    rig.pass(0);
    alice.mute = (line) => line === 'ACK';
    bob.call.answer();
    rig.pass(31_999);
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toHaveLength(1);
    rig.pass(1);
    expect(alice.wire.filter((line) => line === '< 200 INVITE').length).toBeGreaterThan(5);
    expect(alice.wire).toContain('< BYE');
    expect(bob.call.ending).toMatchObject({ by: 'remote-bye' });
    expect(rig.events.at(-1)).toMatchObject({
      name: 'call.hangup',
      cause: 'Recovery on timer expiry',
      terminatedBy: null,
    });
  });
});

describe('the end of the day', () => {
  it('hangs up every call by SIP, ringing ones too, and leaves nothing behind', () => {
    const { rig, call, phones, exts } = talking();
    const waiting = phones[2].dial(exts[0]);
    rig.pass(0);
    phones[0].call.ring();
    rig.pass(0);
    rig.exchange.hangUpAll();
    rig.pass(0);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(waiting.log.at(-1)).toBe('503');
    expect(rig.exchange.liveCalls(rig.customer.customerId)).toEqual([]);
    rig.pass(200_000);
    expect(rig.exchange.stats).toEqual({
      clientTransactions: 0,
      serverTransactions: 0,
      sessions: 0,
      subscriptions: 0,
      calls: 0,
      mediaSessions: 0,
      recordings: 0,
    });
    expect(rig.clock.pending().filter(({ name }) => !name.startsWith('registration'))).toEqual([]);
  });
});

describe('call waiting', () => {
  it('switched off makes a user who talks busy', () => {
    const { rig, phones, exts, network } = talking();
    const [, bob] = rig.customer.users;
    rig.store.users.update(bob?.user_id ?? 0, { cw: false });
    const calling = phones[2].dial(exts[1]);
    rig.pass(0);
    expect(calling.log).toEqual(['486']);
    expect(network.calls).toEqual([]);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.missed', cause: 'User busy' });
  });

  it('switched on lets the second call ring', () => {
    const { rig, phones, exts } = talking();
    phones[2].dial(exts[1]);
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(2);
  });
});

describe('registration', () => {
  it('rings every contact of a user, and the first to answer wins', () => {
    const { rig, phones, exts } = company();
    const desk = phones[1];
    const mobile = rig.phone(1, { device: 'mobile' });
    mobile.register();
    rig.pass(0);
    expect(rig.store.users.get(rig.customer.users[1]?.user_id ?? 0)?.nb_sip_locations).toBe(2);
    const calling = phones[0].dial(exts[1]);
    rig.pass(0);
    desk.call.ring();
    mobile.call.ring();
    rig.pass(0);
    mobile.call.answer();
    rig.pass(0);
    expect(desk.call.ending?.by === 'cancel' && desk.call.ending.request?.headers.get('Reason')).toContain(
      'SIP;cause=200',
    );
    expect(calling.session.state).toBe('confirmed');
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.ringing RINGING', 'call.connected CONNECTED']);
  });

  it('ends by the clock, by request, and refuses less than a minute', () => {
    const rig = makeRig();
    const phone = rig.phone(0);
    const locations = () => rig.store.users.get(rig.customer.users[0]?.user_id ?? 0)?.nb_sip_locations;
    const short = phone.register(59);
    rig.pass(0);
    expect(short).toMatchObject([{ status: 423 }]);
    expect(short[0]?.response?.headers.get('Min-Expires')).toBe('60');
    phone.register(60);
    rig.pass(59_999);
    expect(locations()).toBe(1);
    rig.pass(1);
    expect(locations()).toBe(0);
    phone.register();
    rig.pass(0);
    expect(locations()).toBe(1);
    phone.register(0);
    rig.pass(0);
    expect(locations()).toBe(0);
  });
});
