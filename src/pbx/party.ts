// A party of a call: a user of ours at an extension, somebody on the public network, or a ring group.

export interface Party {
  readonly kind: 'user' | 'public' | 'group';
  /** Null for all but users. */
  readonly userId: number | null;
  /** The ring group's id. */
  readonly groupId?: number;
  /** Extension of a user or a group; digits (with `+` for E.164) of an outsider. */
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
