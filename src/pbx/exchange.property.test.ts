// Whatever people do and the wire loses, the exchange keeps its promises: a safety phase of random acts, then a liveness phase.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultDraft } from '../faults/rule.ts';
import { type Act, act } from './random-acts.rig.ts';
import { RandomWorld } from './random-world.rig.ts';

describe('the exchange under random acts', () => {
  it.each([
    [0, 200],
    [10, 80],
    [30, 60],
  ])(
    'with %i %% of the messages lost keeps every invariant',
    (loss, runs) => {
      fc.assert(
        fc.property(fc.array(act, { minLength: 1, maxLength: 80, size: 'max' }), fc.nat(1000), (acts, seed) => {
          const world = new RandomWorld(loss, seed);
          for (const one of acts) world.perform(one);
          world.settle();
          expect(world.watch.violations).toEqual([]);
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );
});

describe('the exchange under random acts and deliberate faults', () => {
  const match = fc.record(
    {
      at: fc.constant('sip' as const),
      method: fc.constantFrom('INVITE', 'ACK', 'BYE', 'CANCEL', 'REFER'),
      direction: fc.constantFrom('in' as const, 'out' as const),
    },
    { requiredKeys: ['at'] },
  );
  const ms = fc.constantFrom(1, 40, 700, 5000);
  const action = fc.oneof(
    fc.record({ do: fc.constantFrom('drop' as const, 'duplicate' as const) }),
    fc.record({ do: fc.constantFrom('delay' as const, 'reorder' as const), ms }),
  );
  const counts = {
    probability: fc.constantFrom(0.1, 0.5, 1),
    after: fc.nat(5),
    times: fc.integer({ min: 1, max: 9 }),
  };
  const weather = fc.record({ match, action, ...counts }, { requiredKeys: ['match', 'action', 'probability'] });
  const noise = fc.record({
    match,
    action: fc.constant({ do: 'garble' } as const),
    probability: fc.constantFrom(0.02, 0.3, 1),
  });
  const acts = fc.array(act, { minLength: 1, maxLength: 60, size: 'max' });
  const live = (what: readonly Act[], seed: number, faults: readonly FaultDraft[]): RandomWorld => {
    const world = new RandomWorld(0, seed, faults);
    for (const one of what) world.perform(one);
    world.settle();
    return world;
  };

  it('keeps every invariant while they strike, and ends every call when they are gone', () => {
    const rules = fc.array(weather, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(acts, rules, fc.nat(1000), (what, faults, seed) => {
        expect(live(what, seed, faults).watch.violations).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  // A garbled Call-ID or tag is another dialog to whoever reads the wire: the invariants cannot tell what it was.
  it('throws nothing and leaves nothing behind when it is noise', () => {
    fc.assert(
      fc.property(acts, fc.array(noise, { minLength: 1, maxLength: 2 }), fc.nat(1000), (what, faults, seed) => {
        const left = Object.entries(live(what, seed, faults).rig.exchange.stats).filter(([, count]) => count !== 0);
        expect(left).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });
});
