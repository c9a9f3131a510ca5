// Which checks a run makes and in which order, settled before any traffic. Knows no target but what it was told of it.
import { clauseById } from '../../contract/clauses.ts';
import { operationById } from '../../contract/operations.ts';
import { BrokenInvariant } from '../../kernel/errors.ts';
import type { Target } from '../target/target.ts';
import { ALLOWED, type Touch } from '../target/what-it-takes.ts';
import type { Check, Need } from './check.ts';

export interface PlannedCheck {
  readonly check: Check;
  /** Why it is not run but reported at once: it needs what nobody gave, or what the target says that it has not. */
  readonly instead?: { readonly verdict: 'unevaluable' | 'unsupported'; readonly message: string };
}

export interface Plan {
  /** Steps one after the other; within one, lanes side by side; within a lane, checks in their order. */
  readonly stages: ReadonlyArray<readonly (readonly PlannedCheck[])[]>;
  readonly checks: readonly PlannedCheck[];
  /** Only some of all checks were chosen; that this is a part of them is not counted. */
  readonly filtered: boolean;
  readonly shard?: Shard;
  /** Patterns that chose nothing. */
  readonly unknown: readonly string[];
}

export interface Choice {
  /** Check ids, clause ids, operation ids, `METHOD /path`, areas (a module, the first word of a path or of an id); `*` stands for any text. None: all. */
  readonly only?: readonly string[];
  /** Of so many parts of the chosen checks this one, from 1; what a check comes after is in its part, too. */
  readonly shard?: Shard;
  readonly target: Target;
}

/** A part of a plan: several machines judge one target's parts, and `pbxsim merge` puts the runs together. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export function planOf(all: readonly Check[], { only = [], shard, target }: Choice): Plan {
  const wished = only.length === 0 ? all : all.filter((check) => only.some((pattern) => isMeant(check, pattern)));
  const chosen = withPrerequisites(all, shard === undefined ? wished : partOf(wished, shard));
  const checks = all
    .filter((check) => chosen.has(check))
    .map((check): PlannedCheck => {
      const instead = obstacleOf(check, target);
      return { check, ...(instead === undefined ? {} : { instead }) };
    });
  const unknown = only.filter((pattern) => !all.some((check) => isMeant(check, pattern)));
  const stages = inOrder(checks);
  const filtered = withPrerequisites(all, wished).size < all.length;
  return { checks: stages.flat(2), stages, filtered, unknown, ...(shard === undefined ? {} : { shard }) };
}

/** Whole lanes, each to the part that has the least so far: the same for the same checks. */
function partOf(checks: readonly Check[], { index, of }: Shard): readonly Check[] {
  const lanes = [...Map.groupBy(checks, (check) => check.lane ?? areaOf(check)).values()];
  const parts: Check[][] = Array.from({ length: of }, () => []);
  for (const lane of lanes.sort((a, b) => b.length - a.length))
    parts.reduce((least, part) => (part.length < least.length ? part : least)).push(...lane);
  return parts[index - 1] ?? [];
}

function areaOf({ id }: Check): string {
  return id.split('/')[0] ?? id;
}

function withPrerequisites(all: readonly Check[], wished: readonly Check[]): Set<Check> {
  const byId = new Map(all.map((check) => [check.id, check]));
  const chosen = new Set<Check>();
  const choose = (check: Check): void => {
    if (chosen.has(check)) return;
    chosen.add(check);
    for (const id of check.after ?? []) choose(known(byId, id, check));
  };
  for (const check of wished) choose(check);
  return chosen;
}

function known(byId: ReadonlyMap<string, Check>, id: string, { id: of }: Check): Check {
  const check = byId.get(id);
  if (check !== undefined) return check;
  throw new BrokenInvariant(`The check ${of} comes after ${id}`, 'there is no such check', 'Name one of the registry');
}

function isMeant({ id, clause, also = [], operation }: Check, pattern: string): boolean {
  const row = operation === undefined ? undefined : operationById(operation);
  const [, resource = ''] = row?.path.split('/') ?? [];
  const names = [
    id,
    clause,
    ...also,
    ...(row === undefined ? [] : [row.id, `${row.method} ${row.path}`, row.module, resource]),
  ];
  return (!isGenerated(id) && id.startsWith(`${pattern}/`)) || names.some((name) => fits(name, pattern));
}

/** `*` stands for any text. */
function fits(name: string, pattern: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return name === pattern;
  const tail = parts.pop() ?? '';
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}

const users = {
  'second user': 'second',
  'third user': 'third',
  'restricted user': 'restricted',
  'two-factor user': 'two_factor',
  'other customer': 'other_customer',
} as const;

