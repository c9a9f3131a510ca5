// The canonical form of journal entries: what two runs of one seed share even over sockets. Identifiers that peers choose
// and addresses become names in order of appearance; times, retransmissions and lengths that follow from them are left out.
import { dataOf, type JournalEntry, type Json } from '../kernel/journal.ts';

export interface CanonicalEntry {
  /** Position in this list, from 1. */
  readonly seq: number;
  readonly kind: string;
  readonly call_id: Json;
  readonly customer_id: number | null;
  /** Position of the cause, when it is in this list. */
  readonly cause: number | null;
  readonly data: Json;
}

/** Each rule finds identifiers, which get names of that sort. */
const rules: ReadonlyArray<{ readonly sort: string; readonly pattern: RegExp }> = [
  { sort: 'time', pattern: /\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g },
  { sort: 'dialog', pattern: /(?<=^(?:Call-ID|i): *)\S+/gim },
  { sort: 'branch', pattern: /(?<=;branch=)[^;,\s]+/gi },
  { sort: 'tag', pattern: /(?<=;tag=)[^;,\s>]+/gi },
  { sort: 'secret', pattern: /(?<=\b(?:c?nonce|response|opaque)=")[^"]*/gi },
  { sort: 'cseq', pattern: /(?<=^CSeq: *)\d+/gim },
  { sort: 'session', pattern: /(?<=^o=\S+ )\d+ \d+/gm },
  { sort: 'port', pattern: /(?<=^m=\w+ )[1-9]\d*/gm },
  { sort: 'port', pattern: /(?<=;rport=)\d+/gi },
  { sort: 'address', pattern: /(?:\[[0-9a-f:.]*:[0-9a-f:.]*\]|\b\d{1,3}(?:\.\d{1,3}){3}|\blocalhost)(?::\d+)?/gi },
];

/** Lines of a SIP message that only say when, or how long the other lines are. */
const LEFT_OUT = /^(?:Content-Length|l|Date|Timestamp): .*\r?\n/gim;

const NAMED_MEMBERS: Readonly<Record<string, string>> = { sip_call_id: 'dialog', flow: 'flow', id: 'event' };

export function canonical(entries: readonly JournalEntry[]): CanonicalEntry[] {
  const names = new Names();
  const positions = new Map<number, number>();
  const sent = new Set<string>();
  const result: CanonicalEntry[] = [];
  for (const entry of entries) {
    const data = dataOf(entry);
    if (entry.kind.startsWith('sip.') && typeof data.text === 'string') {
      const key = `${entry.kind} ${String(data.flow)} ${data.text}`;
      if (sent.has(key)) continue;
      sent.add(key);
    }
    const seq = result.length + 1;
    positions.set(entry.seq, seq);
    result.push({
      seq,
      kind: entry.kind,
      call_id: entry.callId === null ? null : names.of('call', String(entry.callId)),
      customer_id: entry.customerId,
      cause: entry.cause === null ? null : (positions.get(entry.cause) ?? null),
      data: rewrite(data as Json, names),
    });
  }
  return result;
}

class Names {
  readonly #bySort = new Map<string, Map<string, string>>();

  of(sort: string, value: string): string {
    if (sort === 'time') return 'time';
    const known = this.#bySort.get(sort) ?? new Map<string, string>();
    this.#bySort.set(sort, known);
    const name = known.get(value) ?? `${sort}-${known.size + 1}`;
    known.set(value, name);
    return name;
  }
}

function rewrite(value: Json | undefined, names: Names, member = ''): Json {
  if (typeof value === 'string') {
    const sort = NAMED_MEMBERS[member];
    return sort === undefined ? rewriteText(value, names) : names.of(sort, value);
  }
  if (Array.isArray(value)) return value.map((item: Json) => rewrite(item, names));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rewrite(item as Json, names, name)]));
}

function rewriteText(text: string, names: Names): string {
  const kept = text.replace(LEFT_OUT, '');
  return rules.reduce((written, { sort, pattern }) => written.replace(pattern, (found) => names.of(sort, found)), kept);
}
