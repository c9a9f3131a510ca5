// Follow-me as stories: the own phone first, then the numbers of the user by strategy, and no circles.
import { describe, expect, it } from 'vitest';
import { followed, HOME, MOBILE } from './follow-me.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

describe('a user who is followed', () => {
  it('has its own phone rung first, then its numbers; the one that answers has the caller', () => {
    const { rig, phones, exts, ids, call, at, live, told, cdrs, over } = followed();
    const calling = call();
    phones[1].call.ring();
    rig.pass(4999);
    expect(live()).toMatchObject([{ dst: exts[1], context: 'USER_LOCAL' }]);
    rig.pass(1);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    at(MOBILE).ring();
    rig.pass(1000);
    expect(calling.log).toContain('180');
    expect(live()).toMatchObject([
      { state: 3, dst: exts[1], dst_id: String(ids[1]), context: 'FOLLOW_ME' },
      { state: 3, dst: MOBILE, context: 'PSTN_CALL', destination: 1 },
      { state: 1, dst: HOME, context: 'PSTN_CALL' },
    ]);
    at(HOME).answer();
    rig.pass(60_000);
    expect(at(MOBILE).ending).toMatchObject({ by: 'cancel' });
    expect(live()).toMatchObject([
      { state: 4, context: 'FOLLOW_ME' },
      { state: 4, dst: HOME, dst_rate: 0.02 },
    ]);
    calling.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      `initial ${exts[1]}`,
      `ringing ${exts[1]}`,
      `missed ${exts[1]}`,
      `initial ${exts[1]}`,
      `initial ${MOBILE}`,
      `initial ${HOME}`,
      `ringing ${MOBILE}`,
      `ringing ${exts[1]}`,
      `connected ${HOME}`,
      `connected ${exts[1]}`,
      `hangup ${MOBILE}`,
      `hangup ${HOME}`,
      `hangup ${exts[1]}`,
    ]);
    const [missed, , ...rest] = cdrs();
    expect(missed).toMatchObject({ type: 'M', t_cause: 'No answer', duration: 5 });
    const parent = rest.find(({ context }) => context === 'FOLLOW_ME');
    expect(parent).toMatchObject({ type: 'I', parent_live_id: missed?.live_id, billsec: 60 });
    expect(rest.find(({ dst }) => dst === HOME)).toMatchObject({
      type: 'O',
      parent_live_id: parent?.live_id,
      user_id: ids[0],
      billsec: 60,
      charge: 0.02,
    });
    over();
  });

  it('is charged for calls of outsiders that go on to its numbers, and sees and ends them', () => {
    const { rig, ids, network, at, cdrs, over } = followed({ fm_init_ring_time: 0 });
    const calling = network.dial(rig.customer.numbers[1] ?? '', { from: '<sip:+442079469999@network>' });
    rig.pass(0);
    at(HOME).answer();
    rig.pass(1000);
    const views = rig.exchange.liveCalls(rig.customer.customerId);
    expect(views.map(({ userIds }) => userIds)).toEqual([[ids[1]], [ids[1]]]);
    calling.hangUp();
    rig.pass(0);
    expect(cdrs().find(({ dst }) => dst === HOME)).toMatchObject({ user_id: ids[1], charge: 0.01 });
    over();
  });

  it('has no phone rung with an initial ring time of 0, nor one that is offline or refuses', () => {
    const immediate = followed({ fm_init_ring_time: 0 });
    immediate.call();
    expect(immediate.phones[1].calls).toEqual([]);
    expect(immediate.isRinging(MOBILE)).toBe(true);
    expect(immediate.cdrs()).toMatchObject([
      { type: 'M', disposition: 'INITIAL', dst: immediate.exts[1], t_cause: 'Call forwarded' },
    ]);
    const offline = followed();
    offline.phones[1].register(0);
    offline.rig.pass(0);
    offline.call();
    expect(offline.isRinging(MOBILE)).toBe(true);
    const refusing = followed();
    refusing.call();
    refusing.phones[1].call.session.reject(486);
    refusing.rig.pass(0);
    expect(refusing.isRinging(MOBILE)).toBe(true);
  });

  it.each([
    ['it is off', { fm: false }],
    ['the account does not allow it', { fm_allowed: false }],
    ['there are no numbers', { fm_targets: [] }],
    ['the user is not to be disturbed', { dnd: true }],
  ])('is not when %s', (_, settings) => {
    const { rig, network, call, over } = followed(settings);
    const calling = call();
    rig.pass(30_000);
    expect(network.calls).toEqual([]);
    expect(calling.log.at(-1)).toBe('480');
    over();
  });

  it('only for calls to itself when it wants that', () => {
    const handedOn = (fm_only_direct: boolean): boolean => {
      const { rig, phones, exts, ids, set, isRinging } = followed({ fm_only_direct, fm_init_ring_time: 0 });
      set(2, { dnd: true, final_dst_type: 'U', final_dst_id: ids[1] });
      phones[0].dial(exts[2]);
      rig.pass(0);
      return isRinging(MOBILE);
    };
    expect(handedOn(false)).toBe(true);
    expect(handedOn(true)).toBe(false);
    const direct = followed({ fm_only_direct: true, fm_init_ring_time: 0 });
    direct.call();
    expect(direct.isRinging(MOBILE)).toBe(true);
  });

  it('is not as a member of a group', () => {
    const { rig, phones, isRinging } = followed({ fm_init_ring_time: 0 });
    makeGroup({ rig });
    phones[0].dial('790');
    rig.pass(0);
    expect(phones[1].calls).toHaveLength(1);
    expect(isRinging(MOBILE)).toBe(false);
  });
});

