// The few words of a SIP message by which transactions are told apart (RFC 3261, 17.1.3 and 17.2.3). Lenient; knows no transaction.
import { headerOf } from '../drivers/sip-reading.ts';

export interface SipHead {
  /** Of a response: that of its CSeq. */
  readonly method: string;
  /** Absent in requests. */
  readonly status?: number;
  /** Of the top Via; for peers of RFC 2543, which have none, what else makes the transaction one of its own. */
  readonly branch: string;
  /** To has a tag: the message belongs to a dialog, or begins one. */
  readonly toTag: boolean;
}

/** Undefined for what is no SIP message. */
export function readHead(text: string): SipHead | undefined {
  const start = /^(?:SIP\/2\.0 (\d{3})|([A-Z]+) \S+ SIP\/2\.0)/.exec(text);
  if (start === null) return undefined;
  const [, status, method] = start;
  const via = headerOf(text, 'Via') ?? headerOf(text, 'v') ?? '';
  const to = headerOf(text, 'To') ?? headerOf(text, 't') ?? '';
  const cseq = headerOf(text, 'CSeq') ?? '';
  const callId = headerOf(text, 'Call-ID') ?? headerOf(text, 'i') ?? '';
  return {
    method: method ?? /^\d+\s+(\w+)/.exec(cseq)?.[1] ?? '',
    ...(status === undefined ? {} : { status: Number(status) }),
    branch: /;\s*branch\s*=\s*(z9hG4bK[^;,\s]+)/i.exec(via)?.[1] ?? `${via} ${callId} ${cseq.split(' ', 1)[0]}`,
    toTag: /;\s*tag\s*=/i.test(to),
  };
}
