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

/** At a simulator that was made for a test: what cannot be undone needs an explicit yes. */
export const ALLOWED: readonly Touch[] = ['read', 'write', 'dial', 'spend', 'wait'];

/** What each of them means, for those who write target files. */
export const TOUCH_MEANINGS: Readonly<Record<Touch, string>> = {
  read: 'look at records; always allowed',
  write: 'make, change and remove records',
  dial: 'call from user to user',
  spend: 'call and text the public network, which may cost money',
  wait: 'take minutes where time cannot be moved',
  destroy: 'delete what the API cannot make again: all of a collection, an account',
};

export interface Leave {
  /** What somebody has said may be done. */
  readonly said: readonly Touch[] | undefined;
  readonly apiRoot: string;
  /** Has a control API: nothing there is anybody's, and its public network costs nothing. */
  readonly isSimulator: boolean;
  /** Its time is told. */
  readonly isManual: boolean;
}

/** Unless somebody says so, a system elsewhere is only read; a simulator, or a system on this machine, is there to be used. */
export function allowedAt({ said, apiRoot, isSimulator, isManual }: Leave): readonly Touch[] {
  const usual: readonly Touch[] = isSimulator || isHere(apiRoot) ? ['write', 'dial', 'spend'] : [];
  const all = new Set<Touch>(['read', ...(said ?? usual)]);
  if (isSimulator && all.has('dial')) all.add('spend');
  if (isManual && said === undefined) all.add('wait');
  return TOUCHES.filter((touch) => all.has(touch));
}

function isHere(apiRoot: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(apiRoot).hostname);
}

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
