// Journal entries written out and compressed, in parts, and read back. Knows nothing of whose they are.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Bulk } from '../kernel/bulk.ts';
import { dataOf, type JournalEntry } from '../kernel/journal.ts';

/** Copied, as what zlib gives is the beginning of 16 KiB that would be kept with it. */
export function sealed(entries: readonly JournalEntry[]): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(entries.map((entry) => ({ ...entry, data: dataOf(entry) })))));
}

export function unsealed(bytes: Uint8Array): JournalEntry[] {
  return JSON.parse(inflateRawSync(bytes).toString('utf8')) as JournalEntry[];
}

/** Those that are there. */
export function partsOf(bulk: Bulk): Uint8Array[] {
  const parts = Array.from({ length: bulk.count }, (_, at) => bulk.part(at));
  return parts.filter((part) => part !== undefined);
}

/** The entries with `by` added to the numbers of all. */
export function shifted(entries: readonly JournalEntry[], by: number): readonly JournalEntry[] {
  if (by === 0) return entries;
  return entries.map((entry) => ({
    ...entry,
    seq: entry.seq + by,
    cause: entry.cause === null ? null : entry.cause + by,
  }));
}

// RFC 3261, 20.8 and 7.3.3: the compact form of Call-ID is i.
const DIALOG = /^(?:call-id|i)[ \t]*:[ \t]*(\S{1,512})/im;

/** The SIP Call-IDs of the messages among them, each once. */
export function dialogsIn(entries: readonly JournalEntry[]): string[] {
  const found = new Set<string>();
  for (const entry of entries) {
    if (!entry.kind.startsWith('sip.')) continue;
    const { text } = dataOf(entry);
    const dialog = typeof text === 'string' ? DIALOG.exec(text)?.[1] : undefined;
    if (dialog !== undefined) found.add(dialog);
  }
  return [...found];
}
