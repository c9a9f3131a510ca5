// Who looks for an answer at a place, or is the answer: phones that ring, several of them, an attendant. And what of it is left to
// whoever takes the caller's place. Knows neither the caller nor what comes when nobody answers.
import type { Attendant, AttendantFacts } from './attendant.ts';
import type { Cause } from './causes.ts';
import type { Dial } from './dial.ts';
import type { Leg } from './leg.ts';
import type { Place } from './place.ts';
import type { GroupReach } from './ring-group.ts';

export interface Reach {
  /** Events may come before this returns. */
  start(): void;
  /** The end of it; no event follows. */
  close(cause: Cause): void;
  /** The legs that ring, for orders to a phone. */
  ringing(): readonly Leg[];
  /** Where the caller is now: a phone may have sent it on. */
  readonly place: Place;
  /** What goes on for whoever takes the caller's place; undefined where everything begins anew. */
  readonly underway: Underway | undefined;
}

/** What has begun for one caller and goes on for another: nobody is rung anew, and no place in a line is lost. */
export type Underway =
  | { readonly kind: 'dial'; readonly dial: Dial }
  | { readonly kind: 'group'; readonly ringing: GroupReach }
  | { readonly kind: 'attendant'; readonly handTo: (facts: AttendantFacts) => Attendant };

/** What somebody leaves who waited somewhere, or was attended to. */
export interface Surrendered extends Pick<Reach, 'place' | 'underway'> {
  /** It goes: its call ends. What is underway is to be handed on before. */
  readonly leave: () => void;
}

export function dialReach(dial: Dial): Reach {
  return {
    start: () => dial.start(),
    close: (cause) => dial.cancel(cause),
    ringing: () => dial.ringing(),
    get place() {
      return dial.target;
    },
    underway: { kind: 'dial', dial },
  };
}

export function groupReach(ringing: GroupReach, place: Place): Reach {
  return {
    start: () => ringing.start(),
    close: (cause) => ringing.close(cause),
    ringing: () => ringing.ringing(),
    place,
    underway: { kind: 'group', ringing },
  };
}

export function attendantReach(attendant: Attendant, place: Place): Reach {
  const { handTo } = attendant;
  return {
    start: () => attendant.start(),
    close: (cause) => attendant.close(cause),
    ringing: () => attendant.ringing(),
    get place() {
      return attendant.seat ?? place;
    },
    underway:
      handTo === undefined
        ? undefined
        : {
            kind: 'attendant',
            handTo: (facts) => {
              handTo.call(attendant, facts);
              return attendant;
            },
          },
  };
}
