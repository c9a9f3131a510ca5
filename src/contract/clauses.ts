// Every clause: the specification as a catalogue of what an outsider can observe. Knows no check.

import type { Clause } from './clause.ts';
import { accountClauses } from './clauses/accounts.ts';
import { authClauses } from './clauses/auth.ts';
import { callClauses } from './clauses/calls.ts';
import { eventClauses } from './clauses/events.ts';
import { featureClauses } from './clauses/features.ts';
import { fileClauses } from './clauses/files.ts';
import { filterClauses } from './clauses/filters.ts';
import { generatedClauses } from './clauses/generated.ts';
import { recordClauses } from './clauses/records.ts';
import { servingClauses } from './clauses/serving.ts';
import { webhookClauses } from './clauses/webhooks.ts';
import { writtenClauses } from './clauses/written.ts';

export const clauses: readonly Clause[] = [
  ...generatedClauses,
  ...accountClauses,
  ...authClauses,
  ...callClauses,
  ...eventClauses,
  ...featureClauses,
  ...fileClauses,
  ...filterClauses,
  ...recordClauses,
  ...servingClauses,
  ...webhookClauses,
  ...writtenClauses,
];

const byId: ReadonlyMap<string, Clause> = new Map(clauses.map((clause) => [clause.id, clause]));

export function clauseById(id: string): Clause | undefined {
  return byId.get(id);
}
