// Making, changing and removing records of every kind by its rules. A refused change changes nothing. Knows no request.
import type { DestinationType } from '../../contract/codes.ts';
import { resources } from '../../contract/resources.ts';
import { BrokenInvariant, failure, type Result, success } from '../../kernel/errors.ts';
import { utcText } from '../../kernel/time.ts';
import type { Key } from '../collection.ts';
import { collectionOf, type StoredRecord, storedResources } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';
import { forgetDestination, strangeDestinations } from './destinations.ts';
import { emptyRecord } from './empty-record.ts';
import { freeExtension, takenExtension } from './extensions.ts';
import { recordRules } from './kinds.ts';
import { leadNumbers, numbersOf, strangeNumbers } from './numbers.ts';
import type { Ground, Members } from './rules.ts';

/** A record that is wanted, with the numbers that shall lead to it when they are told. */
interface Draft {
  readonly record: StoredRecord;
  readonly ddis: readonly unknown[] | undefined;
}

/** A new record with an id of the customer's block. `members` are in their read form (see read-form.ts). */
export function createRecord(ground: Ground, resource: StoredResourceId, members: Members): Result<StoredRecord> {
  const drafted = draftOf(ground, resource, members);
  const problems = problemsOf(ground, resource, drafted, undefined);
  if (problems.length > 0) return notValid(resource, problems);
  const collection = collectionOf(ground.store, resource);
  const id = idFor(resource, collection.nextId(ground.customerId));
  const record = collection.insert(ground.customerId, { ...drafted.record, id });
  settle(ground, resource, undefined, record, drafted.ddis);
  return success(record);
}

/** The record with those members in place of its own. It must be one of the customer's. */
export function changeRecord(
  ground: Ground,
  resource: StoredResourceId,
  id: Key,
  members: Members,
): Result<StoredRecord> {
  const changed = changeEach(ground, resource, [{ id, members }], (problem) => problem);
  if (!changed.ok) return changed;
  return success(changed.value[0] ?? lost(resource, id));
}

interface Change {
  readonly id: Key;
  readonly members: Members;
}

/** All of the changes or none: each is checked before the first is made (CHOICE-BULK-RESPONSE). */
export function changeRecords(
  ground: Ground,
  resource: StoredResourceId,
  changes: readonly Change[],
): Result<StoredRecord[]> {
  return changeEach(ground, resource, changes, (problem, index) => `[${index}].${problem}`);
}

function changeEach(
  ground: Ground,
  resource: StoredResourceId,
  changes: readonly Change[],
  placed: (problem: string, index: number) => string,
): Result<StoredRecord[]> {
  const collection = collectionOf(ground.store, resource);
  const seen = new Set<Key>();
  const problems = changes.flatMap(({ id }, index) => {
    if (seen.has(id)) return [placed(`id: ${id} comes twice`, index)];
    seen.add(id);
    return [];
  });
  const drafts = changes.map(({ id, members }, index) => {
    const before = collection.get(id) ?? lost(resource, id);
    const draft = changed(ground, resource, before, members);
    const found = problemsOf(ground, resource, draft, before);
    problems.push(...found.map((problem) => placed(problem, index)));
    return draft;
  });
  if (problems.length > 0) return notValid(resource, problems);
  return success(
    drafts.map(({ record, ddis }) => {
      const before = collection.get(record.id) ?? lost(resource, record.id);
      const after = collection.update(record.id, record) ?? lost(resource, record.id);
      settle(ground, resource, before, after, ddis);
      return after;
    }),
  );
}

/** False when there is none. What named the record names nothing afterwards. */
export function removeRecord(ground: Ground, resource: StoredResourceId, id: Key): boolean {
  const collection = collectionOf(ground.store, resource);
  const before = collection.get(id);
  if (before === undefined || collection.customerOf(id) !== ground.customerId) return false;
  collection.delete(id);
  settle(ground, resource, before, undefined, []);
  removeOwned(ground, resource, id);
  forgetReferences(ground, resource, id);
  return true;
}

/** Removes all of the account's: at once where nothing but the kind itself has to follow. */
export function removeAllRecords(ground: Ground, resource: StoredResourceId): void {
  const { store, customerId } = ground;
  const { settle: follow, emptied, letter, owns } = recordRules[resource];
  const isAlone = follow === undefined && letter === undefined && owns === undefined && !isReferred(resource);
  if (emptied !== undefined || isAlone) {
    collectionOf(store, resource).clear(customerId);
    emptied?.(ground);
  } else for (const { id } of [...collectionOf(store, resource).list(customerId)]) removeRecord(ground, resource, id);
}

/** The numbers that lead to a record, in E.164; undefined where numbers lead to no such record. */
export function ddisOf(ground: Ground, resource: StoredResourceId, id: Key): string[] | undefined {
  const { letter } = recordRules[resource];
  return letter === undefined ? undefined : numbersOf(ground, letter, Number(id)).map(({ e164 }) => e164);
}

