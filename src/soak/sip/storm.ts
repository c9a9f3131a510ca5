// A storm of damaged SIP on the whole exchange while two people talk: each message gets what it is owed or silence, nobody else notices, nothing is left.
import { Random } from '../../kernel/random.ts';
import { DOMAIN, makeRig, type Rig, type TestCall, type TestPhone } from '../../pbx/exchange.rig.ts';
import { InvariantWatch } from '../../pbx/invariants.ts';
import { growthOf, liveBytes, type Reading } from '../growth.ts';
import { RecordsSince } from '../records-since.ts';
import { Attacker } from './attacker.ts';

export interface StormOptions {
  readonly seed: number;
  /** Damaged messages to be sent. */
  readonly messages: number;
  /** Told of each call when it begins. */
  readonly onCall?: () => void;
}

export interface StormReport {
  readonly messages: number;
  /** How often each status was answered. */
  readonly answers: Readonly<Record<string, number>>;
  /** Calls that the damaged messages brought about, or that lived among them. */
  readonly calls: number;
  /** Bytes that are in use when nothing is under way but the one long call, and no record is left of the others, after so many calls. */
  readonly memory: readonly Reading[];
  /** What each call leaves behind of it. */
  readonly growthBytes: number;
  readonly problems: readonly string[];
}

/** One is enough to know; more help to see what they have in common. */
const MAX_PROBLEMS = 10;
const ACTS_A_ROUND = 12;
const ATTACKS_AN_ACT = 6;
/** Rounds between two looks at those who talk. */
const CHECK_EVERY = 20;
/** What is bounded by count is soon full: what then still grows has no bound. */
const REMEMBERED = { journalEntries: 256, dialogs: 256 } as const;
/** Looks at what is in use, evenly over the messages, and how many of them are for warming up. */
const READINGS = 20;
const WARM = 4;
/** All of SIP's own timers have run out by then, and all phones have rung. */
const LONG_MS = 200_000;
/** All registrations have, too. */
const VERY_LONG_MS = 8_000_000;

export function storm(options: StormOptions): Promise<StormReport> {
  return new Storm(options).run();
}

class Storm {
  readonly #wanted: number;
  readonly #rig: Rig;
  readonly #random: Random;
  readonly #watch: InvariantWatch;
  readonly #answers: Record<string, number> = {};
  readonly #problems: string[] = [];
  readonly #memory: Uint8Array[] = [];
  readonly #readings: Reading[] = [];
  readonly #records: RecordsSince;
  #sent = 0;
  #calls = 0;
  #rounds = 0;

