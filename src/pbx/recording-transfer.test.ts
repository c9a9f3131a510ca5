// Recordings of calls that are transferred: whose they are decides whether they go on (CHOICE-RECORDING-TRANSFER).
import { describe, expect, it } from 'vitest';
import { makeConference } from './attendants/conference.rig.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { referTo } from './attended-transfer.rig.ts';
import { studio } from './recording.rig.ts';

describe('a recording of a call that is transferred', () => {
  it('ordered by hand goes on after a transfer as one more record of the same call', () => {
    const { rig, phones, exts, talk, order, recordings, live, over } = studio();
    talk();
    order({ recording: 'start' });
    rig.pass(3000);
    const [{ id = 0 } = {}] = live();
    expect(order({ dst: exts[2] }, 0, id)).toEqual({ state: 1 });
    phones[2].call.ring();
    rig.pass(2000);
    phones[2].call.answer();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ live_id: id, duration: 5, called: exts[1] }]);
    expect(live()).toMatchObject([{ id, monitor_state: 1, dst: exts[2] }]);
    rig.pass(4000);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(recordings()).toMatchObject([
      { live_id: id, called: exts[1] },
      { live_id: id, called: exts[2], caller: exts[0], duration: 4 },
    ]);
    over();
  });

  it('that ends with a transfer to a place of the exchange tells of the two who talked', () => {
    const { rig, exts, talk, order, recordings, live, over } = studio();
    const { number } = makeQueue(rig, { agents: [] });
    talk();
    order({ recording: 'start' });
    rig.pass(3000);
    order({ dst: String(number) }, 0);
    rig.pass(2000);
    expect(live()).toMatchObject([{ context: 'QUEUE' }]);
    rig.exchange.hangUpAll();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ caller: exts[0], called: exts[1], context: 'USER_LOCAL' }]);
    over();
  });

  it('by itself ends with the transfer when the new party does not want it', () => {
    const { rig, phones, exts, set, talk, order, recordings, live, over } = studio();
    set(1, { monitor: 'A' });
    talk();
    rig.pass(3000);
    order({ dst: exts[2] }, 0);
    phones[2].call.answer();
    rig.pass(1000);
    expect(live()).toMatchObject([{ monitor_state: 0, dst: exts[2] }]);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(recordings()).toMatchObject([{ called: exts[1], duration: 3 }]);
    over();
  });
});

type Studio = ReturnType<typeof studio>;

/** How B, whom A has called, leads A to C. */
const ways: ReadonlyArray<readonly [way: string, lead: (all: Studio) => void]> = [
  [
    'by REFER',
    ({ rig, phones, exts }) => {
      phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
      rig.pass(0);
      phones[2].call.answer();
    },
  ],
  [
    'by REFER, and hangs up at once',
    ({ rig, phones, exts }) => {
      const { call } = phones[1];
      call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
      rig.pass(0);
      call.hangUp();
      rig.pass(0);
      phones[2].call.answer();
    },
  ],
  [
    'after a consultation',
    ({ rig, phones, exts }) => {
      const held = phones[1].call;
      const consulted = phones[1].dial(exts[2]);
      rig.pass(0);
      phones[2].call.answer();
      rig.pass(0);
      held.send('REFER', [referTo(consulted)]);
    },
  ],
  [
    'by REST',
    ({ rig, phones, exts, ids, order }) => {
      order({ dst: exts[2] }, ids[1]);
      rig.pass(0);
      phones[2].call.answer();
    },
  ],
];

