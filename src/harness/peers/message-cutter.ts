// Cuts the byte stream of a phone's TCP connection into messages by Content-Length (RFC 3261, 18.3). Reads no more of them than that.

/** A longer message ends the connection. */
const MAX_MESSAGE_BYTES = 262_144;
const PING = '\r\n\r\n';

export class MessageCutter {
  readonly #onPing: () => void;
  #pending: Buffer = Buffer.alloc(0);
  #failed: string | undefined;

  /** `onPing` is called for each double line end between messages (RFC 5626, 4.4.1). */
  constructor(onPing: () => void) {
    this.#onPing = onPing;
  }

  /** Why nothing more can be cut. */
  get failed(): string | undefined {
    return this.#failed;
  }

  /** The messages that are whole now. Never throws. */
  push(chunk: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#failed === undefined) {
      this.#skipLineEnds();
      const length = this.#lengthOfFirst();
      if (length === undefined || length > this.#pending.length) break;
      messages.push(this.#pending.subarray(0, length));
      this.#pending = this.#pending.subarray(length);
    }
    return messages;
  }

  #skipLineEnds(): void {
    while (this.#pending.subarray(0, 4).toString('latin1') === PING) {
      this.#pending = this.#pending.subarray(4);
      this.#onPing();
    }
    // A single line end is the answer to a ping of ours, or half of one that is still to come.
    while (this.#pending.length > 2 && this.#pending[0] === 13 && this.#pending[1] === 10 && this.#pending[2] !== 13)
      this.#pending = this.#pending.subarray(2);
  }

  #lengthOfFirst(): number | undefined {
    const end = this.#pending.indexOf(PING);
    if (end < 0) {
      if (this.#pending.length > MAX_MESSAGE_BYTES) this.#failed = `headers longer than ${MAX_MESSAGE_BYTES} bytes`;
      return undefined;
    }
    const head = this.#pending.toString('latin1', 0, end);
    const body = Number(/^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im.exec(head)?.[1] ?? 0);
    if (end + PING.length + body > MAX_MESSAGE_BYTES) this.#failed = `a message longer than ${MAX_MESSAGE_BYTES} bytes`;
    return this.#failed === undefined ? end + PING.length + body : undefined;
  }
}
