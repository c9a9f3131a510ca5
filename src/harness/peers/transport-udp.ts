// A phone's wire over UDP: a socket of its own, and one server that it hears. Knows no sip.js; what is lost is lost.
import { lookUpHost } from '../../wires/host-lookup.ts';
import { familyOf, isLoopback } from '../../wires/ip-address.ts';
import { UdpTransport } from '../../wires/udp.ts';
import { ReturnPath } from './return-path.ts';
import type { OpenWire } from './wire.ts';

/** Datagrams from other hosts than the server are not for a phone. */
export function openUdpWire(server: { readonly host: string; readonly port: number }): OpenWire {
  return async (listener) => {
    const host = await lookUpHost(server.host);
    let path: ReturnPath | undefined;
    const socket = await UdpTransport.open({
      host: socketHostFor(host),
      port: 0,
      listener: {
        received: (flow, bytes) => {
          if (path === undefined || flow.remote.host !== host) return;
          const text = Buffer.from(bytes).toString();
          path.came(flow, text);
          listener.received(text);
        },
        closed: () => {},
      },
    });
    const flow = socket.flowTo({ host, port: server.port });
    if (flow === undefined) {
      await socket.close();
      throw new Error(`${host} port ${server.port} cannot be reached over UDP`);
    }
    const paths = new ReturnPath(flow);
    path = paths;
    return {
      transport: 'UDP',
      reliable: false,
      local: flow.local,
      send: (text) => paths.of(text).send(Buffer.from(text)),
      silence: () => {},
      close: () => socket.close(),
    };
  };
}

/** Where to bind so that this host can reach us, and nobody else when it is this machine. */
export function socketHostFor(host: string): string {
  if (isLoopback(host)) return host;
  return familyOf(host) === 6 ? '::' : '0.0.0.0';
}
