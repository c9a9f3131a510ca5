// What a kind of record demands beyond its schema. Knows no kind and no request.
import type { DestinationType } from '../../contract/codes.ts';
import type { Store, StoredRecord } from '../store.ts';
import type { StoredResourceId } from '../stored.ts';

/** Members by name, in their read form. */
export type Members = Readonly<Record<string, unknown>>;

/** Whose records, where, and when. */
export interface Ground {
  readonly store: Store;
  readonly customerId: number;
  /** ms since 1970 on the clock. */
  readonly nowMs: number;
}

/** A record before and after a change; one of the two is missing when it came or went. */
export interface Step<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface RecordRules<T extends object = StoredRecord> {
  /** What a new record has where nothing is said; the rest is empty (see empty-record.ts). */
  usual?(ground: Ground): Partial<T>;
  /** Members that the administration must give for a new record. */
  readonly required?: readonly string[];
  /** Members of which the administration must give one at least for a new record. */
  readonly requiredAny?: readonly string[];
  /** Members that hold the account's id: nobody chooses or changes them. */
  readonly ofAccount?: readonly string[];
  /** Members that name one record of another kind, or 0 for none; 0 again when that record goes. */
  readonly references?: Readonly<Record<string, StoredResourceId>>;
  /** Likewise, but history keeps the id of what is gone. */
  readonly remembers?: Readonly<Record<string, StoredResourceId>>;
  /** Where numbers and final destinations lead to such records: their letter. `ddis` among the members are the numbers that do. */
  readonly letter?: DestinationType;
  /** How `ddis` names numbers: in E.164 or by their ids where nothing is said. */
  readonly ddisBy?: 'e164';
  /** The member with the extension that rings it: unique among all extensions of the account, given out from here when none is. */
  readonly extension?: { readonly member: string; readonly first: number };
  /** Kinds whose records go with one of these, and the member that names it there. */
  readonly owns?: Readonly<Partial<Record<StoredResourceId, string>>>;
  /** Members that follow from the others, made before the record is judged. */
  derived?(ground: Ground, after: T, before: T | undefined): Partial<T>;
  /** What only other records can tell, a sentence each, beginning with the member's name. `before` is missing for a new record. */
  problems?(ground: Ground, after: T, before: T | undefined): readonly string[];
  /** Told when a record came, changed or went: brings others in line. */
  settle?(ground: Ground, step: Step<T>): void;
  /** Told once when all records of the account went together, in place of `settle` for each of them. */
  emptied?(ground: Ground): void;
}

/** Rules of a kind, for what treats all kinds alike. */
export function rulesFor<T extends object>(rules: RecordRules<T>): RecordRules {
  return rules as unknown as RecordRules;
}
