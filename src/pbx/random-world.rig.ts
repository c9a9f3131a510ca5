// The company in which the acts of the property tests are performed, watched for broken promises.
import { expect } from 'vitest';
import { codeOf, destinationTypeCodes, ringGroupStrategyCodes } from '../contract/codes.ts';
import type { FaultDraft } from '../faults/rule.ts';
import { Random } from '../kernel/random.ts';
import { makeConference } from './attendants/conference.rig.ts';
import { makeIvr } from './attendants/ivr.rig.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { makeRig, type Rig, type TestCall, type TestPhone } from './exchange.rig.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';
import { type Act, type Elsewhere, NUMBERS, type Wishes } from './random-acts.rig.ts';
import { makeGroup } from './ring-group.rig.ts';

/** A call that allows the act: `who` picks one of them, so that most acts have an effect. */
export function callFor(
  phones: readonly TestPhone[],
  { do: act, who }: { readonly do: string; readonly who: number },
): TestCall | undefined {
  const alive = phones.flatMap((phone) => phone.calls).filter(({ session }) => session.state !== 'terminated');
  const incoming = alive.filter(
    ({ session }) => session.role === 'uas' && ['calling', 'early'].includes(session.state),
  );
  const confirmed = alive.filter(({ session }) => session.state === 'confirmed');
  const choice = ['ring', 'answer', 'busy'].includes(act) ? incoming : act === 'hangup' ? alive : confirmed;
  return choice[who % Math.max(1, choice.length)];
}

/** A small company in which all of that is done, on wires that lose what they are told to lose. */
export class RandomWorld {
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
      ...['850', '*43', '*68', '*69', '*97', '691', '991'],
    ];
    if (this.#targets.length !== NUMBERS) throw new Error(`${this.#targets.length} numbers, and acts for ${NUMBERS}`);
    const ids = this.rig.customer.users.map(({ user_id }) => user_id);
    const { id: post_call_ivr_id } = makeIvr(this, { one: `U:${ids[2]}`, ext_dialing: true });
    makeQueue(this.rig, { agent_sounds: 'goodbye', ring_time: 5, retry: 1, max_wait_time: 20 });
    makeQueue(this.rig, { number: 691, strategy: 'linear', agents: ids.slice(0, 3), post_call_ivr_id, monitor: 1 });
    makeConference(this.rig);
    makeConference(this.rig, { confno: 991, confno_pstn: 100_991, pin: '1', ann_join_leave: true, monitor: true });
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

  #onCall(what: Act & { readonly who: number }): void {
    const call = callFor(this.phones, what);
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
    // Timers of calls are named after them: none outlives its owner.
    const timers = this.rig.clock.pending().map(({ name }) => name);
    expect(timers.filter((name) => / (call|queue) \d+$/.test(name))).toEqual([]);
    this.watch.checkQuiet({ ...this.rig.exchange.stats });
  }
}

/** How the exchange is told which of its dialogs is meant. */
function replacing({ callId, remoteTag, localTag }: TestCall['session']): string {
  return `${callId};to-tag=${remoteTag || 'none'};from-tag=${localTag}`;
}
