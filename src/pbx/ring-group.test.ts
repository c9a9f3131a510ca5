// A caller at a ring group, as stories: who is rung, who has missed what, who talks to whom, and how it is all written down.
import { describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { fromOf } from '../sip/fields.ts';
import type { TestPhone } from './exchange.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

const ELSEWHERE = 'SIP;cause=200;text="Call completed elsewhere"';

/** The Reason of the CANCEL that ended a phone's ringing; empty without one. */
function reasonOf(phone: TestPhone, messages: readonly string[]): string {
  const cancel = messages.find((text) => text.startsWith('CANCEL ') && text.includes(phone.call.session.callId));
  return /^Reason: (.+?)\r?$/m.exec(cancel ?? '')?.[1] ?? '';
}

function stage() {
  const all = watched();
  const sent: string[] = [];
  all.rig.journal.subscribe((entry) => {
    if (entry.kind === 'sip.out') sent.push(String(dataOf(entry).text));
  });
  return { ...all, reason: (phone: TestPhone) => reasonOf(phone, sent) };
}

describe('a ring group that rings all', () => {
  it('gives the caller to the first who answers; nobody else has missed anything', () => {
    const { rig, phones, exts, ids, cdrs, live, told, over, reason } = stage();
    const group = makeGroup({ rig });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    phones[2].call.ring();
    rig.pass(3000);
    const [at, one, two] = live();
    expect(at).toMatchObject({
      context: 'RING_GROUP',
      dst: '790',
      dst_name: 'Sales',
      dst_id: String(group.id),
      state: 3,
    });
    expect(at).toMatchObject({ src: exts[0], parent_id: 0 });
    expect([one, two]).toMatchObject([
      { context: 'USER_LOCAL', dst: exts[1], src: exts[0], state: 3, parent_id: at?.id },
      { context: 'USER_LOCAL', dst: exts[2], src: exts[0], state: 3, parent_id: at?.id },
    ]);
    phones[2].call.answer();
    rig.pass(4000);
    expect(calling.log).toEqual(['180', '200']);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(reason(phones[1])).toBe(ELSEWHERE);
    expect(live()).toMatchObject([
      { id: at?.id, state: 4, duration: 7 },
      { id: two?.id, state: 4, duration: 7, src_call_id: calling.session.callId },
    ]);
    phones[2].call.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      ...['initial 790', `initial ${exts[1]}`, `initial ${exts[2]}`],
      ...[`ringing ${exts[1]}`, 'ringing 790', `ringing ${exts[2]}`],
      ...[`connected ${exts[2]}`, 'connected 790', `hangup ${exts[1]}`],
      ...[`hangup ${exts[2]}`, 'hangup 790'],
    ]);
    const events = rig.events.flatMap((event) => (event.kind === 'call' ? [event] : []));
    expect(new Set(events.map(({ srcHash }) => srcHash)).size).toBe(1);
    expect(events.at(-1)).toMatchObject({ terminatedBy: 'callee', dst: { id: group.id, name: 'Sales' } });
    const byDst = new Map(cdrs().map((cdr) => [cdr.dst, cdr]));
    expect(cdrs()).toHaveLength(3);
    const talked = { type: 'I', disposition: 'CONNECTED', billsec: 4, duration: 7, t_cause: 'Normal clearing' };
    expect(byDst.get('790')).toMatchObject({ ...talked, context: 'RING_GROUP', dst_id: String(group.id) });
    expect(byDst.get(exts[2])).toMatchObject({ ...talked, parent_live_id: at?.id, dst_id: String(ids[2]) });
    expect(byDst.get(exts[1])).toMatchObject({
      ...{ type: 'I', disposition: 'RINGING', billsec: 0, duration: 3, t_cause: 'Call completed elsewhere' },
    });
    over();
  });

  it('is missed by all, and by the group, when the caller gives up', () => {
    const { rig, phones, exts, cdrs, told, over, reason } = stage();
    makeGroup({ rig });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(2000);
    calling.hangUp();
    rig.pass(0);
    expect([phones[1].call.ending, phones[2].call.ending]).toMatchObject([{ by: 'cancel' }, { by: 'cancel' }]);
    expect([reason(phones[1]), reason(phones[2])]).toEqual(['', '']);
    expect(told().slice(-3)).toEqual([`missed ${exts[1]}`, `missed ${exts[2]}`, 'missed 790']);
    expect(rig.events.at(-2)).toMatchObject({ cause: 'Originator cancel', terminatedBy: 'caller' });
    expect(cdrs().map(({ type, t_cause }) => `${type} ${t_cause}`)).toEqual(Array(3).fill('M Originator cancel'));
    over();
  });

  it('acknowledges and ends a second 200 that crosses the CANCEL', () => {
    const { rig, phones, exts, told, over } = stage();
    makeGroup({ rig });
    phones[0].dial('790');
    rig.pass(0);
    phones[1].call.answer();
    phones[2].call.answer();
    rig.pass(0);
    expect([phones[1].call.session.state, phones[2].call.session.state]).toEqual(['confirmed', 'terminated']);
    expect(phones[2].wire).toContain('< ACK');
    expect(phones[2].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().filter((text) => !text.startsWith('initial'))).toEqual([
      ...[`connected ${exts[1]}`, 'connected 790', `hangup ${exts[2]}`],
    ]);
    phones[0].call.hangUp();
    over();
  });

  it('ends with the best of its refusals when all refuse', () => {
    const { rig, phones, exts, cdrs, told, over } = stage();
    makeGroup({ rig });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.session.reject(480);
    rig.pass(0);
    expect(calling.log).toEqual([]);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(calling.log).toEqual(['486']);
    expect(told().slice(-3)).toEqual([`missed ${exts[1]}`, `missed ${exts[2]}`, 'missed 790']);
    expect(cdrs().at(-1)).toMatchObject({ dst: '790', type: 'M', t_cause: 'User busy', disposition: 'INITIAL' });
    over();
  });

  it('goes on ringing the others when one declines', () => {
    const { rig, phones, over } = stage();
    makeGroup({ rig });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.session.reject(603);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    calling.hangUp();
    over();
  });

  it('stops when its ring time is over', () => {
    const { rig, phones, set, over, cdrs, reason } = stage();
    set(1, { ring_time: '3' });
    makeGroup({ rig }, { ringTimeS: 8 });
    const calling = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(7999);
    expect(phones[1].call.session.state).toBe('early');
    rig.pass(1);
    expect(phones[1].call.ending).toMatchObject({ by: 'cancel' });
    expect(reason(phones[1])).toBe('Q.850;cause=19;text="No answer"');
    expect(calling.log).toEqual(['180', '480']);
    expect(cdrs().map(({ t_cause, duration }) => [t_cause, duration])).toEqual(Array(3).fill(['No answer', 8]));
    over();
  });
});

