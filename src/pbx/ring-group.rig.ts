// A small company with a ring group of its three users, watched: what tests of ring groups start from.
import { codeOf, destinationTypeCodes, ringGroupStrategyCodes } from '../contract/codes.ts';
import { RingGroupSchema } from '../contract/resources/settings.ts';
import { emptyRecord } from '../store/records/empty-record.ts';
import type { Stored } from '../store/stored.ts';
import { type Company, company } from './company.rig.ts';
import type { TestCall } from './exchange.rig.ts';
import { InvariantWatch, watchInvariants } from './invariants.ts';

type Settings = Parameters<Company['rig']['store']['users']['update']>[1];
type Group = Stored['ringgroups'];
export type Strategy = (typeof ringGroupStrategyCodes.words)[number];

export interface GroupSettings {
  readonly strategy?: Strategy;
  readonly users?: readonly number[];
  readonly ringTimeS?: number;
  readonly next?: readonly [letter: 'U' | 'R' | 'H', id: number];
  readonly number?: number;
  readonly prefixed?: boolean;
}

/** A group of the rig's first customer. */
export function makeGroup({ rig }: Pick<Company, 'rig'>, settings: GroupSettings = {}): Group {
  const { customerId, users } = rig.customer;
  const [letter, id] = settings.next ?? ['H', 0];
  return rig.store.ringgroups.insert(customerId, {
    ...(emptyRecord(RingGroupSchema, '') as unknown as Group),
    id: rig.store.ringgroups.nextId(customerId),
    name: 'Sales',
    number: settings.number ?? 790,
    strategy: codeOf(ringGroupStrategyCodes, settings.strategy ?? 'ring_all'),
    ring_time: settings.ringTimeS ?? 20,
    cli_prefix: settings.prefixed ?? false,
    final_dst_type: codeOf(destinationTypeCodes, letter),
    final_dst_id: id,
    users: [...(settings.users ?? users.slice(1, 3).map(({ user_id }) => user_id))],
  });
}

/** The company, the words in which its calls ended, and the end of the test: nothing is left and nothing was broken. */
export function watched() {
  const all = company();
  const { rig } = all;
  const watch = new InvariantWatch(rig.store);
  watchInvariants(watch, rig.journal, (listener) => rig.exchange.subscribe(listener));
  const set = (index: 0 | 1 | 2, settings: Settings) => rig.store.users.update(all.ids[index], settings);
  const cdrs = () => [...rig.store.cdrs.list(rig.customer.customerId)];
  const live = () => rig.exchange.liveCalls(rig.customer.customerId).map(({ record }) => record);
  /** `name number` of each call event, in order. */
  const told = () =>
    rig.events.flatMap((event) => (event.kind === 'call' ? [`${event.name.slice(5)} ${event.dst.number}`] : []));
  const over = () => {
    rig.pass(40_000);
    watch.checkQuiet({ ...rig.exchange.stats });
    if (watch.violations.length > 0) throw new Error(watch.violations.join('\n'));
  };
  return { ...all, watch, set, cdrs, live, told, over };
}

/** Status and phrase with which a phone's call was refused; the state of one that was not. */
export function refusalOf({ ending, session }: Pick<TestCall, 'ending' | 'session'>): string {
  return ending?.by === 'failure' ? `${ending.outcome.status} ${ending.outcome.reason}` : session.state;
}
