// A whole API on a manual clock, for tests: the seed world, and an exchange that keeps calls without signalling. Knows no test.
import { callStateCodes, isWord } from '../contract/codes.ts';
import type { LiveCall, Webcall } from '../contract/resources/calls.ts';
import { failure, success } from '../kernel/errors.ts';
import { IdBlocks } from '../kernel/ids.ts';
import { Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { utcText } from '../kernel/time.ts';
import { Timeline } from '../kernel/timeline.ts';
import { Recordings } from '../media/recordings.ts';
import type { ClickToCall, LeadCall, LiveCallView, SendSms, WebCall } from '../pbx/face.ts';
import { Outbox } from '../store/outbox.ts';
import type { SeededUser } from '../store/seed/people.ts';
import { type SeededWorld, seedWorld } from '../store/seed/world.ts';
import { Sessions } from '../store/sessions.ts';
import { createStore, type Store } from '../store/store.ts';
import { Traces } from '../store/traces.ts';
import type { ApiDeps } from './request.ts';
import { type ApiHandler, createApi } from './server.ts';

/** 2026-01-01T00:00:00Z */
export const START_MS = 1_767_225_600_000;

/** Numbers that this exchange treats like the real one does. */
const UNREACHABLE = '+442079460999';

type Exchange = ApiDeps['exchange'];

/** Keeps live calls as told; a call goes nowhere by itself. */
export class QuietExchange implements Exchange {
  readonly commands: unknown[] = [];
  readonly #clock: Timeline;
  readonly #store: Store;
  readonly #ids = new IdBlocks();
  readonly #calls = new Map<number, LiveCallView>();

  constructor(clock: Timeline, store: Store) {
    this.#clock = clock;
    this.#store = store;
  }

  /** A call that is simply there. */
  add(customerId: number, userIds: readonly number[], members: Partial<LiveCall> = {}): LiveCall {
    const record = { ...emptyCall, id: this.#ids.next(customerId), start_time: this.#clock.now() / 1000, ...members };
    this.#calls.set(record.id, { customerId, userIds, record });
    return record;
  }

  liveCalls(customerId: number): LiveCallView[] {
    return [...this.#calls.values()].filter((view) => view.customerId === customerId);
  }

  liveCall(callId: number): LiveCallView | undefined {
    return this.#calls.get(callId);
  }

  clickToCall(command: ClickToCall) {
    this.commands.push(command);
    if (command.to === UNREACHABLE) return failure('invalid', `to: nobody has ${command.to}`);
    return success(this.add(command.customerId, [command.userId], { dst: command.to, src_id: String(command.userId) }));
  }

  webCall(command: WebCall) {
    this.commands.push(command);
    if (command.to === UNREACHABLE) return failure('invalid', `to: nobody has ${command.to}`);
    const { webcalls } = this.#store;
    const webcall: Webcall = {
      id: webcalls.nextId(command.customerId),
      calldate: utcText(this.#clock.now()),
      from: command.from,
      to: command.to,
      ...noCharges,
    };
    return success(webcalls.insert(command.customerId, webcall));
  }

  /** Keeps the message as it is queued; it is never sent. */
  sendSms(command: SendSms) {
    this.commands.push(command);
    const { customerId, userId, from, to, text } = command;
    const { sms } = this.#store;
    const facts = { from, to, message: text, result: 'queued', type: 'out', user_id: userId };
    const id = sms.nextId(customerId);
    return success(sms.insert(customerId, { id, created_at: utcText(this.#clock.now()), ...facts }));
  }

  leadCall(command: LeadCall) {
    this.commands.push(command);
    if (command.to === UNREACHABLE) return failure('invalid', `to: nobody has ${command.to}`);
    return success(this.add(command.customerId, [command.userId], { src: command.to, dst: command.callerId }));
  }

  /** The phone obeys after half a second; it refuses to hold a call that is not connected. */
  changeCall(...[callId, byUserId, changes, done]: Parameters<Exchange['changeCall']>): void {
    this.commands.push({ callId, byUserId, changes });
    this.#clock.after(500, 'phone obeys', () => {
      const view = this.#calls.get(callId);
      if (view === undefined) return done(failure('not_found', `There is no live call ${callId}.`));
      if (changes.state === 'ON_HOLD' && view.record.state !== callStateCodes.codes.CONNECTED)
        return done(failure('invalid', 'state: only an answered call can be held'));
      const state = changes.state !== undefined && isWord(callStateCodes, changes.state) ? changes.state : undefined;
      const record = {
        ...view.record,
        ...(changes.dst === undefined ? {} : { dst: changes.dst }),
        ...(state === undefined ? {} : { state: callStateCodes.codes[state] }),
      };
      this.#calls.set(callId, { ...view, record });
      if (state === 'HANGUP') this.#calls.delete(callId);
      done(success(record));
    });
  }

  /** Dialogs that a call is known for. */
  readonly dialogs = new Map<string, number>();

  callIdOfDialog(sipCallId: string): number | undefined {
    return this.dialogs.get(sipCallId);
  }

  hangUp(callId: number): boolean {
    this.commands.push({ hangUp: callId });
    return this.#calls.delete(callId);
  }
}

export interface Stage {
  readonly api: ApiHandler;
  readonly clock: Timeline;
  readonly store: Store;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly exchange: QuietExchange;
  /** What the API was made of. */
  readonly deps: ApiDeps;
  readonly world: SeededWorld;
  /** The users of the first account by role (of several agents the first), and the only user of the second account. */
  readonly people: Readonly<Record<'root' | 'admin' | 'agent' | 'restricted' | 'twoFactor' | 'foreigner', SeededUser>>;
}

export function createStage(): Stage {
  const clock = new Timeline({ mode: 'manual', startMs: START_MS });
  const store = createStore();
  const world = seedWorld(store, { random: new Random(1), nowMs: START_MS, domain: 'pbx.test', history: 30 });
  const journal = new Journal(clock);
  const outbox = new Outbox(clock);
  const traces = new Traces({ journal, limits: { calls: 2 } });
  const sessions = new Sessions({ clock, random: new Random(1, 'sessions') });
  const exchange = new QuietExchange(clock, store);
  const recordings = new Recordings({ defer: (fn) => void queueMicrotask(fn) });
  const deps: ApiDeps = { clock, store, exchange, journal, outbox, sessions, traces, recordings, defer: setImmediate };
  const api = createApi(deps);
  const users = world.customers.flatMap((customer) => customer.users);
  const withRole = (role: SeededUser['role']): SeededUser => {
    const user = users.find((one) => one.role === role);
    if (user === undefined) throw new Error(`the seed world has no ${role}`);
    return user;
  };
  const people = {
    root: withRole('root'),
    admin: withRole('admin'),
    agent: withRole('agent'),
    restricted: withRole('restricted'),
    twoFactor: withRole('two_factor'),
    foreigner: withRole('other_customer'),
  };
  return { api, deps, clock, store, journal, outbox, sessions, exchange, world, people };
}

/** An Authorization header of a user and its secret. */
export function basic(userId: number | string, secret: string): string {
  return `Basic ${Buffer.from(`${userId}:${secret}`).toString('base64')}`;
}

/** The Authorization header with a user's API key. */
export function keyOf(user: SeededUser): string {
  return basic(user.user_id, user.api_key ?? '');
}

const noCharges = {
  charge: 0,
  from_charge: 0,
  from_rate: 0,
  to_charge: 0,
  to_rate: 0,
  from_duration: 0,
  to_duration: 0,
};

const emptyCall: Omit<LiveCall, 'id'> = {
  parent_id: 0,
  state: callStateCodes.codes.INITIAL,
  destination: 1,
  monitor_state: 0,
  queue_state: '',
  context: 'PSTN_CALL',
  clid: '',
  start_time: 0,
  connected_at: 0,
  duration: 0,
  src: '',
  src_id: '',
  src_name: '',
  src_ua: '',
  src_codec: '',
  src_contact: '',
  src_call_id: '',
  src_rate: 0,
  dst: '',
  dst_id: '',
  dst_name: '',
  dst_ua: '',
  dst_codec: '',
  dst_contact: '',
  dst_call_id: '',
  dst_rate: 0,
  dst_connection: 0,
  min_charge: 0,
  referred_by: '',
};
