// A flow: one way to one peer. wires/ makes them of sockets, sip/memory-flow.ts of nothing at all.

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** As written in Via: WS and WSS are RFC 7118; MEM is our own in-memory wire. */
export type TransportName = 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS' | 'MEM';

export interface Flow {
  /** Stable while the flow lives, unique in the process: `udp:127.0.0.1:5070`. */
  readonly id: string;
  readonly transport: TransportName;
  /** A reliable flow needs no retransmissions (RFC 3261, 17). */
  readonly reliable: boolean;
  /** The peer lives in real time, outside this process. */
  readonly external: boolean;
  /** Our end, as written in Via and Contact. */
  readonly local: Address;
  /** Where messages come from and answers go to. */
  readonly remote: Address;
  readonly open: boolean;
  /** Never throws. What cannot be sent is lost, and on a reliable flow the listener hears `closed`. */
  send(bytes: Uint8Array): void;
}

/** Whoever receives what arrives on flows. One listener serves many flows. */
export interface FlowListener {
  /** One whole SIP message, or on UDP one datagram. */
  received(flow: Flow, bytes: Uint8Array): void;
  /** The flow is gone: a connection was closed or refused. Never called for UDP. */
  closed(flow: Flow, why: string): void;
}
