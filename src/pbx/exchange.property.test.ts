// Whatever people do and the wire loses, the exchange keeps its promises: a safety phase of random acts, then a liveness phase.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, destinationTypeCodes, ringGroupStrategyCodes } from '../contract/codes.ts';
import type { FaultDraft } from '../faults/rule.ts';
import { Random } from '../kernel/random.ts';
import { makeConference } from './attendants/conference.rig.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from './exchange.rig.ts';
import type { RecordingAct } from './face.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';
import { type GroupSettings, makeGroup } from './ring-group.rig.ts';

/** Whether a user takes calls, several at a time, and wants records of calls to the group that it missed. */
interface Wishes {
  readonly dnd: boolean;
  readonly waits: boolean;
  readonly logs: boolean;
}

/** Where a user is when its phone does not answer, and which of its calls are recorded. */
interface Elsewhere {
  readonly follows: boolean;
  readonly strategy: 'A' | 'H' | 'M';
  readonly firstS: number;
  readonly confirms: boolean;
  readonly announces: boolean;
  readonly monitor: 'N' | 'A' | 'I' | 'O';
}

type Act =
  | { readonly do: 'dial'; readonly who: number; readonly to: number }
  | { readonly do: 'ring' | 'answer' | 'busy' | 'hangup' | 'hold' | 'resume' | 'digit'; readonly who: number }
  | { readonly do: 'refer'; readonly who: number; readonly to: number }
  | { readonly do: 'attend'; readonly who: number; readonly other: number }
  | { readonly do: 'take'; readonly who: number; readonly other: number }
  | { readonly do: 'move'; readonly who: number; readonly to: number }
  | { readonly do: 'click'; readonly who: number; readonly to: number }
  | { readonly do: 'order'; readonly who: number; readonly state: string }
  | { readonly do: 'delete' }
  | ({ readonly do: 'settings'; readonly who: number; readonly next: number } & Wishes)
  | ({ readonly do: 'group'; readonly next: number } & Required<
      Pick<GroupSettings, 'strategy' | 'ringTimeS' | 'prefixed'>
    > & {
        readonly members: readonly number[];
      })
  | ({ readonly do: 'follow'; readonly who: number } & Elsewhere)
  | { readonly do: 'record'; readonly who: number; readonly recording: RecordingAct }
  | { readonly do: 'wait'; readonly ms: number };

