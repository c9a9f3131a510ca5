// Whatever callers, agents and participants of conferences do, and whatever is set meanwhile, the promises hold and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, destinationTypeCodes, monitorModeCodes, queueStrategyCodes } from '../../contract/codes.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from '../exchange.rig.ts';
import { InvariantWatch, watchInvariants } from '../invariants.ts';
import { callFor } from '../random-world.rig.ts';
import { makeConference } from './conference.rig.ts';
import { makeQueue } from './queue.rig.ts';

type Act =
  | { readonly do: 'dial'; readonly who: number; readonly to: number }
  | {
      readonly do: 'answer' | 'ring' | 'busy' | 'hangup' | 'hold' | 'resume' | 'refer';
      readonly who: number;
      readonly to: number;
    }
  | { readonly do: 'key'; readonly who: number; readonly key: string }
  | ({ readonly do: 'queue'; readonly which: number; readonly next: number } & Settings)
  | { readonly do: 'agents'; readonly which: number; readonly agents: readonly number[]; readonly isIn: boolean }
  | { readonly do: 'dnd'; readonly who: number; readonly on: boolean }
  | { readonly do: 'end'; readonly which: number }
  | { readonly do: 'forget'; readonly who: number }
  | { readonly do: 'wait'; readonly ms: number };

interface Settings {
  readonly strategy: (typeof queueStrategyCodes.words)[number];
  readonly ring_time: number;
  readonly retry: number;
  readonly wrap_up_time: number;
  readonly max_wait_time: number;
  readonly max_callers: number;
  readonly join_empty: boolean;
  readonly skip_busy: boolean;
  readonly hash_to_exit: boolean;
  readonly pos_ann: boolean;
  readonly hold_ann: boolean;
  readonly ann_freq: number;
  readonly agent_sounds: string;
  readonly monitor: (typeof monitorModeCodes.words)[number];
  readonly hasIvrAfterwards: boolean;
}

