// Every clause: the specification as a catalogue of what an outsider can observe. Knows no check.

import type { Clause } from './clause.ts';
import { generatedClauses } from './clauses/generated.ts';
import { writtenClauses } from './clauses/written.ts';

export const clauses: readonly Clause[] = [...generatedClauses, ...writtenClauses];

const byId: ReadonlyMap<string, Clause> = new Map(clauses.map((clause) => [clause.id, clause]));

export function clauseById(id: string): Clause | undefined {
  return byId.get(id);
}
