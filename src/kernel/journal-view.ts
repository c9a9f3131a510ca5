// An entry of the journal as it leaves the process, over the control API and into files: times as text, members as the REST API names its
// own. Knows no kind of entry.
import { dataOf, type JournalData, type JournalEntry } from './journal.ts';
import { isoText } from './time.ts';

export interface JournalEntryView {
  readonly seq: number;
  /** ISO 8601, UTC, of the simulator's clock. */
  readonly at: string;
  readonly kind: string;
  readonly call_id: number | null;
  readonly customer_id: number | null;
  readonly cause: number | null;
  readonly data: JournalData;
}

export function entryView(entry: JournalEntry): JournalEntryView {
  const { seq, at, kind, callId, customerId, cause } = entry;
  return { seq, at: isoText(at), kind, call_id: callId, customer_id: customerId, cause, data: dataOf(entry) };
}
