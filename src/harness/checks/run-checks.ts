// Runs checks against a target, one after the other, and says what each came to. Knows a target only through the wire.

import type { Operation } from '../../contract/operation.ts';
import { operationById } from '../../contract/operations.ts';
import type { HttpClient } from '../../wires/http-client.ts';
import { ControlClient } from '../run/control-client.ts';
import { type RestAnswer, RestClient } from '../run/rest-client.ts';
import type { Target, TargetUser } from '../target/target.ts';
import { leastBody, wrongBody } from './bodies.ts';
import type { Check, CheckResult, CheckVerdict } from './check.ts';
import { ResponseSchemas } from './response-schema.ts';
import { special } from './special.ts';
import { isLacking, type PathValues, Subjects } from './subjects.ts';

/** One try of an operation. */
interface Try {
  readonly path: PathValues;
  readonly body: unknown;
  /** Null: no credentials. */
  readonly as: TargetUser | null | undefined;
}

export class CheckRunner {
  readonly #target: Target;
  readonly #subjects: Subjects;
  readonly #control: ControlClient | undefined;
  readonly #schemas = new ResponseSchemas();

  constructor(http: HttpClient, target: Target) {
    this.#target = target;
    this.#control = target.control === undefined ? undefined : new ControlClient(http, target.control);
    this.#subjects = new Subjects(new RestClient(http, target), target, this.#control);
  }

  /** A result for each check, in order; `watch` is told of each answer that was judged. */
  async run(
    checks: readonly Check[],
    watch: (operation: Operation, answer: RestAnswer) => void = () => {},
  ): Promise<CheckResult[]> {
    const results: CheckResult[] = [];
    for (const check of checks) results.push(await this.#judge(check, watch));
    return results;
  }

  async #judge(check: Check, watch: (operation: Operation, answer: RestAnswer) => void): Promise<CheckResult> {
    const operation = operationById(check.operation);
    const right = await this.#rightTry(operation);
    if (isLacking(right)) return result(check, 'unevaluable', `There is no ${right.lacking}.`);
    const made = check.kind === 'success' ? right : this.#wrongTry(check, operation, right);
    if (isLacking(made)) return result(check, 'unevaluable', made.lacking);
    const reader = check.kind === 'success' ? undefined : this.#readerFor(operation);
    const before = await this.#state(reader, right);
    const answer = await this.#subjects.ask(operation, made);
    if (answer === undefined) return result(check, 'error', 'There was no answer.');
    watch(operation, answer);
    const expected = check.kind === 'success' ? operation.success : [check.kind];
    if (check.kind === 403 && operation.success.includes(answer.status))
      return result(check, 'observed', 'The role may do this; which role may do what is not specified.');
    if (!expected.includes(answer.status)) {
      const actual = `${answer.status} ${answer.text.slice(0, 300)}`;
      return { ...result(check, failing(check), check.requirement), expected: expected.join(' or '), actual };
    }
    const problem = this.#schemas.problemOf(operation, answer);
    if (problem !== undefined)
      return {
        ...result(check, failing(check), 'The answer is not as published.'),
        expected: 'the published shape',
        actual: problem,
      };
    if (before !== (await this.#state(reader, right)))
      return {
        ...result(check, 'warn', 'The refused request has changed something.'),
        expected: before,
        actual: 'another state',
      };
    return check.kind === 'success' ? this.#afterwards(check, operation, made, answer) : result(check, 'pass', '');
  }

  /** What the operation needs to succeed. */
  async #rightTry(operation: Operation): Promise<Try | { readonly lacking: string }> {
    const { first } = this.#target.users;
    const prepared = await special[operation.id]?.({
      target: this.#target,
      control: this.#control,
      subjects: this.#subjects,
    });
    if (prepared !== undefined)
      return isLacking(prepared) ? prepared : { path: {}, body: undefined, as: first, ...prepared };
    const path = await this.#subjects.pathOf(operation);
    if (isLacking(path)) return path;
    if (operation.body === undefined) return { path, body: undefined, as: first };
    const facts = await this.#subjects.bodyFacts(path, operation);
    if (isLacking(facts)) return facts;
    return { path, body: leastBody(operation.id, facts), as: first };
  }

  /** The same with one thing changed: the one that the error is about. */
  #wrongTry(check: Check, operation: Operation, right: Try): Try | { readonly lacking: string } {
    switch (check.kind) {
      case 400:
        return { ...right, body: wrongBody(right.body) };
      case 401:
        return { ...right, as: null };
      case 403: {
        const { restricted } = this.#target.users;
        if (restricted === undefined) return { lacking: 'There is no restricted user.' };
        return { ...right, as: restricted };
      }
      default: {
        const bulk = operation.body?.bulk === true;
        return bulk
          ? { ...right, body: unknownElement(right.body) }
          : { ...right, path: this.#subjects.unknown(operation, right.path) };
      }
    }
  }

  /** What shows that a refused request changed nothing: the record, or how many there are. */
  #readerFor(operation: Operation): Operation | undefined {
    if (operation.effect === 'read') return undefined;
    return operation.path.includes('{id}') ? this.#subjects.readerOf(operation) : this.#subjects.listOf(operation);
  }

  async #state(reader: Operation | undefined, { path }: Try): Promise<string> {
    if (reader === undefined) return '';
    const answer = await this.#subjects.ask(reader, { path });
    const { data, total } = (answer?.body ?? {}) as { readonly data?: unknown; readonly total?: unknown };
    return total === undefined ? JSON.stringify(data ?? answer?.status) : `total ${String(total)}`;
  }

  /** What was made is there, what was removed is gone. */
  async #afterwards(check: Check, operation: Operation, made: Try, answer: RestAnswer): Promise<CheckResult> {
    const reader = this.#subjects.readerOf(operation);
    const id = (answer.body as { readonly data?: { readonly id?: unknown } } | undefined)?.data?.id;
    if (operation.method === 'POST' && operation.response.kind === 'single' && reader !== undefined) {
      const found = await this.#subjects.ask(reader, { path: { id } });
      if (found?.status !== 200)
        return {
          ...result(check, 'warn', 'What was made cannot be read.'),
          expected: '200',
          actual: String(found?.status),
        };
    }
    if (
      operation.method === 'DELETE' &&
      made.path.id !== undefined &&
      reader !== undefined &&
      operation.path === reader.path
    ) {
      const found = await this.#subjects.ask(reader, { path: made.path });
      if (found?.status !== 404)
        return {
          ...result(check, 'warn', 'What was removed is still there.'),
          expected: '404',
          actual: String(found?.status),
        };
    }
    return result(check, 'pass', '');
  }
}

function unknownElement(body: unknown): unknown {
  const [first, ...rest] = body as ReadonlyArray<Readonly<Record<string, unknown>>>;
  const changed = first?.e164 === undefined ? { id: Number(first?.id) + 4_000_000 } : { e164: '+442079460998' };
  return [{ ...first, ...changed }, ...rest];
}

function failing({ level }: Check): CheckVerdict {
  return level === 'MUST' ? 'fail' : 'warn';
}

function result(check: Check, verdict: CheckVerdict, message: string): CheckResult {
  return { check, verdict, message };
}
