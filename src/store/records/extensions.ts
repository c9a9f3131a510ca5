// Extensions of an account: users, queues, ring groups, IVRs and conferences share one set of them. Knows no dialplan.
import type { Key } from '../collection.ts';
import { collectionOf, type StoredRecord } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';
import type { Ground } from './rules.ts';

/** Whose member holds an extension, and what it is called there. */
const holders: ReadonlyArray<readonly [StoredResourceId, string]> = [
  ['users', 'ext'],
  ['queues', 'number'],
  ['ringgroups', 'number'],
  ['ivrs', 'number'],
  ['conferences', 'confno'],
];

/** What has that extension in the account, and of which kind it is; undefined when it is free. */
export function holderOf(
  { store, customerId }: Ground,
  extension: string,
): { readonly resource: StoredResourceId; readonly record: StoredRecord } | undefined {
  if (!/^[1-9]\d{0,14}$/.test(extension)) return undefined;
  for (const [resource, member] of holders) {
    const collection = collectionOf(store, resource);
    const value = member === 'ext' ? extension : Number(extension);
    const record = collection.find(member, value).find(({ id }) => collection.customerOf(id) === customerId);
    if (record !== undefined) return { resource, record };
  }
  return undefined;
}

/** The first free extension from there on. */
export function freeExtension(ground: Ground, first: number): number {
  for (let extension = first; ; extension += 1) if (holderOf(ground, String(extension)) === undefined) return extension;
}

/** A sentence when somebody else of the account has the extension. */
export function takenExtension(
  ground: Ground,
  member: string,
  extension: string,
  self: { readonly resource: StoredResourceId; readonly id: Key | undefined },
): string[] {
  const holder = holderOf(ground, extension);
  if (holder === undefined || (holder.resource === self.resource && holder.record.id === self.id)) return [];
  return [`${member}: the extension ${extension} is taken`];
}
