// Parking as stories: who is parked hears music, is fetched by dialling, or rings its parker again when nobody comes.
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../ring-group.rig.ts';
import { attended } from './attendants.rig.ts';

/** The first user talks to the second one and transfers it. */
function parking(code: string) {
  const all = attended();
  const { rig, phones, exts } = all;
  const call = phones[0].dial(exts[1]);
  rig.pass(0);
  const party = phones[1].call;
  party.answer();
  rig.pass(1000);
  const callId = all.live()[0]?.id ?? 0;
  call.send('REFER', [['Refer-To', `<sip:${code}@pbx.example>`]]);
  rig.pass(0);
  return { ...all, call, party, callId };
}

describe('a parked party', () => {
  it('hears music, and is fetched from any phone: its live call goes on', () => {
    const { rig, phones, exts, call, party, callId, live, sounds, told, cdrs, over } = parking('*68');
    expect(call.notified.at(-1)).toContain('200');
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(sounds).toEqual(['music 1']);
    const where = `*68${exts[0]}`;
    expect(live()).toMatchObject([{ id: callId, state: 4, src: exts[1], dst: where, referred_by: exts[0] }]);
    rig.pass(10_000);
    const fetching = phones[2].dial(where.replace('*68', '*69'));
    rig.pass(1000);
    expect(fetching.session.state).toBe('confirmed');
    expect(sounds).toEqual(['music 1', '- 11']);
    expect(live()).toMatchObject([{ id: callId, state: 4, src: exts[1], dst: exts[2], referred_by: exts[0] }]);
    party.hangUp();
    rig.pass(0);
    expect(fetching.ending).toMatchObject({ by: 'remote-bye' });
    expect(told()).toEqual([`initial ${exts[1]}`, `connected ${exts[1]}`, `hangup ${exts[2]}`]);
    expect(cdrs()).toMatchObject([
      { live_id: callId, dst: exts[2], disposition: 'CONNECTED', t_cause: 'Normal clearing' },
    ]);
    over();
  });

  it('is fetched by its parker with the code alone, and once', () => {
    const { rig, phones, live, exts, over } = parking('*68');
    const back = phones[0].dial('*69');
    const late = phones[2].dial(`*69${exts[0]}`);
    rig.pass(1000);
    expect(back.session.state).toBe('confirmed');
    expect(late.log).toEqual(['480']);
    expect(live()).toMatchObject([{ dst: exts[0] }]);
    back.hangUp();
    over();
  });

  it('waits at a slot of its own', () => {
    const { rig, phones, live, party, over } = parking('*687');
    expect(live()).toMatchObject([{ dst: '*687' }]);
    const wrong = phones[2].dial('*698');
    rig.pass(0);
    expect(refusalOf(wrong)).toBe('480 Nobody is parked at *688');
    const right = phones[2].dial('*697');
    rig.pass(0);
    expect(right.session.state).toBe('confirmed');
    party.hangUp();
    over();
  });

  it('rings its parker when nobody fetches it in two minutes, and talks to it again', () => {
    const { rig, phones, exts, callId, party, live, over } = parking('*68');
    rig.pass(119_999);
    expect(phones[0].calls).toHaveLength(1);
    rig.pass(1);
    expect(phones[0].calls).toHaveLength(2);
    phones[0].call.answer();
    rig.pass(1000);
    expect(live()).toMatchObject([{ id: callId, src: exts[1], dst: exts[0], state: 4 }]);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(party.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('hangs up: the call is over, and nothing is there to be fetched', () => {
    const { rig, phones, exts, party, told, over } = parking('*68');
    party.hangUp();
    rig.pass(0);
    expect(told().at(-1)).toBe(`hangup *68${exts[0]}`);
    expect(rig.events.at(-1)).toMatchObject({ terminatedBy: 'caller', cause: 'Normal clearing' });
    const late = phones[2].dial(`*69${exts[0]}`);
    rig.pass(0);
    expect(late.log).toEqual(['480']);
    over();
  });

  it('is ended by order', () => {
    const { rig, callId, party, over } = parking('*68');
    expect(rig.exchange.hangUp(callId)).toBe(true);
    rig.pass(0);
    expect(party.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });
});

describe('the code of parking', () => {
  it('dialled as a call parks nobody', () => {
    const { rig, phones, over } = attended();
    const calling = phones[0].dial('*68');
    rig.pass(1000);
    expect(calling.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('of another account finds nobody, and outside it is no number', () => {
    const { rig, phones, network, over } = attended();
    const inside = phones[2].dial('*69');
    const outside = network.dial('*69101');
    rig.pass(0);
    expect(inside.log).toEqual(['480']);
    expect(outside.log).toEqual(['404']);
    over();
  });
});