function draftOf(ground: Ground, resource: StoredResourceId, { ddis, id: _, ...members }: Members): Draft {
  const { schema, kept } = resources[resource];
  const { usual, extension, ofAccount = [] } = recordRules[resource];
  const now = utcText(ground.nowMs);
  const record: Record<string, unknown> = {
    ...emptyRecord(schema, now),
    ...(kept === undefined ? {} : emptyRecord(kept, now)),
    ...usual?.(ground),
    ...members,
    ...Object.fromEntries(ofAccount.map((member) => [member, ground.customerId])),
  };
  if (extension !== undefined && record[extension.member] === 0)
    record[extension.member] = freeExtension(ground, extension.first);
  return { record: withDerived(ground, resource, { ...record, id: 0 }, undefined), ddis: listed(ddis) };
}

function changed(
  ground: Ground,
  resource: StoredResourceId,
  before: StoredRecord,
  { ddis, ...members }: Members,
): Draft {
  const fixed = new Set(['id', ...(recordRules[resource].ofAccount ?? [])]);
  const allowed = Object.entries(members).filter(([name]) => !fixed.has(name));
  const record = { ...before, ...Object.fromEntries(allowed) };
  return { record: withDerived(ground, resource, record, before), ddis: listed(ddis) };
}

function withDerived(
  ground: Ground,
  resource: StoredResourceId,
  record: StoredRecord,
  before: StoredRecord | undefined,
): StoredRecord {
  return { ...record, ...recordRules[resource].derived?.(ground, record, before) };
}

function listed(ddis: unknown): readonly unknown[] | undefined {
  return Array.isArray(ddis) ? ddis : undefined;
}

function problemsOf(
  ground: Ground,
  resource: StoredResourceId,
  { record, ddis }: Draft,
  before: StoredRecord | undefined,
): string[] {
  const { extension, ddisBy, problems } = recordRules[resource];
  const taken =
    extension === undefined || before?.[extension.member] === record[extension.member]
      ? []
      : takenExtension(ground, extension.member, String(record[extension.member]), { resource, id: before?.id });
  return [
    ...strangeReferences(ground, resource, record, before),
    ...strangeDestinations(ground, resource, record, before),
    ...strangeNumbers(ground, ddis ?? [], ddisBy),
    ...taken,
    ...(problems?.(ground, record, before) ?? []),
  ];
}

function strangeReferences(
  { store, customerId }: Ground,
  resource: StoredResourceId,
  record: StoredRecord,
  before: StoredRecord | undefined,
): string[] {
  const { references, remembers } = recordRules[resource];
  return Object.entries({ ...references, ...remembers }).flatMap(([member, kind]) => {
    const id = Number(record[member] ?? 0);
    if (id === 0 || before?.[member] === record[member]) return [];
    if (collectionOf(store, kind).customerOf(idFor(kind, id)) === customerId) return [];
    return [`${member}: there is no ${resources[kind].name} ${id} in this account`];
  });
}

function settle(
  ground: Ground,
  resource: StoredResourceId,
  before: StoredRecord | undefined,
  after: StoredRecord | undefined,
  ddis: readonly unknown[] | undefined,
): void {
  const { letter, ddisBy, settle: follow } = recordRules[resource];
  const id = Number((after ?? before)?.id);
  if (letter !== undefined && ddis !== undefined) leadNumbers(ground, letter, id, ddis, ddisBy);
  if (letter !== undefined && after === undefined) forgetDestination(ground, lettersOf(letter), id);
  follow?.(ground, { before, after });
}

/** A user's voicemail box goes with the user. */
function lettersOf(letter: DestinationType): readonly DestinationType[] {
  return letter === 'U' ? ['U', 'V'] : [letter];
}

function removeOwned(ground: Ground, resource: StoredResourceId, id: Key): void {
  for (const [kind, member] of Object.entries(recordRules[resource].owns ?? {})) {
    const owned = kind as StoredResourceId;
    const found = collectionOf(ground.store, owned).find(member, id, ground.customerId);
    for (const one of found) removeRecord(ground, owned, one.id);
  }
}

function isReferred(to: StoredResourceId): boolean {
  return storedResources.some((resource) => Object.values(recordRules[resource].references ?? {}).includes(to));
}

function forgetReferences(ground: Ground, gone: StoredResourceId, id: Key): void {
  const { store, customerId } = ground;
  for (const resource of storedResources) {
    const members = Object.entries(recordRules[resource].references ?? {}).filter(([, kind]) => kind === gone);
    if (members.length === 0) continue;
    const collection = collectionOf(store, resource);
    for (const [member] of members) {
      const found = collection.isIndexed(member)
        ? collection.find(member, Number(id), customerId)
        : [...collection.list(customerId)].filter((record) => Number(record[member]) === Number(id));
      for (const record of found)
        collection.update(record.id, withDerived(ground, resource, { ...record, [member]: 0 }, record));
    }
  }
}

/** Some ids are published as strings: CHOICE-DDI-ID. */
export function hasTextIds(resource: StoredResourceId): boolean {
  return (resources[resource].schema.properties.id as { readonly type?: string }).type === 'string';
}

function idFor(resource: StoredResourceId, id: number): Key {
  return hasTextIds(resource) ? String(id) : id;
}

function notValid(resource: StoredResourceId, problems: readonly string[]): Result<never> {
  return failure('invalid', `The ${resources[resource].name} is not valid.`, problems);
}

function lost(resource: StoredResourceId, id: Key): never {
  throw new BrokenInvariant(`${resource} ${id} is not there`, 'it was not looked up first', 'find it, then change it');
}
