// Proposes the file of deviations that a run calls for: stale entries out, new failures in for somebody to say why. Keeps comments. Pure.
import { parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { CheckResult } from '../../report/conform-results.ts';
import { isFine, isViolation, signatureOf } from './deviation-book.ts';
import { type Deviation, SAY_WHY } from './deviation-file.ts';

export interface Proposal {
  /** The whole file as it should be. */
  readonly text: string;
  /** What changes, a line each: `- check`, `+ check`, `~ check`. */
  readonly changes: readonly string[];
}

/**
 * `text`: the file as it is, empty for none. `expires`: the day that new entries name. Entries whose check passes or is not there go, those
 * that fail in another way get the new signature, failures that are not in the file come to its end.
 */
export function proposeDeviations(
  text: string,
  known: readonly Deviation[],
  results: readonly CheckResult[],
  { expires, filtered }: { readonly expires: string; readonly filtered: boolean },
): Proposal {
  const document = parseDocument(text.trim() === '' ? 'deviations: []\n' : text);
  const entries = document.get('deviations') as YAMLSeq<YAMLMap>;
  entries.flow = false;
  const byId = new Map(results.map((one) => [one.id, one]));
  const changes: string[] = [];
  const kept = entries.items.filter((entry) => {
    const check = String(entry.get('check'));
    const result = byId.get(check);
    if (result === undefined ? filtered : !isFine(result)) return true;
    changes.push(`- ${check}`);
    return false;
  });
  for (const entry of kept) {
    const result = byId.get(String(entry.get('check')));
    const signature = entry.get('signature');
    if (result === undefined || signature === undefined || !isViolation(result)) continue;
    if (signatureOf(result).includes(String(signature))) continue;
    entry.set('signature', signatureOf(result));
    changes.push(`~ ${String(entry.get('check'))}`);
  }
  const named = new Set(known.map(({ check }) => check));
  const added = results.filter((one) => one.verdict === 'fail' && !named.has(one.id));
  entries.items = [
    ...kept,
    ...added.map((one) => {
      changes.push(`+ ${one.id}`);
      const entry = { check: one.id, signature: signatureOf(one), kind: 'bug', reason: SAY_WHY, expires };
      return document.createNode(entry) as YAMLMap;
    }),
  ];
  entries.flow = entries.items.length === 0;
  return { text: document.toString({ lineWidth: 0 }), changes };
}
