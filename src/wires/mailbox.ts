// A listener for tests of the wires: keeps what arrives and hands it out in order. Knows no socket.
import type { Flow, FlowListener } from '../sip/flow.ts';

export interface Letter {
  readonly flow: Flow;
  readonly text: string;
}

export class MailBox implements FlowListener {
  readonly messages: Letter[] = [];
  /** Why flows closed, in order. */
  readonly ended: string[] = [];
  #read = 0;
  #readers: Array<(letter: Letter) => void> = [];
  #watchers: Array<(why: string) => void> = [];

  received(flow: Flow, bytes: Uint8Array): void {
    this.messages.push({ flow, text: Buffer.from(bytes).toString() });
    this.#serve();
  }

  closed(_flow: Flow, why: string): void {
    this.ended.push(why);
    for (const watcher of this.#watchers.splice(0)) watcher(why);
  }

  /** The first message not yet asked for, when it is there. */
  next(): Promise<Letter> {
    return new Promise((resolve) => {
      this.#readers.push(resolve);
      this.#serve();
    });
  }

  /** Why the next flow to close did so. */
  nextEnd(): Promise<string> {
    return new Promise((resolve) => {
      this.#watchers.push(resolve);
    });
  }

  #serve(): void {
    while (this.#readers.length > 0) {
      const letter = this.messages[this.#read];
      if (letter === undefined) return;
      this.#read += 1;
      this.#readers.shift()?.(letter);
    }
  }
}
