// Where a phone takes RTP: a socket of its own whose sound nobody listens to. Knows no RTP.
import { UdpTransport } from '../../wires/udp.ts';
import type { Address } from './wire.ts';

/** Senders remembered at once. */
const MAX_SENDERS = 16;

/** A port on that host that stays ours until it is closed, so that sound sent to a phone reaches nobody else. */
export async function openMediaPort(host: string): Promise<{ readonly place: Address; close(): Promise<void> }> {
  const socket = await UdpTransport.open({
    host,
    port: 0,
    maxFlows: MAX_SENDERS,
    listener: { received: () => {}, closed: () => {} },
  });
  return { place: socket.address, close: () => socket.close() };
}
