// What answers a caller in the exchange itself: voicemail, IVR, queue, conference. The terms between an attendant and the visit
// that brings it callers. Knows none of them.
import type { Call } from './call.ts';
import type { Shown } from './caller-id.ts';
import type { AnsweredCaller } from './caller-side.ts';
import type { Cause } from './causes.ts';
import type { Leg } from './leg.ts';
import type { Place } from './place.ts';

export interface Attendant {
  /** The caller speaks to us. Events may come before this returns. */
  start(): void;
  /** The call is over: the caller left, or somebody ended it. Nothing follows, and nothing is left running. */
  close(cause: Cause): void;
  /** The phones that ring for the caller now, for orders to one of them. */
  ringing(): readonly Leg[];
  /** Where somebody comes who takes the caller's place; without it, where the caller came. */
  readonly seat?: Place;
  /** Somebody else is in the caller's place from now on; without it the place begins anew for that one. */
  handTo?(facts: AttendantFacts): void;
}

export interface AttendantFacts {
  /** The caller at this place. In a queue it stays unanswered until an agent answers. */
  readonly call: Call;
  readonly caller: AnsweredCaller;
  /** What a party is shown whom the attendant rings for the caller. */
  readonly shown: (place: Place) => Shown;
  readonly maxForwards?: number;
  readonly events: AttendantEvents;
}

/** How a caller goes on from a menu. */
export interface Chosen {
  /** Chance has chosen: a place where the caller was led before is none that it is led to again. */
  readonly byChance?: boolean;
  /** How long a phone may ring there, in place of its own time. */
  readonly ringTimeMs?: number;
}

/**
 * How the visit at an attendant ends, told once. None of it is told when an agent of a queue takes the caller: then the call lives
 * on with the agent's, as a ring group's does.
 */
export interface AttendantEvents {
  /** The caller is done here and hung up on. */
  onDone(cause: Cause): void;
  /** The caller goes on to another place, which it has chosen itself by a key unless `how` says otherwise. */
  onChosen(place: Place, how?: Chosen): void;
  /** The caller got nothing here: it goes on to the final destination of the place, if there is one. */
  onFailed(cause: Cause): void;
}
