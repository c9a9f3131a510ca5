// null in a write of the administration: the setting is taken away, and shows what it shows where nobody has set it. Knows no record.
import type { TSchema } from 'typebox';
import { checkBody } from '../validation.ts';
import type { Members, RecordKind } from './record-kind.ts';

/**
 * The members, with null as the empty text, the empty list or, of an id, as 0: whichever the member may be. Where it may be none of them it
 * cannot be taken away, and null stays to be refused; so does null that means something by itself. `change`: the schema of a write in
 * which any members may be missing.
 */
export function withUnset(kind: Pick<RecordKind, 'properties'>, body: unknown, change: TSchema): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body as Members).map(([name, value]) => {
    if (value !== null || !Object.hasOwn(kind.properties, name)) return [name, value];
    const may = (one: unknown): boolean => checkBody(change, { [name]: one }).ok;
    const empties: readonly unknown[] = ['', [], ...(name.endsWith('_id') ? [0] : [])];
    return [name, may(null) ? null : (empties.find(may) ?? null)];
  });
  return Object.fromEntries(members);
}