describe('the numbers of a user', () => {
  it('ring all at once with A', () => {
    const { call, isRinging, rig } = followed({ fm_init_ring_time: 0, fm_strategy: 'A' });
    call();
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([true, true]);
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([false, false]);
  });

  it('ring one after the other with H', () => {
    const { call, isRinging, rig } = followed({ fm_init_ring_time: 0, fm_strategy: 'H' });
    call();
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([true, false]);
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([false, true]);
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([false, false]);
  });

  it('ring one after the other and go on ringing with M', () => {
    const { call, isRinging, rig } = followed({ fm_init_ring_time: 0, fm_strategy: 'M' });
    call();
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([true, false]);
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([true, true]);
    rig.pass(10_000);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([false, false]);
  });

  it('are extensions, numbers as dialled at home, and SIP URIs; each once, the caller never', () => {
    const { rig, phones, exts, network, call, over } = followed({
      fm_init_ring_time: 0,
      fm_targets: ['101', 'sip:103@pbx.example', '02079460123', MOBILE, 'sip:nobody@elsewhere.example', 'junk', '*43'],
    });
    const calling = call();
    expect(phones[0].calls).toEqual([calling]);
    expect(phones[2].calls).toHaveLength(1);
    expect(network.calls.map(({ session }) => session.invite.uri.split('@')[0])).toEqual([`sip:${MOBILE}`]);
    phones[2].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(exts[2]).toBe('103');
    calling.hangUp();
    over();
  });

  it('send the caller on to the final destination of follow-me when nobody takes it', () => {
    const { rig, phones, ids, call, at, over } = followed({
      fm_init_ring_time: 0,
      fm_final_dst_type: 'U',
      final_dst_type: 'H',
    });
    rig.store.users.update(ids[1], { fm_final_dst_id: ids[2] });
    const calling = call();
    at(MOBILE).session.reject(486);
    rig.pass(0);
    expect(phones[2].calls).toEqual([]);
    at(HOME).session.reject(603);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    calling.hangUp();
    over();
  });

  it('end the call with the best of their answers when there is none', () => {
    const { rig, exts, call, at, told, cdrs, over } = followed({ fm_init_ring_time: 0 });
    const calling = call();
    at(MOBILE).session.reject(486);
    at(HOME).session.reject(404);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe('486');
    expect(told().slice(-3)).toEqual([`failed ${MOBILE}`, `failed ${HOME}`, `missed ${exts[1]}`]);
    expect(cdrs().at(-1)).toMatchObject({ context: 'FOLLOW_ME', type: 'M', t_cause: 'User busy' });
    over();
  });

  it('ring no more when the caller gives up', () => {
    const { rig, call, at, isRinging, over } = followed({ fm_init_ring_time: 0 });
    const calling = call();
    at(MOBILE).ring();
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect([isRinging(MOBILE), isRinging(HOME)]).toEqual([false, false]);
    over();
  });

  it.each([
    ['R', '<sip:101@'],
    ['L', '<sip:+442079460777@'],
  ] as const)('see with fm_cli %s who calls or who is followed', (fm_cli, shown) => {
    const { rig, call, at, set } = followed({ fm_init_ring_time: 0, fm_cli, cli: '+442079460777' });
    set(0, { cli: '' });
    call();
    rig.pass(0);
    expect(at(MOBILE).session.invite.headers.get('From')).toContain(shown);
  });
});

describe('users who send callers to each other', () => {
  it('do not do so for ever: nobody is visited twice', () => {
    const { rig, exts, ids, set, call, told, over } = followed({
      fm_init_ring_time: 1,
      fm_targets: ['junk'],
      fm_final_dst_type: 'U',
    });
    rig.store.users.update(ids[1], { fm_final_dst_id: ids[2] });
    set(2, { ring_time: '2', final_dst_type: 'U', final_dst_id: ids[1] });
    const calling = call();
    rig.pass(60_000);
    expect(calling.log.at(-1)).toBe('480');
    expect(told().filter((line) => line.startsWith('missed'))).toEqual([
      `missed ${exts[1]}`,
      `missed ${exts[1]}`,
      `missed ${exts[2]}`,
    ]);
    over();
  });

  it('lower Max-Forwards each time, so that a circle through the network ends, too', () => {
    const { at, call } = followed({ fm_init_ring_time: 0 });
    call();
    expect(at(MOBILE).session.invite.headers.get('Max-Forwards')).toBe('69');
  });
});
