// From documents to plans: shapes, matrix, fragments, then meaning, in the order in which steps run. Knows no file system.
import { dirname, join } from 'node:path/posix';
import { clauseById, clauses } from '../../contract/clauses.ts';
import { parseDuration } from '../../kernel/time.ts';
import type { DriverName, WhenCalled } from '../drivers/phone-driver.ts';
import { capturesOf, flawsOf, type Known } from './check-meaning.ts';
import { misfits, unknownWord } from './check-shape.ts';
import {
  documentSchema,
  fragmentSchema,
  type IncludeStep,
  type ScenarioDocument,
  type StepKind,
  scenarioMembers,
  stepSchemas,
  USERS,
  type UserName,
  type WhenCalledDocument,
} from './document.ts';
import type { PhonePlan, PlannedStep, ScenarioPlan, WebhookPlan } from './plan.ts';
import { eachOnce, type Path, type Problem, problemAt, type Source } from './problem.ts';
import { referencesIn, substitute } from './templates.ts';

/** Combinations of one matrix. */
export const MAX_COMBINATIONS = 1000;
/** Steps of one scenario, fragments in place. */
export const MAX_STEPS = 2000;
/** Fragments within fragments. */
export const MAX_INCLUDE_DEPTH = 8;

export interface Built {
  readonly plans: readonly ScenarioPlan[];
  readonly problems: readonly Problem[];
}

/** Plans of one document: one for each combination of its matrix. `fragments` by path, as `fragmentPath` gives it. */
export function buildPlans(source: Source, fragments: ReadonlyMap<string, Source>): Built {
  const matrix = matrixOf(source.value);
  const misfit = matrix === undefined ? [] : headProblems({ ...source, value: { matrix } }, matrixSchema);
  if (misfit.length > 0) return { plans: [], problems: misfit };
  const combinations = combinationsOf(matrix ?? {});
  if (combinations.length > MAX_COMBINATIONS) {
    const message = `expected at most ${MAX_COMBINATIONS} combinations, found ${combinations.length}`;
    return { plans: [], problems: [problemAt(source, ['matrix'], message)] };
  }
  const plans: ScenarioPlan[] = [];
  const problems = new Map<string, Problem>();
  const tell = (problem: Problem): void => void problems.set(JSON.stringify(problem), problem);
  for (const combination of combinations) {
    const head = substitute(source.value, (name) => matrixValue(combination, name));
    const wrong = headProblems({ ...source, value: head }, documentSchema);
    wrong.forEach(tell);
    if (wrong.length > 0) continue;
    const builder = new PlanBuilder({ ...source, value: head }, fragments, combination);
    plans.push(builder.build());
    builder.problems.forEach(tell);
  }
  return problems.size > 0 ? { plans: [], problems: eachOnce([...problems.values()]) } : { plans, problems: [] };
}

/** Where a fragment is that a file includes. */
export function fragmentPath(file: string, include: string): string {
  return join(dirname(file), include);
}

/** The fragments that a document asks for, wherever its steps are; its shape need not be right. */
export function includesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(includesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === 'include' && typeof item === 'string' ? [item] : includesOf(item),
  );
}

function headProblems(source: Source, schema: object): Problem[] {
  return misfits(schema, source.value).map(({ path, message, part }) => problemAt(source, path, message, part));
}

type Combination = Readonly<Record<string, string | number>>;
type Matrix = Readonly<Record<string, readonly (string | number)[]>>;

const matrixSchema = { type: 'object', properties: { matrix: scenarioMembers.matrix } };

function matrixOf(document: unknown): Matrix | undefined {
  return (document as { readonly matrix?: Matrix } | null | undefined)?.matrix;
}

function matrixValue(combination: Combination, name: string): unknown {
  return name.startsWith('matrix.') ? combination[name.slice('matrix.'.length)] : undefined;
}

