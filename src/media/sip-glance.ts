// What one sees of a SIP message at a glance: enough to label an arrow. Not a parser: any text gives something to show.

export interface SipGlance {
  /** `INVITE (SDP sendonly)`, `180 Ringing`, `200 OK (BYE)`. */
  readonly label: string;
  /** The user part of To, or its whole URI. */
  readonly to: string;
}

/** Methods whose responses speak for themselves. */
const PLAIN = 'INVITE';
const HELD = ['sendonly', 'recvonly', 'inactive'] as const;

export function sipGlance(message: string): SipGlance {
  const { start, headers, body } = partsOf(message);
  const method = /^\d+[ \t]+(\S+)/.exec(headerOf(headers, 'CSeq') ?? '')?.[1] ?? '';
  const status = /^SIP\/\S+ (\d{3}(?: .*)?)$/.exec(start)?.[1];
  const name = status === undefined ? (start.split(' ')[0] ?? '') : status.trim();
  const marks = [...(status === undefined || method === PLAIN ? [] : [method]), ...sdpMarks(body)].filter(
    (mark) => mark !== '',
  );
  return {
    label: marks.length === 0 ? name : `${name} (${marks.join(' ')})`,
    to: userOf(headerOf(headers, 'To', 't') ?? ''),
  };
}

/** Reason and Refer-To, which say what the start line does not. */
export function reasonText(message: string): string {
  const { headers } = partsOf(message);
  const reason = headerOf(headers, 'Reason');
  const target = headerOf(headers, 'Refer-To', 'r');
  return [...(reason === undefined ? [] : [reason]), ...(target === undefined ? [] : [`Refer-To: ${target}`])].join(
    ', ',
  );
}

function partsOf(message: string): { readonly start: string; readonly headers: string; readonly body: string } {
  const end = message.indexOf('\r\n\r\n');
  const head = end < 0 ? message : message.slice(0, end);
  const line = head.indexOf('\r\n');
  return {
    start: line < 0 ? head : head.slice(0, line),
    headers: line < 0 ? '' : head.slice(line + 2),
    body: end < 0 ? '' : message.slice(end + 4),
  };
}

function headerOf(headers: string, ...names: readonly string[]): string | undefined {
  for (const line of headers.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0 && names.some((name) => name.toLowerCase() === line.slice(0, colon).trimEnd().toLowerCase()))
      return line
        .slice(colon + 1)
        .trim()
        .replace(/\s+/g, ' ');
  }
  return undefined;
}

function sdpMarks(body: string): string[] {
  if (!body.startsWith('v=0')) return [];
  const direction = HELD.find((word) => body.includes(`\r\na=${word}\r\n`) || body.endsWith(`\r\na=${word}`));
  return [direction === undefined ? 'SDP' : `SDP ${direction}`];
}

function userOf(nameAddr: string): string {
  const uri = /<([^>]*)>/.exec(nameAddr)?.[1] ?? nameAddr;
  return /^sips?:([^@;>]+)@/i.exec(uri)?.[1] ?? uri;
}
