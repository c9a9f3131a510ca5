// Barging in as stories: a supervisor dials a code, hears a call of a colleague, and goes with it; the call knows nothing of it.
import { describe, expect, it } from 'vitest';
import { codeOf, ruleDirectionCodes } from '../../contract/codes.ts';
import { supervised, talked, watching } from './barge.rig.ts';
import { makeConference } from './conference.rig.ts';
import { makeIvr } from './ivr.rig.ts';
import { makeQueue } from './queue.rig.ts';

describe('a supervisor', () => {
  it('listens in on a call as a call of its own; the watched one is as it was', () => {
    const { rig, exts, ids, callId, supervisor, live, told, cdrs, party, supervision, disturbed, over } = watching();
    expect(supervisor.session.state).toBe('confirmed');
    const watched = live().find(({ id }) => id === callId);
    expect(live()).toHaveLength(2);
    expect(watched).toMatchObject({ state: 4, src: exts[0], dst: exts[1], referred_by: '' });
    expect(live()[1]).toMatchObject({
      ...{ state: 4, src: exts[2], src_id: String(ids[2]), dst: `*33${exts[0]}`, dst_id: '', dst_name: 'Barge' },
      ...{ parent_id: 0, context: watched?.context },
    });
    const ownId = live()[1]?.id;
    rig.pass(5000);
    supervisor.hangUp();
    rig.pass(1000);
    expect(disturbed()).toEqual([]);
    expect(live()).toMatchObject([{ id: callId, state: 4, src: exts[0], dst: exts[1] }]);
    party.hangUp();
    rig.pass(0);
    expect(told()).toEqual([
      ...[`initial ${exts[1]}`, `connected ${exts[1]}`],
      ...[`initial *33${exts[0]}`, `connected *33${exts[0]}`, `hangup *33${exts[0]}`],
      `hangup ${exts[1]}`,
    ]);
    expect(cdrs()).toMatchObject([
      { live_id: ownId, src: exts[2], dst: `*33${exts[0]}`, type: 'I', disposition: 'CONNECTED', billsec: 5 },
      { live_id: callId, src: exts[0], dst: exts[1], disposition: 'CONNECTED', billsec: 7 },
    ]);
    expect(supervision).toEqual([`began ${callId} ${exts[0]} nobody`, `ended ${callId} ${exts[0]} nobody`]);
    over();
  });

  it('whispers and barges in by keys, which are events of its own call alone', () => {
    const { rig, exts, callId, supervisor, supervision, press, disturbed, over } = watching();
    press(supervisor, '5564*4');
    expect(supervision).toEqual([
      `began ${callId} ${exts[0]} nobody`,
      ...['one', 'both', 'nobody'].map((heardBy) => `changed ${callId} ${exts[0]} ${heardBy}`),
    ]);
    const keys = rig.events.flatMap((event) =>
      event.kind === 'dtmf' ? [[event.digit, event.by, event.src.number]] : [],
    );
    expect(keys).toEqual(['5', '5', '6', '4', '*', '4'].map((key) => [key, 'caller', exts[2]]));
    expect(rig.events.some((event) => event.kind === 'dtmf' && event.callId === callId)).toBe(false);
    expect(disturbed()).toEqual([]);
    rig.exchange.hangUpAll();
    over();
  });

  it('is hung up on when the watched call ends', () => {
    const { rig, callId, call, supervisor, told, exts, cdrs, over } = watching();
    call.hangUp();
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(told().slice(-2)).toEqual([`hangup ${exts[1]}`, `hangup *33${exts[0]}`]);
    expect(rig.events.at(-1)).toMatchObject({ cause: 'Normal clearing', terminatedBy: null });
    expect(cdrs().map(({ live_id }) => live_id)).toEqual([callId, callId + 1]);
    over();
  });

  it('is gone when its own call is ended by order, and holds it without holding the other', () => {
    const { rig, callId, supervisor, live, disturbed, call, over } = watching();
    supervisor.reoffer('sendonly');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 5]);
    supervisor.reoffer('sendrecv');
    rig.pass(0);
    expect(live().map(({ state }) => state)).toEqual([4, 4]);
    expect(rig.exchange.hangUp(live()[1]?.id ?? 0)).toBe(true);
    rig.pass(0);
    expect(supervisor.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([{ id: callId }]);
    expect(disturbed()).toEqual([]);
    call.hangUp();
    over();
  });

  it('goes elsewhere by order, and the watched call does not', () => {
    const { rig, callId, ids, supervisor, live, supervision, disturbed, call, over } = watching();
    rig.exchange.changeCall(live()[1]?.id ?? 0, ids[2], { dst: '*43' }, () => {});
    rig.pass(0);
    rig.exchange.changeCall(live()[1]?.id ?? 0, ids[2], { dst: '+442079460123' }, () => {});
    rig.pass(0);
    expect(supervision.map((line) => line.split(' ')[0])).toEqual(['began', 'ended']);
    expect(live().find(({ id }) => id === callId)).toMatchObject({ state: 4 });
    expect(disturbed()).toEqual([]);
    supervisor.hangUp();
    call.hangUp();
    over();
  });

  it('may be one of several, each of whom leaves alone; the eleventh is refused', () => {
    const { rig, phones, exts, call, refusal, live, supervisor, over } = watching();
    for (let more = 0; more < 9; more += 1) expect(refusal(`*33${exts[0]}`)).toBe('confirmed');
    expect(refusal(`*33${exts[0]}`)).toBe('486 Too many listen to that call');
    supervisor.hangUp();
    rig.pass(0);
    expect(live()).toHaveLength(10);
    expect(refusal(`*33${exts[0]}`)).toBe('confirmed');
    call.hangUp();
    rig.pass(0);
    expect(live()).toEqual([]);
    expect(phones[2].calls.map(({ session }) => session.state).every((state) => state === 'terminated')).toBe(true);
    over();
  });

  it('is refused with 488 when it can do no sound of ours', () => {
    const { rig, exts, refusal, call, over } = talked();
    const deaf = rig.phone(2, { codecs: ['G722'], device: 'deaf' });
    expect(refusal(`*33${exts[0]}`, deaf)).toMatch(/^488 /);
    call.hangUp();
    over();
  });
});

