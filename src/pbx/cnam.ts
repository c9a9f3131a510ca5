// Who a caller from outside is, by the account's contacts (CNAM). Looks up, and knows no call.
import type { Contact } from '../contract/resources/settings.ts';
import type { Store } from '../store/store.ts';
import type { Destination } from './directory.ts';
import { digitsOf, type Party } from './party.ts';

const numbers = ['tel', 'tel_1', 'tel_2', 'mobile', 'mobile_1', 'mobile_2'] as const;

/** The oldest contact with that number, written in E.164 with or without `+`, with 00, or nationally (CHOICE-CNAM). */
function contactWith(store: Store, customerId: number, number: string): Contact | undefined {
  const digits = digitsOf(number);
  if (!/^\d+$/.test(digits)) return undefined;
  const country = store.customers.get(customerId)?.countryCode ?? '';
  const national = country !== '' && digits.startsWith(country) ? [`0${digits.slice(country.length)}`] : [];
  const found = [`+${digits}`, digits, `00${digits}`, ...national].flatMap((written) =>
    numbers.flatMap((property) => store.contacts.find(property, written, customerId)),
  );
  return found.toSorted((a, b) => a.id - b.id)[0];
}

function nameOfContact({ first_name, last_name, company }: Contact): string {
  return `${first_name} ${last_name}`.trim() || company;
}

/** An outsider as whoever is called is told of it: by the contact's name where that user wants it (`cnam`), else by the network's. */
export function namedFor(store: Store, customerId: number, party: Party, place: Destination): Party {
  if (party.kind !== 'public') return party;
  const { networkName = party.name, contactId: _, ...rest } = party;
  const outsider = { ...rest, name: networkName };
  if (place.kind !== 'user' || !place.user.cnam) return outsider;
  const contact = contactWith(store, customerId, party.number);
  if (contact === undefined) return outsider;
  return { ...outsider, name: nameOfContact(contact) || networkName, contactId: contact.id, networkName };
}
