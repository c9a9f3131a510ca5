// What a user reaches by dialling a star and digits: services of the exchange itself (CHOICE-SERVICE-CODES). Data and one lookup.
import type { User } from '../contract/resources/customer.ts';
import type { Attended } from './place.ts';

/** One's own voice messages. */
export const MAILBOX_CODE = '*97';
/** Says back what it hears. */
export const ECHO_CODE = '*43';
/** Logs an agent in and out: alone at all its queues, with an extension after it at that queue. */
export const LOGIN_CODE = '*45';
/** Parks whom one transfers there: alone at one's own extension, with digits after it at that slot. */
export const PARK_CODE = '*68';
/** Listens in on the call of the extension after it (barge.ts). */
export const BARGE_CODE = '*33';
const LOGIN = /^\*45(\d{0,10})$/;
const PARK = /^\*68(\d{0,10})$/;

/** The service behind a dialled code, for the user who dials it; undefined for every other number. */
export function serviceOf(dialled: string, user: User): Attended | undefined {
  if (dialled === MAILBOX_CODE) return { kind: 'mailbox', user };
  if (dialled === ECHO_CODE) return { kind: 'echo' };
  const [, slot] = PARK.exec(dialled) ?? [];
  if (slot !== undefined) return { kind: 'parked', user, slot: slot === '' ? user.ext : slot };
  const [, number] = LOGIN.exec(dialled) ?? [];
  return number === undefined ? undefined : { kind: 'login', user, number };
}
