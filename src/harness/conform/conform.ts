// Runs a plan against a target and tells it as a stream: lanes side by side, every planned check reported once, what was made removed again.
import { clauseById } from '../../contract/clauses.ts';
import { operationById } from '../../contract/operations.ts';
import type { TimeHost } from '../../kernel/clock.ts';
import { BrokenInvariant } from '../../kernel/errors.ts';
import { Random } from '../../kernel/random.ts';
import type { CheckResult, CheckVerdict, ConformEvent, RunTail } from '../../report/conform-results.ts';
import { failsRun } from '../../report/conform-verdict.ts';
import type { ServerIdentity } from '../../wires/authority/local-authority.ts';
import type { HttpClient } from '../../wires/http-client.ts';
import { ControlClient } from '../run/control-client.ts';
import type { Courier } from '../run/inbox.ts';
import type { Target } from '../target/target.ts';
import type { Check } from './check.ts';
import { coverageOf } from './coverage.ts';
import { CheckEnd, type Finding } from './finding.ts';
import { Ledger, type LedgerLines } from './ledger.ts';
import type { Plan, PlannedCheck } from './plan.ts';
import { Session } from './session.ts';
import { sweep } from './sweep.ts';
import { type Evidence, WorkBench, type Workshop } from './work-bench.ts';

/** Lanes under way at a time. */
export const LANES_AT_ONCE = 6;
/** A check that takes longer in real time is ended. */
export const CHECK_WITHIN_MS = 120_000;
/** One that has leave to wait may take as long as a token lives, and some. */
export const WAITING_CHECK_WITHIN_MS = 20 * 60_000;

export interface ConformOptions {
  readonly target: Target;
  readonly plan: Plan;
  readonly http: HttpClient;
  readonly host: TimeHost;
  readonly seed: string;
  readonly strict: boolean;
  /** Ends at the first check that fails the run. */
  readonly failFast: boolean;
  /** Ends the run early: what was made is removed, and the run is no verdict. */
  readonly signal?: AbortSignal;
  readonly ledger: LedgerLines;
  /** What a webhook receiver of ours shows a target that sends over HTTPS. */
  readonly identity?: (() => ServerIdentity) | undefined;
  /** Has a hand in what webhook receivers of ours get: that of a mutant. */
  readonly courier?: Courier | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Told of everything, in order: the only source of reports. */
  readonly tell: (event: ConformEvent) => void;
  /** Sees each result before it is told, to account for known deviations. */
  readonly account?: (result: CheckResult) => CheckResult;
  /** After the last check: what is no longer as the known deviations say. */
  readonly stale?: (results: readonly CheckResult[]) => readonly string[];
}

/** Never rejects for anything that the target does. */
export async function conform(options: ConformOptions): Promise<void> {
  const { target, plan, tell, seed, strict } = options;
  const { name, apiRoot, control } = target;
  tell({
    ...{ event: 'run started', target: { name, apiRoot, control: control !== undefined } },
    ...{ seed, filtered: plan.filtered, strict, startedAt: options.startedAt },
    ...(plan.shard === undefined ? {} : { shard: plan.shard }),
    planned: plan.checks.map(({ check }) => check.id),
  });
  await new Runner(options).run();
}

/** What a check comes to without being run. */
type Instead = Pick<CheckResult, 'verdict' | 'message' | 'accepted'>;

class Runner {
  readonly #options: ConformOptions;
  readonly #shop: Workshop;
  readonly #results = new Map<string, CheckResult>();
  #hasFailed = false;

