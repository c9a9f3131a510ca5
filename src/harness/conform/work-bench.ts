// The bench that a check works at: requests with evidence, users, records, time. Knows the target only by the wire.
import type { Operation } from '../../contract/operation.ts';
import { type OperationId, operationById } from '../../contract/operations.ts';
import type { Random } from '../../kernel/random.ts';
import type { ScenarioResult } from '../../report/results.ts';
import type { Answered, Asked } from '../../wires/http-client.ts';
import type { PhoneMessage } from '../drivers/phone-driver.ts';
import type { UserName } from '../language/document.ts';
import type { ScenarioPlan } from '../language/plan.ts';
import type { ControlClient } from '../run/control-client.ts';
import type { RawDelivery } from '../run/inbox.ts';
import { requestOf } from '../run/request.ts';
import { credentialsOf } from '../run/rest-client.ts';
import { runScenario } from '../run/run-scenario.ts';
import type { Target, TargetUser } from '../target/target.ts';
import { ALLOWED, type Touch } from '../target/what-it-takes.ts';
import { type CallStage, driverFor, onStage, type Setting, UntrustedReceiver } from './call-stage.ts';
import type { Answer, Asking, Bench, Credentials, Members, RawAsking } from './check.ts';
import { blocked, CheckEnd, shownValue, unevaluable, violated } from './finding.ts';
import { type Ledger, removalOf } from './ledger.ts';
import { Records } from './records.ts';
import type { Sent, Session } from './session.ts';

const POLL_MS = 100;
const ON_ITS_WAY_MS = 1000;
/** Waits up to this need no leave. */
export const SHORT_WAIT_MS = 10_000;

/** Numbers of what was sent and received. */
export interface Evidence {
  readonly exchanges: readonly number[];
  readonly deliveries: readonly number[];
  readonly messages: readonly number[];
}

/** What all benches of a run share. */
export interface Workshop {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly control: ControlClient | undefined;
  /** What was done once, with its evidence. */
  readonly done: Map<string, Promise<{ readonly value: unknown; readonly evidence: Evidence }>>;
}

export class WorkBench implements Bench {
  readonly target: Target;
  readonly random: Random;
  readonly #shop: Workshop;
  readonly #seqs = new Set<number>();
  readonly #deliveries = new Set<number>();
  readonly #messages = new Set<number>();
  readonly #records: Records;

  constructor(shop: Workshop, name: string) {
    this.#shop = shop;
    this.target = shop.session.target;
    this.random = shop.random.split(name);
    this.#records = new Records(this, shop.ledger, shop.control);
  }

