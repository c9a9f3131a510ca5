// The client's end of a WebSocket that carries one text message per frame. Knows nothing of what the messages say.
import { type RawData, WebSocket } from 'ws';
import { plainWords } from './plain-words.ts';

export interface WebSocketClientOptions {
  /** `ws://127.0.0.1:8088`. */
  readonly url: string;
  /** `sip` for RFC 7118. */
  readonly subprotocol: string;
  received(bytes: Uint8Array): void;
  /** Called once when an open connection is gone, whoever closed it. */
  closed(why: string): void;
  /** A connection that is not there by then is given up, in ms of real time. Default 10 s. */
  readonly connectMs?: number;
}

const CONNECT_MS = 10_000;
/** How long the server has to answer our closing. */
const FAREWELL_MS = 250;
/** A longer message closes the connection (RFC 6455, 7.4.1: status 1009). */
const MAX_MESSAGE_BYTES = 262_144;

export class WebSocketClient {
  readonly #socket: WebSocket;
  #silent = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('ping', (data) => {
      if (!this.#silent) socket.pong(data);
    });
  }

  /** Rejects with an error whose message is fit to be shown. */
  static open(options: WebSocketClientOptions): Promise<WebSocketClient> {
    return new Promise((resolve, reject) => {
      if (!isWebSocketUrl(options.url)) return reject(new Error(`${options.url} is no URL of a WebSocket`));
      const socket = new WebSocket(options.url, options.subprotocol, {
        autoPong: false,
        handshakeTimeout: options.connectMs ?? CONNECT_MS,
        maxPayload: MAX_MESSAGE_BYTES,
        perMessageDeflate: false,
      });
      let why = 'the connection was closed by the server';
      socket.on('error', (error) => {
        why = plainWords(error);
        reject(new Error(why));
      });
      socket.once('open', () => {
        socket.on('message', (data: RawData) => options.received(bytesOf(data)));
        socket.once('close', () => options.closed(why));
        resolve(new WebSocketClient(socket));
      });
    });
  }

  /** Never throws. Lost when the connection is gone. */
  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** From now on pings are not answered: the server finds out that nobody is there. */
  silence(): void {
    this.#silent = true;
  }

  /** Closes as RFC 6455 asks, the hard way when the server takes too long. Resolves when the connection is gone. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) return resolve();
      const late = setTimeout(() => this.#socket.terminate(), FAREWELL_MS);
      this.#socket.once('close', () => {
        clearTimeout(late);
        resolve();
      });
      this.#socket.close();
    });
  }
}

function isWebSocketUrl(url: string): boolean {
  return URL.canParse(url) && ['ws:', 'wss:'].includes(new URL(url).protocol);
}

function bytesOf(data: RawData): Uint8Array {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
