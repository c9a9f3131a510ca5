// All lines that parties outside have: opens them, and gives those with something to say or to hear their frame, fifty times a second of real time.

import type { Gathering } from './gathering.ts';
import { type LineHost, MediaLine, type PacketPort } from './media-line.ts';
import { mixAll } from './mixer.ts';
import { FRAME_SAMPLES } from './rtp-sender.ts';
import type { Take } from './takes.ts';

export interface MediaLinesDeps {
  /** Undefined when all ports are taken. */
  readonly open: () => PacketPort | undefined;
  /** Real time: packets do not wait for a clock that stands still. */
  readonly time: {
    now(): number;
    alarm(delayMs: number, fn: () => void): () => void;
  };
  /** 32 random bits. */
  readonly chance: () => number;
  /** Seconds without a packet after which a party that has spoken counts as gone. Default `SILENCE_S`. */
  readonly silenceS?: number;
}

/** A minute: phones that send nothing while nobody speaks (RFC 3389) say so more often than that. */
export const SILENCE_S = 60;
/** Lines that are played to, recorded or mixed at a time: what one process can do beside its calls. Further ones hear nothing of ours. */
export const MOST_SERVED = 400;
/** Of all recordings that are being made: nine hours of sound. Beyond it nothing is added to any. */
const MOST_TAKEN_BYTES = 256 * 1024 * 1024;
const FRAME_MS = 20;
/** Frames that are made up for when the process was held up; what is more is left out. */
const MOST_BEHIND = 25;

export class MediaLines {
  readonly #deps: MediaLinesDeps;
  readonly #host: LineHost;
  readonly #lines = new Set<MediaLine>();
  readonly #served = new Set<MediaLine>();
  /** When frame 0 was. */
  #beganAt: number | undefined;
  #frame = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: MediaLinesDeps) {
    this.#deps = deps;
    this.#host = {
      now: () => deps.time.now(),
      alarm: (delayMs, fn) => deps.time.alarm(delayMs, fn),
      serve: (line, isBusy) => this.#serve(line, isBusy),
      closed: (line) => void this.#lines.delete(line),
      silenceS: deps.silenceS ?? SILENCE_S,
    };
  }

  /** A line on a port of its own. Undefined when all ports are taken. */
  open(): MediaLine | undefined {
    const port = this.#deps.open();
    if (port === undefined) return undefined;
    const line = new MediaLine(port, this.#host, this.#deps.chance);
    this.#lines.add(line);
    return line;
  }

  close(): void {
    for (const line of [...this.#lines]) line.close();
  }

  #serve(line: MediaLine, isBusy: boolean): boolean {
    if (!isBusy) {
      this.#served.delete(line);
      if (this.#served.size === 0) this.#rest();
      return false;
    }
    if (!this.#served.has(line) && this.#served.size >= MOST_SERVED) return false;
    this.#served.add(line);
    if (this.#cancel === undefined) this.#begin();
    return true;
  }

  #begin(): void {
    const now = this.#deps.time.now();
    this.#beganAt ??= now;
    // Frames in which nobody was served have passed all the same: packets tell their time.
    this.#frame = Math.max(this.#frame, Math.floor((now - this.#beganAt) / FRAME_MS));
    this.#wait(this.#beganAt);
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(beganAt: number): void {
    const delayMs = Math.max(1, beganAt + (this.#frame + 1) * FRAME_MS - this.#deps.time.now());
    this.#cancel = this.#deps.time.alarm(delayMs, () => {
      this.#cancel = undefined;
      const began = this.#catchUp(beganAt);
      if (this.#served.size > 0 && this.#cancel === undefined) this.#wait(began);
    });
  }

  /** All frames that are due. Returns when frame 0 was: another time when the system's clock was set back. */
  #catchUp(beganAt: number): number {
    const now = this.#deps.time.now();
    const due = Math.floor((now - beganAt) / FRAME_MS);
    if (due < this.#frame) this.#beganAt = now - this.#frame * FRAME_MS;
    this.#frame = Math.max(this.#frame, due - MOST_BEHIND);
    while (this.#frame < due) {
      this.#frame += 1;
      this.#doFrame();
    }
    return this.#beganAt ?? beganAt;
  }

  /** All listen, rooms are mixed, all speak, and recordings take down what was said and played. */
  #doFrame(): void {
    const lines = [...this.#served];
    const rooms = new Set<Gathering>();
    for (const line of lines) {
      line.listen();
      if (line.room !== undefined) rooms.add(line.room);
    }
    for (const room of rooms) room.mix(FRAME_SAMPLES);
    const taken = new Map<Take, Spoken[]>();
    for (const line of lines) {
      const { played, others } = line.speak(this.#frame);
      const { take, said } = line;
      if (take === undefined) continue;
      const spoken = taken.get(take) ?? [];
      spoken.push({ said, played, others });
      taken.set(take, spoken);
    }
    const heldBytes = [...taken.keys()].reduce((bytes, take) => bytes + take.bytes, 0);
    if (heldBytes > MOST_TAKEN_BYTES) return;
    for (const [take, spoken] of taken) take.add(mixAll(heardIn(spoken), FRAME_SAMPLES));
  }
}

interface Spoken {
  readonly said: Int16Array | undefined;
  readonly played: Int16Array | undefined;
  readonly others: Int16Array | undefined;
}

/** A recording on several lines has what each party said; one on a single line has also what others said to that party. */
function heardIn(spoken: readonly Spoken[]): Array<Int16Array | undefined> {
  const isAlone = spoken.length === 1;
  return spoken.flatMap(({ said, played, others }) => [said, played, isAlone ? others : undefined]);
}
