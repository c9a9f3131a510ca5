// Traces as the API shows them: a ladder as text, a packet capture, the SIP messages as records. Knows no resource that has one.
import type { CallTrace } from '../contract/resources/calls.ts';
import type { Result } from '../kernel/errors.ts';
import { dataOf } from '../kernel/journal.ts';
import { utcText } from '../kernel/time.ts';
import { ladderOf } from '../media/ladder.ts';
import { ladderText } from '../media/ladder-text.ts';
import { pcapOf } from '../media/pcap.ts';
import type { Trace } from '../store/traces.ts';
import { file, type Outcome } from './request.ts';

/** Ladder and messages. `name` is the file's without its ending. */
export function traceFile(trace: Result<Trace>, name: string): Outcome {
  return trace.ok ? file(ladderText(ladderOf(trace.value)), `${name}.trace.txt`) : trace;
}

/** With `dialog` only the messages with that Call-ID. */
export function pcapFile(trace: Result<Trace>, name: string, dialog?: string): Outcome {
  return trace.ok ? file(pcapOf(trace.value, dialog), `${name}.pcap`) : trace;
}

/** One record for each SIP message, in order. */
export function messagesOf({ callId, entries }: Trace): CallTrace[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'sip.in' && entry.kind !== 'sip.out') return [];
    const { transport, local, remote, text } = dataOf(entry);
    const isIn = entry.kind === 'sip.in';
    return [
      {
        id: entry.seq,
        call_id: callId,
        created_at: utcText(entry.at),
        direction: isIn ? ('in' as const) : ('out' as const),
        transport: String(transport),
        from: String(isIn ? remote : local),
        to: String(isIn ? local : remote),
        message: String(text),
      },
    ];
  });
}
