// One connection on which anything may be sent, also what is no HTTP, and answers are read as they come. Knows nothing of what is asked.
import { connect, type Socket } from 'node:net';

/** How long an answer may take on a busy machine, ms. */
export const ANSWER_WITHIN_MS = 15_000;

export interface WireAnswer {
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How often somebody who waits looks at the time. */
const LOOK_MS = 100;

export type WireOutcome = WireAnswer | 'closed' | 'late' | `garbled: ${string}`;

export class Wire {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isOver = false;
  #arrived: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#arrived();
    });
    const over = (): void => {
      this.#isOver = true;
      this.#arrived();
    };
    socket.on('end', over).on('close', over).on('error', over);
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject);
        resolve(new Wire(socket));
      });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  send(bytes: Buffer | string): void {
    if (!this.#isOver) this.#socket.write(bytes);
  }

  /** Says that nothing more comes. */
  end(): void {
    this.#socket.end();
  }

  /** Goes without a word, or with a reset. */
  cut(): void {
    this.#isOver = true;
    this.#socket.resetAndDestroy();
  }

  /** Stops reading: what is sent stays in buffers. */
  stall(): void {
    this.#socket.pause();
  }

  /** The next answer; `isHead`: to HEAD, which has no body. */
  async answer(isHead = false, withinMs = ANSWER_WITHIN_MS): Promise<WireOutcome> {
    let leftMs = withinMs;
    for (;;) {
      const read = readAnswer(this.#bytes, isHead, this.#isOver);
      if (read === 'garbled') return `garbled: ${this.#bytes.subarray(0, 300).toString('latin1')}`;
      if (read !== undefined) {
        this.#bytes = this.#bytes.subarray(read.length);
        if (read.answer.status >= 200) return read.answer;
        continue;
      }
      if (this.#isOver) return 'closed';
      if (leftMs <= 0) return 'late';
      // A pause in which this process had no processor was one for the server, too.
      const waitMs = Math.min(leftMs, LOOK_MS);
      const from = performance.now();
      await this.#news(waitMs);
      leftMs -= Math.min(performance.now() - from, waitMs);
    }
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, withinMs);
      this.#arrived = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }
}

interface Read {
  readonly answer: WireAnswer;
  readonly length: number;
}

/** Undefined while the answer is not whole. */
function readAnswer(bytes: Buffer, isHead: boolean, isOver: boolean): Read | 'garbled' | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(first)?.[1]);
  if (Number.isNaN(status)) return 'garbled';
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const whole = (body: Buffer, length: number): Read => ({ answer: { status, headers, body }, length });
  if (isHead || status < 200 || status === 204 || status === 304) return whole(Buffer.alloc(0), start);
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start, whole);
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) return isOver ? whole(bytes.subarray(start), bytes.length) : undefined;
  return bytes.length < start + length ? undefined : whole(bytes.subarray(start, start + length), start + length);
}

function readChunks(
  bytes: Buffer,
  start: number,
  whole: (body: Buffer, length: number) => Read,
): Read | 'garbled' | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (Number.isNaN(size)) return 'garbled';
    if (bytes.length < line + 2 + size + 2) return undefined;
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
    if (size === 0) return whole(Buffer.concat(chunks), at);
  }
}
