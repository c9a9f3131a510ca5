// What one resource of the specification is, as data. Knows no operation.

import type { TProperties, TSchema } from 'typebox';

/** An object schema whose members can be listed. */
export type ReadSchema = TSchema & { readonly type: 'object'; readonly properties: TProperties };

export interface ResourceRow {
  /** Our words for one of them: `call detail record`. */
  readonly name: string;
  /** What a response carries: every published field, all of them always present. */
  readonly schema: ReadSchema;
  /** What a client may write, where anything is published (or chosen) as writable. */
  readonly writable?: TSchema;
  /** Members that are written and not published: stored with the record, seen by the administration (CHOICE-WRITE-ONLY). */
  readonly kept?: ReadSchema;
  /** False where the specification says that the fields are not shown, so that the whole shape is a choice. */
  readonly published: boolean;
  /** The part of the specification that the row comes from. */
  readonly spec: string;
}
