// A talk of two that supervisors hear: who hears whom in each frame, what is recorded, and that the two notice nothing of who listens.
import { beforeEach, describe, expect, it } from 'vitest';
import type { HeardBy, Side } from './gathering.ts';
import { LinesRig, LOUD, type Party, SOFT, SUM, sound } from './media-lines.rig.ts';
import { writeRtp } from './rtp-packet.ts';
import { Take } from './takes.ts';
import { WatchedTalk } from './watched-talk.ts';

/** Said by the supervisor; G.711 gives it back as it is. */
const VOICE = 64;
/** In G.711 beside those of the two parties. */
const SUMS = { soft: 308, loud: 1052, all: 1308 };

let rig: LinesRig;
let talk: WatchedTalk;
let alice: Party;
let bob: Party;
let carol: Party;

beforeEach(() => {
  rig = new LinesRig();
  talk = new WatchedTalk();
  alice = rig.party();
  bob = rig.party(96);
  carol = rig.party();
  alice.line.relayTo(bob.line);
  bob.line.relayTo(alice.line);
});

const watch = (heardBy: HeardBy, who = carol, beside: Side = 'caller'): void => {
  alice.line.enter(talk, { side: 'caller' });
  bob.line.enter(talk, { side: 'callee' });
  who.line.enter(talk, { beside, heardBy });
};

/** All three speak for a while; the last thing that each heard. */
const speak = (): number[] => {
  rig.frames(8, [alice, LOUD], [bob, SOFT], [carol, VOICE]);
  return [alice, bob, carol].map(({ port }) => port.heard.at(-1) ?? 0);
};

describe('a supervisor', () => {
  it('who listens hears both, and neither party hears anything but the other: their packets pass as they are', () => {
    watch('nobody');
    expect(speak()).toEqual([SOFT, LOUD, SUM]);
    // What the other sent, number for number.
    expect(alice.port.read.map(({ ssrc, sequence }) => [ssrc, sequence])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((sequence) => [2, sequence]),
    );
  });

  it('who whispers is heard by the one beside whom it sits', () => {
    watch('one');
    expect(speak()).toEqual([SUMS.soft, LOUD, SUM]);
    watch('one', carol, 'callee');
    expect(speak()).toEqual([SOFT, SUMS.loud, SUM]);
  });

  it('who has barged in is heard by both', () => {
    watch('both');
    expect(speak()).toEqual([SUMS.soft, SUMS.loud, SUM]);
  });

  it('who leaves leaves them as they were', () => {
    watch('both');
    speak();
    for (const { line } of [carol, alice, bob]) line.enter(undefined);
    alice.port.sent.length = 0;
    const heard = carol.port.sent.length;
    rig.frames(3, [alice, LOUD], [bob, SOFT]);
    expect(alice.port.read.map(({ ssrc }) => ssrc)).toEqual([2, 2, 2]);
    expect(carol.port.sent).toHaveLength(heard);
    expect([talk.size, rig.clock.pending().length]).toEqual([0, 0]);
  });

  it('hears what is played to a party, too', () => {
    watch('nobody');
    bob.line.play(sound(2000, SOFT), true);
    rig.frames(6, [alice, LOUD]);
    expect(carol.port.heard.at(-1)).toBe(SUM);
  });

  it('does not join two who have been parted: who is not passed on is not heard', () => {
    watch('both');
    alice.line.relayTo(undefined);
    bob.line.relayTo(undefined);
    expect(speak()).toEqual([VOICE, VOICE, SUM]);
  });

  it('hears another one who has barged in, and not one who whispers', () => {
    const dave = rig.party();
    watch('nobody');
    watch('one', dave, 'callee');
    rig.frames(8, [alice, LOUD], [dave, VOICE]);
    expect([carol, bob].map(({ port }) => port.heard.at(-1))).toEqual([LOUD, SUMS.loud]);
    watch('both', dave, 'callee');
    rig.frames(8, [alice, LOUD], [dave, VOICE]);
    expect([carol, bob, alice].map(({ port }) => port.heard.at(-1))).toEqual([SUMS.loud, SUMS.loud, VOICE]);
  });

  it('without a seat is not let in', () => {
    carol.line.enter(talk);
    expect([talk.size, carol.line.room]).toEqual([0, undefined]);
  });
});

describe('a recording of a watched talk', () => {
  const recorded = (heardBy: HeardBy, on: Party): number => {
    const take = new Take();
    watch(heardBy);
    on.line.record(take);
    speak();
    const samples = [...take.samples(take.length)].flatMap((second) => [...second.subarray(-160)]);
    return Math.round(Math.max(...samples) * 32_768);
  };

  it.each([
    ['nobody', SUM],
    ['one', SUM],
    ['both', SUMS.all],
  ] as const)('has a supervisor who is heard by %s as both parties hear it', (heardBy, loud) => {
    expect([recorded(heardBy, alice), recorded(heardBy, bob)]).toEqual([loud, loud]);
  });
});

describe('a key', () => {
  it('reaches a party who hears a supervisor, in the stream that it hears', () => {
    watch('both');
    const pressed: string[] = [];
    alice.line.listener = { digit: (digit) => pressed.push(digit), silent: () => {} };
    rig.frames(2, [alice, LOUD]);
    const event = { marker: true, payloadType: 101, sequence: 9, timestamp: 9, ssrc: 1 };
    alice.port.onPacket?.(writeRtp({ ...event, payload: Uint8Array.of(5, 10, 0, 160) }));
    rig.frames(14, [alice, LOUD]);
    const types = bob.port.read.map(({ payloadType }) => payloadType);
    expect(types.filter((type) => type === 96)).toHaveLength(10);
    expect(new Set(bob.port.read.map(({ ssrc }) => ssrc)).size).toBe(1);
    expect(pressed).toEqual(['5']);
  });
});
