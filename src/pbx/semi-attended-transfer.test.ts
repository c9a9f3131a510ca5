// Semi-attended transfer: the consultation has not been answered yet, and what goes on there goes on for the transferred party.
import { describe, expect, it } from 'vitest';
import { makeQueue } from './attendants/queue.rig.ts';
import { cdrOf, consulting, eventsOf, holdingAndCalling, liveIds, record, referTo } from './attended-transfer.rig.ts';
import { talking } from './company.rig.ts';
import { followed, MOBILE } from './follow-me.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

describe('semi-attended transfer', () => {
  it('lets the phone ring on for the transferred party', () => {
    const { rig, exts, callId, held, consulted, target, consultation } = consulting(false);
    const invites = target.wire.filter((line) => line === '< INVITE').length;
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(consulted.ending).toMatchObject({ by: 'failure', outcome: { status: 480 } });
    expect(liveIds(rig)).toEqual([callId]);
    expect(eventsOf(rig, consultation)).toEqual(['call.initial', 'call.ringing', 'call.hangup']);
    expect(cdrOf(rig, consultation)).toMatchObject([{ disposition: 'RINGING', t_cause: 'Call completed elsewhere' }]);
    expect(target.call.ending).toBeUndefined();
    held.hangUp();
    rig.pass(2000);
    target.call.answer();
    rig.pass(0);
    expect(target.wire.filter((line) => line === '< INVITE')).toHaveLength(invites);
    expect(record(rig, callId)).toMatchObject({ state: 4, src: exts[0], dst: exts[2], referred_by: exts[1] });
    expect(rig.eventNames().filter((name) => name.startsWith('call.missed'))).toEqual([]);
  });

  it('finds nobody to wait for where a group has answered and is being left', () => {
    const all = talking();
    const { rig, phones, exts, callId } = all;
    makeGroup({ rig }, { users: [all.ids[2]] });
    const consulted = phones[1].dial('790');
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    const held = phones[1].calls[0];
    consulted.send('REFER', [['Refer-To', `<sip:${exts[0]}@pbx.example>`]]);
    held?.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(held?.notified.at(-1)).toMatch(/^SIP\/2.0 481 /);
    expect(record(rig, callId)).toMatchObject({ dst: exts[1], state: 4 });
    expect(liveIds(rig)).toHaveLength(3);
  });

  it('comes back to the transferor when the phone is refused', () => {
    const { rig, exts, callId, held, consulted, target } = consulting(false);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    target.call.session.reject(486);
    rig.pass(0);
    expect(held.notified.at(-1)).toBe('SIP/2.0 486 Busy Here');
    expect(record(rig, callId)).toMatchObject({ dst: exts[1], state: 5 });
    held.reoffer('sendrecv');
    rig.pass(0);
    expect(record(rig, callId)?.state).toBe(4);
  });

  it('of a consultation by command, whose originator was rung first', () => {
    const { rig, phones, exts, ids, callId } = talking();
    rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[1], to: exts[2] });
    rig.pass(0);
    const consulted = phones[1].call;
    consulted.answer();
    rig.pass(0);
    phones[1].calls[0]?.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(consulted.ending).toMatchObject({ by: 'remote-bye' });
    phones[2].call.answer();
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: exts[2], state: 4 });
  });
});

/** A called B, who calls `number`: it rings at C. */
function ringingAt(number: string, prepare: (all: ReturnType<typeof watched>) => void) {
  const all = watched();
  const { rig, phones } = all;
  prepare(all);
  const { call, held, consulted } = holdingAndCalling(all, number);
  rig.pass(0);
  phones[2].call.ring();
  rig.pass(0);
  const [callId = 0, atPlace = 0, atMember = 0] = liveIds(rig);
  const invites = () => phones[2].wire.filter((line) => line === '< INVITE').length;
  const transfer = (): void => {
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
  };
  const srcHashOf = (id: number) => rig.events.findLast((one) => one.kind === 'call' && one.callId === id);
  return { ...all, call, held, consulted, callId, atPlace, atMember, invites, transfer, srcHashOf };
}

const places = [
  ['a ring group', '790', (all: ReturnType<typeof watched>) => void makeGroup(all, { users: [all.ids[2]] })],
  ['a queue', '690', (all: ReturnType<typeof watched>) => void makeQueue(all.rig, { agents: [all.ids[2]] })],
] as const;

