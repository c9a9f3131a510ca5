// The end of an account: nothing that belongs to it stays, and none of its ids comes again. Knows no record.
import type { Store } from '../store.ts';

/** The account goes first, so that whoever watches writes nothing more for it. */
export function removeAccount(store: Store, customerId: number): void {
  store.customers.clear(customerId);
  for (const collection of Object.values(store)) collection.clear(customerId);
}