function combinationsOf(matrix: Matrix): Combination[] {
  return Object.entries(matrix).reduce<Combination[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

/** Where steps are written, and what stands for what there. */
interface Text {
  readonly source: Source;
  readonly path: Path;
  readonly values: ReadonlyMap<string, unknown>;
  readonly depth: number;
}

class PlanBuilder {
  readonly problems: Problem[] = [];
  readonly #source: Source;
  readonly #fragments: ReadonlyMap<string, Source>;
  readonly #combination: Combination;
  readonly #document: ScenarioDocument;
  readonly #texts = new Map<PlannedStep, Text>();
  #steps = 0;

  constructor(source: Source, fragments: ReadonlyMap<string, Source>, combination: Combination) {
    this.#source = source;
    this.#fragments = fragments;
    this.#combination = combination;
    this.#document = source.value as ScenarioDocument;
  }

  build(): ScenarioPlan {
    const document = this.#document;
    const phones = this.#phones();
    const webhooks = Object.entries(document.webhooks ?? {}).map(([name, { events, of }]) => ({
      name,
      events,
      of: of ?? 'first',
    }));
    const drivers = document.drivers ?? ['sim', 'sip'];
    if (drivers.length === 1 && document.drivers_reason === undefined) {
      this.problems.push(problemAt(this.#source, ['drivers'], `expected drivers_reason: why only ${drivers[0]}`));
    }
    for (const [index, id] of (document.clauses ?? []).entries()) {
      if (clauseById(id) !== undefined) continue;
      const message = unknownWord(
        id,
        clauses.map((clause) => clause.id),
      );
      this.problems.push(problemAt(this.#source, ['clauses', index], `${message}: pbxsim clauses lists them`));
    }
    if (document.clauses !== undefined && document.no_clauses !== undefined) {
      this.problems.push(
        problemAt(this.#source, ['no_clauses'], 'expected clauses or why there are none, not both', 'key'),
      );
    }
    const values = new Map(Object.entries(this.#combination).map(([name, value]) => [`matrix.${name}`, value]));
    const text = { source: this.#source, values, depth: 0 };
    const before = this.problems.length;
    const steps = this.#list(document.steps, { ...text, path: ['steps'] }, '');
    const last = this.#list(document.finally ?? [], { ...text, path: ['finally'] }, 'f');
    const known = {
      phones: new Map(phones.map((phone) => [phone.name, phone])),
      webhooks: new Map(webhooks.map((webhook) => [webhook.name, webhook])),
      drivers,
      // Steps that cannot be read may capture what others name: that is no second mistake.
      isWhole: this.problems.length === before,
    };
    const captured = new Set<string>();
    this.#checkMeaning(steps, known, captured);
    this.#checkMeaning(last, known, captured);
    return this.#plan({ phones, webhooks, drivers, steps, finally: last });
  }

  #plan(
    parts: Pick<ScenarioPlan, 'steps' | 'finally'> & {
      phones: PhonePlan[];
      webhooks: WebhookPlan[];
      drivers: readonly DriverName[];
    },
  ): ScenarioPlan {
    const { id, title, requires, spec, tags, drivers_reason: driversReason } = this.#document;
    const row = Object.entries(this.#combination).map(([name, value]) => `${name}=${value}`);
    const all = [...parts.steps, ...parts.finally].flatMap(flat);
    return {
      id: row.length === 0 ? id : `${id}[${row.join(',')}]`,
      title,
      requires,
      spec,
      clauses: this.#document.clauses ?? [],
      tags: tags ?? [],
      file: this.#source.file,
      ...(driversReason === undefined ? {} : { driversReason }),
      users: usersOf(parts, all),
      configures: all.some(({ kind }) => kind === 'configure' || kind === 'fault'),
      ...parts,
    };
  }

  #phones(): PhonePlan[] {
    return Object.entries(this.#document.phones ?? {}).flatMap(([name, { user, outside, when_called: when }]) => {
      if ((user === undefined) === (outside === undefined)) {
        this.problems.push(problemAt(this.#source, ['phones', name], 'expected either user or outside'));
        return [];
      }
      if (USERS.some((one) => one === name)) {
        this.problems.push(
          problemAt(this.#source, ['phones', name], `expected another name: ${name} is a user`, 'key'),
        );
      }
      if (conductOf(when ?? 'ring').on_call === 'redirect') {
        const message = 'expected a step with when_called for redirect: phones have no numbers yet';
        this.problems.push(problemAt(this.#source, ['phones', name, 'when_called'], message));
      }
      return [
        { name, line: user === undefined ? { outside: outside ?? '' } : { user }, conduct: conductOf(when ?? 'ring') },
      ];
    });
  }

  #list(steps: readonly unknown[], text: Text, prefix: string): PlannedStep[] {
    const planned: PlannedStep[] = [];
    for (const [index, raw] of steps.entries()) {
      const number = `${prefix}${prefix === '' || prefix === 'f' ? '' : '.'}${index + 1}`;
      planned.push(...this.#step(raw, { ...text, path: [...text.path, index] }, number));
    }
    return planned;
  }

  #step(raw: unknown, text: Text, number: string): PlannedStep[] {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      if (this.#steps === MAX_STEPS + 1) this.#problem(text, [], `expected at most ${MAX_STEPS} steps`);
      return [];
    }
    const step = substitute(raw, (name) => text.values.get(name));
    const kind = this.#kindOf(step, text);
    if (kind === undefined) return [];
    const wrong = misfits(stepSchemas[kind], step);
    for (const { path, message, part } of wrong) this.#problem(text, path, message, part);
    if (wrong.length > 0) return [];
    const place = text.source.place(text.path);
    if (kind === 'include') return this.#included(step as IncludeStep, text, number);
    if (kind === 'parallel') {
      const { title, parallel } = step as { title?: string; parallel: readonly (readonly unknown[])[] };
      const branches = parallel.map((branch, index) =>
        this.#list(branch, { ...text, path: [...text.path, 'parallel', index] }, `${number}.${index + 1}`),
      );
      return [{ kind, step: title === undefined ? {} : { title }, number, place, branches }];
    }
    const planned = { kind, step, number, place } as PlannedStep;
    this.#texts.set(planned, text);
    return [planned];
  }

  #kindOf(step: unknown, text: Text): StepKind | undefined {
    const kinds = Object.keys(stepSchemas) as StepKind[];
    const isObject = typeof step === 'object' && step !== null && !Array.isArray(step);
    const found = isObject ? kinds.filter((kind) => Object.hasOwn(step, kind)) : [];
    if (found.length === 1) return found[0];
    const seen = found.length === 0 ? 'none of them' : found.join(' and ');
    this.#problem(text, [], `expected a step with one of ${kinds.join(', ')}, found ${seen}`);
    return undefined;
  }

  #included({ include, with: given }: IncludeStep, text: Text, number: string): PlannedStep[] {
    const path = fragmentPath(text.source.file, include);
    const fragment = this.#fragments.get(path);
    if (fragment === undefined) {
      this.#problem(text, ['include'], `expected a fragment at ${path}, and none can be read there`);
      return [];
    }
    if (text.depth >= MAX_INCLUDE_DEPTH) {
      this.#problem(text, ['include'], `expected at most ${MAX_INCLUDE_DEPTH} fragments within each other`);
      return [];
    }
    const wrong = headProblems(fragment, fragmentSchema);
    this.problems.push(...wrong);
    if (wrong.length > 0) return [];
    const { parameters = [], steps } = fragment.value as { parameters?: readonly string[]; steps: readonly unknown[] };
    const values = Object.entries(given ?? {});
    const missing = parameters.filter((one) => !Object.hasOwn(given ?? {}, one));
    for (const name of missing) this.#problem(text, [], `expected with: {${name}: ...}: the fragment needs it`);
    for (const [name] of values.filter(([one]) => !parameters.includes(one))) {
      this.#problem(
        text,
        ['with', name],
        `unknown: ${name}, the fragment takes ${parameters.join(', ') || 'nothing'}`,
        'key',
      );
    }
    // What it says of a name that has no value would tell the same once more.
    if (missing.length > 0) return [];
    const inner = new Map([...text.values].filter(([name]) => name.startsWith('matrix.')));
    for (const [name, value] of values) inner.set(`with.${name}`, value);
    return this.#list(steps, { source: fragment, path: ['steps'], values: inner, depth: text.depth + 1 }, number);
  }

  #checkMeaning(steps: readonly PlannedStep[], scenario: Omit<Known, 'captured'>, captured: Set<string>): void {
    for (const planned of steps) {
      if (planned.kind === 'parallel') {
        for (const branch of planned.branches) this.#checkMeaning(branch, scenario, new Set(captured));
      } else {
        for (const { path, message, part } of flawsOf(planned, { ...scenario, captured })) {
          const text = this.#texts.get(planned);
          if (text !== undefined) this.#problem(text, path, message, part);
        }
      }
      for (const name of capturesOf(planned)) captured.add(name);
    }
  }

  #problem(text: Text, path: Path, message: string, part?: 'value' | 'key'): void {
    this.problems.push(problemAt(text.source, [...text.path, ...path], message, part));
  }
}

/** How calls are met, from its written form. */
export function conductOf(when: WhenCalledDocument): WhenCalled {
  if (typeof when === 'string') return { on_call: when };
  const { on_call, after, to } = when;
  const rest = {
    ...(after === undefined ? {} : { after_ms: parseDuration(after) ?? 0 }),
    ...(to === undefined ? {} : { to }),
  };
  return { on_call, ...rest };
}

function flat(planned: PlannedStep): PlannedStep[] {
  return planned.kind === 'parallel' ? planned.branches.flat().flatMap(flat) : [planned];
}

/** The first user always: what nobody else is named for is done as that one. */
function usersOf(
  { phones, webhooks }: { readonly phones: readonly PhonePlan[]; readonly webhooks: readonly WebhookPlan[] },
  steps: readonly PlannedStep[],
): UserName[] {
  const asked = new Set<string>(['first', ...webhooks.map(({ of }) => of)]);
  for (const { line } of phones) if ('user' in line) asked.add(line.user);
  for (const { step } of steps) {
    if ('as' in step && typeof step.as === 'string') asked.add(step.as);
    for (const { name } of referencesIn(step)) asked.add(name.split('.')[0] ?? '');
  }
  return USERS.filter((user) => asked.has(user));
}
