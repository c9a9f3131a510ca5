// A phone's wire over WebSocket (RFC 7118): each frame is one message. Knows no sip.js.
import { WebSocketClient } from '../../wires/websocket-client.ts';
import type { OpenWire } from './wire.ts';

/** `ws://host:port/path`, or `wss:`. */
export function openWebSocketWire(url: string): OpenWire {
  return async (listener) => {
    const client = await WebSocketClient.open({
      url,
      subprotocol: 'sip',
      received: (bytes) => listener.received(Buffer.from(bytes).toString()),
      closed: (why) => listener.closed(why),
    });
    return {
      transport: /^wss:/i.test(url) ? 'WSS' : 'WS',
      reliable: true,
      send: (text) => client.send(text),
      silence: () => client.silence(),
      close: () => client.close(),
    };
  };
}
