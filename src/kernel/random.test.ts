// Seeded chance: the same for the same seed and name, independent of who else draws.
import { describe, expect, it } from 'vitest';
import { IdBlocks } from './ids.ts';
import { Random } from './random.ts';
import { parseDuration, parseUtc, utcText } from './time.ts';

const draw = (random: Random) => Array.from({ length: 5 }, () => random.uint32());

describe('the seeded random', () => {
  it('repeats itself for a seed and differs for another', () => {
    expect(draw(new Random(1))).toEqual(draw(new Random(1)));
    expect(draw(new Random(1))).not.toEqual(draw(new Random(2)));
  });

  it('gives a split the same numbers whatever was drawn before', () => {
    const untouched = new Random(1);
    const used = new Random(1);
    draw(used);
    expect(draw(used.split('sip'))).toEqual(draw(untouched.split('sip')));
    expect(draw(untouched.split('sip'))).not.toEqual(draw(untouched.split('media')));
  });

  it('goes back to where it and all that were split from it stood', () => {
    const root = new Random(1);
    const sip = root.split('sip');
    const tags = sip.split('tag');
    draw(tags);
    const positions = root.positions();
    const then = [draw(root), draw(sip), draw(tags)];
    root.restore(positions);
    expect([draw(root), draw(sip), draw(tags)]).toEqual(then);
  });

  it('puts generators of another origin where those of the same name stood', () => {
    const one = new Random(1);
    const used = one.split('media');
    draw(used);
    const other = new Random(1);
    const fresh = other.split('media');
    const unknown = other.split('webhooks');
    other.restore(one.positions());
    expect(draw(fresh)).toEqual(draw(used));
    expect(draw(unknown)).toEqual(draw(new Random(1).split('webhooks')));
  });

  it('is spread evenly enough to be of use', () => {
    const random = new Random('spread');
    const throws = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i += 1) {
      const face = random.int(10);
      throws[face] = (throws[face] ?? 0) + 1;
    }
    expect(Math.min(...throws)).toBeGreaterThan(9500);
    expect(Math.max(...throws)).toBeLessThan(10_500);
  });

  it('writes tokens of the wished length', () => {
    expect(new Random(3).hex(12)).toMatch(/^[0-9a-f]{12}$/);
    expect(new Random(3).token(20)).toMatch(/^[A-Za-z0-9]{20}$/);
  });
});

describe('ids', () => {
  it('come from a block per customer, whoever else works', () => {
    const ids = new IdBlocks();
    expect([ids.next(1), ids.next(2), ids.next(1)]).toEqual([10_000_001, 20_000_001, 10_000_002]);
    ids.claim(10_000_050);
    expect(ids.next(1)).toBe(10_000_051);
  });
});

describe('times as written', () => {
  it.each([
    ['15m', 900_000],
    ['250ms', 250],
    ['1.5s', 1500],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['-1s', -1000],
    ['1 week', undefined],
    ['', undefined],
  ])('duration %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    ['2026-01-01 00:00:00', 1_767_225_600_000],
    ['2026-01-01T00:00:00Z', 1_767_225_600_000],
    ['2026-01-01T01:00:00+01:00', 1_767_225_600_000],
    ['2026-01-01', 1_767_225_600_000],
    ['yesterday', undefined],
    ['2026-13-01', undefined],
  ])('time %s', (text, ms) => {
    expect(parseUtc(text)).toBe(ms);
  });

  it('writes UTC without zone', () => {
    expect(utcText(1_767_225_600_999)).toBe('2026-01-01 00:00:00');
  });
});
