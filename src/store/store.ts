// The store: every collection of the simulator in one place. Knows nothing of SIP or HTTP.
import type { AclRole } from '../contract/resources/auth.ts';
import type { CallLabel, MediaSession, Webcall } from '../contract/resources/calls.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Cdr, Monitor, Msdr } from '../contract/resources/history.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Sms } from '../contract/resources/storage.ts';
import { IdBlocks } from '../kernel/ids.ts';
import { type ChangeListener, Collection, type CollectionState } from './collection.ts';

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
  readonly sipUsername: string;
  readonly sipPassword: string;
  readonly role: 'root' | 'admin' | 'agent' | 'restricted' | 'two_factor' | 'other_customer';
}

export interface Store {
  readonly customers: Collection<Customer>;
  readonly accounts: Collection<Account>;
  readonly aclroles: Collection<AclRole>;
  readonly users: Collection<User>;
  readonly ddis: Collection<Ddi>;
  readonly webcalls: Collection<Webcall>;
  readonly mediasessions: Collection<MediaSession>;
  readonly calllabels: Collection<CallLabel>;
  readonly cdrs: Collection<Cdr>;
  readonly monitors: Collection<Monitor>;
  readonly msdrs: Collection<Msdr>;
  readonly sms: Collection<Sms>;
}

export function createStore(onChange?: ChangeListener): Store {
  const options = (name: string) => ({ name, ids: new IdBlocks(), ...(onChange === undefined ? {} : { onChange }) });
  return {
    customers: new Collection<Customer>(options('customers')),
    accounts: new Collection<Account>({ ...options('accounts'), indexes: ['email', 'sipUsername', 'apiKey'] }),
    aclroles: new Collection<AclRole>(options('aclroles')),
    users: new Collection<User>({ ...options('users'), indexes: ['ext', 'email'] }),
    ddis: new Collection<Ddi>({ ...options('ddis'), indexes: ['e164'] }),
    webcalls: new Collection<Webcall>(options('webcalls')),
    mediasessions: new Collection<MediaSession>(options('mediasessions')),
    calllabels: new Collection<CallLabel>(options('calllabels')),
    cdrs: new Collection<Cdr>({ ...options('cdrs'), indexes: ['live_id', 'user_id'] }),
    monitors: new Collection<Monitor>({ ...options('monitors'), indexes: ['live_id'] }),
    msdrs: new Collection<Msdr>({ ...options('msdrs'), indexes: ['media_session_id'] }),
    sms: new Collection<Sms>(options('sms')),
  };
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
