// sip.js's transport on a wire: repeats where the wire may lose, shows every message to an observer, can fall silent. Knows no calls.
import { EmitterImpl, type Transport, TransportState } from 'sip.js';
import type { TimeHost } from '../../kernel/clock.ts';
import { Retransmission } from './retransmission.ts';
import { readHead } from './sip-head.ts';
import { asSipjsTakes } from './sipjs-taste.ts';
import type { Wire } from './wire.ts';

export interface SipjsTransportOptions {
  readonly wire: Wire;
  readonly time: TimeHost;
  /** Every message on the wire, as it is there. */
  readonly observe: (direction: 'sent' | 'received', text: string) => void;
  /** New calls are not even heard. */
  readonly ignoresCalls: () => boolean;
}

export class SipjsTransport implements Transport {
  readonly protocol: string;
  onConnect: (() => void) | undefined;
  onDisconnect: ((error?: Error) => void) | undefined;
  onMessage: ((message: string) => void) | undefined;
  readonly stateChange = new EmitterImpl<TransportState>();
  readonly #options: SipjsTransportOptions;
  readonly #repeats: Retransmission | undefined;
  #state = TransportState.Disconnected;
  #vanished = false;

  /** The signature is sip.js's; the wire is open already. */
  constructor(_logger: unknown, options: SipjsTransportOptions) {
    this.#options = options;
    this.protocol = options.wire.transport;
    this.#repeats = options.wire.reliable ? undefined : new Retransmission(options.time, (text) => this.#put(text));
  }

  get state(): TransportState {
    return this.#state;
  }

  isConnected(): boolean {
    return this.#state === TransportState.Connected;
  }

  connect(): Promise<void> {
    if (!this.isConnected()) {
      this.#become(TransportState.Connecting);
      this.#become(TransportState.Connected);
      this.onConnect?.();
    }
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    if (this.isConnected()) {
      this.#become(TransportState.Disconnecting);
      this.#lost();
    }
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return this.disconnect();
  }

  send(message: string): Promise<void> {
    if (!this.isConnected()) return Promise.reject(new Error('The connection is gone.'));
    if (this.#repeats === undefined) this.#put(message);
    else this.#repeats.outgoing(message);
    return Promise.resolve();
  }

  /** One message from the wire. Never throws: sip.js does on some that are malformed, and they are dropped. */
  received(text: string): void {
    if (this.#vanished || !this.isConnected() || readHead(text) === undefined) return;
    this.#options.observe('received', text);
    if (this.#options.ignoresCalls() && isNewCall(text)) return;
    if (this.#repeats?.incoming(text) === false) return;
    try {
      this.onMessage?.(asSipjsTakes(text));
    } catch {
      // The message is among those observed; to the phone it is as if it had not come.
    }
  }

  /** The wire is gone: the user agent's requests fail from now on. */
  broke(why: string): void {
    if (this.isConnected()) this.#lost(new Error(why));
  }

  /** Nothing leaves or enters any more, as if the plug had been pulled. */
  vanish(): void {
    this.#vanished = true;
    this.#repeats?.stop();
    this.#options.wire.silence();
  }

  /** Resolves when nothing that was sent waits for its answer. Over reliable wires that is at once. */
  quiet(): Promise<void> {
    const repeats = this.#repeats;
    return new Promise((resolve) => {
      if (repeats === undefined || repeats.quiet) return resolve();
      const end = repeats.onChange(() => {
        if (!repeats.quiet) return;
        end();
        resolve();
      });
    });
  }

  #put(text: string): void {
    if (this.#vanished) return;
    this.#options.observe('sent', text);
    this.#options.wire.send(text);
  }

  #lost(error?: Error): void {
    this.#repeats?.stop();
    this.#become(TransportState.Disconnected);
    this.onDisconnect?.(error);
  }

  #become(state: TransportState): void {
    this.#state = state;
    this.stateChange.emit(state);
  }
}

function isNewCall(text: string): boolean {
  const head = readHead(text);
  return head?.method === 'INVITE' && head.status === undefined && !head.toTag;
}
