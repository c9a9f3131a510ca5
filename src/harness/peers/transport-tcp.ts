// A phone's wire over TCP: a connection to its server, and a port at which the server can connect back (RFC 3261, 18). Knows no sip.js.
import { lookUpHost } from '../../wires/host-lookup.ts';
import { TcpTransport } from '../../wires/tcp.ts';
import { MessageCutter } from './message-cutter.ts';
import { ReturnPath } from './return-path.ts';
import { socketHostFor } from './transport-udp.ts';
import type { Flow, OpenWire } from './wire.ts';

/** A connection that does not come about is told to the listener as closed. */
export function openTcpWire(server: { readonly host: string; readonly port: number }): OpenWire {
  return async (listener) => {
    const host = await lookUpHost(server.host);
    let flow: Flow | undefined;
    let path: ReturnPath | undefined;
    const sockets = await TcpTransport.open({
      host: socketHostFor(host),
      port: 0,
      makeFramer: (onPing) => new MessageCutter(onPing),
      listener: {
        received: (from, bytes) => {
          if (path === undefined || from.remote.host !== host) return;
          const text = Buffer.from(bytes).toString();
          path.came(from, text);
          listener.received(text);
        },
        closed: (gone, why) => {
          if (gone === flow) listener.closed(why);
        },
      },
    });
    flow = sockets.connect({ host, port: server.port });
    if (flow === undefined) {
      await sockets.close();
      throw new Error(`${host} port ${server.port} cannot be reached over TCP`);
    }
    const paths = new ReturnPath(flow);
    path = paths;
    return {
      transport: 'TCP',
      reliable: true,
      local: flow.local,
      send: (text) => paths.of(text).send(Buffer.from(text)),
      silence: () => {},
      close: () => sockets.close(),
    };
  };
}
