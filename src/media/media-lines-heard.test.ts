// What of the lines goes into recordings, what broken packets do, and who is missed when it says nothing.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LinesRig, LOUD, type Party, SOFT, SUM, sound } from './media-lines.rig.ts';
import { Room } from './room.ts';
import { writeRtp } from './rtp-packet.ts';
import { Take } from './takes.ts';

let rig: LinesRig;
beforeEach(() => {
  rig = new LinesRig();
});

describe('a recording', () => {
  /** The loudest sample of each 20 ms. */
  const heardOn = (take: Take): number[] =>
    [...take.samples(take.length)].flatMap((second) =>
      Array.from({ length: second.length / 160 }, (_, at) =>
        Math.round(Math.max(...second.subarray(at * 160, at * 160 + 160)) * 32_768),
      ),
    );

  it('has what both parties say', () => {
    const [alice, bob] = [rig.party(), rig.party()];
    const take = new Take();
    for (const { line } of [alice, bob]) line.record(take);
    alice.line.relayTo(bob.line);
    bob.line.relayTo(alice.line);
    rig.frames(2, [alice, LOUD]);
    rig.frames(2, [alice, LOUD], [bob, SOFT]);
    rig.frames(5);
    expect(heardOn(take)).toEqual([0, 0, 0, LOUD, LOUD, SUM, SUM, 0, 0]);
  });

  it('has both parties too where it is made on the line of one', () => {
    const [alice, bob] = [rig.party(), rig.party(96, 8)];
    const take = new Take();
    alice.line.record(take);
    alice.line.relayTo(bob.line);
    bob.line.relayTo(alice.line);
    rig.frames(2, [alice, LOUD]);
    rig.frames(2, [alice, LOUD], [bob, SOFT]);
    rig.frames(3);
    expect(heardOn(take)).toEqual([0, 0, 0, LOUD, LOUD, SUM, SUM]);
  });

  it('has what is played, and what a caller of a room hears', () => {
    const [alice, bob] = [rig.party(), rig.party()];
    const take = new Take();
    const room = new Room();
    alice.line.record(take);
    alice.line.play(sound(20), false);
    rig.frames(2);
    for (const { line } of [alice, bob]) line.enter(room);
    rig.frames(4, [bob, SOFT]);
    expect(heardOn(take)).toEqual([LOUD, 0, 0, 0, 0, SOFT]);
  });

  it('leaves out what is said while it is paused, and ends when it is told', () => {
    const alice = rig.party();
    const take = new Take();
    alice.line.record(take);
    rig.frames(4, [alice, LOUD]);
    take.pause();
    rig.frames(10, [alice, SOFT]);
    take.resume();
    rig.frames(1, [alice, LOUD]);
    alice.line.record(undefined);
    rig.frames(5, [alice, LOUD]);
    expect(heardOn(take)).toHaveLength(5);
    expect(rig.clock.pending()).toEqual([]);
  });
});

describe('whatever arrives', () => {
  it('is no trouble, to whoever hears, records, mixes or echoes it', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .record({ type: fc.constantFrom(0, 101), time: fc.nat(), payload: fc.uint8Array({ maxLength: 2000 }) })
        .map(({ type, time, payload }) =>
          writeRtp({ marker: false, payloadType: type, sequence: 1, timestamp: time >>> 0, ssrc: 5, payload }),
        ),
    );
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 20 }), (packets) => {
        const [alice, bob] = [rig.party(), rig.party()];
        const take = new Take();
        alice.line.relayTo(bob.line);
        for (const { line } of [alice, bob]) line.record(take);
        for (const packet of packets) {
          for (const own of [alice.port, bob.port]) own.onPacket?.(packet);
          rig.frames(1);
        }
        alice.line.enter(new Room());
        bob.line.echo();
        for (const packet of packets) for (const own of [alice.port, bob.port]) own.onPacket?.(packet);
        rig.frames(3);
        expect(take.length).toBe((packets.length + 3) * 160);
        for (const { line } of [alice, bob]) line.close();
        expect(rig.clock.pending()).toEqual([]);
      }),
    );
  });
});

describe('a party that goes silent', () => {
  const told: number[] = [];
  beforeEach(() => {
    told.length = 0;
  });
  const watched = (): Party => {
    const alice = rig.party();
    alice.line.listener = { digit: () => {}, silent: (seconds) => told.push(seconds) };
    alice.line.expectSound(true);
    return alice;
  };

  it('is noticed once, when it had sent something', () => {
    const alice = watched();
    rig.pass(30_000);
    expect(told).toEqual([]);
    alice.say(LOUD);
    rig.pass(6000);
    alice.say(LOUD);
    rig.pass(9999);
    expect(told).toEqual([]);
    rig.pass(1);
    expect(told).toEqual([10]);
    rig.pass(60_000);
    expect(told).toEqual([10]);
  });

  it('may be silent while it holds or is gone', () => {
    const alice = watched();
    alice.say(LOUD);
    alice.line.expectSound(false);
    rig.pass(60_000);
    alice.line.expectSound(true);
    rig.pass(9000);
    expect(told).toEqual([]);
    alice.line.close();
    rig.pass(60_000);
    expect([told, rig.clock.pending()]).toEqual([[], []]);
  });
});
