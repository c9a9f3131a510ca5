// A framer for tests of connections: what they carry is lines instead of SIP.
import type { Framer } from './stream-flow.ts';

/** One message a line; an empty line is a ping, the word `garbage` cannot be cut. */
export class LineFramer implements Framer {
  failed: string | undefined;
  readonly #onPing: () => void;
  #pending = '';

  constructor(onPing: () => void) {
    this.#onPing = onPing;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const lines = (this.#pending + Buffer.from(chunk).toString()).split('\n');
    this.#pending = lines.pop() ?? '';
    return lines.flatMap((line) => {
      if (line === 'garbage') this.failed = 'not a line of ours';
      if (line === '') this.#onPing();
      return line === '' || this.failed !== undefined ? [] : [Buffer.from(line)];
    });
  }
}