const missing: Readonly<Record<Need, string>> = {
  'second user': 'a second user (--second-user)',
  'third user': 'a third user (users.third of the target file)',
  'restricted user': 'a restricted user (users.restricted of the target file)',
  'two-factor user': 'a user with two-factor login (users.two_factor of the target file)',
  'other customer': 'a user of another customer (--other-customer-user)',
  password: 'email and password of the first user (users.first of the target file)',
  control: 'the control API (--control)',
  clock: 'a clock that can be told (--control of a simulator with --clock manual), or --allow wait',
  webhooks: 'a way to set up webhooks (webhooks of the target file, or --control)',
  phones: 'phones (sip of the target file with SIP accounts and extensions of its users, or --control)',
};

function has(target: Target, need: Need): boolean {
  switch (need) {
    case 'password':
      return target.users.first?.email !== undefined && target.users.first.password !== undefined;
    case 'control':
      return target.control !== undefined;
    case 'clock':
      return target.time === 'manual' || allowed(target).includes('wait');
    case 'webhooks':
      return target.webhooks !== undefined;
    case 'phones':
      return target.control !== undefined || (target.sip !== undefined && ['first', 'second'].every(hasPhone, target));
    default:
      return target.users[users[need]] !== undefined;
  }
}

function hasPhone(this: Target, name: string): boolean {
  const user = this.users[name as 'first'];
  return user?.sip !== undefined && user.ext !== undefined;
}

function allowed({ allow }: Target): readonly Touch[] {
  return allow ?? ALLOWED;
}

function obstacleOf(check: Check, target: Target): PlannedCheck['instead'] {
  const { needs = [], effects, capability, clause, operation } = check;
  const row = operation === undefined ? undefined : operationById(operation);
  if (
    row !== undefined &&
    target.absent?.some((one) => [row.id, row.path, `${row.method} ${row.path}`].includes(one)) === true
  )
    return { verdict: 'unsupported', message: 'The target says that it has no such operation.' };
  const lacked = [capability, clauseById(clause)?.capability].find(
    (one) => one !== undefined && target.lacks?.includes(one) === true,
  );
  if (lacked !== undefined) return { verdict: 'unsupported', message: `The target says that it has no ${lacked}.` };
  const lacking = needs.filter((need) => !has(target, need)).map((need) => missing[need]);
  if (lacking.length > 0) return { verdict: 'unevaluable', message: `Nobody gave ${lacking.join(', nor ')}.` };
  const forbidden = effects.filter((touch) => !allowed(target).includes(touch));
  if (forbidden.length === 0) return undefined;
  return { verdict: 'unevaluable', message: `It needs --allow ${forbidden.join(',')}.` };
}

const STAGES = 4;

/** Those of the contract's rows are called by their route. */
function isGenerated(id: string): boolean {
  return /^(GET|POST|PATCH|DELETE) \//.test(id);
}

/** What reads and writes records, then what was written by hand, then what needs the target to itself, last what destroys. */
function stageOf({ id, effects, lane }: Check): number {
  if (effects.includes('destroy')) return 3;
  if (lane === 'alone') return 2;
  return isGenerated(id) ? 0 : 1;
}

function inOrder(checks: readonly PlannedCheck[]): PlannedCheck[][][] {
  const stageById = new Map<string, number>();
  const stages: Array<Map<string, PlannedCheck[]>> = Array.from({ length: STAGES }, () => new Map());
  for (const planned of checks) {
    const { check } = planned;
    // Nothing runs before what it comes after.
    const stage = Math.max(stageOf(check), ...(check.after ?? []).map((id) => stageById.get(id) ?? 0));
    stageById.set(check.id, stage);
    const lane = stage >= 2 ? 'alone' : (check.lane ?? 'by hand');
    const lanes = stages[stage];
    lanes?.set(lane, [...(lanes.get(lane) ?? []), planned]);
  }
  return stages.map((lanes) => [...lanes.values()].map(afterOthers)).filter((lanes) => lanes.length > 0);
}

/** A lane in which each check stands behind those that it comes after, otherwise in the order given. */
function afterOthers(lane: readonly PlannedCheck[]): PlannedCheck[] {
  const waiting = new Map(lane.map((planned) => [planned.check.id, planned]));
  const ordered: PlannedCheck[] = [];
  const place = (planned: PlannedCheck): void => {
    if (!waiting.delete(planned.check.id)) return;
    for (const id of planned.check.after ?? []) {
      const before = waiting.get(id);
      if (before !== undefined) place(before);
    }
    ordered.push(planned);
  };
  for (const planned of lane) place(planned);
  return ordered;
}