  constructor({ seed, messages, onCall }: StormOptions) {
    this.#wanted = messages;
    this.#rig = makeRig(seed, REMEMBERED);
    this.#random = new Random(seed, 'storm');
    const { exchange, journal, store } = this.#rig;
    this.#watch = new InvariantWatch(store, REMEMBERED.dialogs);
    this.#records = new RecordsSince(store);
    exchange.subscribe(this.#watch.onEvent);
    // What a damaged message was about cannot be told from the wire: the invariants of calls are looked at, those of messages are not.
    journal.subscribe((entry) => {
      if (!entry.kind.startsWith('sip.')) this.#watch.onEntry(entry);
      if (entry.kind !== 'call.opened') return;
      this.#calls += 1;
      onCall?.();
    });
  }

  async run(): Promise<StormReport> {
    const before = this.#rig.clock.pending().map(({ name }) => name);
    const [caller, called] = [this.#rig.phone(0), this.#rig.phone(1)];
    try {
      const call = this.#talk(caller, called);
      while (this.#sent < this.#wanted && this.#problems.length < MAX_PROBLEMS) {
        this.#round();
        if (this.#rounds % CHECK_EVERY === 0) this.#look(call);
        if (this.#sent >= (this.#wanted * (this.#readings.length + 1)) / READINGS) await this.#weigh(call);
      }
      this.#look(call);
      call.hangUp();
      this.#rig.pass(LONG_MS);
      if (this.#rig.eventNames().at(-1) !== 'call.hangup HANGUP') this.#wrong('those who talked did not hang up last');
      this.#isQuiet(before);
    } catch (error) {
      this.#wrong(`it threw: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const problems = [...this.#problems, ...this.#watch.violations];
    const memory = this.#readings;
    const growthBytes = growthOf(memory.slice(WARM));
    return { messages: this.#sent, answers: this.#answers, calls: this.#calls, memory, growthBytes, problems };
  }

  #talk(caller: TestPhone, called: TestPhone): TestCall {
    for (const phone of [caller, called]) phone.register(7200);
    this.#rig.pass(0);
    const call = caller.dial(this.#rig.customer.users[1]?.ext ?? '');
    this.#rig.pass(0);
    called.call.answer();
    this.#rig.pass(0);
    return call;
  }

  /** Two phones that mean no good come, do what phones do, throw what they can, and go. */
  #round(): void {
    this.#rounds += 1;
    // What was said long ago belongs to dialogs that are gone: mostly what is said now is damaged.
    if (this.#rounds % 3 === 0) this.#memory.length = 0;
    const attackers = [2, 3].map((index) => this.#attacker(index));
    for (let acts = 0; acts < ACTS_A_ROUND && this.#problems.length < MAX_PROBLEMS; acts += 1) {
      const attacker = attackers[this.#random.int(2)];
      if (acts === 0) for (const one of attackers) one.arrive();
      attacker?.act();
      this.#rig.clock.settle();
      for (let attacks = 0; attacks < ATTACKS_AN_ACT; attacks += 1) attacker?.attack();
      this.#rig.pass(this.#random.int(3) === 0 ? this.#random.int(5_000) : 0);
    }
    for (const attacker of attackers) attacker.leave();
    if (this.#random.int(4) === 0) this.#rig.pass(LONG_MS);
    for (const attacker of attackers) {
      attacker.close();
      this.#sent += attacker.sent;
    }
    this.#rig.pass(0);
    this.#rig.events.length = 0;
  }

  #attacker(index: number): Attacker {
    const rig = this.#rig;
    const account = rig.customer.users[index];
    if (account === undefined) throw new Error(`there is no user ${index}`);
    const others = rig.customer.users.slice(2, 4).map(({ ext }) => ext);
    return new Attacker({
      clock: rig.clock,
      // Of a family of its own, which goes with it.
      random: new Random(`storm ${this.#random.uint32()}`, `attacker ${index} of round ${this.#rounds}`),
      listener: rig.exchange.listener,
      domain: DOMAIN,
      host: `192.0.2.${100 + index}`,
      transport: this.#random.int(4) === 0 ? 'TCP' : 'UDP',
      account,
      targets: [others[0] ?? '', others[1] ?? '', others[0] ?? '', others[1] ?? '', '*97', '999', '+442079460123'],
      memory: this.#memory,
      report: {
        answer: (status) => {
          this.#answers[status] = (this.#answers[status] ?? 0) + 1;
        },
        wrong: (sentence) => this.#wrong(sentence),
      },
    });
  }

  /** Those who talk hold, resume and press a key. */
  #look(call: TestCall): void {
    const heard = [
      call.reoffer('sendonly'),
      call.reoffer('sendrecv'),
      call.send('INFO', [], 'Signal=1\r\n', 'application/dtmf-relay'),
    ];
    this.#rig.pass(0);
    const statuses = heard.map(([outcome]) => outcome?.status);
    if (statuses.join() !== '200,200,200') this.#wrong(`those who talk were answered ${statuses.join()}`);
    const live = this.#rig.exchange.liveCalls(this.#rig.customer.customerId);
    if (!live.some(({ record }) => record.state === 4)) this.#wrong('nobody talks any more');
  }

  /** With every call over and every timer of SIP run out nothing may be in use, and when registrations are over no timer may be left. */
  #isQuiet(before: readonly string[]): void {
    const { stats } = this.#rig.exchange;
    for (const [name, count] of Object.entries(stats)) if (count !== 0) this.#wrong(`${count} ${name} left`);
    this.#rig.pass(VERY_LONG_MS);
    const after = this.#rig.clock.pending().map(({ name }) => name);
    const left = after.filter((name) => !before.includes(name));
    if (left.length > 0) this.#wrong(`${left.length} timers left: ${left.slice(0, 5).join(', ')}`);
  }

  async #weigh(call: TestCall): Promise<void> {
    this.#memory.length = 0;
    this.#rig.pass(LONG_MS);
    this.#rig.events.length = 0;
    this.#rig.mails.length = 0;
    // They are there to stay.
    this.#records.remove();
    // The journal's last entries are as long as the messages were that came last.
    for (let count = 0; count < REMEMBERED.journalEntries; count += 1) this.#rig.journal.append('storm.weighed');
    this.#look(call);
    this.#readings.push({ done: this.#calls, bytes: await liveBytes() });
  }

  #wrong(sentence: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(`message ${this.#sent}: ${sentence}`);
  }
}
