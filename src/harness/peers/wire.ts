// A phone's way to its SIP server: one message at a time, as text. Knows no SIP and no sip.js.
import type { UdpOptions } from '../../wires/udp.ts';

/** What the wires call a listener and a way to one peer. */
export type FlowListener = UdpOptions['listener'];
export type Flow = Parameters<FlowListener['received']>[0];
export type Address = Flow['remote'];

/** The server that a phone registers at. `host` may be a name. */
export type SipServer =
  | { readonly transport: 'ws'; readonly url: string }
  | { readonly transport: 'udp' | 'tcp'; readonly host: string; readonly port: number };

export interface WireListener {
  /** One message. */
  received(text: string): void;
  /** The connection is gone. Called once, and never for UDP. */
  closed(why: string): void;
}

export interface Wire {
  /** As written in Via (RFC 3261, 20.42; RFC 7118, 5.1). */
  readonly transport: 'UDP' | 'TCP' | 'WS' | 'WSS';
  /** Nothing sent on it is lost: no retransmissions (RFC 3261, 17). */
  readonly reliable: boolean;
  /** Our end, for Via and Contact. Absent where the server cannot reach us but by this connection (RFC 7118, 5). */
  readonly local?: Address;
  /** Never throws; what cannot be sent is lost. */
  send(text: string): void;
  /** No sign of life from now on, not even to the server's pings. */
  silence(): void;
  /** Resolves when nothing is left open. */
  close(): Promise<void>;
}

/** Rejects with an error whose message is fit to be shown. */
export type OpenWire = (listener: WireListener) => Promise<Wire>;
