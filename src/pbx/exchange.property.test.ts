// Whatever people do and the wire loses, the exchange keeps its promises: a safety phase of random acts, then a liveness phase.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from './exchange.rig.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';

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
    arbitrary: fc.record({
      do: fc.constantFrom('ring', 'answer', 'answer', 'busy', 'hangup', 'hold', 'resume', 'digit'),
      who,
    }),
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
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 3, 10, 600, 5000, 33_000) }),
  },
);

class World {
  readonly rig: Rig;
  readonly phones: TestPhone[];
  readonly watch: InvariantWatch;
  readonly #targets: string[];
  readonly #lossPercent: number;
  #faulty = true;

  constructor(lossPercent: number, seed: number) {
    this.#lossPercent = lossPercent;
    this.rig = makeRig(seed);
    this.watch = new InvariantWatch(this.rig.store);
    watchInvariants(this.watch, this.rig.journal, (listener) => this.rig.exchange.subscribe(listener));
    const random = new Random(seed, 'loss');
    const lossy = () => {
      if (!this.#faulty) return [0];
      if (random.int(100) < lossPercent) return [];
      return random.int(100) < lossPercent ? [0, 3] : [random.int(3)];
    };
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
        return this.#onCall(what);
    }
  }

  /** Acts on a call that allows it: `who` picks one of them, so that most acts have an effect. */
  #onCall(what: Act & { readonly who: number }): void {
    const alive = this.phones.flatMap((phone) => phone.calls).filter(({ session }) => session.state !== 'terminated');
    const incoming = alive.filter(
      ({ session }) => session.role === 'uas' && ['calling', 'early'].includes(session.state),
    );
    const confirmed = alive.filter(({ session }) => session.state === 'confirmed');
    const choice = ['ring', 'answer', 'busy'].includes(what.do) ? incoming : what.do === 'hangup' ? alive : confirmed;
    const call = choice[what.who % Math.max(1, choice.length)];
    if (call !== undefined) this.#act(call, what);
  }

  #act(call: TestCall, what: Act): void {
    if (what.do === 'hangup') call.hangUp();
    else if (what.do === 'ring') call.ring();
    else if (what.do === 'answer') call.answer();
    else if (what.do === 'busy') call.session.reject(486);
    else if (what.do === 'hold') call.reoffer('sendonly');
    else if (what.do === 'resume') call.reoffer('sendrecv');
    else if (what.do === 'digit') call.send('INFO', [], 'Signal=1\r\n', 'application/dtmf-relay');
    else if (what.do === 'refer') call.send('REFER', [['Refer-To', `<sip:${this.#targets[what.to]}@x.example>`]]);
  }

  /**
   * Liveness: the wire is whole again and the exchange ends every call by itself; nothing of ours may be left when all
   * timers of SIP have run out. A phone may have missed every copy of a BYE before that; it hangs up and hears 481.
   */
  settle(): void {
    this.rig.pass(1000);
    this.#faulty = false;
    this.rig.exchange.hangUpAll();
    this.rig.pass(150_000);
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
    const open = this.phones.flatMap((phone) => phone.calls).filter((call) => call.session.state !== 'terminated');
    if (this.#lossPercent === 0) expect(open.map((call) => call.log)).toEqual([]);
    for (const call of open) call.hangUp();
    this.rig.pass(150_000);
    expect(open.map((call) => call.session.state)).toEqual(open.map(() => 'terminated'));
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
  }
}

describe('the exchange under random acts', () => {
  it.each([
    [0, 300],
    [10, 100],
    [35, 60],
  ])('with %i %% of the messages lost keeps every invariant', (loss, runs) => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 80, size: 'max' }), fc.nat(1000), (acts, seed) => {
        const world = new World(loss, seed);
        for (const one of acts) world.perform(one);
        world.settle();
        expect(world.watch.violations).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
