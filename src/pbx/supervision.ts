// Supervisors who listen in on one call: where its parties and they sit in the watched talk, whoever the parties are now. Touches no
// signalling of the parties. Knows no code and no right.
import type { HeardBy } from '../media/gathering.ts';
import { WatchedTalk } from '../media/watched-talk.ts';
import type { Call } from './call.ts';
import type { CallBook } from './call-book.ts';
import type { Leg } from './leg.ts';

/** On one call at a time: each is mixed for each. */
export const MOST_SUPERVISORS = 10;

/** A supervisor, as the supervision of a call sees it. */
export interface Supervisor {
  readonly leg: Leg;
  /** The user beside whom it sits. */
  readonly watchedId: number;
  readonly heardBy: HeardBy;
  /** It holds its own call: it hears nobody meanwhile, and nobody hears it. */
  readonly isAway: boolean;
  /** The call was looked at: that is the watched user's leg in it, and whether it is on hold. */
  seen(watched: Leg, isHeld: boolean): void;
  /** The watched user is not party to a talk of this call any more. May be told again. */
  lost(): void;
}

export class Supervision {
  readonly #call: Call;
  readonly #talk = new WatchedTalk();
  readonly #supervisors = new Set<Supervisor>();
  readonly #stopWatching: () => void;
  #seated: readonly Leg[] = [];

  private constructor(calls: CallBook, call: Call) {
    this.#call = call;
    this.#stopWatching = calls.watch(call, () => this.look());
  }

  /** That of the call: there from its first supervisor to its last. */
  static of(calls: CallBook, call: Call): Supervision {
    call.supervision ??= new Supervision(calls, call);
    return call.supervision;
  }

  get size(): number {
    return this.#supervisors.size;
  }

  enter(supervisor: Supervisor): void {
    this.#supervisors.add(supervisor);
    this.look();
  }

  leave(supervisor: Supervisor): void {
    if (!this.#supervisors.delete(supervisor)) return;
    supervisor.leg.media.leave(this.#talk);
    if (this.#supervisors.size > 0) return;
    for (const leg of this.#seated) leg.media.leave(this.#talk);
    this.#seated = [];
    this.#stopWatching();
    if (this.#call.supervision === this) this.#call.supervision = undefined;
  }

  /** Gives everybody the seat that is theirs now: after each change of the call, of a leg of it, and of what a supervisor wants. */
  look(): void {
    const call = this.#call;
    const parties = partiesOf(call);
    for (const leg of this.#seated) if (!parties.includes(leg)) leg.media.leave(this.#talk);
    this.#seated = parties;
    for (const leg of parties) leg.media.enter(this.#talk, { side: call.sideOf(leg) });
    for (const supervisor of [...this.#supervisors]) this.#seat(supervisor, parties);
  }

  #seat(supervisor: Supervisor, parties: readonly Leg[]): void {
    const call = this.#call;
    const { leg, heardBy, isAway, watchedId } = supervisor;
    const watched = parties.find(({ party }) => party.userId === watchedId);
    if (watched === undefined) {
      leg.media.leave(this.#talk);
      return supervisor.lost();
    }
    const isHeld = call.holders.size > 0;
    if (isAway) leg.media.leave(this.#talk);
    else leg.media.enter(this.#talk, { beside: call.sideOf(watched), heardBy: isHeld ? 'nobody' : heardBy });
    supervisor.seen(watched, isHeld);
  }
}

/** Who talks in it; nobody where the exchange itself speaks to a party. */
function partiesOf(call: Call): readonly Leg[] {
  const { srcLeg, dstLeg } = call;
  if (call.isOver || srcLeg === undefined || dstLeg === undefined) return [];
  return [srcLeg, dstLeg].filter(({ isUp }) => isUp);
}
