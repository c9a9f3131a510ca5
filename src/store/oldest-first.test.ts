// The oldest member, whatever came and went in between.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OldestFirst } from './oldest-first.ts';

it('is always the one that came first of those that are there', () => {
  const act = fc.record({ add: fc.boolean(), member: fc.integer({ min: 1, max: 8 }), look: fc.boolean() });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const set = new OldestFirst<number>();
      let model: number[] = [];
      for (const { add, member, look } of acts) {
        if (add) set.add(member);
        else set.delete(member);
        if (!add) model = model.filter((one) => one !== member);
        else if (!model.includes(member)) model.push(member);
        if (look) expect(set.oldest).toBe(model[0]);
        expect([...set]).toEqual(model);
        expect(set.size).toBe(model.length);
      }
      expect(set.oldest).toBe(model[0]);
    }),
  );
});

it('is found again after every member has gone', () => {
  const set = new OldestFirst<string>();
  set.add('a');
  expect(set.oldest).toBe('a');
  set.delete('a');
  expect(set.oldest).toBeUndefined();
  set.add('b');
  set.add('a');
  expect(set.oldest).toBe('b');
});