const who = fc.nat(3);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('dial' as const), who, to: fc.nat(11) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('ring', 'answer', 'answer', 'busy', 'hangup', 'hold', 'resume', 'digit'),
      who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refer' as const), who, to: fc.nat(8) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('attend' as const), who, other: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), who, other: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), who, to: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('click' as const), who: fc.nat(2), to: fc.nat(8) }) },
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
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('settings' as const), who: fc.nat(2), next: fc.nat(4) },
      ...{ dnd: fc.boolean(), waits: fc.boolean(), logs: fc.boolean() },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('group' as const), next: fc.nat(4), prefixed: fc.boolean() },
      strategy: fc.constantFrom('ring_all', 'hunt', 'memory_hunt', 'random'),
      ringTimeS: fc.constantFrom(0, 1, 5, 40),
      members: fc.array(fc.nat(3), { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('follow' as const), who: fc.nat(2), follows: fc.boolean(), firstS: fc.constantFrom(0, 3) },
      ...{ strategy: fc.constantFrom('A', 'H', 'M'), confirms: fc.boolean(), announces: fc.boolean() },
      monitor: fc.constantFrom('N', 'A', 'I', 'O'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('record' as const), who },
      recording: fc.constantFrom('start', 'pause', 'resume'),
    }),
  },
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
  readonly #isWhole: boolean;
  readonly #group: number;
  #faulty = true;

  constructor(lossPercent: number, seed: number, faults: readonly FaultDraft[] = []) {
    this.#isWhole = lossPercent === 0 && faults.length === 0;
    this.rig = makeRig(seed);
    this.watch = new InvariantWatch(this.rig.store);
    watchInvariants(this.watch, this.rig.journal, (listener) => this.rig.exchange.subscribe(listener));
    const random = new Random(seed, 'loss');
    const lossy = () => {
      if (!this.#faulty) return [0];
      if (random.int(100) < lossPercent) return [];
      return random.int(100) < lossPercent ? [0, 3] : [random.int(3)];
    };
    const wire = lossPercent === 0 ? {} : { unreliable: true, toPhone: lossy, fromPhone: lossy };
    const options = { ...wire, unreliable: lossPercent > 0 || faults.length > 0 };
    this.phones = [0, 1, 2].map((index) => this.rig.phone(index, options));
    for (const { user_id } of this.rig.customer.users.slice(0, 3))
      this.rig.store.users.update(user_id, { pickup_group_id: 7, groups: [1], call_barge_allowed: true });
    for (const phone of this.phones) phone.register();
    this.phones.push(this.rig.network());
    this.rig.pass(40_000);
    for (const fault of faults) this.rig.faults.set(fault);
    const exts = this.rig.customer.users.map((user) => user.ext);
    this.#targets = [
      exts[0] ?? '',
      exts[1] ?? '',
      exts[2] ?? '',
      exts[3] ?? '',
      '+442079460123',
      '999',
      '790',
      '690',
      '990',
      '*8',
      `**${exts[1]}`,
      `*33${exts[1]}`,
    ];
    makeQueue(this.rig, { agent_sounds: 'goodbye', ring_time: 5, retry: 1, max_wait_time: 20 });
    makeConference(this.rig);
    this.#group = makeGroup(this).id;
    const [ddi] = this.rig.store.ddis.find('e164', this.rig.customer.numbers[2] ?? '');
    const target_type = codeOf(destinationTypeCodes, 'R');
    this.rig.store.ddis.update(ddi?.id ?? '', { target_type, target_id: this.#group });
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
      case 'move':
        if (live !== undefined)
          this.rig.exchange.changeCall(
            live.record.id,
            live.userIds[what.who % 2] ?? 0,
            { dst: this.#targets[what.to] ?? '' },
            () => {},
          );
        return;
      case 'take':
        return this.#take(what.who, what.other);
      case 'attend':
        return this.#attend(what.who, what.other);
      case 'settings':
        return this.#settings(what.who, what.next, what);
      case 'follow':
        return this.#follow(what.who, what);
      case 'record':
        if (live !== undefined)
          this.rig.exchange.changeCall(live.record.id, live.userIds[0] ?? 0, { recording: what.recording }, () => {});
        return;
      case 'group':
        return this.#regroup(what);
      case 'dial':
        this.phones[what.who]?.dial(
          what.who === 3 ? (this.rig.customer.numbers[what.to % 3] ?? '') : (this.#targets[what.to] ?? ''),
        );
        return;
      default:
        return this.#onCall(what);
    }
  }

  /** What a user wishes, and where its callers go on to. */
  #settings(who: number, next: number, { dnd, waits, logs }: Wishes): void {
    const [final_dst_type, final_dst_id] = this.#onward(next);
    this.rig.store.users.update(this.rig.customer.users[who]?.user_id ?? 0, {
      ...{ dnd, cw: waits, log_missed_calls: logs },
      ...{ ring_time: '5', final_dst_type, final_dst_id },
    });
  }

  /** One's neighbour and somebody outside take its calls; the latter alone those that find no phone. */
  #follow(who: number, { follows, strategy, firstS, confirms, announces, monitor }: Elsewhere): void {
    this.rig.store.users.update(this.rig.customer.users[who]?.user_id ?? 0, {
      ...{ fm: follows, fm_strategy: strategy, fm_init_ring_time: firstS, fm_ring_time: '5' },
      ...{ fm_confirm_required: confirms, fm_announcement_enabled: announces, monitor },
      ...{ fm_targets: [this.#targets[(who + 1) % 3] ?? '', '+442079460123'], nun: '+442079460123', nun_ring_time: 5 },
    });
  }

  #regroup({ members, strategy, ringTimeS, prefixed, next }: Act & { readonly do: 'group' }): void {
    const [letter, id] = this.#onward(next);
    this.rig.store.ringgroups.update(this.#group, {
      users: members.map((index) => this.rig.customer.users[index]?.user_id ?? 0),
      strategy: codeOf(ringGroupStrategyCodes, strategy),
      ring_time: ringTimeS,
      cli_prefix: prefixed,
      final_dst_type: codeOf(destinationTypeCodes, letter),
      final_dst_id: id,
    });
  }

  /** One of the first three users, nobody, or the group. */
  #onward(next: number): readonly ['U' | 'R' | 'H', number] {
    if (next === 3) return ['H', 0];
    return next === 4 ? ['R', this.#group] : ['U', this.rig.customer.users[next]?.user_id ?? 0];
  }

  /** A phone with several calls sends the other party of one of them to that of another, which may still ring. */
  #attend(who: number, other: number): void {
    const busy = this.phones
      .map(({ calls }) => calls.filter(({ session }) => session.state !== 'terminated'))
      .filter((calls) => calls.length > 1 && calls.some(({ session }) => session.state === 'confirmed'));
    const calls = busy[who % Math.max(1, busy.length)] ?? [];
    const by = calls.find(({ session }) => session.state === 'confirmed');
    const rest = calls.filter((call) => call !== by);
    const consulted = rest[other % Math.max(1, rest.length)]?.session;
    if (by === undefined || consulted === undefined) return;
    by.send('REFER', [['Refer-To', `<sip:x@x.example?Replaces=${encodeURIComponent(replacing(consulted))}>`]]);
  }

  /** A phone takes the place of one of the parties, or answers what rings somewhere (RFC 3891). */
  #take(who: number, other: number): void {
    const alive = this.phones.flatMap((phone) => phone.calls).filter(({ session }) => session.state !== 'terminated');
    const session = alive[other % Math.max(1, alive.length)]?.session;
    if (session !== undefined) this.phones[who]?.dial('x', { headers: [['Replaces', replacing(session)]] });
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
    else if (what.do === 'hold') call.reoffer('sendonly', what.who % 2 === 0 ? 'INVITE' : 'UPDATE');
    else if (what.do === 'resume') call.reoffer('sendrecv', what.who < 2 ? 'INVITE' : 'UPDATE');
    else if (what.do === 'digit') call.send('INFO', [], `Signal=${'1564'[what.who]}\r\n`, 'application/dtmf-relay');
    else if (what.do === 'refer') call.send('REFER', [['Refer-To', `<sip:${this.#targets[what.to]}@x.example>`]]);
  }

  /**
   * Liveness: the wire is whole again and the exchange ends every call by itself; nothing of ours may be left when all
   * timers of SIP have run out. A phone may have missed every copy of a BYE before that; it hangs up and hears 481.
   */
  settle(): void {
    this.rig.pass(1000);
    this.#faulty = false;
    this.rig.faults.clear();
    this.rig.exchange.hangUpAll();
    // An INVITE that was still on its way has made a call meanwhile.
    this.rig.pass(40_000);
    this.rig.exchange.hangUpAll();
    this.rig.pass(150_000);
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
    const open = this.phones.flatMap((phone) => phone.calls).filter((call) => call.session.state !== 'terminated');
    if (this.#isWhole) expect(open.map((call) => call.log)).toEqual([]);
    for (const call of open) call.hangUp();
    this.rig.pass(150_000);
    expect(open.map((call) => call.session.state)).toEqual(open.map(() => 'terminated'));
    expect([this.rig.exchange.waiting, this.rig.exchange.conferring]).toEqual([0, 0]);
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
  }
}

/** How the exchange is told which of its dialogs is meant. */
function replacing({ callId, remoteTag, localTag }: TestCall['session']): string {
  return `${callId};to-tag=${remoteTag || 'none'};from-tag=${localTag}`;
}

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
          const world = new World(loss, seed);
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
  const live = (what: readonly Act[], seed: number, faults: readonly FaultDraft[]): World => {
    const world = new World(0, seed, faults);
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
