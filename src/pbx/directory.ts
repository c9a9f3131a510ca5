// Who has which extension, number and SIP account: lookups over the store, sealed per customer but for dialled numbers.

import { type DestinationType, destinationTypeCodes, wordOf } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import { letterOf } from '../store/records/destinations.ts';
import type { Account, Store } from '../store/store.ts';
import type { Stored } from '../store/stored.ts';
import type { Target } from './dial.ts';
import { digitsOf, isPublicNumber, type Party } from './party.ts';

/** A ring group with its members. */
export type Group = Stored['ringgroups'];

/** Where a caller may be: what can be dialled, and the ring group, which rings its members. */
export type Place = Target | { readonly kind: 'group'; readonly group: Group };

/** Where a dialled number leads. */
export type Destination =
  | Place
  /** `404`: nobody has it. `480`: the number is ours and leads nowhere that can answer. `403`: the account forbids it. */
  | { readonly kind: 'nowhere'; readonly status: 403 | 404 | 480; readonly why: string };

export class Directory {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  user(userId: number): User | undefined {
    return this.#store.users.get(userId);
  }

  account(sipUsername: string): Account | undefined {
    return this.#store.accounts.find('sipUsername', sipUsername)[0];
  }

  customerOf(userId: number): number | undefined {
    return this.#store.users.customerOf(userId);
  }

  userByExtension(customerId: number, extension: string): User | undefined {
    return this.#store.users.find('ext', extension).find((user) => user.customer === customerId && user.active);
  }

  groupByExtension(customerId: number, extension: string): Group | undefined {
    if (!/^[1-9]\d{0,9}$/.test(extension)) return undefined;
    return this.#store.ringgroups.find('number', Number(extension), customerId)[0];
  }

  /** What a letter and an id lead to, as final destinations, numbers and rules write it; undefined when nothing can ring there. */
  placeOf(customerId: number, letter: DestinationType | undefined, id: number): Place | undefined {
    if (letter === 'R') {
      const group = this.#store.ringgroups.get(id);
      const isOwn = group !== undefined && this.#store.ringgroups.customerOf(id) === customerId;
      return isOwn ? { kind: 'group', group } : undefined;
    }
    const user = letter === 'U' ? this.user(id) : undefined;
    return user?.active && user.customer === customerId ? { kind: 'user', user } : undefined;
  }

  /** Where callers go on to whom nobody answered at that place; undefined for the end of the call. */
  finalDestinationOf(place: Place): Place | undefined {
    if (place.kind === 'public') return undefined;
    const record = place.kind === 'user' ? place.user : place.group;
    const customerId = place.kind === 'user' ? place.user.customer : this.#store.ringgroups.customerOf(place.group.id);
    return this.placeOf(customerId ?? 0, letterOf(record.final_dst_type), record.final_dst_id);
  }

  ddi(number: string): Ddi | undefined {
    return (
      this.#store.ddis.find('e164', `+${digitsOf(number)}`)[0] ?? this.#store.ddis.find('e164', digitsOf(number))[0]
    );
  }

  customerOfDdi(ddi: Ddi): number | undefined {
    return this.#store.ddis.customerOf(ddi.id);
  }

  /**
   * What a user of the customer reaches by dialling: an extension first (a user's, then a group's), then one of the
   * customer's numbers, then the public network.
   */
  dialled(customerId: number, number: string): Destination {
    const extension = this.userByExtension(customerId, number);
    if (extension !== undefined) return { kind: 'user', user: extension };
    const group = this.groupByExtension(customerId, number);
    if (group !== undefined) return { kind: 'group', group };
    if (!isPublicNumber(number)) return { kind: 'nowhere', status: 404, why: this.#whyNobody(customerId, number) };
    const ddi = this.ddi(number);
    if (ddi !== undefined && this.customerOfDdi(ddi) === customerId) return this.targetOf(ddi);
    return { kind: 'public', number: `+${digitsOf(number)}` };
  }

  #whyNobody(customerId: number, number: string): string {
    const isSomebodys = this.#store.users.find('ext', number).some(({ customer }) => customer === customerId);
    return isSomebodys
      ? `the user with the extension ${number} is not active`
      : `${number} is neither an extension nor a public number`;
  }

  /** Where a number of ours leads when it is called. */
  targetOf(ddi: Ddi): Destination {
    const place = this.placeOf(
      this.customerOfDdi(ddi) ?? 0,
      wordOf(destinationTypeCodes, ddi.target_type),
      ddi.target_id,
    );
    return place ?? { kind: 'nowhere', status: 480, why: `${ddi.e164} leads to nobody who could answer` };
  }

  /** The called party at a place. */
  partyAt(place: Place): Party {
    if (place.kind === 'user') return this.partyOf(place.user);
    if (place.kind === 'public') return this.outsider(place.number);
    const { id, number, name } = place.group;
    return { kind: 'group', userId: null, groupId: id, number: String(number), name };
  }

  partyOf(user: User): Party {
    return { kind: 'user', userId: user.id, number: user.ext, name: `${user.first_name} ${user.last_name}`.trim() };
  }

  outsider(number: string, name = ''): Party {
    return { kind: 'public', userId: null, number, name };
  }
}
