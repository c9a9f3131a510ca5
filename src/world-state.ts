// What there is of a world when its calls are left out: taken for a snapshot, and put into a new world. Knows no clock's move.
import type { FaultRegistry, FaultsState } from './faults/registry.ts';
import { inMemory } from './kernel/bulk.ts';
import type { IdBlocks } from './kernel/ids.ts';
import type { Random, RandomPositions } from './kernel/random.ts';
import type { Takes, TakesState } from './media/takes.ts';
import type { Carrier, Script } from './phones/carrier.ts';
import type { Fleet, NewPhone } from './phones/fleet.ts';
import type { CollectionState, StateRow } from './store/collection.ts';
import type { Outbox, OutboxState } from './store/outbox.ts';
import type { SeededWorld } from './store/seed/world.ts';
import type { Sessions, SessionsState } from './store/sessions.ts';
import { type Store, type StoreState, stateOf } from './store/store.ts';
import type { Traces, TracesState } from './store/traces.ts';
import type { Webhooks, WebhooksState } from './webhooks/webhooks.ts';

/** Never changed once it is taken: any number of worlds can be made from it. */
export interface WorldState {
  /** ms since 1970 on the clock. */
  readonly at: number;
  /** Which start of its file the world is of: each draws other chance, so that no id comes twice. 1 without a file. */
  readonly life: number;
  readonly seeded: SeededWorld;
  readonly store: StoreState;
  readonly liveIds: ReturnType<IdBlocks['state']>;
  readonly chance: RandomPositions;
  readonly sessions: SessionsState;
  readonly outbox: OutboxState;
  readonly webhooks: WebhooksState;
  readonly traces: TracesState;
  readonly takes: TakesState;
  readonly faults: FaultsState;
  readonly phones: readonly NewPhone[];
  readonly scripts: readonly Script[];
}

/** Those who have something to remember. */
export interface StatefulParts {
  readonly life: number;
  readonly seeded: SeededWorld;
  readonly store: Store;
  readonly liveIds: IdBlocks;
  readonly random: Random;
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  readonly traces: Traces;
  readonly takes: Takes;
  readonly faults: FaultRegistry;
  readonly phones: Fleet;
  readonly trunk: Carrier;
}

/** Live calls and registrations are left out, and what the records say of them. */
export function worldState(parts: StatefulParts, at: number): WorldState {
  const { life, seeded, store, liveIds, random, sessions, outbox, webhooks, traces, takes, faults, phones, trunk } =
    parts;
  return {
    at,
    life,
    seeded,
    store: withoutCalls(stateOf(store)),
    liveIds: liveIds.state(),
    chance: random.positions(),
    sessions: sessions.state(),
    outbox: outbox.state(),
    webhooks: webhooks.state(),
    traces: traces.state(),
    takes: takes.state(),
    faults: faults.state(),
    phones: phones.state(),
    scripts: trunk.scripts(),
  };
}

/**
 * Everything but the records and the phones, which a world begins with. Chance comes last: what the phones drew when they
 * registered again is not to count.
 */
export function restoreRest(parts: StatefulParts, state: WorldState): void {
  const { random, sessions, outbox, webhooks, traces, takes, faults, trunk } = parts;
  sessions.restore(state.sessions);
  outbox.restore(state.outbox);
  webhooks.restore(state.webhooks);
  traces.restore(state.traces);
  takes.restore(state.takes);
  faults.restore(state.faults);
  for (const { number, behaviour } of state.scripts) trunk.script(number, behaviour);
  random.restore(state.chance);
}

/** The same state without a file: what is in there may go while somebody still wants to go back. */
export function withoutFile(state: WorldState): WorldState {
  const { traces, takes } = state;
  return {
    ...state,
    traces: { ...traces, ended: traces.ended.map((trace) => ({ ...trace, sealed: inMemory(trace.sealed) })) },
    takes: takes.map((take) => ({ ...take, bulk: inMemory(take.bulk) })),
  };
}

/** A store whose process has ended: whoever was registered registers again. Media that was live is there to be ended. */
export function afterwards(state: StoreState): StoreState {
  return { ...state, users: { ...state.users, rows: state.users.rows.map(unregistered) } };
}

const unregistered = ([id, record]: StateRow): StateRow => [id, { ...(record as object), nb_sip_locations: 0 }];

/** The media of live calls has no end in there, and whoever is registered registers again. */
export function withoutCalls(state: StoreState): StoreState {
  const { mediasessions } = state;
  const isOver = ([, record]: StateRow): boolean => (record as { status: string }).status !== 'active';
  const ended = { ...mediasessions, rows: mediasessions.rows.filter(isOver) } satisfies CollectionState;
  return { ...afterwards(state), mediasessions: ended };
}
