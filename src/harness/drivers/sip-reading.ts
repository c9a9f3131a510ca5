// What an expectation asks of a SIP message, read from its text: method, status, Call-ID, direction of its audio. Knows no phone; lenient, since the target wrote it.
import type { PhoneMessage, SdpDirection } from './phone-driver.ts';

/** Reads one message. Undefined when it has no SIP start line. */
export function readSipMessage(text: string, direction: PhoneMessage['direction']): PhoneMessage | undefined {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end + 4);
  const start = /^(?:SIP\/2\.0 (\d{3})|([A-Z]+) \S+ SIP\/2\.0)/.exec(head);
  if (start === null) return undefined;
  const [, status, method] = start;
  const sdp = sdpDirection(body);
  return {
    direction,
    method: method ?? /^\d+\s+(\w+)/.exec(headerOf(head, 'CSeq') ?? '')?.[1] ?? '',
    ...(status === undefined ? {} : { status: Number(status) }),
    sipCallId: headerOf(head, 'Call-ID') ?? headerOf(head, 'i') ?? '',
    ...(sdp === undefined ? {} : { sdp }),
    text,
  };
}

/** The first value of a header. */
export function headerOf(text: string, name: string): string | undefined {
  const wanted = `${name.toLowerCase()}:`;
  for (const line of text.split('\r\n').slice(1)) {
    if (line === '') return undefined;
    if (line.toLowerCase().replace(/\s*:/, ':').startsWith(wanted)) return line.slice(line.indexOf(':') + 1).trim();
  }
  return undefined;
}

/** The user part of the URI in From or To. */
export function userIn(text: string, name: 'From' | 'To'): string {
  const value = headerOf(text, name) ?? headerOf(text, name === 'From' ? 'f' : 't') ?? '';
  return /sips?:([^@;>]+)@/i.exec(value)?.[1] ?? '';
}

// RFC 3264, 5.1 and 8.4; RFC 4566, 6: a stream's own attribute wins over the session's, without either it is sendrecv,
// and the older way to hold is an address of zeros.
function sdpDirection(body: string): SdpDirection | undefined {
  if (!body.startsWith('v=0')) return undefined;
  const [session = '', ...streams] = body.split(/\r?\nm=/);
  const audio = streams.find((stream) => stream.startsWith('audio ')) ?? streams[0];
  if (audio === undefined) return undefined;
  if (/^c=IN IP4 0\.0\.0\.0\s*$/m.test(audio) || (!/^c=/m.test(audio) && /^c=IN IP4 0\.0\.0\.0\s*$/m.test(session)))
    return 'sendonly';
  const named = attribute(audio) ?? attribute(session) ?? 'sendrecv';
  return named;
}

function attribute(section: string): SdpDirection | undefined {
  return /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(section)?.[1] as SdpDirection | undefined;
}
