// PATCH dst in every phase of a call: where it transfers, where it is refused and in which words; and to every kind of place.
import { describe, expect, it } from 'vitest';
import type { LiveCall } from '../contract/resources/calls.ts';
import type { Result } from '../kernel/errors.ts';
import { attended } from './attendants/attendants.rig.ts';
import { queueing } from './attendants/queue.rig.ts';
import type { Phase } from './call-states.ts';
import { makeGroup } from './ring-group.rig.ts';

type Stage = ReturnType<typeof attended>;

function change({ rig }: Stage, callId: number, user: number, dst: string): Array<Result<LiveCall>> {
  const results: Array<Result<LiveCall>> = [];
  rig.exchange.changeCall(callId, user, { dst }, (result) => results.push(result));
  rig.pass(0);
  return results;
}

function dialling(stage: Stage): void {
  stage.phones[0].dial(stage.exts[1]);
  stage.rig.pass(0);
}

function answered(stage: Stage): void {
  dialling(stage);
  stage.phones[1].call.answer();
  stage.rig.pass(0);
}

/** How a call of the first user's comes to be in a phase, and what PATCH dst to the third user then says; nothing: it is done. */
const phases: Readonly<Record<Exclude<Phase, 'NEW'>, readonly [(stage: Stage) => void, string | undefined]>> = {
  INITIAL: [dialling, 'only an answered call can be transferred; this one is INITIAL'],
  RINGING: [
    (stage) => {
      dialling(stage);
      stage.phones[1].call.ring();
    },
    'only an answered call can be transferred; this one is RINGING',
  ],
  ACCEPTED: [
    ({ rig, ids, exts, phones }) => {
      rig.exchange.clickToCall({ customerId: rig.customer.customerId, userId: ids[0], to: exts[1] });
      rig.pass(0);
      phones[0].call.answer();
    },
    'only an answered call can be transferred; this one is ACCEPTED',
  ],
  CONNECTED: [answered, undefined],
  ON_HOLD: [
    (stage) => {
      answered(stage);
      stage.phones[1].call.reoffer('sendonly');
    },
    undefined,
  ],
  HANGUP: [
    (stage) => {
      answered(stage);
      stage.phones[1].call.hangUp();
    },
    'There is no live call',
  ],
  FAILED: [
    (stage) => {
      dialling(stage);
      stage.phones[1].call.session.reject(486);
    },
    'There is no live call',
  ],
};

