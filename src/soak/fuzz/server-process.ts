// The soaked simulator as its parent sees it: where it listens, whose credentials it takes, what it weighs. Knows no request.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SeededUser } from '../../store/seed/people.ts';
import type { RefusedCredential } from '../../store/seed/refused.ts';

export type Order = 'weigh' | 'reset';

export interface Ready {
  readonly url: string;
  readonly users: readonly SeededUser[];
  readonly refused: readonly RefusedCredential[];
}

export interface Weighed {
  /** Of objects and buffers, after garbage is gone. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** What keeps the process alive, by kind. */
  readonly open: Readonly<Record<string, number>>;
  /** What the journal says of the simulator's own mistakes. */
  readonly failures: readonly string[];
}

export class ServerProcess {
  readonly #child: ChildProcess;
  /** What it has printed: nothing, when all is well. */
  output = '';

  constructor(history: number) {
    this.#child = fork(join(import.meta.dirname, 'served.ts'), [String(history)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-10_000);
      });
  }

  ready(): Promise<Ready> {
    return this.#next<Ready>();
  }

  /** Back to the seed's world; credentials are the same. */
  reset(): Promise<Ready> {
    this.#child.send('reset' satisfies Order);
    return this.#next<Ready>();
  }

  weigh(): Promise<Weighed> {
    this.#child.send('weigh' satisfies Order);
    return this.#next<Weighed>();
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  /** Rejects when the process ends instead, with what it said. */
  #next<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (status: number | null, signal: string | null): void =>
        reject(new Error(`the server ended with ${status ?? signal}: ${this.output}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (news) => {
        this.#child.off('exit', ended);
        resolve(news as T);
      });
    });
  }
}
