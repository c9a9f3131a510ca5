// SIP messages as values: a start line, ordered headers, a body (RFC 3261, 7). Knows nothing of transactions or the network.
import type { Headers } from './headers.ts';

export interface SipRequest {
  readonly kind: 'request';
  readonly method: string;
  /** The Request-URI as written. */
  readonly uri: string;
  /** As written, when it came from the wire. Absent: SIP/2.0. */
  readonly version?: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface SipResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  /** As written, when it came from the wire. Absent: SIP/2.0. */
  readonly version?: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export type SipMessage = SipRequest | SipResponse;

/** The version of SIP that we speak and that a message of ours carries. */
export const SIP_VERSION = 'SIP/2.0';

export const NO_BODY = new Uint8Array(0);
