// Who has which extension, number and SIP account: lookups over the store, sealed per customer but for dialled numbers.

import { type DestinationType, destinationTypeCodes, targetTypeCodes, wordOf } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import { unshared } from '../kernel/unshared.ts';
import { letterOf } from '../store/records/destinations.ts';
import type { Account, Store } from '../store/store.ts';
import { inE164, isEmergency } from './dialplan.ts';
import { digitsOf, isPublicNumber, type Party } from './party.ts';
import type { Attended, Group, Place } from './place.ts';
import { BARGE_CODE, ECHO_CODE, LOGIN_CODE, PARK_CODE, serviceOf } from './service-codes.ts';

/** Where a dialled number leads. */
export type Destination =
  | Place
  /** `404`: nobody has it. `480`: the number is ours and leads nowhere that can answer. `403`: the account forbids it. `486`: too many are there. */
  | {
      readonly kind: 'nowhere';
      readonly status: 403 | 404 | 480 | 486;
      readonly why: string;
      /** Told to the caller's phone in place of the usual phrase. */
      readonly reason?: string;
    };

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

  #attendedByExtension(customerId: number, extension: string): Attended | undefined {
    if (!/^[1-9]\d{0,9}$/.test(extension)) return undefined;
    const { queues, ivrs, conferences } = this.#store;
    const number = Number(extension);
    const queue = queues.find('number', number, customerId)[0];
    if (queue !== undefined) return { kind: 'queue', queue };
    const ivr = ivrs.find('number', number, customerId)[0];
    if (ivr !== undefined) return { kind: 'ivr', ivr };
    const [conference] = [
      ...conferences.find('confno', number, customerId),
      ...conferences.find('confno_pstn', number, customerId),
    ];
    return conference && { kind: 'conference', conference };
  }

  /** What a letter and an id lead to, as final destinations, numbers and rules write it; undefined when nothing can ring there. */
  placeOf(customerId: number, letter: DestinationType | undefined, id: number): Place | undefined {
    const { ringgroups, ivrs, queues, conferences } = this.#store;
    switch (letter) {
      case 'U':
      case 'V': {
        const user = this.user(id);
        if (!user?.active || user.customer !== customerId) return undefined;
        return { kind: letter === 'U' ? 'user' : 'voicemail', user };
      }
      case 'R': {
        const group = own(ringgroups, customerId, id);
        return group && { kind: 'group', group };
      }
      case 'I': {
        const ivr = own(ivrs, customerId, id);
        return ivr && { kind: 'ivr', ivr };
      }
      case 'Q': {
        const queue = own(queues, customerId, id);
        return queue && { kind: 'queue', queue };
      }
      case 'C': {
        const conference = own(conferences, customerId, id);
        return conference && { kind: 'conference', conference };
      }
      default:
        return undefined;
    }
  }

  /** Where callers go on to whom nobody answered at that place; undefined for the end of the call. */
  finalDestinationOf(place: Place): Place | undefined {
    const { ringgroups, queues, ivrs } = this.#store;
    switch (place.kind) {
      case 'user':
      case 'public': {
        const user = place.forwardedBy?.user ?? (place.kind === 'user' ? place.user : undefined);
        return user && this.#finalOf(user.customer, user, user);
      }
      case 'follow-me': {
        const { user } = place;
        const final = { final_dst_type: user.fm_final_dst_type, final_dst_id: user.fm_final_dst_id };
        return this.#finalOf(user.customer, final, user);
      }
      case 'group':
        return this.#finalOf(ringgroups.customerOf(place.group.id), place.group);
      case 'queue':
        return this.#finalOf(queues.customerOf(place.queue.id), place.queue);
      case 'ivr':
        return this.#finalOf(ivrs.customerOf(place.ivr.id), place.ivr);
      default:
        return undefined;
    }
  }

  #finalOf(
    customerId: number | undefined,
    { final_dst_type, final_dst_id }: Pick<Group | User, 'final_dst_type' | 'final_dst_id'>,
    user?: User,
  ): Place | undefined {
    // A user's voicemail without an id is the own one.
    if (user !== undefined && letterOf(final_dst_type) === 'V' && final_dst_id === 0)
      return { kind: 'voicemail', user };
    return customerId === undefined ? undefined : this.placeOf(customerId, letterOf(final_dst_type), final_dst_id);
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
   * What a user of the customer reaches by dialling: a service first (`*97`), an extension (a user's, then a place's),
   * one of the customer's numbers, then the public network. `user`: who dials; without it no service is reached, and numbers are
   * E.164: with it they are as its dialplan has them.
   */
  dialled(customerId: number, number: string, user?: User): Destination {
    const service = user === undefined ? undefined : serviceOf(number, user);
    if (service !== undefined) return service;
    const extension = this.userByExtension(customerId, number);
    if (extension !== undefined) return { kind: 'user', user: extension };
    const group = this.groupByExtension(customerId, number);
    if (group !== undefined) return { kind: 'group', group };
    const attended = this.#attendedByExtension(customerId, number);
    if (attended !== undefined) return attended;
    if (user !== undefined && isEmergency(number)) return { kind: 'public', number };
    const full = user === undefined ? number : inE164(user, number);
    if (!isPublicNumber(full)) return { kind: 'nowhere', status: 404, why: this.#whyNobody(customerId, number) };
    const ddi = this.ddi(full);
    if (ddi !== undefined && this.customerOfDdi(ddi) === customerId) return this.targetOf(ddi);
    return { kind: 'public', number: `+${digitsOf(full)}` };
  }

  #whyNobody(customerId: number, number: string): string {
    const isSomebodys = this.#store.users.find('ext', number).some(({ customer }) => customer === customerId);
    return isSomebodys
      ? `the user with the extension ${number} is not active`
      : `${number} is neither an extension nor a public number`;
  }

  /** Where a number of ours leads when it is called; `isFax`: by a machine that looks for another one. */
  targetOf(ddi: Ddi, isFax = false): Destination {
    const isMachine = ddi.fax_enabled && (isFax || ddi.target_type === targetTypeCodes.codes.none);
    if (isMachine) return { kind: 'fax', ddi };
    const place = this.placeOf(
      this.customerOfDdi(ddi) ?? 0,
      wordOf(destinationTypeCodes, ddi.target_type),
      ddi.target_id,
    );
    return place ?? { kind: 'nowhere', status: 480, why: `${ddi.e164} leads to nobody who could answer` };
  }

  /** The called party at a place. */
  partyAt(place: Place): Party {
    switch (place.kind) {
      case 'user':
        return this.partyOf(place.user);
      case 'public':
        return this.outsider(place.number);
      case 'follow-me':
      case 'voicemail':
      case 'mailbox':
        return { ...this.partyOf(place.user), kind: place.kind };
      case 'group':
        return { kind: 'group', ...numbered(place.group.id, place.group.number, place.group.name) };
      case 'queue':
        return { kind: 'queue', ...numbered(place.queue.id, place.queue.number, place.queue.name) };
      case 'ivr':
        return { kind: 'ivr', ...numbered(place.ivr.id, place.ivr.number, place.ivr.name) };
      case 'conference':
        return { kind: 'conference', ...numbered(place.conference.id, place.conference.confno, place.conference.name) };
      case 'login':
        return { kind: 'login', userId: null, number: `${LOGIN_CODE}${place.number}`, name: 'Queue login' };
      case 'fax':
        return { kind: 'fax', userId: null, number: place.ddi.e164, name: place.ddi.name };
      case 'parked':
        return { kind: 'parked', userId: null, number: `${PARK_CODE}${place.slot}`, name: 'Parked' };
      case 'barge':
        return { kind: 'barge', userId: null, number: `${BARGE_CODE}${place.user.ext}`, name: 'Barge' };
      case 'echo':
        return { kind: 'echo', userId: null, number: ECHO_CODE, name: 'Echo test' };
    }
  }

  partyOf(user: User): Party {
    return { kind: 'user', userId: user.id, number: user.ext, name: `${user.first_name} ${user.last_name}`.trim() };
  }

  outsider(number: string, name = ''): Party {
    // Events, mails and deliveries have them long after the message that told them.
    return { kind: 'public', userId: null, number: unshared(number), name: unshared(name) };
  }
}

/** A record of the customer's own. */
function own<R>(
  records: { get(id: number): R | undefined; customerOf(id: number): number | undefined },
  customerId: number,
  id: number,
): R | undefined {
  return records.customerOf(id) === customerId ? records.get(id) : undefined;
}

function numbered(
  placeId: number,
  number: number,
  name: string,
): Pick<Party, 'userId' | 'placeId' | 'number' | 'name'> {
  return { userId: null, placeId, number: String(number), name };
}
