// TLS in front of an HTTP server: who comes in, how long a handshake may take, and what is said to who speaks without TLS. Knows nothing of requests.
import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { ServerIdentity } from './authority/local-authority.ts';

/** From the connection to the end of the handshake; a client that says nothing has as long to begin. */
export const HANDSHAKE_MS = 10_000;
/** A server that runs for long shows a fresh certificate this often: well before the old one expires. */
export const RENEWAL_MS = 20 * 86_400_000;
export const MIN_TLS_VERSION = 'TLSv1.2';
/** The type of the first record of every handshake (RFC 8446, 5.1). */
const HANDSHAKE_RECORD = 22;

export interface TlsDoorParts {
  readonly options: ServerOptions;
  readonly handler: RequestListener;
  /** Asked at the start, and again after `RENEWAL_MS`. */
  readonly identity: () => ServerIdentity;
  /** Answers a client whose first byte is no TLS, and lets it go. */
  readonly refusePlain: (socket: Socket) => void;
  /** Default `HANDSHAKE_MS`. */
  readonly handshakeMs?: number;
}

export interface TlsDoor {
  readonly server: Server;
  /** Cuts every connection, those of half a handshake too. */
  close(): void;
}

export function tlsDoor(parts: TlsDoorParts): TlsDoor {
  const { options, handler, identity, refusePlain, handshakeMs = HANDSHAKE_MS } = parts;
  const server = createServer(
    { ...options, ...identity(), minVersion: MIN_TLS_VERSION, handshakeTimeout: handshakeMs },
    handler,
  );
  const sockets = new Set<Socket>();
  const enter = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    greet(socket, handshakeMs, {
      secure: () => {
        for (const listener of enter) listener.call(server, socket);
      },
      plain: () => refusePlain(socket),
    });
  });
  // Node would have the handshake's failure answered as a bad request, on a connection that nobody can read.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const renewal = setInterval(
    () => server.setSecureContext({ ...identity(), minVersion: MIN_TLS_VERSION }),
    RENEWAL_MS,
  );
  renewal.unref();
  return {
    server,
    close: () => {
      clearInterval(renewal);
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Ways {
  readonly secure: () => void;
  readonly plain: () => void;
}

/** Looks at the first byte, and gives it back. */
function greet(socket: Socket, patienceMs: number, { secure, plain }: Ways): void {
  const deadline = setTimeout(() => socket.destroy(), patienceMs);
  const leave = (): unknown => socket.destroy();
  socket.once('close', () => clearTimeout(deadline));
  socket.on('error', () => {});
  socket.once('end', leave);
  socket.once('data', (first: Buffer) => {
    socket.off('end', leave);
    if (first[0] !== HANDSHAKE_RECORD) {
      // The deadline stays: who does not read the answer is let go all the same.
      plain();
      return;
    }
    clearTimeout(deadline);
    socket.pause();
    socket.unshift(first);
    secure();
  });
}
