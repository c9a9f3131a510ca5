// Traces as the API shows them: a ladder as text, a packet capture, the SIP messages as records. Knows no resource that has one.
import type { CallTrace } from '../contract/resources/calls.ts';
import { failure, type Result } from '../kernel/errors.ts';
import { dataOf } from '../kernel/journal.ts';
import { utcText } from '../kernel/time.ts';
import { ladderOf } from '../media/ladder.ts';
import { ladderText } from '../media/ladder-text.ts';
import { pcapOf } from '../media/pcap.ts';
import { callOfPast } from '../store/past-dialog.ts';
import type { Trace } from '../store/traces.ts';
import { type ApiDeps, file, type Outcome } from './request.ts';

/** Ladder and messages. `name` is the file's without its ending. */
export function traceFile(trace: Result<Trace>, name: string): Outcome {
  return trace.ok ? file(ladderText(ladderOf(trace.value)), `${name}.trace.txt`) : trace;
}

/** With `dialog` only the messages with that Call-ID. */
export function pcapFile(trace: Result<Trace>, name: string, dialog?: string): Outcome {
  return trace.ok ? file(pcapOf(trace.value, dialog), `${name}.pcap`) : trace;
}

/**
 * The trace of the call that a SIP Call-ID is of: one that the exchange remembers, that of a call of the past, whose media
 * session names the call, or one that was kept when the exchange was another.
 */
export function traceOfDialog(
  { exchange, traces }: Pick<ApiDeps, 'exchange' | 'traces'>,
  dialog: string,
): Result<Trace> {
  const callId = exchange.callIdOfDialog(dialog) ?? callOfPast(dialog) ?? traces.callOfDialog(dialog);
  if (callId !== undefined) return traces.read(callId);
  return failure('not_found', 'This media session has no trace: its signalling is forgotten.');
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
