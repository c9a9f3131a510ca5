// Attended transfer: REFER with Replaces on dialogs of the exchange that are answered, as stories.
import { describe, expect, it } from 'vitest';
import { attended } from './attendants/attendants.rig.ts';
import { watching } from './attendants/barge.rig.ts';
import { makeConference } from './attendants/conference.rig.ts';
import { makeIvr } from './attendants/ivr.rig.ts';
import {
  cdrOf,
  consulting,
  eventsOf,
  holdingAndCalling,
  liveIds,
  record,
  referTo,
  replacesOf,
} from './attended-transfer.rig.ts';
import { company, talking } from './company.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

describe('attended transfer by REFER', () => {
  it('joins the two others without an INVITE; the staying call lives on, the consultation ends', () => {
    const { rig, phones, exts, ids, callId, call, held, consulted, target, consultation } = consulting();
    const invites = target.wire.filter((line) => line === '< INVITE').length;
    const outcome = held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 202 }]);
    expect(held.notified).toEqual(['SIP/2.0 100 Trying', 'SIP/2.0 200 OK']);
    expect(held.ending).toMatchObject({ by: 'remote-bye' });
    expect(consulted.ending).toMatchObject({ by: 'remote-bye' });
    expect(liveIds(rig)).toEqual([callId]);
    expect(record(rig, callId)).toMatchObject({
      state: 4,
      src: exts[0],
      dst: exts[2],
      dst_id: String(ids[2]),
      dst_call_id: target.call.session.callId,
      referred_by: exts[1],
    });
    // Both speak PCMU: nothing is to be said to either.
    expect(target.wire.filter((line) => line === '< INVITE')).toHaveLength(invites);
    expect(call.log).not.toContain('re-INVITE');
    expect(eventsOf(rig, callId).slice(-2)).toEqual(['call.hold', 'call.unhold']);
    expect(eventsOf(rig, consultation).at(-1)).toBe('call.hangup');
    expect(cdrOf(rig, consultation)).toMatchObject([
      { src: exts[1], dst: exts[2], disposition: 'CONNECTED', duration: 1, billsec: 1, t_cause: 'Normal clearing' },
    ]);
    rig.pass(5000);
    target.call.hangUp();
    rig.pass(0);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrOf(rig, callId)).toMatchObject([{ src: exts[0], dst: exts[2], duration: 7, billsec: 7 }]);
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', callId, terminatedBy: 'callee', durationS: 7 });
    expect(phones[1].calls.filter(({ ending }) => ending === undefined)).toEqual([]);
    rig.pass(40_000);
    expect(Object.values(rig.exchange.stats).filter((count) => count !== 0)).toEqual([]);
  });

  it('the one who answered the consultation may be its caller, too, and goes on holding', () => {
    const { rig, phones, exts, callId, call } = talking();
    phones[1].call.reoffer('sendonly');
    const asking = phones[2].dial(exts[1]);
    rig.pass(0);
    const answered = phones[1].call;
    answered.answer();
    rig.pass(0);
    asking.reoffer('sendonly');
    rig.pass(0);
    phones[1].calls[0]?.send('REFER', [referTo(answered)]);
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({
      state: 5,
      src: exts[0],
      dst: exts[2],
      src_call_id: call.session.callId,
    });
    asking.reoffer('sendrecv');
    rig.pass(0);
    expect(record(rig, callId)?.state).toBe(4);
  });

  it('the caller who transfers leaves the call to the other two', () => {
    const { rig, phones, exts, call, callId } = talking();
    const consulted = phones[0].dial(exts[2]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    call.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ src: exts[1], dst: exts[2], referred_by: exts[0], state: 4 });
    phones[1].call.hangUp();
    rig.pass(0);
    expect(rig.events.at(-1)).toMatchObject({ callId, terminatedBy: 'caller' });
    expect(phones[2].call.ending).toMatchObject({ by: 'remote-bye' });
  });

  it('re-INVITEs the one to whom the codec of the other is new', () => {
    const { rig, callId, call, held, consulted, target } = consulting(true, ['PCMA']);
    expect(record(rig, callId)?.src_codec).toBe('PCMU');
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(call.log.filter((line) => line === 're-INVITE')).toHaveLength(1);
    expect(target.call.log).not.toContain('re-INVITE');
    expect(record(rig, callId)).toMatchObject({ src_codec: 'PCMA', dst_codec: 'PCMA' });
  });

  it('ends the call with 488 when who is asked for the codec refuses', () => {
    const { rig, callId, call, held, consulted, target } = consulting(true, ['PCMA']);
    call.manual = true;
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    call.pending.at(-1)?.respond(488);
    rig.pass(0);
    expect(target.call.ending).toMatchObject({ by: 'remote-bye' });
    expect(cdrOf(rig, callId)).toMatchObject([
      { disposition: 'CONNECTED', t_cause: 'Bearer capability not available' },
    ]);
  });

  it('passes on a caller from outside, and one who is consulted outside', () => {
    const { rig, phones, exts, network } = company();
    const outsider = network.dial(rig.customer.numbers[0] ?? '');
    rig.pass(0);
    const [first] = rig.exchange.liveCalls(rig.customer.customerId);
    const phone = phones.find(({ calls }) => calls.length > 0) ?? phones[0];
    const ext = exts[phones.indexOf(phone)];
    phone.call.answer();
    rig.pass(0);
    const inbound = phone.call;
    const consulted = phone.dial('+442079460123');
    rig.pass(0);
    network.call.answer();
    rig.pass(0);
    inbound.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(record(rig, first?.record.id ?? 0)).toMatchObject({ state: 4, dst: '+442079460123', referred_by: ext });
    expect(rig.events.at(-1)).toMatchObject({ name: 'call.hangup', terminatedBy: 'caller' });
    outsider.hangUp();
    rig.pass(0);
    expect(network.calls.map(({ session }) => session.state)).toEqual(['terminated', 'terminated']);
  });

  it('a consultation with a ring group is left to the member who answered', () => {
    const all = talking();
    const { rig, phones, exts, callId } = all;
    makeGroup({ rig }, { users: [all.ids[2]] });
    const consulted = phones[1].dial('790');
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(liveIds(rig)).toHaveLength(3);
    phones[1].calls[0]?.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(liveIds(rig)).toEqual([callId]);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: exts[2], state: 4 });
  });
});

