// Has a party that spoke gone silent for good? Real time, as packets have it. Told once; knows no packet.

export interface SilenceHost {
  /** Real time, ms. */
  now(): number;
  alarm(delayMs: number, fn: () => void): () => void;
  readonly silenceS: number;
}

export class SilenceWatch {
  readonly #host: SilenceHost;
  readonly #tell: (seconds: number) => void;
  #heardAt: number | undefined;
  #isExpected = false;
  #cancel: (() => void) | undefined;

  constructor(host: SilenceHost, tell: (seconds: number) => void) {
    this.#host = host;
    this.#tell = tell;
  }

  /** Something has come from the party. One that never sends anything is not watched: it may have no microphone. */
  heard(): void {
    this.#heardAt = this.#host.now();
    if (this.#isExpected && this.#cancel === undefined) this.#wait(this.#host.silenceS * 1000);
  }

  /** Whether the party should be sending: from then on silence counts. */
  expect(expected: boolean): void {
    if (expected === this.#isExpected) return;
    this.#isExpected = expected;
    if (expected && this.#heardAt !== undefined) this.heard();
    if (!expected) this.#stop();
  }

  close(): void {
    this.#isExpected = false;
    this.#stop();
  }

  #wait(ms: number): void {
    this.#cancel = this.#host.alarm(ms, () => {
      this.#cancel = undefined;
      const left = (this.#heardAt ?? 0) + this.#host.silenceS * 1000 - this.#host.now();
      if (left > 0) return this.#wait(left);
      this.#isExpected = false;
      this.#tell(this.#host.silenceS);
    });
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