describe('the members that are rung', () => {
  it('are not those who want no calls, are busy, have no phone, or call themselves', () => {
    const { rig, phones, ids, set, cdrs, over } = stage();
    const absent = rig.customer.users[3]?.user_id ?? 0;
    makeGroup({ rig }, { users: [...ids, absent, ids[1]] });
    set(1, { dnd: true });
    set(2, { cw: false });
    phones[2].dial('+442079460123');
    rig.pass(0);
    const calling = phones[0].dial('790');
    rig.pass(0);
    expect(phones[0].calls).toHaveLength(1);
    expect(phones[1].calls).toEqual([]);
    expect(phones[2].calls).toHaveLength(1);
    // Nobody could be rung: of the reasons, busy is the best.
    expect(calling.log).toEqual(['486']);
    expect(cdrs()).toMatchObject([{ dst: '790', type: 'M', t_cause: 'User busy' }]);
    phones[2].call.hangUp();
    over();
  });

  it('see the name of the group before the caller', () => {
    const { rig, phones, exts, live, over } = stage();
    makeGroup({ rig }, { prefixed: true });
    phones[0].dial('790');
    rig.pass(0);
    const from = fromOf(phones[1].call.session.invite);
    const { src_name } = live()[0] ?? { src_name: '' };
    expect(from).toMatchObject({ displayName: `Sales ${src_name}`, uri: `sip:${exts[0]}@pbx.example` });
    expect(live()[1]?.clid).toBe(`"Sales ${src_name}" <${exts[0]}>`);
    phones[0].call.hangUp();
    over();
  });

  it('have neither a final destination nor a redirection of their own here', () => {
    const { rig, phones, ids, set, over } = stage();
    set(1, { final_dst_type: 'U', final_dst_id: ids[2] });
    makeGroup({ rig }, { users: [ids[1]], ringTimeS: 5 });
    const calling = phones[0].dial('790');
    rig.pass(5000);
    expect(calling.log.at(-1)).toBe('480');
    const again = phones[0].dial('790');
    rig.pass(0);
    phones[1].call.session.reject(302, { headers: [['Contact', '<sip:103@pbx.example>']] });
    rig.pass(0);
    expect(again.log.at(-1)).toBe('480');
    expect(phones[2].calls).toEqual([]);
    over();
  });

  it('who want no record of missed calls have none, and the event all the same', () => {
    const { rig, phones, exts, set, cdrs, told, over } = stage();
    set(1, { log_missed_calls: false });
    makeGroup({ rig });
    phones[0].dial('790').session.cancel();
    rig.pass(0);
    const calling = phones[0].dial('790');
    rig.pass(1000);
    calling.hangUp();
    rig.pass(0);
    expect(told().filter((text) => text === `missed ${exts[1]}`)).toHaveLength(1);
    expect(cdrs().filter(({ dst }) => dst === exts[1])).toEqual([]);
    expect(cdrs().filter(({ dst }) => dst === exts[2])).toHaveLength(1);
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(cdrs().filter(({ dst }) => dst === exts[1])).toMatchObject([{ type: 'M' }]);
    over();
  });

  it('who want no such record have none of a call that the end of the exchange cut off either', () => {
    const { rig, phones, exts, ids, set, cdrs, live } = stage();
    set(1, { log_missed_calls: false });
    makeGroup({ rig });
    phones[0].dial('790');
    rig.pass(0);
    const kept = live().flatMap(({ id }) => rig.exchange.keptCall(id) ?? []);
    rig.exchange.endLost(JSON.parse(JSON.stringify(kept)), rig.clock.now() + 1000);
    expect(rig.eventNames().slice(-3)).toEqual(Array(3).fill('call.missed FAILED'));
    expect(cdrs()).toMatchObject([
      { dst: '790', context: 'RING_GROUP', type: 'M', t_cause: 'System restarted' },
      { dst: exts[2], dst_id: String(ids[2]), type: 'M', t_cause: 'System restarted' },
    ]);
  });
});