describe('PATCH dst', () => {
  it.each(Object.entries(phases))('of a call that is %s', (_, [bring, refusal]) => {
    const stage = attended();
    const { rig, ids, exts, phones, live, over } = stage;
    bring(stage);
    rig.pass(0);
    const callId = rig.events[0]?.kind === 'call' ? rig.events[0].callId : 0;
    const before = live().map(({ state }) => state);
    const [result] = change(stage, callId, ids[1], exts[2]);
    if (refusal === undefined) {
      expect(result).toMatchObject({ ok: true });
      phones[2].call.answer();
      rig.pass(0);
      expect(live()).toMatchObject([{ id: callId, src: exts[0], dst: exts[2], referred_by: exts[1], state: 4 }]);
    } else {
      expect(result).toMatchObject({ ok: false, failure: { message: expect.stringContaining(refusal) } });
      expect(live().map(({ state }) => state)).toEqual(before);
      expect(phones[2].calls).toEqual([]);
    }
    rig.exchange.hangUpAll();
    over();
  });

  it('by somebody who is not in the call: the only user leaves, whichever side that came to be', () => {
    const stage = attended();
    const { rig, ids, exts, phones, network, live, over } = stage;
    phones[0].dial('+442079460123');
    rig.pass(0);
    network.call.answer();
    rig.pass(0);
    const [{ id = 0 } = {}] = live();
    change(stage, id, ids[0], exts[1]);
    phones[1].call.answer();
    rig.pass(0);
    expect(change(stage, id, ids[0], exts[2])).toMatchObject([{ ok: true }]);
    phones[2].call.answer();
    rig.pass(0);
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(network.call.session.state).toBe('confirmed');
    expect(live()).toMatchObject([{ id, dst: exts[2], referred_by: exts[1], state: 4 }]);
    network.call.hangUp();
    over();
  });

  it('of a caller who waits in a queue', () => {
    const stage = queueing();
    const { queue, phones, rig, ids, exts, live, over } = stage;
    queue({ agents: [] });
    phones[0].dial('690');
    rig.pass(0);
    expect(change(stage, live()[0]?.id ?? 0, ids[0], exts[2])).toMatchObject([
      { ok: false, failure: { message: 'only an answered call can be transferred; this caller waits in a queue' } },
    ]);
    expect(live()).toMatchObject([{ queue_state: 'waiting', dst: '690' }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('of a call that is being transferred', () => {
    const stage = attended();
    answered(stage);
    const [{ id = 0 } = {}] = stage.live();
    change(stage, id, stage.ids[1], stage.exts[2]);
    expect(change(stage, id, stage.ids[1], stage.exts[2])).toMatchObject([
      { ok: false, failure: { message: 'this call is being transferred already' } },
    ]);
    stage.rig.exchange.hangUpAll();
    stage.over();
  });

  it.each([
    ['998', '998 is neither an extension nor a public number'],
    ['', ' is neither an extension nor a public number'],
  ])('to %j changes nothing', (dst, message) => {
    const stage = attended();
    answered(stage);
    const [{ id = 0 } = {}] = stage.live();
    expect(change(stage, id, stage.ids[1], dst)).toMatchObject([{ ok: false, failure: { message } }]);
    expect(stage.live()).toMatchObject([{ state: 4, dst: stage.exts[1] }]);
    stage.rig.exchange.hangUpAll();
    stage.over();
  });

  it('that fails gives the user its party back, of a ring group too that nobody answers and that leads no further', () => {
    const stage = attended();
    const { rig, ids, exts, phones, live, over } = stage;
    makeGroup(stage, { users: [ids[2]], ringTimeS: 5 });
    answered(stage);
    const [{ id = 0 } = {}] = live();
    change(stage, id, ids[1], '790');
    phones[2].call.ring();
    rig.pass(5000);
    expect(live()).toMatchObject([{ id, dst: exts[1], state: 4, referred_by: '' }]);
    expect(phones[1].call.session.state).toBe('confirmed');
    phones[1].call.hangUp();
    over();
  });
});

describe('PATCH dst of a caller who speaks to the exchange', () => {
  function atTheMailbox() {
    const stage = attended();
    const call = stage.phones[0].dial('*97');
    stage.rig.pass(0);
    const [{ id = 0 } = {}] = stage.live();
    return { ...stage, call, id };
  }

  it('leads it away from there', () => {
    const stage = atTheMailbox();
    const { rig, ids, exts, phones, call, id, live, over, sounds } = stage;
    expect(change(stage, id, ids[0], exts[1])).toMatchObject([{ ok: true }]);
    phones[1].call.answer();
    rig.pass(60_000);
    expect(live()).toMatchObject([{ id, src: exts[0], dst: exts[1], state: 4 }]);
    expect(sounds.at(-1)).toMatch(/^- /);
    call.hangUp();
    over();
  });

  it('ends the call when nobody answers', () => {
    const stage = atTheMailbox();
    const { rig, ids, exts, phones, call, id, live, over } = stage;
    change(stage, id, ids[0], exts[1]);
    phones[1].call.session.reject(486);
    rig.pass(0);
    expect(live()).toEqual([]);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });
});

describe('a transfer to a place of the exchange', () => {
  it('to the voicemail where nobody answers: the transferor is let go, the caller leaves its message', () => {
    const stage = attended();
    const { rig, ids, exts, phones, live, set, messages, over } = stage;
    set(2, { final_dst_type: 'V', final_dst_id: ids[2] });
    answered(stage);
    const [{ id = 0 } = {}] = live();
    phones[1].call.send('REFER', [['Refer-To', `<sip:${exts[2]}@pbx.example>`]]);
    rig.pass(0);
    phones[2].call.session.reject(486);
    rig.pass(0);
    expect(phones[1].call.notified.at(-1)).toBe('SIP/2.0 200 OK');
    expect(phones[1].call.ending).toMatchObject({ by: 'remote-bye' });
    expect(live()).toMatchObject([{ id, context: 'VOICEMAIL', src: exts[0], dst: exts[2], referred_by: exts[1] }]);
    rig.pass(20_000);
    phones[0].call.hangUp();
    rig.pass(0);
    expect(messages()).toMatchObject([{ extension_id: ids[2], caller: exts[0] }]);
    over();
  });

  it('to the public network, shown as the user who stays', () => {
    const stage = attended();
    const { rig, ids, network, live, over } = stage;
    answered(stage);
    const [{ id = 0 } = {}] = live();
    change(stage, id, ids[1], '+442079460123');
    network.call.answer();
    rig.pass(0);
    expect(live()).toMatchObject([{ id, dst: '+442079460123', state: 4 }]);
    rig.exchange.hangUpAll();
    over();
  });

  it('a consultation with the exchange itself is left to the party', () => {
    const stage = attended();
    const { rig, exts, phones, live, over } = stage;
    answered(stage);
    const [{ id = 0 } = {}] = live();
    const consulted = phones[1].dial('*43');
    rig.pass(0);
    const { callId, localTag, remoteTag } = consulted.session;
    const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`);
    phones[1].calls[0]?.send('REFER', [['Refer-To', `<sip:x@pbx.example?Replaces=${replaces}>`]]);
    rig.pass(0);
    expect(live()).toMatchObject([{ id, src: exts[0], referred_by: exts[1], state: 4 }]);
    phones[0].call.hangUp();
    over();
  });
});
