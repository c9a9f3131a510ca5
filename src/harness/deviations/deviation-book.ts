// Settles the results of a run against what is known: accepts what fails as it is known to, and says what is stale. Pure.
import type { CheckResult } from '../../report/conform-results.ts';
import type { Deviation } from './deviation-file.ts';

/** A violation as its signature: what reports say of it, without the numbers that change from run to run. */
export function signatureOf({
  message,
  expected,
  actual,
}: Pick<CheckResult, 'message' | 'expected' | 'actual'>): string {
  const told = [
    message,
    expected === undefined ? '' : `expected ${expected}`,
    actual === undefined ? '' : `actual ${actual}`,
  ];
  return told
    .filter((part) => part !== '')
    .join('; ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\d{4,}/g, '#')
    .trim();
}

export interface StaleDeviation {
  readonly check: string;
  /** A sentence with the edit to make. */
  readonly told: string;
}

export class DeviationBook {
  readonly #byCheck: ReadonlyMap<string, Deviation>;
  readonly #today: string;

  /** `today`: `2026-11-21`, UTC. A deviation is taken through the day that it names. */
  constructor(deviations: readonly Deviation[], today: string) {
    this.#byCheck = new Map(deviations.map((one) => [one.check, one]));
    this.#today = today;
  }

  /** The result as it is to be told: accepted when it violates its clause as is known. */
  account(result: CheckResult): CheckResult {
    const known = this.#byCheck.get(result.id);
    if (known === undefined || !isViolation(result) || this.#isOver(known) || !fits(known, result)) return result;
    const { reason, issue } = known;
    return { ...result, accepted: { reason, ...(issue === undefined ? {} : { issue }) } };
  }

  /**
   * What is no longer as the file says. In a filtered run the deviations of checks that were not chosen are left alone; in a whole
   * one they match nothing.
   */
  stale(results: readonly CheckResult[], filtered: boolean): readonly StaleDeviation[] {
    const byId = new Map(results.map((one) => [one.id, one]));
    return [...this.#byCheck.values()].flatMap((known) => {
      const result = byId.get(known.check);
      if (result === undefined && filtered) return [];
      const why = this.#whyStale(known, result);
      return why === undefined ? [] : [{ check: known.check, told: `${known.check}: ${why}` }];
    });
  }

  #whyStale(known: Deviation, result: CheckResult | undefined): string | undefined {
    if (result === undefined) return 'there is no such check in this run; take the entry out or correct its id';
    if (this.#isOver(known)) return `it expired on ${known.expires}; mend the target, or say anew why and until when`;
    if (isFine(result)) return 'it passes now; take the entry out';
    if (!isViolation(result))
      return `it was not judged (${result.verdict}); see to it that it is, or take the entry out`;
    if (!fits(known, result))
      return `it fails in another way; the signature now is ${JSON.stringify(signatureOf(result))}`;
    return undefined;
  }

  #isOver({ expires }: Deviation): boolean {
    return expires < this.#today;
  }
}

export function isViolation({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Without a signature every way of failing is the known one. A part of the signature is enough. */
function fits({ signature }: Deviation, result: CheckResult): boolean {
  return signature === undefined || signatureOf(result).includes(signature);
}

export function isFine({ verdict }: CheckResult): boolean {
  return verdict === 'pass' || verdict === 'observed';
}