const who = fc.nat(4);
const settings: fc.Arbitrary<Settings> = fc.record({
  strategy: fc.constantFrom(...queueStrategyCodes.words),
  ring_time: fc.constantFrom(0, 1, 5),
  retry: fc.constantFrom(0, 1, 4),
  wrap_up_time: fc.constantFrom(0, 3),
  max_wait_time: fc.constantFrom(0, 2, 8, 30),
  max_callers: fc.constantFrom(0, 1, 2),
  join_empty: fc.boolean(),
  skip_busy: fc.boolean(),
  hash_to_exit: fc.boolean(),
  pos_ann: fc.boolean(),
  hold_ann: fc.boolean(),
  ann_freq: fc.constantFrom(0, 1, 7),
  agent_sounds: fc.constantFrom('', 'goodbye', 'Hello, goodbye'),
  monitor: fc.constantFrom(...monitorModeCodes.words),
  hasIvrAfterwards: fc.boolean(),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('dial' as const), who, to: fc.nat(9) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('answer', 'answer', 'ring', 'busy', 'hangup', 'hangup', 'hold', 'resume', 'refer'),
      who: fc.nat(20),
      to: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('key' as const),
      who: fc.nat(20),
      key: fc.constantFrom('#', '5', '9', '1'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(1), fc.nat(5), settings)
      .map(([which, next, how]) => ({ do: 'queue' as const, which, next, ...how })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('agents' as const), which: fc.nat(1), isIn: fc.boolean() },
      agents: fc.uniqueArray(fc.nat(3), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dnd' as const), who: fc.nat(3), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), who: fc.nat(3) }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 400, 1000, 2500, 9000) }),
  },
);

class World {
  readonly rig: Rig;
  readonly phones: TestPhone[];
  readonly watch: InvariantWatch;
  readonly #queues: readonly [number, number];
  readonly #targets: readonly string[];
  readonly #ids: readonly number[];
  readonly #ivr: number;

  constructor(seed: number) {
    this.rig = makeRig(seed);
    const { rig } = this;
    this.watch = new InvariantWatch(rig.store);
    watchInvariants(this.watch, rig.journal, (listener) => rig.exchange.subscribe(listener));
    this.phones = [0, 1, 2, 3].map((index) => rig.phone(index));
    for (const phone of this.phones) phone.register();
    this.phones.push(rig.network());
    rig.pass(0);
    const { users, customerId, numbers } = rig.customer;
    this.#ids = users.map(({ user_id }) => user_id);
    for (const id of this.#ids) rig.store.users.update(id, { pickup_group_id: 7 });
    rig.store.users.update(this.#ids[3] ?? 0, {
      ...{ fm: true, fm_init_ring_time: 0, fm_ring_time: '5', fm_strategy: 'M', fm_confirm_required: true },
      fm_targets: [users[1]?.ext ?? '', '+442079460124', users[2]?.ext ?? ''],
    });
    this.#queues = [makeQueue(rig).id, makeQueue(rig, { number: 691 }).id];
    const room = makeConference(rig, { pin_pstn: '15', ann_join_leave: true, monitor: true });
    const places = [
      [5, this.#queues[0]],
      [5, this.#queues[1]],
      [6, room.id],
    ] as const;
    places.forEach(([target_type, target_id], index) => {
      const [ddi] = rig.store.ddis.find('e164', numbers[index] ?? '');
      rig.store.ddis.update(ddi?.id ?? '', { target_type, target_id });
    });
    this.#ivr = [...rig.store.ivrs.list(customerId)][0]?.id ?? 0;
    rig.store.ivrs.update(this.#ivr, { five: `Q:${this.#queues[1]}`, nine: `C:${room.id}` });
    rig.store.queues.update(this.#queues[0], { ivr: this.#ivr });
    this.#targets = [
      '690',
      '691',
      '990',
      '*8',
      `**${users[1]?.ext}`,
      users[1]?.ext ?? '',
      '*45',
      '*45691',
      '+442079460123',
      users[3]?.ext ?? '',
    ];
  }

  perform(what: Act): void {
    const { rig } = this;
    const { customerId, numbers } = rig.customer;
    switch (what.do) {
      case 'wait':
        return rig.pass(what.ms);
      case 'dial':
        this.phones[what.who]?.dial(what.who === 4 ? (numbers[what.to % 3] ?? '') : (this.#targets[what.to] ?? ''));
        return;
      case 'queue':
        return this.#set(what);
      case 'agents': {
        const users = what.agents.map((index) => ({ id: this.#ids[index] ?? 0, status: what.isIn || index === 2 }));
        rig.store.queues.update(this.#queues[what.which] ?? 0, { users });
        return;
      }
      case 'dnd':
        rig.store.users.update(this.#ids[what.who] ?? 0, { dnd: what.on });
        return;
      case 'end': {
        const live = rig.exchange.liveCalls(customerId);
        rig.exchange.hangUp(live[what.which % Math.max(1, live.length)]?.record.id ?? 0);
        return;
      }
      case 'forget':
        rig.exchange.forgetUser(this.#ids[what.who] ?? 0);
        this.phones[what.who]?.register();
        return;
      default:
        return this.#onCall(what);
    }
  }

  #set({ do: _, which, next, strategy, monitor, hasIvrAfterwards, ...rest }: Act & { readonly do: 'queue' }): void {
    const [letter, id] = this.#onward(next);
    this.rig.store.queues.update(this.#queues[which] ?? 0, {
      ...rest,
      ring_strategy: codeOf(queueStrategyCodes, strategy),
      monitor: codeOf(monitorModeCodes, monitor),
      post_call_ivr_id: hasIvrAfterwards ? this.#ivr : 0,
      final_dst_type: codeOf(destinationTypeCodes, letter),
      final_dst_id: id,
    });
  }

  #onward(next: number): readonly ['H' | 'Q' | 'U' | 'V' | 'I', number] {
    const all = [
      ['H', 0],
      ['Q', this.#queues[0]],
      ['Q', this.#queues[1]],
      ['U', this.#ids[0] ?? 0],
      ['V', this.#ids[1] ?? 0],
    ] as const;
    return all[next] ?? ['I', this.#ivr];
  }

  #onCall(what: Act & { readonly who: number }): void {
    const call = callFor(this.phones, what);
    if (call !== undefined) this.#act(call, what);
  }

  #act(call: TestCall, what: Act): void {
    if (what.do === 'hangup') call.hangUp();
    else if (what.do === 'ring') call.ring();
    else if (what.do === 'answer') call.answer();
    else if (what.do === 'busy') call.session.reject(486);
    else if (what.do === 'hold') call.reoffer('sendonly');
    else if (what.do === 'resume') call.reoffer('sendrecv');
    else if (what.do === 'key') call.send('INFO', [], `Signal=${what.key}\r\n`, 'application/dtmf-relay');
    else if (what.do === 'refer') call.send('REFER', [['Refer-To', `<sip:${this.#targets[what.to]}@x.example>`]]);
  }

  /** Every caller is in one place, and the queues know those who wait and no other. */
  check(): void {
    const { exchange, customer } = this.rig;
    const waiting = exchange
      .liveCalls(customer.customerId)
      .filter(({ record }) => ['waiting', 'ringing'].includes(record.queue_state));
    expect(exchange.waiting).toBe(waiting.length);
  }

  settle(): void {
    this.rig.pass(1000);
    this.rig.exchange.hangUpAll();
    this.rig.pass(150_000);
    this.watch.checkQuiet({
      ...this.rig.exchange.stats,
      waiting: this.rig.exchange.waiting,
      conferring: this.rig.exchange.conferring,
    });
  }
}

/** The journal of it all, in short. */
function lived(acts: readonly Act[], seed: number): { readonly violations: readonly string[]; readonly story: string } {
  const world = new World(seed);
  for (const one of acts) {
    world.perform(one);
    world.check();
  }
  world.settle();
  return { violations: world.watch.violations, story: world.rig.eventNames().join('\n') };
}

describe('queues and conferences under random acts', () => {
  const acts = fc.array(act, { minLength: 1, maxLength: 80, size: 'max' });

  it('keep every invariant, and leave nothing', () => {
    fc.assert(
      fc.property(acts, fc.nat(1000), (what, seed) => {
        expect(lived(what, seed).violations).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('go the same way again from the same seed', () => {
    fc.assert(
      fc.property(acts, fc.nat(1000), (what, seed) => {
        expect(lived(what, seed).story).toBe(lived(what, seed).story);
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});
