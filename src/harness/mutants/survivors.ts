// Mutants that no check finds, each with the reason: the only ones that the gate lets live.

interface Survivor {
  readonly pattern: RegExp;
  readonly reason: string;
}

/** None: every mutant there is has to be found. */
const survivors: readonly Survivor[] = [];

/** Undefined for mutants that have to be found. */
export function whySurvives(mutantId: string): string | undefined {
  return survivors.find(({ pattern }) => pattern.test(mutantId))?.reason;
}

/** Reasons that no survivor has. */
export function reasonsOfNobody(survived: readonly string[]): string[] {
  return survivors.filter(({ pattern }) => !survived.some((id) => pattern.test(id))).map(({ reason }) => reason);
}
