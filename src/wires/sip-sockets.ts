// All that listens for SIP: UDP, TCP and WebSocket, and with certificates TLS and secure WebSocket. All of it or nothing. Knows nothing of what is said.
import type { Address, Flow, FlowListener, TransportName } from '../sip/flow.ts';
import type { ServerIdentity } from './authority/local-authority.ts';
import type { MakeFramer } from './stream-flow.ts';
import { TcpTransport } from './tcp.ts';
import type { TlsTransport } from './tls.ts';
import { UdpTransport } from './udp.ts';
import { WebSocketTransport } from './websocket.ts';

/** How far above the SIP port the others are, so that one number places all of them: 5061, 5066 and 5067 beside 5060. */
export const PORTS_ABOVE_SIP = { tls: 1, ws: 6, wss: 7 } as const;

export interface SipSocketOptions {
  readonly host: string;
  /** 0 for any free ones. */
  readonly port: number;
  readonly listener: FlowListener;
  readonly makeFramer: MakeFramer;
  /** For TLS and secure WebSocket; without it there is neither. */
  readonly identity: (() => ServerIdentity) | undefined;
}

interface Opened {
  readonly udp: UdpTransport;
  readonly tcp: TcpTransport;
  readonly ws: WebSocketTransport;
  readonly secure?: { readonly tls: TlsTransport; readonly wss: WebSocketTransport };
}

interface Closable {
  close(): Promise<void>;
}

export class SipSockets {
  readonly #opened: Opened;
  readonly #all: readonly Closable[];

  private constructor(opened: Opened, all: readonly Closable[]) {
    this.#opened = opened;
    this.#all = all;
  }

  /** Rejects with `CannotListen`; nothing stays open then. */
  static async open(options: SipSocketOptions): Promise<SipSockets> {
    const all: Closable[] = [];
    const kept = async <T extends Closable>(opening: Promise<T>): Promise<T> => {
      const transport = await opening;
      all.push(transport);
      return transport;
    };
    try {
      return new SipSockets(await openAll(options, kept), all);
    } catch (error) {
      await Promise.all(all.map((transport) => transport.close()));
      throw error;
    }
  }

  /** Where they listen; WebSockets by URL. */
  get addresses(): {
    readonly udp: Address;
    readonly tcp: Address;
    readonly ws: string;
    readonly tls?: Address;
    readonly wss?: string;
  } {
    const { udp, tcp, ws, secure } = this.#opened;
    const plain = { udp: udp.address, tcp: tcp.address, ws: ws.url };
    return secure === undefined ? plain : { ...plain, tls: secure.tls.address, wss: secure.wss.url };
  }

  /** A way to that peer; undefined where only the peer itself can make one (TLS, WebSocket). */
  connect(transport: TransportName, address: Address): Flow | undefined {
    if (transport === 'UDP') return this.#opened.udp.flowTo(address);
    if (transport === 'TCP') return this.#opened.tcp.connect(address);
    return undefined;
  }

  /** Sends what waits, closes all connections and frees the ports. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((transport) => transport.close()));
  }
}

async function openAll(
  { host, port, listener, makeFramer, identity }: SipSocketOptions,
  kept: <T extends Closable>(opening: Promise<T>) => Promise<T>,
): Promise<Opened> {
  const at = (above: number) => ({ host, port: port === 0 ? 0 : port + above, listener });
  const udp = await kept(UdpTransport.open({ host, port, listener }));
  const tcp = await kept(openTcp({ host, port: udp.address.port, listener, makeFramer }, port === 0));
  const ws = await kept(WebSocketTransport.open(at(PORTS_ABOVE_SIP.ws)));
  if (identity === undefined) return { udp, tcp, ws };
  const { TlsTransport } = await import('./tls.ts');
  const tls = await kept(TlsTransport.open({ ...at(PORTS_ABOVE_SIP.tls), makeFramer, identity }));
  const wss = await kept(WebSocketTransport.open({ ...at(PORTS_ABOVE_SIP.wss), identity }));
  return { udp, tcp, ws, secure: { tls, wss } };
}

type TcpOptions = Parameters<typeof TcpTransport.open>[0];

/** With any port asked for, the number that UDP has is tried first: one number for both is what people expect. */
async function openTcp(options: TcpOptions, anyPort: boolean): Promise<TcpTransport> {
  try {
    return await TcpTransport.open(options);
  } catch (error) {
    if (!anyPort) throw error;
    return TcpTransport.open({ ...options, port: 0 });
  }
}
