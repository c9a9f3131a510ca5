// Every mutant there is, and a share of the generated ones drawn by a seed.
import { Random } from '../../kernel/random.ts';
import type { Mutant } from './mutant.ts';
import { fieldMutants } from './of-fields.ts';
import { operationMutants } from './of-operations.ts';
import { authMutants } from './written/auth.ts';
import { serviceMutants } from './written/service.ts';

export const generatedMutants: readonly Mutant[] = [...operationMutants, ...fieldMutants];
export const writtenMutants: readonly Mutant[] = [...authMutants, ...serviceMutants];

/** All that are written by hand, and that share (0 to 1) of the generated ones. */
export function drawnMutants(share: number, seed: number | string): readonly Mutant[] {
  const random = new Random(seed, 'mutants');
  return [...writtenMutants, ...generatedMutants.filter(() => random.float() < share)];
}
