// A conference: each hears all others and not itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strength } from './ffmpeg.rig.ts';
import { mixMinusOwn } from './mixer.ts';
import { MOST_IN_ROOM, type Occupant, Room } from './room.ts';

const occupant = (...said: number[]): Occupant => ({
  said: said.length === 0 ? undefined : Int16Array.from(said),
  hears: undefined,
});

describe('a mix', () => {
  it('is the sum of the others', () => {
    const mixes = mixMinusOwn([Int16Array.of(1, 10), Int16Array.of(2, 20), undefined], 2);
    expect(mixes.map((mix) => [...mix])).toEqual([
      [2, 20],
      [1, 10],
      [3, 30],
    ]);
  });

  it('is as loud as a sample can be and no louder', () => {
    const loud = [30_000, 30_000, 30_000].map((sample) => Int16Array.of(sample, -sample));
    expect([...(mixMinusOwn(loud, 2)[0] ?? [])]).toEqual([32_767, -32_768]);
  });

  it('has its own voice taken out before it is made too loud to take it out', () => {
    const mixes = mixMinusOwn([Int16Array.of(32_767), Int16Array.of(100), Int16Array.of(200)], 1);
    expect(mixes.map((mix) => mix[0])).toEqual([300, 32_767, 32_767]);
  });

  it('is what each would hear if the others were added up for it', () => {
    const frames = fc.array(
      fc.option(fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 4, maxLength: 4 })),
    );
    fc.assert(
      fc.property(frames, (said) => {
        const mixes = mixMinusOwn(
          said.map((frame) => (frame === null ? undefined : Int16Array.from(frame))),
          4,
        );
        mixes.forEach((mix, own) => {
          const sums = [0, 1, 2, 3].map((at) =>
            said.reduce((sum, frame, index) => sum + (index === own ? 0 : (frame?.[at] ?? 0)), 0),
          );
          expect([...mix]).toEqual(sums.map((sum) => Math.max(-32_768, Math.min(32_767, sum))));
        });
      }),
    );
  });
});

describe('a room', () => {
  it('lets those hear who are in', () => {
    const room = new Room();
    const [alice, bob, carol] = [occupant(1), occupant(2), occupant()];
    for (const each of [alice, bob, carol]) expect(room.enter(each)).toBe(true);
    room.mix(1);
    expect([alice.hears?.[0], bob.hears?.[0], carol.hears?.[0]]).toEqual([2, 1, 3]);
    room.leave(bob);
    room.mix(1);
    expect([alice.hears?.[0], bob.hears, carol.hears?.[0]]).toEqual([0, undefined, 1]);
  });

  it('has voices for those who send no sound: one at a time, in turn, then silence', () => {
    const room = new Room();
    const alice = occupant();
    room.enter(alice);
    const [bob, carol] = [{}, {}];
    for (const who of [bob, carol]) room.represent(who, true);
    /** What is heard in each 2.4 s. */
    const turn = (): string => {
      const heard = Array.from({ length: 120 }, () => {
        room.mix(160);
        return [...(alice.hears ?? [])];
      }).flat();
      const samples = Float32Array.from(heard, (sample) => sample / 32_768);
      return [220, 330].filter((hertz) => strength(samples, hertz) > 0.05).join();
    };
    expect([turn(), turn(), turn(), turn()]).toEqual(['220', '330', '', '220']);
    room.represent(bob, false);
    expect([turn(), turn()].toSorted()).toEqual(['', '220']);
    room.represent(carol, false);
    room.mix(160);
    expect(alice.hears?.some((sample) => sample !== 0)).toBe(false);
    expect(room.size).toBe(1);
  });

  it('is full some time', () => {
    const room = new Room();
    const all = Array.from({ length: MOST_IN_ROOM + 1 }, () => occupant(1));
    expect(all.filter((each) => room.enter(each))).toHaveLength(100);
    expect(room.size).toBe(100);
  });
});
