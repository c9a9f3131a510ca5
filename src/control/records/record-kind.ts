// What the administration application can do with one kind of record. Knows no kind.
import type { TProperties } from 'typebox';
import { failure, type Result } from '../../kernel/errors.ts';
import type { CollectionQuery, Page } from '../../store/query.ts';
import type { StoredResourceId } from '../../store/stored.ts';
import type { ControlDeps } from '../deps.ts';

export type Members = Readonly<Record<string, unknown>>;

export interface RecordKind {
  /** The contract's resource id. */
  readonly id: StoredResourceId;
  /** What people call one of them. */
  readonly name: string;
  /** Every member that can be written, published or not, with its schema. */
  readonly properties: TProperties;
  /** Members that a new record cannot do without. */
  readonly required: readonly string[];
  /** Members of which a new record needs one at least; none where it needs none of them. */
  readonly requiredAny: readonly string[];
  /** Members that hold the account's id: like the record's own id nobody chooses them, but a write may repeat them. */
  readonly ofAccount: readonly string[];
  page(deps: ControlDeps, customerId: number, query: CollectionQuery): Page<Members>;
  get(deps: ControlDeps, id: string): Members | undefined;
  /** Whose it is. */
  ownerOf(deps: ControlDeps, id: string): number | undefined;
  /** Members have been checked against their schemas; what only the store can tell is checked here. */
  create(deps: ControlDeps, customerId: number, members: Members): Result<Members>;
  change(deps: ControlDeps, id: string, members: Members): Result<Members>;
  /** False when there is none. */
  remove(deps: ControlDeps, id: string): boolean;
}

export function notValid(...problems: readonly string[]): Result<never> {
  return failure('invalid', 'The record is not valid.', problems);
}
