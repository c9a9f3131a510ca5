// A party of a call: a user of ours at an extension, somebody on the public network, or a place of the exchange (group, queue ...).
import type { Place } from './place.ts';

export interface Party {
  readonly kind: Place['kind'];
  /** Null for all but users and their voicemail. */
  readonly userId: number | null;
  /** The id of a ring group, queue, IVR or conference. */
  readonly placeId?: number;
  /** Of an outsider whom the account knows and a user wanted to be named (`cnam`). */
  readonly contactId?: number;
  /** What the network calls that outsider: others may not want its name. */
  readonly networkName?: string;
  /** Extension of a user or a place; digits (with `+` for E.164) of an outsider. */
  readonly number: string;
  readonly name: string;
}

export const ANONYMOUS = 'anonymous';

/** `"Name" <number>`, the form of `clid`. */
export function callerId(name: string, number: string): string {
  return name === '' ? `<${number}>` : `"${name.replace(/["\\]/g, '')}" <${number}>`;
}

/** Digits alone: how numbers are compared, with or without `+`, blanks and dashes. */
export function digitsOf(number: string): string {
  return number
    .replace(/^tel:/, '')
    .replace(/[\s().-]/g, '')
    .replace(/^\+/, '');
}

/** A number of the public network: 5 to 15 digits (E.164 allows 15, and no country code begins with 0), with or without `+`. */
export function isPublicNumber(number: string): boolean {
  return /^[1-9]\d{4,14}$/.test(digitsOf(number));
}
