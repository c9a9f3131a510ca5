// HTTP, or HTTPS: one server for a handler that somebody else wrote, with the same limits for both. Knows nothing of what is served.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerIdentity } from './authority/local-authority.ts';
import { CannotListen } from './listening.ts';

export interface HttpOptions {
  /** A numeric address of this machine. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** A request line and headers larger than this get 431. */
  readonly maxHeaderBytes: number;
  /** With it the port speaks HTTPS and nothing else. Asked at the start and from time to time: certificates expire. */
  readonly identity?: () => ServerIdentity;
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

/** A server that does not listen yet. */
interface Made {
  readonly scheme: 'http' | 'https';
  readonly server: Server;
  /** Cuts every connection. */
  cut(): void;
}

export class HttpListener {
  readonly url: string;
  readonly #made: Made;

  private constructor(made: Made, host: string) {
    this.#made = made;
    this.url = urlOf(made, host);
  }

  /** Rejects with `CannotListen`. */
  static async open(options: HttpOptions): Promise<HttpListener> {
    const { host, port } = options;
    const made = await makeServer(options);
    const { server } = made;
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        made.cut();
        reject(new CannotListen(made.scheme.toUpperCase(), { host, port }, error));
      });
      server.listen({ host, port }, () => {
        server.removeAllListeners('error');
        server.on('error', () => {});
        resolve(new HttpListener(made, host));
      });
    });
  }

  /** Ends all connections and frees the port. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#made.server.close(() => resolve());
      this.#made.cut();
    });
  }
}

/** What only HTTPS needs is loaded only for HTTPS: it would cost every other start. */
async function makeServer({ host, maxHeaderBytes, handler, identity }: HttpOptions): Promise<Made> {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
  };
  if (identity === undefined) {
    const server = createServer(options, handler);
    answerWhatIsNone(server, { maxHeaderBytes, handler });
    return { scheme: 'http', server, cut: () => server.closeAllConnections() };
  }
  const { tlsDoor } = await import('./tls-door.ts');
  const refusePlain = (socket: Duplex): void =>
    refuse(socket, '400 Bad Request', `This port speaks HTTPS: use ${urlOf({ scheme: 'https', server }, host)}.`);
  const { server, close } = tlsDoor({ options, handler, identity, refusePlain });
  answerWhatIsNone(server, { maxHeaderBytes, handler });
  return { scheme: 'https', server, cut: close };
}

/** What is no request, or none for a server. */
function answerWhatIsNone(
  server: Server,
  { maxHeaderBytes, handler }: Pick<HttpOptions, 'maxHeaderBytes' | 'handler'>,
): void {
  const underWay = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => underWay.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What follows a request may be no HTTP while its answer is being sent: a second answer must not stand in the middle of it.
    const answer = underWay.get(socket);
    if (answer?.headersSent === true && !answer.writableFinished) return socket.destroy();
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
}

function urlOf({ scheme, server }: Pick<Made, 'scheme' | 'server'>, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