describe('the right to barge in', () => {
  it('needs call_barge_allowed, and says nothing about extensions without it', () => {
    const { exts, set, refusal, rig, live, call, cdrs, over } = talked();
    set(2, { call_barge_allowed: false });
    for (const ext of [exts[0], exts[1], '199']) expect(refusal(`*33${ext}`)).toBe('403 Barging is not allowed');
    // Nothing has come of it: no call, no event, no record.
    expect(live()).toHaveLength(1);
    expect(rig.events.filter(({ kind }) => kind === 'call')).toHaveLength(2);
    expect(cdrs()).toEqual([]);
    call.hangUp();
    over();
  });

  it('needs a user group that both are in', () => {
    const { rig, exts, ids, refusal, call, over } = talked();
    expect(refusal(`*33${exts[1]}`)).toBe('403 No user group in common');
    rig.store.users.update(ids[2], { groups: [] });
    rig.store.users.update(ids[0], { groups: [] });
    expect(refusal(`*33${exts[0]}`)).toBe('403 No user group in common');
    rig.store.users.update(ids[2], { groups: [9, 3] });
    expect(refusal(`*33${exts[1]}`)).toBe('confirmed');
    call.hangUp();
    over();
  });

  it('is not about a call of their own, nor about people of another account', () => {
    const { rig, exts, phones, refusal, network, over } = talked();
    expect(refusal(`*33${exts[2]}`)).toBe('403 Nobody barges into a call of their own');
    rig.store.users.update(rig.customer.users[1]?.user_id ?? 0, { call_barge_allowed: true, groups: [1] });
    expect(refusal(`*33${exts[0]}`, phones[1])).toBe('403 Nobody barges into a call of their own');
    const strange = rig.other.users
      .map(({ ext }) => ext)
      .find((ext) => !rig.customer.users.some((own) => own.ext === ext));
    expect(refusal(`*33${strange ?? '199'}`)).toBe('404 Nobody has that extension');
    expect(refusal('*33')).toMatch(/^404 /);
    expect(refusal(`*33${exts[0]}`, network)).toMatch(/^404 /);
    rig.exchange.hangUpAll();
    over();
  });

  it('is not about users who are not active', () => {
    const { exts, set, refusal, call, over } = talked();
    set(0, { active: false });
    expect(refusal(`*33${exts[0]}`)).toBe('404 Nobody has that extension');
    call.hangUp();
    over();
  });

  it('may be taken away by a routing rule, as for any number', () => {
    const { rig, exts, refusal, call, over } = talked();
    const { routingrules } = rig.store;
    for (const { id } of [...routingrules.list(1)]) routingrules.delete(id);
    routingrules.insert(1, {
      ...{ id: routingrules.nextId(1), customer: 1, pos: 1, action: 'block', source: '', time_interval: '' },
      ...{ destination: '*33*', final_dst: false, direction: codeOf(ruleDirectionCodes, 'in') },
    });
    expect(refusal(`*33${exts[0]}`)).toMatch(/^403 Forbidden/);
    call.hangUp();
    over();
  });
});

describe('somebody who talks to nobody', () => {
  it('is not watched: idle, ringing, or answered by the exchange itself', () => {
    const { rig, exts, phones, ids, refusal, over, ...all } = supervised();
    const nobody = (): void => expect(refusal(`*33${exts[0]}`)).toBe('480 Not in a call');
    nobody();
    const ringing = phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.ring();
    rig.pass(0);
    nobody();
    ringing.hangUp();
    rig.pass(0);
    makeConference(rig);
    makeIvr({ rig });
    makeQueue(rig, { agents: [ids[2]] });
    all.set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1] });
    for (const number of ['990', '850', '690', '*43', '*97', exts[1]]) {
      const alone = phones[0].dial(number);
      rig.pass(500);
      expect(alone.session.state).toBe('confirmed');
      nobody();
      alone.hangUp();
      rig.pass(1000);
    }
    over();
  });
});
