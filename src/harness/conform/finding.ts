// What a check found. Whether that fails the run follows from the level of the clause, not from the check. Data.

export type Finding =
  | { readonly found: 'met'; readonly message: string }
  /** MUST: fail, SHOULD: warn, else observed. */
  | { readonly found: 'violated'; readonly message: string; readonly expected?: string; readonly actual?: string }
  /** A lesser fault within a MUST clause: warn whatever the level. */
  | { readonly found: 'doubtful'; readonly message: string; readonly expected?: string; readonly actual?: string }
  /** What the target does where the specification leaves it open. */
  | { readonly found: 'observed'; readonly message: string; readonly actual?: string }
  | { readonly found: 'not-applicable' | 'unsupported' | 'unevaluable' | 'blocked'; readonly message: string };

/** The clause holds; `message` where there is something to say all the same, such as which of two readings the target chose. */
export function met(message = ''): Finding {
  return { found: 'met', message };
}

export function violated(message: string, expected?: unknown, actual?: unknown): Finding {
  return { found: 'violated', message, ...sides(expected, actual) };
}

export function doubtful(message: string, expected?: unknown, actual?: unknown): Finding {
  return { found: 'doubtful', message, ...sides(expected, actual) };
}

export function observed(message: string, actual?: unknown): Finding {
  return { found: 'observed', message, ...(actual === undefined ? {} : { actual: shownValue(actual) }) };
}

/** There is nothing there that could be judged, and that is in order. */
export function notApplicable(message: string): Finding {
  return { found: 'not-applicable', message };
}

/** Nobody gave what the check needs: the run is incomplete. The message says what is missing. */
export function unevaluable(message: string): Finding {
  return { found: 'unevaluable', message };
}

/** A prerequisite did not hold. The message names it. */
export function blocked(message: string): Finding {
  return { found: 'blocked', message };
}

/** Ends a check from wherever it is. */
export class CheckEnd extends Error {
  override readonly name = 'CheckEnd';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Ends the check with `violated` unless the condition holds. */
export function demand(condition: boolean, message: string, expected?: unknown, actual?: unknown): void {
  if (!condition) throw new CheckEnd(violated(message, expected, actual));
}

const MAX_SHOWN = 600;

/** A value as reports show it: text as it is, anything else as JSON, cut where it is long. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** JSON of a value that may be anything. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // Only what is nested deeper than a stack can hold: no answer that anybody meant.
    return 'a value that is nested too deeply to be shown';
  }
}

function sides(expected: unknown, actual: unknown): { expected?: string; actual?: string } {
  return {
    ...(expected === undefined ? {} : { expected: shownValue(expected) }),
    ...(actual === undefined ? {} : { actual: shownValue(actual) }),
  };
}
