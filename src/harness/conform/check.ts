// What a check of a clause is, and the bench it works at. Types; knows no clause and no target.
import type { Capability } from '../../contract/clause.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/operations.ts';
import type { Random } from '../../kernel/random.ts';
import type { ScenarioResult } from '../../report/results.ts';
import type { UserName } from '../language/document.ts';
import type { ScenarioPlan } from '../language/plan.ts';
import type { ControlClient } from '../run/control-client.ts';
import type { Target, TargetUser } from '../target/target.ts';
import type { Touch } from '../target/what-it-takes.ts';
import type { CallStage, Setting } from './call-stage.ts';
import type { Finding } from './finding.ts';

/**
 * What somebody has to have given, else the check is unevaluable: a user, passwords, the control API, a clock that can be told, a way to
 * set up webhooks, phones (the control API's, or SIP accounts for our own).
 */
export type Need =
  | 'second user'
  | 'third user'
  | 'restricted user'
  | 'two-factor user'
  | 'other customer'
  | 'password'
  | 'control'
  | 'clock'
  | 'webhooks'
  | 'phones';

export interface Check {
  /** Stable: `GET /users/{id} 404` for generated ones, `area/what-is-checked` for those written by hand. */
  readonly id: string;
  /** Id of its clause. */
  readonly clause: string;
  /** Further clauses that it is evidence of; the first says what a failure is worth. */
  readonly also?: readonly string[];
  /** The operation it is about, where it is one. */
  readonly operation?: OperationId;
  /** All that it does to the target besides logging in; `read` if nothing else. */
  readonly effects: readonly Touch[];
  readonly needs?: readonly Need[];
  readonly capability?: Capability;
  /** Checks that have to pass first, else this one is blocked. */
  readonly after?: readonly string[];
  /** Checks of one lane run one after the other; those of `alone` while nothing else runs. Default: the area of the id. */
  readonly lane?: string;
  run(bench: Bench): Promise<Finding>;
}

export interface Asking {
  /** A user, nobody (null), or an id and a key of one's own. Default: the first user. */
  readonly as?: UserName | TargetUser | Credentials | null;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface Credentials {
  readonly id: unknown;
  readonly key: string;
}

/** A request that is no published operation, or is written in a way of its own. */
export interface RawAsking {
  readonly method: string;
  /** Below the API root: `/calls?limit=1`; or a whole URL. */
  readonly path: string;
  /** Besides these nothing is sent but Host and the like. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON in it; undefined when it is none. */
  readonly body: unknown;
  readonly text: string;
  readonly bytes: Buffer;
  /** Number of the exchange. */
  readonly seq: number;
  readonly ms: number;
}

export type Members = Readonly<Record<string, unknown>>;

/** What a check works with. Every request is kept as evidence of the check. Whatever ends a check early is thrown as `CheckEnd`. */
export interface Bench {
  readonly target: Target;
  /** Chance of this check alone, from the seed of the run. */
  readonly random: Random;
  /** Sends an operation. Ends the check with `violated` when there is no answer in time and size. */
  ask(operation: OperationId | Operation, asking?: Asking): Promise<Answer>;
  send(asking: RawAsking): Promise<Answer>;
  /** Ends the check with `unevaluable` when the target has no such user, or knows no key of it. */
  user(name: UserName): TargetUser;
  /** The control API; ends the check with `unevaluable` when there is none. */
  readonly control: ControlClient;
  /** Logs a user in with email and password: the same user with a token as key. */
  login(name: UserName): Promise<TargetUser>;
  /**
   * A new record by the operation that makes such, noted in the ledger and removed after the run. `body`: besides the least that is needed.
   * Ends the check with `blocked` when the target does not make it.
   */
  make(operation: OperationId, body?: Members): Promise<Members>;
  /** A new record by the control API, of a kind that no operation makes (`chats`, `voicemessages`). */
  administer(resource: string, body?: Members): Promise<Members>;
  /** Some record of a list, by the path of the list (`/queues`); made when there is none. Not to be changed unless it was made. */
  find(path: string): Promise<Members>;
  /** A record of that list that the harness has made, the same one at each call: it may be changed, not removed. */
  own(path: string): Promise<Members>;
  /** A new record of that list that nobody else knows: it may be removed. */
  fresh(path: string): Promise<Members>;
  /** The records of a list, first page. */
  list(path: string, query?: Readonly<Record<string, unknown>>): Promise<readonly Members[]>;
  /** Lets time pass at the target: its clock is moved where it can be told, else it is waited for. */
  pass(ms: number): Promise<void>;
  /** Asks again until `done` says so, for `withinMs` of the target's time at most (of real time if its clock cannot be told). */
  until<T>(ask: () => Promise<T>, done: (value: T) => boolean, withinMs: number): Promise<T>;
  /** Does something once in a run, however many checks ask for it; its exchanges are evidence of all of them. */
  once<T>(key: string, make: (bench: Bench) => Promise<T>): Promise<T>;
  /** Opens phones and webhooks, plays on them, puts everything back; messages and deliveries are evidence, too. */
  stage<T>(setting: Setting, play: (stage: CallStage) => Promise<T>): Promise<T>;
  /** Plays a scenario against the target as it is; its requests, deliveries and messages are evidence. */
  scenario(plan: ScenarioPlan): Promise<ScenarioResult>;
  /** Whether the target lets this be done to it. */
  allows(touch: Touch): boolean;
}
