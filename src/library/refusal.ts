// How the library says no: an error with the reasons that the control API would give. Knows no operation.
import type { Failure, FailureKind, Result } from '../kernel/errors.ts';

/** What was asked cannot be done: the phone has no call, nobody has the number, a member is wrong. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** `invalid`, `not_found`, `conflict` (impossible now) and so on: what the control API answers with 400, 404, 409. */
  readonly kind: FailureKind;
  /** One sentence for each thing that was wrong, naming the member. */
  readonly details: readonly string[];

  /** @internal */
  constructor({ kind, message, details }: Failure) {
    super(details.length === 0 || details.includes(message) ? message : `${message} ${details.join('; ')}`);
    this.kind = kind;
    this.details = details;
  }
}

export function refusal(kind: FailureKind, message: string): Refused {
  return new Refused({ kind, message, details: [message] });
}

/** The value, or the refusal thrown. */
export function granted<T>(result: Result<T>): T {
  if (!result.ok) throw new Refused(result.failure);
  return result.value;
}
