// Every mutant there is, and a share of the generated ones drawn by a seed.
import { Random } from '../../kernel/random.ts';
import type { Mutant } from './mutant.ts';
import { fieldMutants } from './of-fields.ts';
import { operationMutants } from './of-operations.ts';
import { authMutants } from './written/auth.ts';
import { callMutants } from './written/calls.ts';
import { deliveryMutants } from './written/deliveries.ts';
import { eventFieldMutants } from './written/event-fields.ts';
import { eventMutants } from './written/events.ts';
import { recordMutants } from './written/records.ts';
import { serviceMutants } from './written/service.ts';
import { webhookMutants } from './written/webhooks.ts';

export const generatedMutants: readonly Mutant[] = [...operationMutants, ...fieldMutants];
export const writtenMutants: readonly Mutant[] = [
  ...authMutants,
  ...callMutants,
  ...deliveryMutants,
  ...eventFieldMutants,
  ...eventMutants,
  ...recordMutants,
  ...serviceMutants,
  ...webhookMutants,
];

/** All that are written by hand, and that share (0 to 1) of the generated ones. */
export function drawnMutants(share: number, seed: number | string): readonly Mutant[] {
  const random = new Random(seed, 'mutants');
  return [...writtenMutants, ...generatedMutants.filter(() => random.float() < share)];
}
