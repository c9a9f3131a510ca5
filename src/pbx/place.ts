// Where a caller may be: a user's phones, the public network, a ring group, or with the exchange itself. Types and names only.
import type { User } from '../contract/resources/customer.ts';
import type { Ddi } from '../contract/resources/settings.ts';
import type { Stored } from '../store/stored.ts';

/** What is rung as one party. */
export type Target = (
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'public'; readonly number: string }
) & {
  /** The user whose caller is led on to it, and how long it rings then. */
  readonly forwardedBy?: { readonly user: User; readonly ringTimeMs: number };
};

/** A user's phones. */
export type UserTarget = Extract<Target, { readonly kind: 'user' }>;

/** A ring group with its members. */
export type Group = Stored['ringgroups'];
export type Queue = Stored['queues'];
export type Ivr = Stored['ivrs'];
export type Conference = Stored['conferences'];

/** A place where the exchange answers the caller itself. */
export type Attended =
  /** The user's voicemail takes a message. */
  | { readonly kind: 'voicemail'; readonly user: User }
  /** The user listens to what the voicemail took. */
  | { readonly kind: 'mailbox'; readonly user: User }
  | { readonly kind: 'ivr'; readonly ivr: Ivr }
  | { readonly kind: 'queue'; readonly queue: Queue }
  /** `isAdmitted`: somebody who knows the PIN brings the party along. */
  | { readonly kind: 'conference'; readonly conference: Conference; readonly isAdmitted?: true }
  /** An agent logs in or out: at the queue with that extension, or at all of its own where that is empty. */
  | { readonly kind: 'login'; readonly user: User; readonly number: string }
  /** The fax machine of a number. */
  | { readonly kind: 'fax'; readonly ddi: Ddi }
  /** Waits to be fetched from there, parked by that user. */
  | { readonly kind: 'parked'; readonly user: User; readonly slot: string }
  /** A supervisor listens in on the call of that user. */
  | { readonly kind: 'barge'; readonly user: User }
  /** Says back what it hears: a test of one's own phone. */
  | { readonly kind: 'echo' };

export type Place =
  | Target
  | { readonly kind: 'group'; readonly group: Group }
  /** The numbers at which the user may be reached elsewhere. */
  | { readonly kind: 'follow-me'; readonly user: User }
  | Attended;

/** One name per place: who has been there does not come again. */
export function nameOfPlace(place: Place): string {
  switch (place.kind) {
    case 'public':
      return place.number;
    case 'user':
      return `U:${place.user.id}`;
    case 'follow-me':
      return `follow-me:${place.user.id}`;
    case 'voicemail':
      return `V:${place.user.id}`;
    case 'mailbox':
      return `mailbox:${place.user.id}`;
    case 'group':
      return `R:${place.group.id}`;
    case 'ivr':
      return `I:${place.ivr.id}`;
    case 'queue':
      return `Q:${place.queue.id}`;
    case 'conference':
      return `C:${place.conference.id}`;
    case 'login':
      return `login:${place.user.id}`;
    case 'fax':
      return `fax:${place.ddi.id}`;
    case 'parked':
      return `parked:${place.slot}`;
    case 'barge':
      return `barge:${place.user.id}`;
    case 'echo':
      return 'echo';
  }
}

export function isTarget(place: Place): place is Target {
  return place.kind === 'user' || place.kind === 'public';
}

/** True where the exchange answers itself. */
export function isAttended(place: Place): place is Attended {
  return !isTarget(place) && place.kind !== 'group' && place.kind !== 'follow-me';
}