describe.each(ways)('a transfer %s', (_, lead) => {
  it.each([
    ['who leaves', 1, false, [1]],
    ['who stays', 0, false, [0, 0]],
    ['who stays, and paused it', 0, true, [0, 0]],
    ['who leaves, and paused it', 1, true, [1]],
    ['who is not party to it', 2, false, [2]],
  ] as const)('a recording by order of one %s', (_who, by, isPaused, whose) => {
    const all = studio();
    const { rig, exts, ids, live, order, recordings, end, over } = all;
    const call = all.talk();
    const id = live()[0]?.id ?? 0;
    order({ recording: 'start' }, ids[by], id);
    rig.pass(3000);
    if (isPaused) order({ recording: 'pause' }, ids[by], id);
    lead(all);
    rig.pass(0);
    const goesOn = whose.length === 2;
    expect(live()).toMatchObject([{ id, dst: exts[2], monitor_state: goesOn ? (isPaused ? 2 : 1) : 0 }]);
    rig.pass(4000);
    end(call);
    const first = { live_id: id, caller: exts[0], called: exts[1], duration: 3, user_id: ids[by] };
    const second = { live_id: id, caller: exts[0], called: exts[2], duration: isPaused ? 0 : 4, user_id: ids[by] };
    expect(recordings()).toMatchObject(goesOn ? [first, second] : [first]);
    expect(recordings()).toHaveLength(whose.length);
    over();
  });

  it.each([
    ['of the new party', 2, [2]],
    ['of the party that stays', 0, [0, 0]],
    ['of the one who leaves', 1, [1]],
  ] as const)('recordings by the settings %s', (_who, whose, records) => {
    const all = studio();
    const { rig, ids, live, set, recordings, end, over } = all;
    set(whose, { monitor: 'A' });
    const call = all.talk();
    rig.pass(3000);
    lead(all);
    rig.pass(0);
    const isRecorded = whose !== 1;
    expect(live()[0]?.monitor_state).toBe(isRecorded ? 1 : 0);
    rig.pass(4000);
    end(call);
    const ofCall = recordings().filter(({ caller }) => caller === all.exts[0]);
    expect(ofCall.map(({ user_id }) => user_id)).toEqual(records.map((index) => ids[index]));
    over();
  });
});

describe('a recording by order', () => {
  it('in the consultation goes on with the party that stays, when that one ordered it', () => {
    const all = studio();
    const { rig, phones, exts, ids, live, order, recordings, end, over } = all;
    const call = all.talk();
    const held = phones[1].call;
    const consulted = phones[1].dial(exts[2]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    const [first, second] = live();
    order({ recording: 'start' }, ids[2], second?.id);
    rig.pass(2000);
    held.send('REFER', [referTo(consulted)]);
    rig.pass(0);
    expect(live()).toMatchObject([{ id: first?.id, dst: exts[2], monitor_state: 1 }]);
    rig.pass(3000);
    end(call);
    expect(recordings()).toMatchObject([
      { live_id: second?.id, caller: exts[1], called: exts[2], user_id: ids[2], duration: 2 },
      { live_id: first?.id, caller: exts[0], called: exts[2], user_id: ids[2], duration: 3 },
    ]);
    over();
  });

  it('goes on when the transfer fails, and the transferor is back with its party', () => {
    const all = studio();
    const { rig, phones, exts, ids, live, order, recordings, end, over } = all;
    const call = all.talk();
    order({ recording: 'start' }, ids[1]);
    rig.pass(1000);
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.session.reject(486);
    rig.pass(1000);
    expect(live()).toMatchObject([{ monitor_state: 1, dst: exts[1] }]);
    end(call);
    expect(recordings()).toMatchObject([{ user_id: ids[1], duration: 2 }]);
    over();
  });

  it('ends when the party is led to a voicemail, where nobody else is recorded', () => {
    const all = studio();
    const { rig, phones, exts, ids, set, live, order, recordings, over } = all;
    set(2, { dnd: true, final_dst_type: 'V' });
    all.talk();
    order({ recording: 'start' }, ids[1]);
    rig.pass(3000);
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    expect(live()).toMatchObject([{ context: 'VOICEMAIL', monitor_state: 0 }]);
    expect(recordings()).toMatchObject([{ user_id: ids[1], duration: 3, called: exts[1] }]);
    phones[0].call.hangUp();
    over();
  });

  it('of a conference that is recorded ends when its participant is led out of it', () => {
    const all = studio();
    const { rig, phones, exts, ids, live, order, recordings, over } = all;
    makeConference(rig, { monitor: true });
    const call = phones[0].dial('990');
    rig.pass(5000);
    expect(live()).toMatchObject([{ monitor_state: 1 }]);
    order({ dst: exts[2] });
    expect(recordings()).toMatchObject([{ user_id: ids[0], duration: 5, context: 'CONFERENCE' }]);
    phones[2].call.answer();
    rig.pass(1000);
    expect(live()).toMatchObject([{ monitor_state: 0, dst: exts[2] }]);
    call.hangUp();
    rig.pass(0);
    expect(recordings()).toHaveLength(1);
    over();
  });

  it('of a queue ends when the agent transfers the caller', () => {
    const all = studio();
    const { rig, phones, exts, ids, live, recordings, over } = all;
    makeQueue(rig, { agents: [ids[1]], monitor: 1 });
    const call = phones[0].dial('690');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(2000);
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    expect(live().map(({ dst, monitor_state }) => [dst, monitor_state])).toEqual([
      ['690', 0],
      [exts[2], 0],
    ]);
    expect(recordings()).toMatchObject([{ user_id: ids[1], duration: 2 }]);
    call.hangUp();
    over();
  });
});
