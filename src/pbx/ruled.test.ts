// Routing rules as stories: what they block, whom they send elsewhere, and what they leave alone.
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, ruleDirectionCodes } from '../contract/codes.ts';
import { type Company, company } from './company.rig.ts';

let all: Company;
beforeEach(() => {
  all = company();
  for (const { id } of [...all.rig.store.routingrules.list(1)]) all.rig.store.routingrules.delete(id);
});

function rule(
  direction: 'in' | 'out',
  action: string,
  ends: { source?: string; destination?: string; time_interval?: string } = {},
) {
  const { routingrules } = all.rig.store;
  const id = routingrules.nextId(1);
  routingrules.insert(1, {
    ...{ id, customer: 1, pos: id, action, source: '', destination: '', time_interval: '', final_dst: false },
    ...ends,
    direction: codeOf(ruleDirectionCodes, direction),
  });
}

describe('a rule that blocks', () => {
  it('refuses the caller with 403 before anybody is rung; other numbers are called as ever', () => {
    rule('out', 'block', { destination: '+4420794601*' });
    const { phones, network, rig } = all;
    const blocked = phones[0].dial('+442079460155');
    rig.pass(0);
    expect(blocked.log.at(-1)).toBe('403');
    expect([network.calls.length, rig.eventNames()]).toEqual([0, []]);
    phones[0].dial('+442079460255');
    rig.pass(0);
    expect(network.calls).toHaveLength(1);
  });

  it('refuses click to call with the reason', () => {
    rule('out', 'block');
    const { rig, ids } = all;
    const placed = rig.exchange.clickToCall({ customerId: 1, userId: ids[0], to: '+442079460155' });
    expect(placed).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', message: 'to: a routing rule blocks this call' },
    });
  });

  it('of one user, or of one group of users, lets the others call', () => {
    const { phones, network, rig, exts, ids } = all;
    rig.store.users.update(ids[1], { groups: [7] });
    rule('out', 'block', { source: `${exts[0]},group:7` });
    for (const phone of phones) phone.dial('+442079460155');
    rig.pass(0);
    expect(phones.map(({ calls }) => calls[0]?.log.at(-1))).toEqual(['403', '403', undefined]);
    expect(network.calls).toHaveLength(1);
  });

  it('of callers from outside is by their number', () => {
    rule('in', 'block', { source: '442079460999' });
    const { network, phones, rig } = all;
    const [number = ''] = rig.customer.numbers;
    network.dial(number, { from: '<sip:+442079460999@net.example>' });
    rig.pass(0);
    expect(phones[0].calls).toEqual([]);
    network.dial(number, { from: '<sip:+442079460998@net.example>' });
    rig.pass(0);
    expect(phones[0].calls).toHaveLength(1);
  });
});

describe('a rule that sends elsewhere', () => {
  it('rings the other user in place of the one that was called', () => {
    const { phones, rig, exts, ids } = all;
    rule('in', `redirect:U:${ids[2]}`, { destination: exts[1] });
    phones[0].dial(exts[1]);
    rig.pass(0);
    expect([phones[1].calls.length, phones[2].calls.length]).toEqual([0, 1]);
    expect(rig.exchange.liveCalls(1)[0]?.record).toMatchObject({ dst: exts[2] });
  });

  it('is one of several: the first by position decides', () => {
    const { phones, rig, ids } = all;
    rule('in', `redirect:U:${ids[2]}`);
    rule('in', 'block');
    phones[0].dial(all.exts[1]);
    rig.pass(0);
    expect(phones[2].calls).toHaveLength(1);
  });

  it('only at its times', () => {
    // The rig's clock starts on a Thursday at midnight.
    const { phones, rig, ids, exts } = all;
    rule('in', `redirect:U:${ids[2]}`, { destination: exts[1], time_interval: 'fri@00:00-12:00' });
    phones[0].dial(exts[1]);
    rig.pass(0);
    expect([phones[1].calls.length, phones[2].calls.length]).toEqual([1, 0]);
    phones[0].call.hangUp();
    rig.pass(24 * 3_600_000);
    for (const phone of phones) phone.register();
    rig.pass(0);
    phones[0].dial(exts[1]);
    rig.pass(0);
    expect(phones[2].calls).toHaveLength(1);
  });
});
