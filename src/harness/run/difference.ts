// How what came differs from what was expected: the words of a failure. Data.

export interface Difference {
  readonly expected: string;
  readonly actual: string;
  /** Where in the answer, the event or the message. */
  readonly pointer?: string;
  /** A command that asks the same again. */
  readonly curl?: string;
}