describe('semi-attended transfer to where several are rung', () => {
  it.each(places)('at %s whoever rings rings on for the transferred party', (_, number, prepare) => {
    const all = ringingAt(number, prepare);
    const { rig, phones, exts, held, consulted, callId, atPlace, atMember, invites, transfer } = all;
    transfer();
    expect(held.notified).toEqual(['SIP/2.0 100 Trying', number === '790' ? 'SIP/2.0 180 Ringing' : 'SIP/2.0 200 OK']);
    expect(consulted.ending).toBeDefined();
    expect(phones[2].call.ending).toBeUndefined();
    expect(liveIds(rig)).toEqual([callId, atMember]);
    expect(record(rig, atMember)).toMatchObject({ parent_id: callId, src: exts[0], dst: exts[2], state: 3 });
    expect(cdrOf(rig, atPlace)).toMatchObject([{ t_cause: 'Call completed elsewhere', dst: number }]);
    phones[2].call.answer();
    rig.pass(0);
    expect(invites()).toBe(1);
    expect(held.ending).toMatchObject({ by: 'remote-bye' });
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: number, state: 4, referred_by: exts[1] });
    expect(record(rig, atMember)).toMatchObject({ src: exts[0], dst: exts[2], state: 4 });
    rig.pass(3000);
    all.call.hangUp();
    rig.pass(0);
    expect(eventsOf(rig, atMember)).toEqual(['call.initial', 'call.ringing', 'call.connected', 'call.hangup']);
    expect(rig.eventNames().filter((name) => name.startsWith('call.missed'))).toEqual([]);
    const [first, member] = [callId, atMember].map((id) => all.srcHashOf(id));
    expect(member).toMatchObject({ src: { number: exts[0] }, srcHash: (first as { srcHash: string }).srcHash });
    expect(cdrOf(rig, atMember)).toMatchObject([{ parent_live_id: callId, src: exts[0], billsec: 3 }]);
    all.over();
  });

  it.each(places)('at %s a colleague may pick up what rings on', (_, number, prepare) => {
    const all = ringingAt(number, (one) => {
      prepare(one);
      one.set(1, { pickup_group_id: 7 });
      one.set(2, { pickup_group_id: 7 });
    });
    all.transfer();
    all.held.hangUp();
    const picked = all.phones[1].dial(`**${all.exts[2]}`);
    all.rig.pass(0);
    expect(picked.session.state).toBe('confirmed');
    expect(all.phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(record(all.rig, all.atMember)).toMatchObject({ src: all.exts[0], dst: all.exts[1], state: 4 });
    all.call.hangUp();
    all.over();
  });

  it.each(places)('at %s it ends with the transferred party, who hangs up', (_, number, prepare) => {
    const all = ringingAt(number, prepare);
    all.transfer();
    all.held.hangUp();
    all.call.hangUp();
    all.rig.pass(0);
    expect(all.phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(eventsOf(all.rig, all.atMember).at(-1)).toBe('call.missed');
    expect(liveIds(all.rig)).toEqual([]);
    all.over();
  });

  it('the next turn of a group rings for the transferred party, too', () => {
    const all = ringingAt('790', (one) => {
      makeGroup(one, { users: [one.ids[2], one.ids[1]], strategy: 'hunt', ringTimeS: 10 });
      one.set(1, { pickup_group_id: 7 });
    });
    all.transfer();
    all.held.hangUp();
    all.rig.pass(10_000);
    expect(all.phones[2].call.ending).toMatchObject({ by: 'cancel' });
    const next = all.phones[1].call;
    expect(next.session.invite.headers.get('From')).toContain(`<sip:${all.exts[0]}@`);
    next.answer();
    all.rig.pass(0);
    expect(record(all.rig, all.callId)).toMatchObject({ src: all.exts[0], dst: '790', state: 4 });
    all.call.hangUp();
    all.over();
  });

  it('who is transferred does not ring for itself any more, and the others ring on', () => {
    const all = ringingAt('790', (one) => void makeGroup(one, { users: [one.ids[0], one.ids[2]] }));
    const own = all.phones[0].call;
    expect(own.session.role).toBe('uas');
    all.transfer();
    expect(own.ending).toMatchObject({ by: 'cancel' });
    expect(all.phones[2].call.ending).toBeUndefined();
    all.phones[2].call.answer();
    all.rig.pass(0);
    expect(record(all.rig, all.callId)).toMatchObject({ src: all.exts[0], dst: '790', state: 4 });
    all.call.hangUp();
    all.over();
  });

  it('nobody at the group answers: the transferor has its party back', () => {
    const all = ringingAt('790', (one) => void makeGroup(one, { users: [one.ids[2]] }));
    all.transfer();
    all.phones[2].call.session.reject(486);
    all.rig.pass(0);
    expect(all.held.notified.at(-1)).toBe('SIP/2.0 486 Busy Here');
    expect(record(all.rig, all.callId)).toMatchObject({ dst: all.exts[1], state: 5 });
    expect(eventsOf(all.rig, all.atMember).at(-1)).toBe('call.missed');
    all.held.hangUp();
    all.over();
  });

  it('in a queue the place in the line is kept, and the time waited', () => {
    const all = watched();
    const { rig, phones, exts } = all;
    const queue = makeQueue(rig, { agents: [], wait_time_prefix: true });
    const call = phones[0].dial(exts[1]);
    rig.pass(0);
    const held = phones[1].call;
    held.answer();
    const consulted = phones[1].dial('690');
    rig.pass(30_000);
    const stranger = rig.phone(3);
    stranger.register();
    rig.pass(0);
    const later = stranger.dial('690');
    rig.pass(0);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(10_000);
    expect(rig.exchange.queues.view(queue.id)?.callers).toMatchObject([
      { call_id: liveIds(rig)[0], position: 1, waited_s: 40, from: exts[0] },
      { position: 2, waited_s: 10 },
    ]);
    rig.store.queues.update(queue.id, { users: [{ id: all.ids[2], status: true }] });
    rig.pass(1000);
    expect(phones[2].call.session.invite.headers.get('From')).toContain('"0:41 ');
    phones[2].call.answer();
    rig.pass(0);
    expect(record(rig, liveIds(rig)[0] ?? 0)).toMatchObject({ src: exts[0], dst: '690', state: 4 });
    call.hangUp();
    later.hangUp();
    rig.exchange.hangUpAll();
    all.over();
  });

  it('an agent who hears something first is joined to the transferred party', () => {
    const all = ringingAt('690', (one) => void makeQueue(one.rig, { agents: [one.ids[2]], agent_sounds: 'goodbye' }));
    all.phones[2].call.answer();
    all.rig.pass(0);
    all.transfer();
    all.rig.pass(10_000);
    expect(all.call.session.state).toBe('confirmed');
    expect(record(all.rig, all.atMember)).toMatchObject({ src: all.exts[0], dst: all.exts[2], state: 4 });
    all.phones[2].call.hangUp();
    all.rig.pass(0);
    expect(all.call.ending).toMatchObject({ by: 'remote-bye' });
    all.over();
  });

  it('at a follow-me the numbers ring on, also while one of them is asked', () => {
    const all = followed({ fm_confirm_required: true, fm_init_ring_time: 0 });
    const { rig, phones, exts, at } = all;
    const call = phones[0].dial(exts[2]);
    rig.pass(0);
    const held = phones[2].call;
    held.answer();
    rig.pass(0);
    const consulted = phones[2].dial(exts[1]);
    rig.pass(0);
    at(MOBILE).ring();
    at(MOBILE).answer();
    rig.pass(0);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(held.notified.at(-1)).toBe('SIP/2.0 180 Ringing');
    all.press(at(MOBILE), '1');
    expect(held.notified.at(-1)).toBe('SIP/2.0 200 OK');
    const [callId = 0] = liveIds(rig);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: exts[1], state: 4 });
    at(MOBILE).hangUp();
    rig.pass(0);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    all.over();
  });

  it('at a follow-me with an announcement that is heard anew', () => {
    const all = followed({ fm_announcement_enabled: true, fm_init_ring_time: 0 });
    const { rig, phones, exts } = all;
    phones[0].dial(exts[2]);
    rig.pass(0);
    const held = phones[2].call;
    held.answer();
    rig.pass(0);
    const consulted = phones[2].dial(exts[1]);
    rig.pass(1000);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(all.sounds).toEqual(['prompt/followme-announcement to caller', 'prompt/followme-announcement to caller']);
    expect(all.isRinging(MOBILE)).toBe(false);
    rig.pass(10_000);
    all.at(MOBILE).answer();
    rig.pass(0);
    expect(record(rig, liveIds(rig)[0] ?? 0)).toMatchObject({ src: exts[0], dst: exts[1], state: 4 });
    all.at(MOBILE).hangUp();
    all.over();
  });

  it('at a user with two phones both ring on, and the one that is not answered hears that it was answered elsewhere', () => {
    const all = watched();
    const { rig, phones, exts } = all;
    phones[0].dial(exts[1]);
    rig.pass(0);
    const held = phones[1].call;
    held.answer();
    const desk = rig.phone(2, { device: 'desk' });
    desk.register();
    rig.pass(0);
    const consulted = phones[1].dial(exts[2]);
    rig.pass(0);
    desk.call.ring();
    rig.pass(0);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect([phones[2], desk].map((phone) => phone.call.ending)).toEqual([undefined, undefined]);
    desk.call.answer();
    rig.pass(0);
    expect(phones[2].call.ending).toMatchObject({ by: 'cancel' });
    expect(record(rig, liveIds(rig)[0] ?? 0)).toMatchObject({ src: exts[0], dst: exts[2], state: 4 });
    desk.call.hangUp();
    all.over();
  });
});
