// What the control API needs of a simulator, as ports. Knows no HTTP.
import type { FaultRegistry } from '../faults/registry.ts';
import type { Clock, TimeHost } from '../kernel/clock.ts';
import { failure, type Result } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import type { NextTimer } from '../kernel/timeline.ts';
import type { Exchange } from '../pbx/face.ts';
import type { Carrier } from '../phones/carrier.ts';
import type { Fleet } from '../phones/fleet.ts';
import type { Outgoing } from '../store/keeping.ts';
import type { Outbox } from '../store/outbox.ts';
import type { SeededCustomer } from '../store/seed/world.ts';
import type { Store } from '../store/store.ts';
import type { Traces } from '../store/traces.ts';
import type { TrafficDial } from '../traffic/ports.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { SnapshotShelf } from './snapshots.ts';

/** The clock as the one who moves it sees it; a Timeline is one. */
export interface MovableClock extends Pick<Clock, 'mode' | 'now'> {
  readonly busy: number;
  readonly next: NextTimer | null;
  readonly hasForeground: boolean;
  settle(): void;
  advanceTo(timeMs: number): string[];
}

export interface ControlDeps {
  readonly clock: MovableClock;
  readonly journal: Journal;
  readonly random: Random;
  /** Real time, for what waits on people and sockets: long polls, streams, requests in flight. */
  readonly host: Pick<TimeHost, 'alarm' | 'defer'>;
  readonly store: Store;
  readonly exchange: Pick<
    Exchange,
    'callIdOfDialog' | 'chats' | 'queues' | 'receiveSms' | 'sendFax' | 'widgets' | 'states'
  >;
  readonly phones: Pick<Fleet, 'add' | 'remove' | 'view' | 'list' | 'setBehaviour' | 'act'>;
  readonly carrier: Pick<Carrier, 'act' | 'call' | 'script' | 'unscript' | 'scripts'>;
  readonly webhooks: Webhooks;
  readonly faults: FaultRegistry;
  readonly outbox: Pick<Outbox, 'list'>;
  readonly traffic: TrafficDial;
  readonly traces: Pick<Traces, 'read'>;
  /** One more account, of that name when one is given, its phones registered; refused when the numbers that are kept for fiction run out. */
  readonly makeCustomer: (name?: string) => Result<SeededCustomer>;
  /** Back to the state after the start. */
  readonly reset: () => void;
  readonly snapshots: Pick<SnapshotShelf<never>, 'take' | 'list' | 'restore' | 'remove'>;
  /** Where answers wait until what they acknowledge is kept. */
  readonly outgoing?: Outgoing;
  /** The address that the server was told to listen on, and the token that a control request must carry there. */
  readonly server: { readonly host: string; readonly token?: string };
}

/** The customer meant where a request names none: the first. */
export function customerOf(deps: Pick<ControlDeps, 'store'>, wished: number | undefined): number {
  if (wished !== undefined) return wished;
  const first = deps.store.customers.entries().next().value;
  return first?.[0] ?? 0;
}

export function unknownCustomer(id: number): Result<never> {
  return failure('invalid', 'There is no such customer.', [`customer_id: no customer ${id}`]);
}