  /** What was sent and received so far, in order. */
  get evidence(): Evidence {
    const inOrder = (seqs: ReadonlySet<number>) => [...seqs].sort((a, b) => a - b);
    return {
      exchanges: inOrder(this.#seqs),
      deliveries: inOrder(this.#deliveries),
      messages: inOrder(this.#messages),
    };
  }

  async ask(named: OperationId | Operation, asking: Asking = {}): Promise<Answer> {
    const operation = typeof named === 'string' ? operationById(named) : named;
    const { as = 'first', path = {}, query = {}, body } = asking;
    const who = this.#credentials(as);
    const asked = requestOf(this.target.apiRoot, { operation, as: who, path, query, body });
    const makes = operation.method === 'POST' && operation.response.kind === 'single';
    const { path: list, removal } = removalOf(operation.path);
    const by = who === undefined || Number(who.id) === this.target.users.first?.id ? undefined : Number(who.id);
    const entry = makes ? this.#shop.ledger.intend(list, removal, by) : undefined;
    const answer = await this.#sent(await this.#send(asked, operation));
    if (entry !== undefined) this.#note(entry, answer);
    if (operation.method === 'DELETE' && answer.status < 300) this.#noteGone(operation, path);
    return answer;
  }

  async send({ method, path, headers = {}, body }: RawAsking): Promise<Answer> {
    const url = /^https?:\/\//.test(path) ? path : `${this.target.apiRoot}${path}`;
    return this.#sent(await this.#send({ method, url, headers, ...(body === undefined ? {} : { body }) }, undefined));
  }

  user(name: UserName): TargetUser {
    const user = this.target.users[name];
    if (user === undefined) throw new CheckEnd(unevaluable(`Nobody gave a ${name.replaceAll('_', ' ')} user.`));
    return user;
  }

  get control(): ControlClient {
    const { control } = this.#shop;
    if (control === undefined) throw new CheckEnd(unevaluable('Nobody gave a control API (--control).'));
    return control;
  }

  async login(name: UserName): Promise<TargetUser> {
    const user = this.user(name);
    const { email, password } = user;
    if (email === undefined || password === undefined)
      throw new CheckEnd(unevaluable(`Nobody gave email and password of the ${name.replaceAll('_', ' ')} user.`));
    const { status, body } = await this.ask('login', { as: null, body: { email, password } });
    const { user_token: key } = (body ?? {}) as { readonly user_token?: unknown };
    if (status !== 200 || typeof key !== 'string')
      throw new CheckEnd(blocked(`POST /login answers ${status} and gives no user_token.`));
    return { ...user, key };
  }

  make(operation: OperationId, body: Members = {}): Promise<Members> {
    return this.#records.make(operationById(operation), body);
  }

  administer(resource: string, body: Members = {}): Promise<Members> {
    return this.#records.administer(resource, body);
  }

  find(path: string): Promise<Members> {
    return this.#records.find(path);
  }

  own(path: string): Promise<Members> {
    return this.#records.own(path);
  }

  fresh(path: string): Promise<Members> {
    return this.#records.fresh(path);
  }

  list(path: string, query: Readonly<Record<string, unknown>> = {}): Promise<readonly Members[]> {
    return this.#records.list(path, query);
  }

  allows(touch: Touch): boolean {
    return (this.target.allow ?? ALLOWED).includes(touch);
  }

  async pass(ms: number): Promise<void> {
    if (this.target.time === 'manual') {
      const { nowMs } = await this.control.clock();
      await this.control.moveTo(nowMs + ms);
      return;
    }
    if (ms > SHORT_WAIT_MS && !this.allows('wait'))
      throw new CheckEnd(unevaluable(`Waiting for ${ms / 1000} s needs --allow wait, or a clock that can be told.`));
    await this.#wait(ms);
  }

  async until<T>(ask: () => Promise<T>, done: (value: T) => boolean, withinMs: number): Promise<T> {
    const { host } = this.#shop.session;
    // Where the clock has been told, what is to come has come, but for what is on its way.
    const endMs = host.now() + (this.target.time === 'manual' ? Math.min(withinMs, ON_ITS_WAY_MS) : withinMs);
    let value = await ask();
    if (!done(value) && this.target.time === 'manual') {
      await this.pass(withinMs);
      value = await ask();
    }
    while (!done(value) && host.now() < endMs) {
      await this.#wait(POLL_MS);
      value = await ask();
    }
    return value;
  }

  async once<T>(key: string, make: (bench: Bench) => Promise<T>): Promise<T> {
    const { done } = this.#shop;
    const known = done.get(key) ?? this.#doneBy(key, make);
    done.set(key, known);
    const { value, evidence } = await known;
    for (const seq of evidence.exchanges) this.#seqs.add(seq);
    for (const seq of evidence.deliveries) this.#deliveries.add(seq);
    for (const seq of evidence.messages) this.#messages.add(seq);
    return value as T;
  }

  async stage<T>(setting: Setting, play: (stage: CallStage) => Promise<T>): Promise<T> {
    const { session } = this.#shop;
    const deps = {
      ...{ http: session.http, host: session.host, identity: session.identity },
      courier: session.courier,
      heard: (delivery: RawDelivery) => void this.#deliveries.add(session.heard(delivery)),
      witness: (phone: string, message: PhoneMessage) => void this.#messages.add(session.witnessed(phone, message)),
    };
    await this.#endCalls();
    try {
      return await onStage(setting, this.target, deps, play);
    } catch (error) {
      if (!(error instanceof UntrustedReceiver)) throw error;
      // Where it takes no certificate of ours, it may take plain HTTP, as simulators can be told to.
      session.identity = undefined;
      return onStage(setting, this.target, { ...deps, identity: undefined }, play);
    }
  }

  /** Calls that checks have left ring at phones, and tell webhooks of it. */
  async #endCalls(): Promise<void> {
    for (const { path, id } of this.#shop.ledger.open)
      if (path === '/calls' && id !== undefined) await this.ask('deleteCall', { path: { id } });
    if (!this.#shop.ledger.open.some(({ path }) => path === '/webcalls')) return;
    // POST /webcalls does not tell which call it begins: one between users of the target file is ours.
    for (const { id, src, dst } of await this.list('/calls', { limit: 1000 }))
      if (this.#isOurs(src) && this.#isOurs(dst)) await this.ask('deleteCall', { path: { id } });
  }

  #isOurs(number: unknown): boolean {
    const digits = String(number).replace(/\D/g, '');
    const names = Object.values(this.target.users).flatMap((user) => [user?.ext, user?.number]);
    return names.some((name) => name !== undefined && name.replace(/\D/g, '') === digits);
  }

  async scenario(plan: ScenarioPlan): Promise<ScenarioResult> {
    const { session } = this.#shop;
    await this.#endCalls();
    const play = (): Promise<ScenarioResult> =>
      runScenario(
        plan,
        { ...this.target, fresh: false },
        {
          ...{ host: session.host, driver: driverFor(this.target), identity: session.identity },
          http: { send: (asked) => this.#recorded(asked) },
          heard: (delivery) => void this.#deliveries.add(session.heard(delivery)),
          ending: async ({ phones }) => {
            for (const [name, { phone }] of phones)
              for (const message of await phone.messages()) this.#messages.add(session.witnessed(name, message));
          },
          replay: ({ file, id }) => `pbxsim run ${file} --only '${id}'`,
        },
      );
    const result = await play();
    if (result.verdict !== 'blocked' || session.identity === undefined || !/certificate/i.test(result.reason ?? ''))
      return result;
    session.identity = undefined;
    return play();
  }

  /** Requests of the API are evidence, those of the control API are not. */
  async #recorded(asked: Asked): Promise<Answered> {
    const { session } = this.#shop;
    if (!asked.url.startsWith(`${this.target.apiRoot}/`)) return session.http.send(asked);
    const sent = await this.#send(asked, undefined);
    if (!sent.ok) return { ok: false, error: sent.error };
    const { status, headers, text, bytes } = sent;
    return { ok: true, status, headers, text, bytes };
  }

  async #doneBy<T>(key: string, make: (bench: Bench) => Promise<T>) {
    const bench = new WorkBench(this.#shop, key);
    const value = await make(bench);
    return { value, evidence: bench.evidence };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#shop.session.host.alarm(ms, resolve));
  }

  #credentials(as: UserName | TargetUser | Credentials | null): Credentials | undefined {
    if (as === null) return undefined;
    const who = typeof as === 'string' ? this.user(as) : as;
    const credentials = who.key === null ? undefined : credentialsOf(who as TargetUser);
    if (credentials === undefined) throw new CheckEnd(unevaluable(`Nobody gave a key of user ${who.id}.`));
    return credentials;
  }

  async #send(asked: Parameters<Session['send']>[0], operation: Operation | undefined): Promise<Sent> {
    const { session } = this.#shop;
    if (session.isSilent) throw new CheckEnd(blocked('The target has stopped answering.'));
    const sent = await session.send(asked, operation);
    this.#seqs.add(sent.seq);
    return sent;
  }

  #sent(sent: Sent): Answer {
    if (sent.ok) return sent;
    throw new CheckEnd(violated('There is no answer.', 'a whole answer in time', sent.error));
  }

  #note(entry: number, { status, body }: Answer): void {
    const { ledger } = this.#shop;
    const id = (body as { readonly data?: { readonly id?: unknown } } | undefined)?.data?.id;
    if (status < 400 && id !== undefined) ledger.made(entry, id);
    else if (status >= 400 && status < 500) ledger.gone(entry);
  }

  #noteGone({ path: route }: Operation, { id, ids }: Readonly<Record<string, unknown>>): void {
    const list = route.replace(/\/\{ids?\}$/, '');
    for (const one of String(ids ?? id ?? '').split(',')) this.#shop.ledger.goneById(list, one);
  }
}

/** What a prerequisite says of itself when it is not what is judged. */
export async function asPrerequisite<T>(what: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof CheckEnd) || error.finding.found !== 'violated') throw error;
    const { message, actual } = error.finding;
    throw new CheckEnd(blocked(`${what}: ${message}${actual === undefined ? '' : ` (${shownValue(actual)})`}`));
  }
}
