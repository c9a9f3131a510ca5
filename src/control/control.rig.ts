// A simulator's worth of ports for the tests of the control API: real clock, journal, store and webhooks; a phone system that
// does as it is told. Knows no HTTP.
import { FaultRegistry } from '../faults/registry.ts';
import type { TimeHost } from '../kernel/clock.ts';
import { failure, success } from '../kernel/errors.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import type { StateRow } from '../pbx/face.ts';
import type { Act } from '../phones/acts.ts';
import { type Behaviour, DEFAULT_BEHAVIOUR } from '../phones/behaviour.ts';
import type { NewPhone, PhoneView } from '../phones/fleet.ts';
import type { Mail } from '../store/outbox.ts';
import { createStore } from '../store/store.ts';
import { Traces } from '../store/traces.ts';
import { FakeReceiver } from '../webhooks/receiver.rig.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import type { ControlDeps } from './deps.ts';
import { SnapshotShelf } from './snapshots.ts';

const NOBODY = failure('not_found', 'There is nobody.');
const TRAFFIC = { rate: 'off', begun: 0, skipped: 0 };

export const START = Date.UTC(2026, 0, 1);

const state: StateRow = {
  from: 'NEW',
  input: 'invited',
  to: 'INITIAL',
  event: 'call.initial',
  signalling: 'first INVITE sent to an endpoint',
};

/** Calls and dialogs that the fake phone system knows: Call-ID to call id. */
class FakePhones {
  readonly phones = new Map<string, PhoneView>();
  readonly acts: Array<{ ext: string; act: Act }> = [];
  readonly added: NewPhone[] = [];
  nextSipCallId = 'dialog-1';

  add(facts: NewPhone) {
    const { customerId, ext, userId, behaviour = DEFAULT_BEHAVIOUR } = facts;
    if (this.phones.has(ext)) return failure<PhoneView>('conflict', `Extension ${ext} has a phone.`);
    const view = {
      ext,
      customer_id: customerId,
      user_id: userId,
      registered: true,
      stepped_back: false,
      behaviour,
      calls: [],
    };
    this.added.push(facts);
    this.phones.set(ext, view);
    return success<PhoneView>(view);
  }
  remove(_customerId: number, ext: string): boolean {
    return this.phones.delete(ext);
  }
  view(customerId: number, ext: string): PhoneView | undefined {
    const view = this.phones.get(ext);
    return view?.customer_id === customerId ? view : undefined;
  }
  list(customerId?: number): PhoneView[] {
    return [...this.phones.values()].filter((view) => customerId === undefined || view.customer_id === customerId);
  }
  setBehaviour(customerId: number, ext: string, behaviour: Behaviour) {
    const view = this.view(customerId, ext);
    if (view === undefined) return failure<PhoneView>('not_found', `No phone ${ext}.`);
    this.phones.set(ext, { ...view, behaviour });
    return success<PhoneView>({ ...view, behaviour });
  }
  act(customerId: number, ext: string, act: Act) {
    if (this.view(customerId, ext) === undefined)
      return failure<{ sipCallId?: string }>('not_found', `No phone ${ext}.`);
    if (act.act === 'answer') return failure<{ sipCallId?: string }>('conflict', 'Nothing rings.');
    this.acts.push({ ext, act });
    return success<{ sipCallId?: string }>(act.act === 'register' ? {} : { sipCallId: this.nextSipCallId });
  }
}

class FakeCarrier {
  readonly #scripts = new Map<string, Behaviour>();
  readonly called: object[] = [];
  sipCallId = 'trunk-1';

  call(wish: { from: string; to: string; behaviour?: Behaviour }) {
    this.called.push(wish);
    return success({ sipCallId: this.sipCallId });
  }
  act(number: string, act: Act) {
    return number === '+442079460999' && act.act === 'hangup'
      ? success<{ sipCallId?: string }>({ sipCallId: this.sipCallId })
      : failure<{ sipCallId?: string }>('not_found', 'no call');
  }
  script(number: string, behaviour: Behaviour) {
    this.#scripts.set(number, behaviour);
    return success({ number, behaviour });
  }
  unscript(number: string): boolean {
    return this.#scripts.delete(number);
  }
  scripts() {
    return [...this.#scripts].map(([number, behaviour]) => ({ number, behaviour }));
  }
}

/** The host's own timers, which only a test may have: `globalThis` is one. */
interface Timers {
  readonly setTimeout: (fn: () => void, delayMs: number) => unknown;
  readonly clearTimeout: (timer: never) => void;
  readonly setImmediate: (fn: () => void) => unknown;
}

interface StageOptions {
  readonly server?: ControlDeps['server'];
  readonly mode?: 'manual' | 'real';
}

function hostOf({ setTimeout: later, clearTimeout: cancel, setImmediate: soon }: Timers): TimeHost {
  return {
    now: () => START,
    defer: (fn) => void soon(fn),
    alarm: (delayMs, fn) => {
      const timer = later(fn, delayMs);
      return () => cancel(timer as never);
    },
  };
}

export function createStage(timers: Timers, { server = { host: '127.0.0.1' }, mode = 'manual' }: StageOptions = {}) {
  const host = hostOf(timers);
  const clock = new Timeline({ mode, startMs: START, ...(mode === 'real' ? { host } : {}) });
  const journal = new Journal(clock);
  const receiver = new FakeReceiver();
  const random = new Random(1);
  const webhooks = new Webhooks({ clock, journal, random, sender: receiver });
  const store = createStore();
  for (const id of [1, 2]) {
    store.customers.insert(id, { id, name: `Company ${id}`, balance: 0, currencyIso: 'GBP', countryCode: '44' });
  }
  const dialogs = new Map<string, number>();
  const mails: Mail[] = [];
  const resets: string[] = [];
  const restored: number[] = [];
  const phones = new FakePhones();
  const carrier = new FakeCarrier();
  const deps: ControlDeps = {
    clock,
    journal,
    random,
    host,
    store,
    phones,
    carrier,
    webhooks,
    faults: new FaultRegistry({ clock, journal, random }),
    exchange: {
      callIdOfDialog: (sipCallId) => dialogs.get(sipCallId),
      receiveSms: (_from, to) =>
        to === '+442079460101'
          ? success({ customerId: 1, userId: 10000001 })
          : failure('not_found', `Nobody has ${to}.`),
      sendFax: () => failure('invalid', 'No number here sends faxes.'),
      widgets: { see: () => NOBODY, ask: () => NOBODY },
      chats: { begin: () => NOBODY, write: () => NOBODY, close: () => NOBODY },
      queues: { view: () => undefined, login: () => false },
      states: [state],
    },
    outbox: { list: () => mails },
    traffic: { state: TRAFFIC, setRate: (rate) => success({ ...TRAFFIC, rate }) },
    traces: new Traces({ journal }),
    makeCustomer: () => failure('conflict', 'There are no accounts left.'),
    reset: () => void resets.push('reset'),
    snapshots: new SnapshotShelf({ take: () => ({ at: clock.now() }), restore: ({ at }) => void restored.push(at) }),
    server,
  };
  return { deps, clock, journal, receiver, webhooks, store, dialogs, mails, resets, restored, phones, carrier };
}
