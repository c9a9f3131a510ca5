// Sound that was heard, kept: in memory, and where a file takes it over.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bulk, bulkOf, type Load } from '../kernel/bulk.ts';
import { Take, type TakeOf, Takes } from './takes.ts';

/** So many samples of a sound that never repeats. */
function takeOf(length: number): Take {
  const take = new Take();
  take.add(Int16Array.from({ length }, (_, at) => ((at * 7919) % 60_000) - 30_000));
  return take;
}

const all = (pieces: Iterable<Float32Array>): number[] => [...pieces].flatMap((piece) => [...piece]);

/** A file that has what it was told, and tells who told it when it is asked to. */
function stage(keptBytes?: number) {
  const file = new Map<string, Load>();
  const takes = new Takes({
    ...(keptBytes === undefined ? {} : { keptBytes }),
    stow: (section, owner, key, load) => {
      const place = `${section} ${owner} ${key}`;
      if (load === undefined) file.delete(place);
      else file.set(place, load);
    },
  });
  const copied = ({ bulk }: Load): Bulk =>
    bulkOf(Array.from({ length: bulk.count }, (_, at) => bulk.part(at) ?? new Uint8Array()));
  const write = () => {
    for (const load of file.values()) load.onKept?.(copied(load));
  };
  return { file, takes, write };
}

describe('what was heard', () => {
  it('is the same whether memory has it or a file, however long, and silence after its end', () => {
    const lengths = fc.integer({ min: 1, max: 500_000 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 20_000 }), (length, more) => {
        const { takes, write } = stage();
        takes.keep('monitor/1', takeOf(length));
        const before = all(takes.get('monitor/1')?.samples(length + more) ?? []);
        write();
        const after = all(takes.get('monitor/1')?.samples(length + more) ?? []);
        expect(after).toEqual(before);
        expect(after).toHaveLength(length + more);
        expect(after.slice(length).some((sample) => sample !== 0)).toBe(false);
        expect(after.slice(0, length).some((sample) => sample !== 0)).toBe(true);
      }),
      {
        numRuns: 12,
        examples: [
          [240_000, 0],
          [240_001, 7999],
          [8000, 8000],
          [1, 0],
          [4, 1],
        ],
      },
    );
  });

  it('is given away in parts of half a minute', () => {
    const take = takeOf(500_001);
    expect(take.count).toBe(3);
    expect([0, 1, 2, 3].map((at) => take.part(at)?.length)).toEqual([240_000, 240_000, 20_001, undefined]);
  });

  it('is kept with what the next process must know of it, and forgotten in the file too', () => {
    const { takes, file } = stage();
    takes.keep('monitor/1', takeOf(8000));
    takes.keep('voicemessage/7', takeOf(300));
    takes.keep('monitor/2', new Take());
    const told = [...file].map(([place, { facts }]) => [place, facts]);
    expect(told).toEqual([
      ['takes 0 monitor/1', { length: 8000, turn: 1 }],
      ['takes 0 voicemessage/7', { length: 300, turn: 2 }],
    ]);
    takes.forget('monitor/1');
    expect([...file.keys()]).toEqual(['takes 0 voicemessage/7']);
  });

  it('is forgotten in the order in which it came when there is too much of it, by the next process too', () => {
    const first = stage(3 * 8000);
    for (const id of [1, 2, 3, 4]) first.takes.keep(`monitor/${id}`, takeOf(8000));
    expect([...first.file.keys()]).toEqual(['takes 0 monitor/2', 'takes 0 monitor/3', 'takes 0 monitor/4']);
    const second = stage(3 * 8000);
    second.takes.restore(first.takes.state());
    second.takes.keep('monitor/5', takeOf(8000));
    const left = ([1, 2, 3, 4, 5] as const).filter((id) => second.takes.get(`monitor/${id}`) !== undefined);
    expect(left).toEqual([3, 4, 5]);
    expect(second.file.get('takes 0 monitor/5')?.facts).toEqual({ length: 8000, turn: 5 });
  });

  it('is none when its bytes are gone', () => {
    const { takes } = stage();
    takes.restore([
      { of: 'monitor/1' satisfies TakeOf, length: 8000, turn: 1, bulk: { count: 1, part: () => undefined } },
    ]);
    expect(takes.get('monitor/1')).toBeUndefined();
  });
});
