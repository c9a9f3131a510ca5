// What a user reaches by dialling a star and digits: services of the exchange itself (CHOICE-SERVICE-CODES). Data and one lookup.
import type { User } from '../contract/resources/customer.ts';
import type { Attended } from './place.ts';

/** One's own voice messages. */
export const MAILBOX_CODE = '*97';
/** Says back what it hears. */
export const ECHO_CODE = '*43';

/** The service behind a dialled code, for the user who dials it; undefined for every other number. */
export function serviceOf(dialled: string, user: User): Attended | undefined {
  if (dialled === MAILBOX_CODE) return { kind: 'mailbox', user };
  if (dialled === ECHO_CODE) return { kind: 'echo' };
  return undefined;
}
