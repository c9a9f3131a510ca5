// Cuts a byte stream into SIP messages by Content-Length (RFC 3261, 18.3). Does not parse more of a message than that.
import { MAX_MESSAGE_BYTES } from './parse.ts';

const LF = 10;
const CR = 13;

export class StreamFramer {
  /** Called for each CRLF CRLF between messages (RFC 5626, 4.4.1): the wire answers with one CRLF. */
  onPing: (() => void) | undefined;
  #failed: string | undefined;
  #pending: Buffer = Buffer.alloc(0);
  /** How far the pending bytes have been searched for the end of the headers. */
  #searched = 0;
  /** Line ends seen between messages: a pair is a ping. */
  #emptyLines = 0;
  /** Total length of the message at the head of the pending bytes, once its headers are complete. */
  #expected: number | undefined;

  constructor(options: { readonly onPing?: () => void } = {}) {
    this.onPing = options.onPing;
  }

  /** Why the stream cannot be cut any more; the connection must be closed. Nothing is returned from then on. */
  get failed(): string | undefined {
    return this.#failed;
  }

  /** Takes what arrived and returns the messages that are now whole. Never throws, never holds more than one message. */
  push(chunk: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    if (this.#failed !== undefined) return messages;
    this.#pending = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    for (let message = this.#next(); message !== undefined; message = this.#next()) messages.push(message);
    if (this.#failed !== undefined) this.#pending = Buffer.alloc(0);
    return messages;
  }

  #next(): Uint8Array | undefined {
    if (this.#expected === undefined) {
      this.#skipEmptyLines();
      this.#expected = this.#measure();
    }
    if (this.#expected === undefined || this.#failed !== undefined || this.#pending.length < this.#expected) return;
    const message = this.#pending.subarray(0, this.#expected);
    this.#pending = this.#pending.subarray(this.#expected);
    this.#expected = undefined;
    this.#searched = 0;
    this.#emptyLines = 0;
    return message;
  }

  #skipEmptyLines(): void {
    let at = 0;
    for (; at < this.#pending.length; at += 1) {
      const byte = this.#pending[at];
      if (byte !== CR && byte !== LF) break;
      if (byte === LF) this.#emptyLines += 1;
      if (this.#emptyLines === 2) {
        this.#emptyLines = 0;
        this.onPing?.();
      }
    }
    if (at > 0) this.#pending = this.#pending.subarray(at);
  }

  /** Length of the message at the head, when its headers are all there. */
  #measure(): number | undefined {
    const head = endOfHead(this.#pending, this.#searched);
    if (head < 0) {
      this.#searched = Math.max(0, this.#pending.length - 3);
      if (this.#pending.length > MAX_MESSAGE_BYTES)
        this.#failed = `no end of headers within ${MAX_MESSAGE_BYTES} bytes`;
      return undefined;
    }
    const length = contentLength(this.#pending.toString('latin1', 0, head));
    if (length === undefined) this.#failed = 'Content-Length is no number';
    else if (head + length > MAX_MESSAGE_BYTES) this.#failed = `a message longer than ${MAX_MESSAGE_BYTES} bytes`;
    return length === undefined ? undefined : head + length;
  }
}

function endOfHead(bytes: Buffer, from: number): number {
  for (let end = bytes.indexOf(LF, from); end >= 0; end = bytes.indexOf(LF, end + 1)) {
    if (bytes[end + 1] === LF) return end + 2;
    if (bytes[end + 1] === CR && bytes[end + 2] === LF) return end + 3;
  }
  return -1;
}

/** 0 when there is none; undefined when it cannot be believed: absurd, or two that differ. */
function contentLength(head: string): number | undefined {
  let length: number | undefined;
  for (const line of head.matchAll(/\n(?:content-length|l)[ \t]*:\s*([^\r\n]*)/gi)) {
    const value = (line[1] ?? '').trim();
    if (!/^\d{1,9}$/.test(value) || (length !== undefined && length !== Number(value))) return undefined;
    length = Number(value);
  }
  return length ?? 0;
}
