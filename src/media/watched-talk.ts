// The talk of two parties to which supervisors listen: each hears both; who of the two hears a supervisor depends on its seat. The
// parties go on hearing each other as before, and through here alone while somebody speaks to them. Knows no packet and no call.
import type { Gathering, Guest, Seat } from './gathering.ts';
import { mixAll } from './mixer.ts';

type PartySeat = Extract<Seat, { readonly side: unknown }>;
type SupervisorSeat = Exclude<Seat, PartySeat>;
type Said = Int16Array | undefined;

export class WatchedTalk implements Gathering {
  readonly #parties = new Map<Guest, PartySeat>();
  readonly #supervisors = new Map<Guest, SupervisorSeat>();

  get size(): number {
    return this.#parties.size + this.#supervisors.size;
  }

  /** Nobody comes without a seat. */
  enter(guest: Guest, seat?: Seat): boolean {
    if (seat === undefined) return false;
    if ('side' in seat) this.#parties.set(guest, seat);
    else this.#supervisors.set(guest, seat);
    return true;
  }

  leave(guest: Guest): void {
    this.#parties.delete(guest);
    this.#supervisors.delete(guest);
    guest.hears = undefined;
    guest.recorded = undefined;
  }

  speaksTo(guest: Guest): boolean {
    const party = this.#parties.get(guest);
    return party === undefined ? this.#supervisors.has(guest) : this.#speakingTo(party).length > 0;
  }

  mix(frameSamples: number): void {
    const both = [...this.#parties.keys()].flatMap(({ said, played }) => [said, played]);
    for (const supervisor of this.#supervisors.keys()) {
      const others = this.#heardByBoth().filter((other) => other !== supervisor);
      supervisor.hears = mixAll([...both, ...others.map(saidBy)], frameSamples);
    }
    for (const [guest, seat] of this.#parties) this.#mixFor(guest, seat, frameSamples);
  }

  /** Others are recorded with what both hear: a whisper is for one pair of ears. */
  #mixFor(guest: Guest, seat: PartySeat, frameSamples: number): void {
    const speaking = this.#speakingTo(seat);
    guest.hears = undefined;
    guest.recorded = undefined;
    if (speaking.length === 0) return;
    const partner: Said[] = [...this.#parties.keys()].filter(({ passesTo }) => passesTo === guest).map(saidBy);
    guest.hears = mixAll([...partner, ...speaking.map(saidBy)], frameSamples);
    guest.recorded = mixAll([...partner, ...this.#heardByBoth().map(saidBy)], frameSamples);
  }

  #speakingTo({ side }: PartySeat): Guest[] {
    return [...this.#supervisors]
      .filter(([, { heardBy, beside }]) => heardBy === 'both' || (heardBy === 'one' && beside === side))
      .map(([guest]) => guest);
  }

  #heardByBoth(): Guest[] {
    return [...this.#supervisors].filter(([, { heardBy }]) => heardBy === 'both').map(([guest]) => guest);
  }
}

function saidBy({ said }: Guest): Said {
  return said;
}