describe('attended transfer that cannot be', () => {
  it.each([
    [
      'a dialog that nobody has',
      (c: ReturnType<typeof consulting>) => `none;to-tag=a;from-tag=${c.consulted.session.localTag}`,
      481,
    ],
    [
      'a dialog that is answered, where only a ringing one may be replaced',
      (c: ReturnType<typeof consulting>) => replacesOf(c.consulted, ';early-only'),
      486,
    ],
    ['the very dialog that the REFER came in', (c: ReturnType<typeof consulting>) => replacesOf(c.held), 481],
    [
      'the tags the wrong way round',
      (c: ReturnType<typeof consulting>) =>
        `${c.consulted.session.callId};to-tag=${c.consulted.session.localTag};from-tag=${c.consulted.session.remoteTag}`,
      481,
    ],
  ])('%s: the transferor keeps its party', (_, replaces, status) => {
    const all = consulting();
    const { rig, held, callId, consultation, exts } = all;
    held.send('REFER', [['Refer-To', `<sip:1@x?Replaces=${encodeURIComponent(replaces(all))}>`]]);
    rig.pass(0);
    expect(held.notified.at(-1)).toMatch(new RegExp(`^SIP/2.0 ${status} `));
    expect(liveIds(rig)).toEqual([callId, consultation]);
    expect(record(rig, callId)).toMatchObject({ dst: exts[1], state: 5, referred_by: '' });
  });

  it('a dialog of somebody else is none to the transferor', () => {
    const { rig, held, call, callId } = consulting();
    const { callId: id, localTag, remoteTag } = call.session;
    held.send('REFER', [
      ['Refer-To', `<sip:1@x?Replaces=${encodeURIComponent(`${id};to-tag=${remoteTag};from-tag=${localTag}`)}>`],
    ]);
    rig.pass(0);
    expect(held.notified.at(-1)).toMatch(/^SIP\/2.0 481 /);
    expect(record(rig, callId)?.state).toBe(5);
  });

  it.each(['', ';to-tag=1', ';from-tag=1'])('Replaces without its tags (%j) is refused at once', (tags) => {
    const { rig, held } = consulting();
    const outcome = held.send('REFER', [['Refer-To', `<sip:1@x?Replaces=${encodeURIComponent(`abc${tags}`)}>`]]);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 400 }]);
    expect(held.notified).toEqual([]);
  });

  it('a consultation that has ended is none any more', () => {
    const { rig, held, consulted, target } = consulting();
    const to = referTo(consulted);
    target.call.hangUp();
    rig.pass(0);
    held.send('REFER', [to]);
    rig.pass(0);
    expect(held.notified.at(-1)).toMatch(/^SIP\/2.0 481 /);
  });
});

