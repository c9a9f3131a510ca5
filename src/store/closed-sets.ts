// Properties that hold one of a closed set: its words, its codes, and how both are told. Knows no filter.
import type { CodeTable } from '../contract/codes.ts';
import { codesOf } from '../contract/fields.ts';
import type { Twin } from '../contract/twins.ts';

export interface ClosedSet {
  /** What a property can hold. */
  readonly values: ReadonlySet<unknown>;
  /** For messages. */
  readonly words: string;
}

interface Schema {
  readonly enum?: readonly unknown[];
}

/** Undefined for a property that can hold anything of its type. */
export function closedSetOf(schema: Schema, twin: Twin | undefined): ClosedSet | undefined {
  if (schema.enum !== undefined) return { values: new Set(schema.enum), words: schema.enum.join(', ') };
  const table = codesOf(schema) ?? (twin !== undefined && 'codes' in twin.mapping ? twin.mapping.codes : undefined);
  return table === undefined ? undefined : codedSet(table);
}

/** No record, no code: 0 stands for nothing there, as it does everywhere (CHOICE-NULL). */
function codedSet({ byCode }: CodeTable): ClosedSet {
  const words = [...byCode].map(([code, word]) => `${code} ${word}`).join(', ');
  return { values: new Set([0, ...byCode.keys()]), words };
}