  constructor(options: ConformOptions) {
    this.#options = options;
    const { target, http, seed } = options;
    this.#shop = {
      session: new Session(options),
      ledger: new Ledger(options.ledger),
      random: new Random(seed).split('conform'),
      control: target.control === undefined ? undefined : new ControlClient(http, target.control),
      done: new Map(),
    };
  }

  async run(): Promise<void> {
    for (const lanes of this.#options.plan.stages) await this.#runStage(lanes);
    const { left: leftovers } = await sweep(this.#shop);
    const results = [...this.#results.values()];
    const tail: RunTail = {
      durationMs: this.#shop.session.elapsedMs,
      coverage: coverageOf(results),
      leftovers,
      // Of what was not run to its end, nobody knows what is stale.
      stale: this.#isOver ? [] : (this.#options.stale?.(results) ?? []),
      ...(this.#isOver ? { stopped: true } : {}),
      ...(this.#isInterrupted ? { obstacle: { kind: 'harness', lines: ['The run was interrupted.'] } } : {}),
    };
    this.#options.tell({ event: 'run ended', ...tail });
  }

  get #isInterrupted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** No further check is begun. */
  get #isOver(): boolean {
    return this.#hasFailed || this.#isInterrupted;
  }

  async #runStage(lanes: readonly (readonly PlannedCheck[])[]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let lane = lanes[next]; lane !== undefined; lane = lanes[next]) {
        next += 1;
        for (const planned of lane) if (!this.#isOver) await this.#runCheck(planned);
      }
    };
    await Promise.all(Array.from({ length: LANES_AT_ONCE }, work));
  }

  async #runCheck({ check, instead }: PlannedCheck): Promise<void> {
    const { session } = this.#shop;
    this.#options.tell({ event: 'check started', id: check.id });
    const bench = new WorkBench(this.#shop, check.id);
    const fromMs = session.elapsedMs;
    const before: Instead | undefined = instead ?? this.#prerequisiteOf(check);
    const [verdict, finding] =
      before === undefined ? await this.#judge(check, bench) : [before.verdict, { message: before.message }];
    const found = this.#resultOf(check, verdict, finding, { ...bench.evidence, ms: session.elapsedMs - fromMs });
    const accepted = before?.accepted;
    const result = accepted === undefined ? (this.#options.account?.(found) ?? found) : { ...found, accepted };
    this.#results.set(check.id, result);
    this.#options.tell({ event: 'check ended', result });
    if (this.#options.failFast && failsRun(result, this.#options.strict)) this.#hasFailed = true;
  }

  /** What came of a check that this one comes after, unless that went well. */
  #prerequisiteOf({ after = [] }: Check): Instead | undefined {
    for (const id of after) {
      const { verdict, message, accepted } = this.#results.get(id) ?? { verdict: 'blocked', message: '' };
      // A known deviation accounts for what it blocks, too.
      const known = accepted === undefined ? {} : { accepted };
      if (verdict === 'fail' || verdict === 'error')
        return { verdict: 'blocked', message: `${id} did not pass.`, ...known };
      // What could not be judged there cannot be judged here for the same reason.
      if (verdict !== 'pass' && verdict !== 'warn' && verdict !== 'observed') return { verdict, message, ...known };
    }
    return undefined;
  }

  async #judge(check: Check, bench: WorkBench): Promise<readonly [CheckVerdict, Finding]> {
    const { host } = this.#shop.session;
    const limitMs = check.effects.includes('wait') ? WAITING_CHECK_WITHIN_MS : CHECK_WITHIN_MS;
    let cancel = (): void => {};
    const tooLong = new Promise<Finding>((resolve) => {
      const message = `The check has not come to an end within ${limitMs / 1000} s.`;
      cancel = host.alarm(limitMs, () => resolve({ found: 'violated', message }));
    });
    try {
      const finding = await Promise.race([check.run(bench), tooLong]);
      return [verdictOf(finding, check), finding];
    } catch (error) {
      if (error instanceof CheckEnd) return [verdictOf(error.finding, check), error.finding];
      const message = error instanceof Error ? error.message : String(error);
      return ['error', { found: 'violated', message: `The harness failed: ${message}` }];
    } finally {
      cancel();
    }
  }

  #resultOf(
    { id, clause, also, operation }: Check,
    verdict: CheckVerdict,
    finding: { readonly message: string; readonly expected?: string; readonly actual?: string },
    { deliveries, messages, ...cost }: Evidence & { readonly ms: number },
  ): CheckResult {
    const { level, requirement, spec } = clauseOf(clause, id);
    const row = operation === undefined ? undefined : operationById(operation);
    const hide = (text: string): string => this.#shop.session.secrets.hide(text);
    const { message, expected, actual } = finding;
    return {
      ...{ id, clause, level, requirement, spec, verdict, message: hide(message) },
      ...(also === undefined ? {} : { also }),
      ...(row === undefined ? {} : { operation: `${row.method} ${row.path}` }),
      ...(expected === undefined ? {} : { expected: hide(expected) }),
      ...(actual === undefined ? {} : { actual: hide(actual) }),
      ...cost,
      ...(deliveries.length === 0 ? {} : { deliveries }),
      ...(messages.length === 0 ? {} : { messages }),
    };
  }
}

function clauseOf(id: string, check: string) {
  const clause = clauseById(id);
  if (clause !== undefined) return clause;
  throw new BrokenInvariant(`The check ${check} is of ${id}`, 'there is no such clause', 'Name one of the catalogue');
}

function verdictOf({ found }: Finding, { clause, id }: Check): CheckVerdict {
  switch (found) {
    case 'met':
      return 'pass';
    case 'doubtful':
      return 'warn';
    case 'violated': {
      const { level } = clauseOf(clause, id);
      return level === 'MUST' ? 'fail' : level === 'SHOULD' ? 'warn' : 'observed';
    }
    default:
      return found;
  }
}
