// Where several parties hear each other: who is in, what each said in this moment, what each hears of it. Knows no packet.
import type { Gathering } from './gathering.ts';
import { mixMinusOwn } from './mixer.ts';
import { StandIns } from './stand-ins.ts';

/** More hear silence: mixing takes time in proportion. */
export const MOST_IN_ROOM = 100;

/** Somebody in a room: what was heard from it in this frame, and what it is to hear. */
export interface Occupant {
  readonly said: Int16Array | undefined;
  hears: Int16Array | undefined;
}

export class Room implements Gathering {
  readonly #occupants = new Set<Occupant>();
  readonly #standIns = new StandIns();

  get size(): number {
    return this.#occupants.size;
  }

  /** False when the room is full. */
  enter(occupant: Occupant): boolean {
    if (!this.#occupants.has(occupant) && this.#occupants.size >= MOST_IN_ROOM) return false;
    this.#occupants.add(occupant);
    return true;
  }

  leave(occupant: Occupant): void {
    this.#occupants.delete(occupant);
    occupant.hears = undefined;
  }

  represent(party: object, isThere: boolean): void {
    if (isThere) this.#standIns.add(party);
    else this.#standIns.remove(party);
  }

  speaksTo(): boolean {
    return true;
  }

  mix(frameSamples: number): void {
    const all = [...this.#occupants];
    const mixes = mixMinusOwn([...all.map(({ said }) => said), this.#standIns.next(frameSamples)], frameSamples);
    all.forEach((occupant, index) => {
      occupant.hears = mixes[index];
    });
  }
}
