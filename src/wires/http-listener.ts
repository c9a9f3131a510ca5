// HTTP: one server for a handler that somebody else wrote. Knows nothing of what is served.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotListen } from './listening.ts';

export interface HttpOptions {
  /** A numeric address of this machine. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** A request line and headers larger than this get 431. */
  readonly maxHeaderBytes: number;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A client that sends its head or body slower than this is let go. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Idle connections are kept this long: longer than most clients' pools, so that none of them meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;

/** Answers on the bare socket, in the form of every error here, and lets the client go. */
function refuse(socket: Duplex, status: string, message: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ message, errors: [message] });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

export class HttpListener {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, host: string) {
    const { port } = server.address() as AddressInfo;
    this.#server = server;
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Rejects with `CannotListen`. */
  static open({ host, port, maxHeaderBytes, handler }: HttpOptions): Promise<HttpListener> {
    return new Promise((resolve, reject) => {
      const server = createServer(
        {
          requestTimeout: REQUEST_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          maxHeaderSize: maxHeaderBytes,
          requireHostHeader: false,
        },
        handler,
      );
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
        if (tooLarge)
          refuse(
            socket,
            '431 Request Header Fields Too Large',
            `The request's headers are larger than ${maxHeaderBytes} bytes.`,
          );
        else refuse(socket, '400 Bad Request', 'This is not an HTTP request that can be read.');
      });
      // An expectation that is not known is no reason to say nothing: the handler answers what was asked.
      server.on('checkExpectation', handler);
      server.on('connect', (_request, socket) =>
        refuse(socket, '405 Method Not Allowed', 'This is a server, not a proxy: it has no method CONNECT.'),
      );
      server.once('error', (error) => reject(new CannotListen('HTTP', { host, port }, error)));
      server.listen({ host, port }, () => {
        server.removeAllListeners('error');
        server.on('error', () => {});
        resolve(new HttpListener(server, host));
      });
    });
  }

  /** Ends all connections and frees the port. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
