// Where what several parties say meets, frame by frame: the terms between a party's line and a conference or a watched talk. Types only.
import type { Occupant } from './room.ts';

/** A party's line, as a gathering sees it. */
export interface Guest extends Occupant {
  /** What the exchange lets it hear in this frame. */
  readonly played: Int16Array | undefined;
  /** The line to which what it says is passed on, whatever the gathering does. */
  readonly passesTo: object | undefined;
  /** What belongs into a recording of this line alone besides what is said and played there; set where that is not what it hears. */
  recorded: Int16Array | undefined;
}

/** Who hears a supervisor: nobody (it listens), the party beside whom it sits (it whispers), or both (it has barged in). */
export type HeardBy = 'nobody' | 'one' | 'both';

export type Side = 'caller' | 'callee';

/** In a watched talk: one of its two parties, or a supervisor beside one of them. */
export type Seat = { readonly side: Side } | { readonly beside: Side; readonly heardBy: HeardBy };

export interface Gathering {
  /** False when there is no place for it. */
  enter(guest: Guest, seat?: Seat): boolean;
  leave(guest: Guest): void;
  /** A party that sends no sound, being within this process, has come or gone: where it matters somebody is heard in its place. */
  represent?(party: object, isThere: boolean): void;
  /** Whether it hears others from here; else it is only heard. */
  speaksTo(guest: Guest): boolean;
  /** Once per frame, when all have said theirs. */
  mix(frameSamples: number): void;
}