/** A called B, who called `number` as well, where the exchange answers. */
function consultingAt(number: string, prepare: (all: ReturnType<typeof attended>) => void = () => {}) {
  const all = attended();
  const { rig } = all;
  prepare(all);
  const { call, held, consulted } = holdingAndCalling(all, number);
  rig.pass(1000);
  const [callId = 0, consultation = 0] = liveIds(rig);
  return { ...all, call, held, consulted, callId, consultation };
}

describe('attended transfer to where the exchange answers', () => {
  const withPin = (all: ReturnType<typeof attended>) => void makeConference(all.rig, { pin: '1234', pin_pstn: '5678' });

  it.each(['the held call', 'the conference'])(
    'a conference that the transferor is in: the party is let in without a PIN, by REFER in %s',
    (where) => {
      const all = consultingAt('990', withPin);
      const { rig, phones, exts, call, held, consulted, callId, consultation, sounds } = all;
      all.press(consulted, '1234');
      const other = phones[2].dial('990');
      rig.pass(0);
      all.press(other, '1234');
      rig.pass(20_000);
      sounds.length = 0;
      const [by, named] = where === 'the held call' ? [held, consulted] : [consulted, held];
      const outcome = by.send('REFER', [referTo(named)]);
      rig.pass(0);
      expect(outcome).toMatchObject([{ status: 202 }]);
      expect(by.notified.at(-1)).toBe('SIP/2.0 200 OK');
      expect([held, consulted].map(({ session }) => session.state)).toEqual(['terminated', 'terminated']);
      expect(record(rig, callId)).toMatchObject({
        src: exts[0],
        dst: '990',
        state: 4,
        context: 'CONFERENCE',
        referred_by: exts[1],
      });
      expect(rig.exchange.conferring).toBe(2);
      expect(sounds.some((sound) => sound.includes('pin'))).toBe(false);
      expect(eventsOf(rig, consultation).at(-1)).toBe('call.hangup');
      call.hangUp();
      other.hangUp();
      all.over();
    },
  );

  it('a conference whose PIN the transferor has not keyed in asks the party for it', () => {
    const all = consultingAt('990', withPin);
    all.held.send('REFER', [referTo(all.consulted)]);
    all.rig.pass(0);
    expect(all.rig.exchange.conferring).toBe(0);
    all.press(all.call, '1234');
    expect(all.rig.exchange.conferring).toBe(1);
    all.call.hangUp();
    all.over();
  });

  it('a menu is heard from its beginning', () => {
    const all = consultingAt('850', (one) => void makeIvr(one, { two: `U:${one.ids[2]}` }));
    const { rig, phones, exts, held, callId } = all;
    held.send('REFER', [referTo(all.consulted)]);
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: '850', context: 'IVR', state: 4 });
    all.press(all.call, '2');
    phones[2].call.answer();
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: exts[2], state: 4 });
    all.call.hangUp();
    all.over();
  });

  it('who was led to a conference itself takes somebody along', () => {
    const all = attended();
    const { rig, phones, exts } = all;
    withPin(all);
    const first = phones[1].dial(exts[0]);
    rig.pass(0);
    phones[0].call.answer();
    rig.pass(0);
    phones[0].call.send('REFER', [['Refer-To', '<sip:990@pbx.example>']]);
    rig.pass(0);
    all.press(first, '1234');
    const second = phones[1].dial(exts[2]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    second.send('REFER', [referTo(first)]);
    rig.pass(0);
    expect(first.ending).toMatchObject({ by: 'remote-bye' });
    expect(rig.exchange.conferring).toBe(1);
    expect(all.live()).toMatchObject([{ src: exts[2], dst: '990', state: 4, referred_by: exts[1] }]);
    phones[2].call.hangUp();
    all.over();
  });

  it('a party that holds holds on: it is in the room when it resumes', () => {
    const all = consultingAt('990', (one) => void makeConference(one.rig));
    const { rig, call, held, callId } = all;
    call.reoffer('sendonly');
    rig.pass(0);
    held.send('REFER', [referTo(all.consulted)]);
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ dst: '990', state: 5 });
    call.reoffer('sendrecv');
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ dst: '990', state: 4 });
    call.hangUp();
    all.over();
  });

  it('a party that holds holds on with whom it is joined, too', () => {
    const { rig, exts, callId, call, held, consulted } = consulting();
    call.reoffer('sendonly');
    rig.pass(0);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(record(rig, callId)).toMatchObject({ src: exts[0], dst: exts[2], state: 5 });
    call.reoffer('sendrecv');
    rig.pass(0);
    expect(record(rig, callId)?.state).toBe(4);
  });

  it('nobody comes to listen in by way of a supervisor', () => {
    const all = talkedWithSupervisor();
    const outcome = all.own.send('REFER', [referTo(all.supervisor)]);
    all.rig.pass(0);
    expect(outcome).toMatchObject([{ status: 202 }]);
    expect(all.own.notified.at(-1)).toBe('SIP/2.0 403 Forbidden');
    expect(all.supervisor.session.state).toBe('confirmed');
    all.rig.exchange.hangUpAll();
    all.over();
  });

  it.each([
    ['of nobody', () => 'none;to-tag=a;from-tag=b', 481],
    ['that is none of its own', (all: ReturnType<typeof consultingAt>) => replacesOf(all.call), 481],
    ['that it speaks in itself', (all: ReturnType<typeof consultingAt>) => replacesOf(all.consulted), 481],
    [
      'that is answered, as one that rings',
      (all: ReturnType<typeof consultingAt>) => replacesOf(all.held, ';early-only'),
      486,
    ],
  ])('a dialog %s is not brought there', (_, replaces, status) => {
    const all = consultingAt('*43');
    const { rig, consulted, held, callId, exts } = all;
    consulted.send('REFER', [['Refer-To', `<sip:1@x?Replaces=${encodeURIComponent(replaces(all))}>`]]);
    rig.pass(0);
    expect(consulted.notified.at(-1)).toMatch(new RegExp(`^SIP/2.0 ${status} `));
    expect([consulted, held].map(({ session }) => session.state)).toEqual(['confirmed', 'confirmed']);
    expect(record(rig, callId)).toMatchObject({ dst: exts[1], state: 5 });
    rig.exchange.hangUpAll();
    all.over();
  });
});

/** The third user listens in on the first one's call, and talks to somebody outside as well. */
function talkedWithSupervisor() {
  const all = watching();
  const { rig, phones, network } = all;
  const own = phones[2].dial('+442079460123');
  rig.pass(0);
  network.call.answer();
  rig.pass(0);
  return { ...all, own };
}
