// The store: every collection of the simulator in one place. Knows nothing of SIP or HTTP.
import { type ResourceId, resources } from '../contract/resources.ts';
import { IdBlocks } from '../kernel/ids.ts';
import type { ChangeListener, Collection, CollectionState, Key } from './collection.ts';
import { ColumnCollection } from './columns/column-collection.ts';
import { columnsOf } from './columns/columns-of.ts';
import { MapCollection } from './map-collection.ts';
import type { Stored, StoredResourceId } from './stored.ts';

/** Money and place of an account. `id` is the block from which all its records take their ids. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly balance: number;
  readonly currencyIso: string;
  /** E.164 country code without `+`: how national numbers of its users are read. */
  readonly countryCode: string;
}

/** What a user proves who they are with: never part of a published record. `id` is the user's id. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string | null;
  /** Keys that it had: they are refused in words of their own. */
  readonly revokedKeys?: readonly string[];
  readonly sipUsername: string;
  readonly sipPassword: string;
  readonly role: 'root' | 'admin' | 'agent' | 'restricted' | 'two_factor' | 'other_customer';
}

/** The labels that somebody put on a call record: CHOICE-CDR-PATCH. `id` is the record's. */
export interface CdrLabels {
  readonly id: number;
  readonly labels: readonly unknown[];
}

/** Every resource that has records, by its id in the contract, and the accounts behind them. */
export type Store = { readonly [R in StoredResourceId]: Collection<Stored[R]> } & {
  readonly customers: Collection<Customer>;
  readonly accounts: Collection<Account>;
  readonly cdrlabels: Collection<CdrLabels>;
};

/** A record of whatever resource. */
export interface StoredRecord {
  readonly id: Key;
  readonly [member: string]: unknown;
}

/** The properties by which records of each resource are looked up: never a scan. */
const indexes: { readonly [R in StoredResourceId]?: ReadonlyArray<keyof Stored[R] & string> } = {
  users: ['ext', 'email', 'pickup_group_id'],
  ddis: ['e164', 'target_id', 'campaign_id'],
  cdrs: ['live_id', 'user_id', 'calldate', 'src', 'dst', 'src_id', 'dst_id'],
  cdrnotes: ['cdr_id'],
  monitors: ['live_id', 'user_id', 'timestamp'],
  msdrs: ['media_session_id', 'user_id', 'created_at'],
  mediasessions: ['user', 'created_at'],
  webcalls: ['calldate'],
  voicemessages: ['live_id', 'extension_id', 'origtime'],
  sms: ['user_id', 'from', 'to', 'created_at'],
  chats: ['created_at'],
  chatmsgs: ['chat_id', 'user_id', 'created_at'],
  contacts: ['user_id', 'tel', 'tel_1', 'tel_2', 'mobile', 'mobile_1', 'mobile_2'],
  vmannouncements: ['extension'],
  trackedcalls: ['cdr_id'],
  queues: ['number'],
  ringgroups: ['number'],
  ivrs: ['number'],
  conferences: ['confno', 'confno_pstn'],
};

/** What every call and message adds to: kept in columns, the rest is kept in maps. */
const history: ReadonlySet<StoredResourceId> = new Set<StoredResourceId>([
  'cdrs',
  'monitors',
  'msdrs',
  'mediasessions',
  'webcalls',
  'voicemessages',
  'sms',
  'chats',
  'chatmsgs',
]);

/** Resources of which no records are kept: live calls are the exchange's, the others are made when they are read. */
const unstored: ReadonlySet<ResourceId> = new Set(['calls', 'calltraces', 'me']);

/** The resources that have records, in the order of the specification. */
export const storedResources = (Object.keys(resources) as ResourceId[]).filter((id) => !unstored.has(id)) as readonly [
  ...StoredResourceId[],
];

/** Every collection of the store. */
export const storeNames: ReadonlyArray<keyof Store> = [...storedResources, 'customers', 'accounts', 'cdrlabels'];

/** Who is told of the changes of single collections. */
export type Watchers = { readonly [C in keyof Store]?: ChangeListener };

/** `onChange` is told of every change, `watchers` after it. */
export function createStore(onChange?: ChangeListener, watchers: Watchers = {}): Store {
  const options = (name: string) => {
    const listener = both(onChange, watchers[name as keyof Store]);
    return { name, ids: new IdBlocks(), ...(listener === undefined ? {} : { onChange: listener }) };
  };
  const made = storedResources.map((id) => {
    const given = { ...options(id), indexes: indexes[id] ?? [] };
    const isHistory = history.has(id);
    return [id, isHistory ? new ColumnCollection({ ...given, columns: columnsOf(id) }) : new MapCollection(given)];
  });
  return {
    ...Object.fromEntries(made),
    customers: new MapCollection<Customer>(options('customers')),
    accounts: new MapCollection<Account>({ ...options('accounts'), indexes: ['email', 'sipUsername', 'apiKey'] }),
    cdrlabels: new MapCollection<CdrLabels>(options('cdrlabels')),
  } as Store;
}

function both(first: ChangeListener | undefined, then: ChangeListener | undefined): ChangeListener | undefined {
  if (first === undefined || then === undefined) return first ?? then;
  return (change) => {
    first(change);
    then(change);
  };
}

/** The collection of whatever resource, for what treats all of them alike. */
export function collectionOf(store: Store, resource: StoredResourceId): Collection<StoredRecord> {
  return store[resource] as unknown as Collection<StoredRecord>;
}

/** What every collection holds, by its name in the store. */
export type StoreState = Readonly<Record<keyof Store, CollectionState>>;

export function stateOf(store: Store): StoreState {
  const named = Object.entries(store).map(([name, collection]) => [name, collection.state()]);
  return Object.fromEntries(named) as StoreState;
}

/** The store holds what it held then. */
export function restoreStore(store: Store, state: StoreState): void {
  for (const [name, collection] of Object.entries(store)) collection.restore(state[name as keyof Store]);
}
