// Conferences as stories: who gets in, who hears what of whom, and how it is written down.
import { describe, expect, it } from 'vitest';
import { codeOf, targetTypeCodes } from '../../contract/codes.ts';
import type { Stored } from '../../store/stored.ts';
import { attended } from './attendants.rig.ts';
import { makeConference } from './conference.rig.ts';

type Conference = Stored['conferences'];

/** A room at 990, and a number from outside that leads there. */
function meeting(settings: Partial<Conference> = {}) {
  const all = attended();
  const { rig } = all;
  const { numbers } = rig.customer;
  const room = makeConference(rig, settings);
  const [ddi] = rig.store.ddis.find('e164', numbers[0] ?? '');
  rig.store.ddis.update(ddi?.id ?? '', { target_type: codeOf(targetTypeCodes, 'C'), target_id: room.id });
  const over = (): void => {
    all.over();
    if (rig.exchange.conferring > 0) throw new Error(`${rig.exchange.conferring} participants are left`);
  };
  return { ...all, room, over, number: numbers[0] ?? '' };
}

describe('a conference', () => {
  it('begins with the first participant, who hears that it is alone, and ends with the last', () => {
    const { rig, phones, exts, room, sounds, live, told, cdrs, over } = meeting();
    const first = phones[0].dial('990');
    rig.pass(0);
    expect(first.log).toEqual(['200']);
    expect(live()).toMatchObject([
      { context: 'CONFERENCE', state: 4, dst: '990', dst_name: 'Weekly', dst_id: String(room.id), src: exts[0] },
    ]);
    rig.pass(5000);
    const second = phones[1].dial('990');
    rig.pass(5000);
    expect(rig.exchange.conferring).toBe(2);
    expect(sounds).toEqual(['prompt/conference-alone 0', 'music 2.5', '- 5']);
    first.hangUp();
    rig.pass(0);
    expect(sounds.slice(3)).toEqual(['prompt/conference-alone 10']);
    expect(second.session.state).toBe('confirmed');
    second.hangUp();
    rig.pass(0);
    expect(rig.exchange.conferring).toBe(0);
    expect(told()).toEqual([...Array(2).fill(['initial 990', 'connected 990']).flat(), 'hangup 990', 'hangup 990']);
    expect(cdrs()).toMatchObject([
      { context: 'CONFERENCE', src: exts[0], type: 'I', billsec: 10, disposition: 'CONNECTED' },
      { context: 'CONFERENCE', src: exts[1], type: 'I', billsec: 5, parent_live_id: 0 },
    ]);
    over();
  });

  it('says who comes and goes, where it is wished', () => {
    const { rig, phones, sounds, over } = meeting({ ann_join_leave: true });
    const calls = phones.map((phone) => {
      const call = phone.dial('990');
      rig.pass(10_000);
      return call;
    });
    calls[0]?.hangUp();
    rig.pass(10_000);
    calls[1]?.hangUp();
    rig.pass(10_000);
    expect(sounds).toEqual([
      ...['prompt/conference-alone 0', 'music 2.5', 'prompt/conference-join 10'],
      ...['prompt/conference-join 20', 'prompt/conference-join 20'],
      ...['prompt/conference-leave 30', 'prompt/conference-leave 30'],
      ...['prompt/conference-leave 40', 'prompt/conference-alone 41.5', 'music 44'],
    ]);
    rig.exchange.hangUpAll();
    over();
  });

  it('is held and resumed by one participant alone', () => {
    const { rig, phones, live, over } = meeting();
    const calls = phones.map((phone) => phone.dial('990'));
    rig.pass(0);
    calls[1]?.reoffer('sendonly');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 5, 4]);
    calls[1]?.reoffer('sendrecv');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 4, 4]);
    rig.exchange.hangUpAll();
    over();
  });

  it('is recorded where it is wished, each participant in its own call, and says so', () => {
    const { rig, phones, ids, sounds, live, over } = meeting({ monitor: true });
    phones[0].dial('990');
    rig.pass(3000);
    phones[1].dial('990');
    rig.pass(7000);
    expect(live().map(({ monitor_state }) => monitor_state)).toEqual([1, 1]);
    expect(sounds).toEqual([...['prompt/recording-on 0', 'prompt/conference-alone 2', '- 3', 'prompt/recording-on 3']]);
    const [first, second] = live().map(({ id }) => id);
    rig.exchange.hangUpAll();
    rig.pass(0);
    expect(rig.store.monitors.find('live_id', first ?? 0)).toMatchObject([
      { user_id: ids[0], duration: 10, context: 'CONFERENCE' },
    ]);
    expect(rig.store.monitors.find('live_id', second ?? 0)).toMatchObject([{ user_id: ids[1], duration: 7 }]);
    over();
  });

  it('is reached at the number for callers who key it in, too', () => {
    const { rig, phones, live, over } = meeting();
    phones[0].dial('100990');
    rig.pass(0);
    expect(live()).toMatchObject([{ context: 'CONFERENCE', dst: '990' }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('takes a hundred participants and no more', () => {
    const { rig, phones, sounds, over } = meeting();
    const calls = Array.from({ length: 101 }, (_, index) => phones[(index % 3) as 0 | 1 | 2].dial('990'));
    rig.pass(3000);
    expect(rig.exchange.conferring).toBe(100);
    expect(sounds.filter((sound) => sound.includes('full'))).toEqual(['prompt/conference-full 0']);
    expect(calls.filter(({ session }) => session.state === 'terminated')).toHaveLength(1);
    rig.exchange.hangUpAll();
    over();
  });
});

describe('the PIN of a conference', () => {
  it('is asked for, and lets in who knows it', () => {
    const { rig, phones, sounds, press, over } = meeting({ pin: '2580' });
    const call = phones[0].dial('990');
    rig.pass(1000);
    expect(rig.exchange.conferring).toBe(0);
    press(call, '2580');
    expect(rig.exchange.conferring).toBe(1);
    expect(sounds).toEqual(['prompt/conference-enter-pin 0', '- 1', 'prompt/conference-alone 1.3']);
    call.hangUp();
    over();
  });

  it('may be wrong twice', () => {
    const { rig, phones, sounds, press, over } = meeting({ pin: '2580' });
    const call = phones[0].dial('990');
    rig.pass(5000);
    press(call, '1111');
    rig.pass(7000);
    press(call, '25#');
    rig.pass(7000);
    press(call, '9*2580');
    expect(rig.exchange.conferring).toBe(1);
    expect(sounds.filter((sound) => sound.includes('wrong'))).toHaveLength(2);
    call.hangUp();
    over();
  });

  it('wrong, or not keyed in, three times, is the end of the call', () => {
    const { rig, phones, sounds, press, told, cdrs, over } = meeting({ pin: '2580' });
    const call = phones[0].dial('990');
    rig.pass(0);
    press(call, '0000');
    press(call, '1111');
    press(call, '2222');
    rig.pass(3500);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(sounds.slice(-2)).toEqual(['prompt/conference-wrong-pin 1.1', 'prompt/goodbye 3.6']);
    expect(told()).toContain('hangup 990');
    expect(cdrs()).toMatchObject([{ context: 'CONFERENCE', type: 'I', t_cause: 'Normal clearing' }]);
    const silent = phones[1].dial('990');
    rig.pass(60_000);
    expect(silent.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('is another one for callers from outside', () => {
    const { rig, phones, network, number, press, over } = meeting({ pin: '2580', pin_pstn: '4711' });
    const outside = network.dial(number);
    rig.pass(0);
    press(outside, '4711');
    expect(rig.exchange.conferring).toBe(1);
    const inside = phones[0].dial('990');
    rig.pass(0);
    press(inside, '4711');
    expect(rig.exchange.conferring).toBe(1);
    press(inside, '2580');
    expect(rig.exchange.conferring).toBe(2);
    rig.exchange.hangUpAll();
    over();
  });

  it('is cut short by whoever hangs up meanwhile', () => {
    const { rig, phones, press, over } = meeting({ pin: '2580' });
    const call = phones[0].dial('990');
    rig.pass(1000);
    press(call, '25');
    call.hangUp();
    rig.pass(0);
    expect(rig.exchange.conferring).toBe(0);
    over();
  });
});
