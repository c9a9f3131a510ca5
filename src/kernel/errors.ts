// Expected failures are values; a broken invariant is thrown.

/** Why a request could not be met. Each layer words the message; api/ and control/ map the kind to a status. */
export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media';

/** The HTTP status that tells each kind. */
export const httpStatuses: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
};

export interface Failure {
  readonly kind: FailureKind;
  /** One plain sentence: what was wrong and what was expected. */
  readonly message: string;
  /** One entry per thing that was wrong, each naming the property. */
  readonly details: readonly string[];
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function success<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure<T = never>(kind: FailureKind, message: string, details: readonly string[] = []): Result<T> {
  return { ok: false, failure: { kind, message, details: details.length > 0 ? details : [message] } };
}

/** Thrown when our own code is wrong; never for anything a peer or a user did. */
export class BrokenInvariant extends Error {
  constructor(what: string, why: string, whatToDo: string) {
    super(`${what}: ${why}. ${whatToDo}.`);
    this.name = 'BrokenInvariant';
  }
}
