// What a scenario takes of a target beyond addresses: capabilities, and what is done to the account. Knows no traffic.
import { type Capability, capabilityNames } from '../../contract/clause.ts';
import type { Effect } from '../../contract/operation.ts';
import { operationById } from '../../contract/operations.ts';
import { parseDuration } from '../../kernel/time.ts';
import { LONGEST_REAL_WAIT_MS } from '../language/check-meaning.ts';
import type { PlannedStep, ScenarioPlan } from '../language/plan.ts';

/**
 * What may be done to a target: `read` and `write` records, `dial` between its users, `spend` on calls to and texts from the
 * public network, `wait` for minutes, `destroy` what the API cannot make again.
 */
export const TOUCHES = ['read', 'write', 'dial', 'spend', 'wait', 'destroy'] as const;
export type Touch = (typeof TOUCHES)[number];

/** Unless the target file says otherwise: what cannot be undone needs an explicit yes. */
export const ALLOWED: readonly Touch[] = ['read', 'write', 'dial', 'spend', 'wait'];

export function capabilitiesOf({ phones, webhooks, steps, finally: last }: ScenarioPlan): readonly Capability[] {
  const needed = new Set<Capability>([...steps, ...last].flatMap(capabilitiesOfStep));
  if (webhooks.length > 0) needed.add('webhooks');
  if (phones.some(({ line }) => 'outside' in line)) needed.add('outside');
  return capabilityNames.filter((one) => needed.has(one));
}

function capabilitiesOfStep(planned: PlannedStep): Capability[] {
  switch (planned.kind) {
    case 'parallel':
      return planned.branches.flat().flatMap(capabilitiesOfStep);
    case 'configure':
    case 'fault':
      return ['configure'];
    case 'recording':
      return ['recordings'];
    case 'do':
      return ACTS[planned.step.do] ?? [];
    default:
      return [];
  }
}

const ACTS: Readonly<Record<string, Capability[]>> = {
  hold: ['hold'],
  resume: ['hold'],
  transfer: ['transfer'],
  join: ['transfer', 'hold'],
  digits: ['digits'],
  text: ['texts'],
};

const EFFECTS: Readonly<Record<Effect, Touch>> = { read: 'read', write: 'write', destroy: 'destroy' };

export function touchesOf(plan: ScenarioPlan): readonly Touch[] {
  const outside = new Set(plan.phones.flatMap(({ name, line }) => ('outside' in line ? [name] : [])));
  const made = new Set([...plan.steps, ...plan.finally].flatMap((planned) => touchesOfStep(planned, outside)));
  return TOUCHES.filter((one) => made.has(one));
}

function touchesOfStep(planned: PlannedStep, outside: ReadonlySet<string>): Touch[] {
  switch (planned.kind) {
    case 'parallel':
      return planned.branches.flat().flatMap((one) => touchesOfStep(one, outside));
    case 'rest': {
      const operation = operationById(planned.step.rest);
      if (operation === undefined) return [];
      return operation.id === 'createCall' ? ['dial'] : [EFFECTS[operation.effect]];
    }
    case 'do': {
      const { do: act, to = '' } = planned.step;
      if (act === 'text') return ['spend'];
      if (act !== 'call' && act !== 'transfer') return [];
      return outside.has(to) || to.startsWith('+') ? ['dial', 'spend'] : ['dial'];
    }
    case 'live_call':
    case 'cdr':
    case 'recording':
      return ['read'];
    case 'configure':
    case 'fault':
      return ['write'];
    case 'wait':
      return (parseDuration(planned.step.wait) ?? 0) > LONGEST_REAL_WAIT_MS ? ['wait'] : [];
    default:
      return [];
  }
}
