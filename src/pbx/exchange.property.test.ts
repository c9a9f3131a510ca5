// Whatever people do and the wire loses, the exchange keeps its promises: a safety phase of random acts, then a liveness phase.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from './rig.ts';

type Act =
  | { readonly do: 'dial'; readonly who: number; readonly to: number }
  | { readonly do: 'ring' | 'answer' | 'busy' | 'hangup' | 'hold' | 'resume' | 'digit'; readonly who: number }
  | { readonly do: 'refer'; readonly who: number; readonly to: number }
  | { readonly do: 'click'; readonly who: number; readonly to: number }
  | { readonly do: 'order'; readonly who: number; readonly state: string }
  | { readonly do: 'delete' }
  | { readonly do: 'wait'; readonly ms: number };

const who = fc.nat(3);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('dial' as const), who, to: fc.nat(5) }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constantFrom('ring', 'answer', 'busy', 'hangup', 'hold', 'resume', 'digit'), who }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refer' as const), who, to: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('click' as const), who: fc.nat(2), to: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      who,
      state: fc.constantFrom('CONNECTED', 'ON_HOLD', 'HANGUP'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'delete' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 0, 0, 10, 600, 5000, 33_000) }),
  },
);

class World {
  readonly rig: Rig;
  readonly phones: TestPhone[];
  readonly watch: InvariantWatch;
  readonly #targets: string[];

  constructor(lossPercent: number, seed: number) {
    this.rig = makeRig(seed);
    this.watch = new InvariantWatch(this.rig.store);
    watchInvariants(this.watch, this.rig.journal, (listener) => this.rig.exchange.subscribe(listener));
    const random = new Random(seed, 'loss');
    const lossy = () => (random.int(100) < lossPercent ? [] : random.int(100) < lossPercent ? [0, 3] : [random.int(3)]);
    const options = lossPercent === 0 ? {} : { unreliable: true, toPhone: lossy, fromPhone: lossy };
    this.phones = [0, 1, 2].map((index) => this.rig.phone(index, options));
    for (const phone of this.phones) phone.register();
    this.phones.push(this.rig.network());
    this.rig.pass(40_000);
    const exts = this.rig.customer.users.map((user) => user.ext);
    this.#targets = [exts[0] ?? '', exts[1] ?? '', exts[2] ?? '', exts[3] ?? '', '+442079460123', '999'];
  }

  perform(what: Act): void {
    const customerId = this.rig.customer.customerId;
    const live = this.rig.exchange.liveCalls(customerId).at(-1);
    switch (what.do) {
      case 'wait':
        return this.rig.pass(what.ms);
      case 'delete':
        if (live !== undefined) this.rig.exchange.hangUp(live.record.id);
        return;
      case 'click':
        this.rig.exchange.clickToCall({
          customerId,
          userId: this.rig.customer.users[what.who]?.user_id ?? 0,
          to: this.#targets[what.to] ?? '',
        });
        return;
      case 'order':
        if (live !== undefined)
          this.rig.exchange.changeCall(live.record.id, live.userIds[0] ?? 0, { state: what.state }, () => {});
        return;
      case 'dial':
        this.phones[what.who]?.dial(
          what.who === 3 ? (this.rig.customer.numbers[what.to % 3] ?? '') : (this.#targets[what.to] ?? ''),
        );
        return;
      default:
        for (const call of this.phones[what.who]?.calls.slice(-2) ?? []) this.#onCall(call, what);
    }
  }

  #onCall(call: TestCall, what: Act): void {
    const { session } = call;
    if (session.state === 'terminated') return;
    const incoming = session.role === 'uas' && (session.state === 'calling' || session.state === 'early');
    if (what.do === 'hangup') call.hangUp();
    else if (incoming && what.do === 'ring') call.ring();
    else if (incoming && what.do === 'answer') call.answer();
    else if (incoming && what.do === 'busy') session.reject(486);
    else if (session.state !== 'confirmed') return;
    else if (what.do === 'hold') call.reoffer('sendonly');
    else if (what.do === 'resume') call.reoffer('sendrecv');
    else if (what.do === 'digit') call.send('INFO', [], 'Signal=1\r\n', 'application/dtmf-relay');
    else if (what.do === 'refer') call.send('REFER', [['Refer-To', `<sip:${this.#targets[what.to]}@x.example>`]]);
  }

  /** Everybody hangs up; all timers of SIP run out; nothing may be left. */
  settle(): void {
    this.rig.pass(1000);
    for (let round = 0; round < 3; round += 1) {
      for (const phone of this.phones)
        for (const call of phone.calls) if (call.session.state !== 'terminated') call.hangUp();
      this.rig.exchange.hangUpAll();
      this.rig.pass(150_000);
    }
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
  }
}

describe('the exchange under random acts', () => {
  it.each([
    [0, 150],
    [10, 60],
    [35, 30],
  ])('with %i %% of the messages lost keeps every invariant', (loss, runs) => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 60 }), fc.nat(1000), (acts, seed) => {
        const world = new World(loss, seed);
        for (const one of acts) world.perform(one);
        world.settle();
        expect(world.watch.violations).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
