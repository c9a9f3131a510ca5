// SIP messages to bytes, and the building of requests and responses (RFC 3261, 7 and 8.2.6). Keeps no state.
import { Headers, onOneLine } from './headers.ts';
import { NO_BODY, SIP_VERSION, type SipMessage, type SipRequest, type SipResponse } from './message.ts';
import { reasonPhrase } from './reasons.ts';

export { reasonPhrase } from './reasons.ts';

/** Makes bytes that share their memory with nobody: a body is kept as long as its call. */
const encoder = new TextEncoder();

type HeaderLines = ReadonlyArray<readonly [name: string, value: string]>;

export interface RequestParts {
  readonly method: string;
  readonly uri: string;
  readonly headers: Headers | HeaderLines;
  readonly body?: string | Uint8Array;
}

export interface ResponseParts {
  readonly reason?: string;
  /** Added to To when it has none yet. */
  readonly toTag?: string;
  readonly headers?: HeaderLines;
  readonly body?: string | Uint8Array;
}

/** The message on the wire. Content-Length is always written, last, with the true length (RFC 3261, 20.14). */
export function serialise(message: SipMessage): Uint8Array {
  const version = message.version === undefined ? SIP_VERSION : message.version;
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri} ${version}`
      : `${version} ${message.status} ${message.reason}`;
  const { body } = message;
  const head = `${onOneLine(start)}\r\n${message.headers.toWire()}Content-Length: ${body.length}\r\n\r\n`;
  const headBytes = Buffer.byteLength(head, 'utf8');
  // Not from the pool: one message that is kept would keep all that were written about the same time.
  const bytes = Buffer.allocUnsafeSlow(headBytes + body.length);
  bytes.write(head, 0, 'utf8');
  if (body.length > 0) bytes.set(body, headBytes);
  return bytes;
}

/** A request with these parts. A body needs its Content-Type among the headers. */
export function requestOf({ method, uri, headers, body }: RequestParts): SipRequest {
  return {
    kind: 'request',
    method,
    uri,
    headers: headers instanceof Headers ? headers : Headers.of(headers),
    body: bytesOf(body),
  };
}

/**
 * A response to a request: Via, From, To, Call-ID and CSeq as they came, Record-Route where the response makes a
 * dialog (101-299 to INVITE, SUBSCRIBE, REFER, NOTIFY), Timestamp in a 100 (RFC 3261, 8.2.6 and 12.1.1).
 */
export function responseTo(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const headers = new Headers().appendFrom(request.headers, 'Via');
  if (status > 100 && status < 300 && makesDialog(request.method)) headers.appendFrom(request.headers, 'Record-Route');
  headers.appendFrom(request.headers, 'From');
  const to = request.headers.get('To');
  if (to !== undefined) {
    const { toTag = '' } = parts;
    headers.append('To', toTag === '' || hasTag(to) ? to : `${to};tag=${toTag}`);
  }
  headers.appendFrom(request.headers, 'Call-ID').appendFrom(request.headers, 'CSeq');
  if (status === 100) headers.appendFrom(request.headers, 'Timestamp');
  for (const [name, value] of parts.headers ?? []) headers.append(name, value);
  const reason = parts.reason ?? reasonPhrase(status);
  return { kind: 'response', status, reason, headers, body: bytesOf(parts.body) };
}

function makesDialog(method: string): boolean {
  return method === 'INVITE' || method === 'SUBSCRIBE' || method === 'REFER' || method === 'NOTIFY';
}

/** A tag among the header's own parameters: after the closing bracket when there is one. */
function hasTag(to: string): boolean {
  return /;\s*tag\s*=/i.test(to.slice(to.lastIndexOf('>') + 1));
}

function bytesOf(body: string | Uint8Array | undefined): Uint8Array {
  if (body === undefined || body.length === 0) return NO_BODY;
  return typeof body === 'string' ? encoder.encode(body) : body;
}
