// Whatever two parties offer, when and how often, before the answer and after it: they end up in one codec, on hold exactly while one of
// them holds, and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { company } from './company.rig.ts';
import type { TestCall } from './exchange.rig.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';

const CODECS = { PCMU: '0', PCMA: '8', both: '0 8', turned: '8 0' } as const;

interface Step {
  readonly who: 'caller' | 'called';
  readonly method: 'INVITE' | 'UPDATE';
  readonly codecs: keyof typeof CODECS;
  readonly holds: boolean;
  readonly afterMs: number;
}

interface Day {
  /** The caller hears the called side before the answer, reliably. */
  readonly early: boolean;
  /** Offers before the answer, and after it. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('caller', 'called'),
  method: fc.constantFrom('INVITE', 'UPDATE'),
  codecs: fc.constantFrom('PCMU', 'PCMA', 'both', 'turned'),
  holds: fc.boolean(),
  // Often at the same moment, often in the pauses after a 491.
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
});

const day: fc.Arbitrary<Day> = fc.record({
  early: fc.boolean(),
  before: fc.array(step, { maxLength: 4 }),
  after: fc.array(step, { maxLength: 6 }),
});

let versions = 10;

function sdp(codecs: keyof typeof CODECS, direction: string): string {
  versions += 1;
  const lines = [
    ...['v=0', `o=- 7 ${versions} IN IP4 127.0.0.1`, 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
    ...[`m=audio 31000 RTP/AVP ${CODECS[codecs]}`, `a=${direction}`],
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Sends the offer when it is its turn, and notes whether its party holds once it is agreed on. */
function offer(call: TestCall, { method, codecs, holds }: Step, holding: Map<TestCall, boolean>): void {
  const body = sdp(codecs, holds ? 'sendonly' : 'sendrecv');
  const noted = ({ status }: { status: number }): void => {
    if (status < 300) holding.set(call, holds);
  };
  if (method === 'INVITE') call.session.reinvite(body, noted);
  else call.session.update(body, noted);
}

function play({ early, before, after }: Day) {
  const all = company();
  const { rig, phones, exts } = all;
  const watch = new InvariantWatch(rig.store);
  watchInvariants(watch, rig.journal, (listener) => rig.exchange.subscribe(listener));
  const call = phones[0].dial(exts[1], early ? { headers: [['Require', '100rel']] } : {});
  rig.pass(0);
  const called = phones[1].call;
  called.session.provisional(early ? 183 : 180, early ? { body: sdp('both', 'sendrecv') } : {});
  rig.pass(0);
  const holding = new Map<TestCall, boolean>();
  const run = (steps: readonly Step[]): void => {
    for (const one of steps) {
      rig.pass(one.afterMs);
      offer(one.who === 'caller' ? call : called, one, holding);
    }
  };
  run(before);
  called.session.accept(sdp('both', 'sendrecv'));
  run(after);
  rig.pass(120_000);
  return { ...all, call, called, watch, isHeld: [...holding.values()].includes(true) };
}

describe('offers of two parties', () => {
  it('end in one codec and one state', () => {
    fc.assert(
      fc.property(day, (plan) => {
        const { rig, call, watch, isHeld } = play(plan);
        const [live] = rig.exchange.liveCalls(rig.customer.customerId);
        expect(live?.record.state).toBe(isHeld ? 5 : 4);
        expect(live?.record.src_codec).toMatch(/^PCM[UA]$/);
        expect(live?.record.dst_codec).toBe(live?.record.src_codec);
        call.hangUp();
        rig.pass(100_000);
        watch.checkQuiet({ ...rig.exchange.stats });
        expect(watch.violations).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
