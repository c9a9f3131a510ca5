// Who has which extension, number and SIP account: lookups over the store, sealed per customer but for dialled numbers.

import { codeOf, destinationTypeCodes } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Account, Store } from '../store/store.ts';
import { digitsOf, isPublicNumber, type Party } from './party.ts';

/** Where a dialled number leads. */
export type Destination =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'public'; readonly number: string }
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

  ddi(number: string): Ddi | undefined {
    return (
      this.#store.ddis.find('e164', `+${digitsOf(number)}`)[0] ?? this.#store.ddis.find('e164', digitsOf(number))[0]
    );
  }

  customerOfDdi(ddi: Ddi): number | undefined {
    return this.#store.ddis.customerOf(ddi.id);
  }

  /** What a user of the customer reaches by dialling: an extension first, then one of the customer's numbers, then the public network. */
  dialled(customerId: number, number: string): Destination {
    const extension = this.userByExtension(customerId, number);
    if (extension !== undefined) return { kind: 'user', user: extension };
    if (!isPublicNumber(number))
      return { kind: 'nowhere', status: 404, why: `${number} is neither an extension nor a public number` };
    const ddi = this.ddi(number);
    if (ddi !== undefined && this.customerOfDdi(ddi) === customerId) return this.targetOf(ddi);
    return { kind: 'public', number: `+${digitsOf(number)}` };
  }

  /** Where a number of ours leads when it is called. */
  targetOf(ddi: Ddi): Destination {
    const user = ddi.target_type === codeOf(destinationTypeCodes, 'U') ? this.user(ddi.target_id) : undefined;
    if (user === undefined || !user.active)
      return { kind: 'nowhere', status: 480, why: `${ddi.e164} has no user that could answer` };
    return { kind: 'user', user };
  }

  partyOf(user: User): Party {
    return { kind: 'user', userId: user.id, number: user.ext, name: `${user.first_name} ${user.last_name}`.trim() };
  }

  outsider(number: string, name = ''): Party {
    return { kind: 'public', userId: null, number, name };
  }
}
