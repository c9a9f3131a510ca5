// pbxsim mutants: proves the judge. Every mutant of a fresh simulator has to be found by a check of the clause that it breaks.

import { drawnMutants } from '../harness/mutants/all-mutants.ts';
import { together, variants } from '../harness/mutants/variants.ts';
import { isProven, killMatrixText } from '../report/kill-matrix.ts';
import { writeReport } from '../wires/scenario-files.ts';
import { checkPlaces } from './conform-reports.ts';
import { UsageError } from './errors.ts';
import { proveJudge } from './prove-judge.ts';

export interface MutantsFlags {
  readonly all?: boolean;
  readonly seed: string;
  readonly only?: readonly string[];
  readonly json?: string;
}

/** Of the generated mutants, unless all are asked for. */
const SHARE = 0.05;

/** 0: the judge is proven; 1: it is not. */
export async function mutants({ all = false, seed, only, json }: MutantsFlags): Promise<void> {
  if (all && only !== undefined) throw new UsageError('--all hunts every mutant, --only some: one of them.');
  const whole = drawnMutants(all || only !== undefined ? 1 : SHARE, seed);
  const chosen = only === undefined ? whole : whole.filter(({ id }) => only.some((part) => id.includes(part)));
  if (chosen.length === 0) throw new UsageError(`--only ${only?.join(', ')}: no mutant has that in its id.`);
  if (json !== undefined) await checkPlaces([json], '--json');
  const isTerminal = process.stderr.isTTY === true;
  const matrix = await proveJudge({
    ...{ mutants: chosen, seed, drawn: !all },
    variants: only === undefined ? [...(all ? variants : []), together(variants)] : [],
    tell: (done) => {
      if (isTerminal) process.stderr.write(`\r${done} of ${chosen.length} mutants`);
    },
  });
  if (isTerminal) process.stderr.write('\r\u001b[K');
  console.log(killMatrixText(matrix));
  if (json !== undefined) await writeReport(json, `${JSON.stringify(matrix, undefined, 1)}\n`, '--json');
  process.exitCode = isProven(matrix) ? 0 : 1;
}
