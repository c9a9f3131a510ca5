// Accounts side by side, asked over HTTP step by step: what each was answered, and what each has in the end. For tests. Knows no test.
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OperationId, operationById } from '../contract/operations.ts';
import { ID_BLOCK } from '../kernel/ids.ts';
import { Random } from '../kernel/random.ts';
import { ownNumber } from '../store/seed/numbers.ts';
import type { SeededUser } from '../store/seed/people.ts';
import { HOUSE_ROLES, seedCustomer } from '../store/seed/world.ts';
import { collectionOf, type Store, storeNames } from '../store/store.ts';
import type { StoredResourceId } from '../store/stored.ts';
import { createStage, keyOf, START_MS, type Stage } from './api.rig.ts';
import { type Kind, type Known, type MadeRequest, makeRequest } from './requests.rig.ts';

/** Every step takes this long, whether it is taken or not: what time it is depends on nobody. */
const STEP_MS = 2000;
/** Longer than a phone takes to obey. */
const PHONE_MS = 1000;
/** Foreign ids are guessed from the beginning of a block. */
const GUESSES = 60;
/** No account. */
const NOBODY = 7;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** One thing that somebody does; the same seed makes the same request of the same account. */
export interface Step {
  readonly account: number;
  readonly user: number;
  readonly operation: OperationId;
  readonly seed: number;
}

export interface Taken {
  readonly asked: MadeRequest;
  readonly answer: Answer;
}

/** Three accounts of which nobody has anything to do with another. */
export class House {
  readonly stage: Stage = createStage();
  readonly #users: ReadonlyMap<number, readonly SeededUser[]>;
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
    const { store, world } = this.stage;
    const seeding = { random: new Random(1), nowMs: START_MS, domain: 'pbx.test', history: 30 };
    const customers = [...world.customers, seedCustomer(store, 3, HOUSE_ROLES, seeding)];
    this.#users = new Map(customers.map(({ customerId, users }) => [customerId, users]));
  }

  get store(): Store {
    return this.stage.store;
  }

  usersOf(account: number): readonly SeededUser[] {
    return (this.#users.get(account) ?? []).filter((user) => user.api_key !== null);
  }

  /** As if the account had never been. */
  forget(account: number): void {
    for (const name of storeNames) this.store[name].clear(account);
  }

  /** Everything that the account has. */
  dump(account: number): string {
    const records = storeNames.map((name) => [name, [...this.store[name].list(account)]]);
    const calls = this.stage.exchange.liveCalls(account);
    return JSON.stringify({ ...Object.fromEntries(records), calls });
  }

  /** Those of the account take their steps; while the others would take theirs, time passes. */
  async take(steps: readonly Step[], accounts: ReadonlySet<number>): Promise<Taken[]> {
    const taken: Taken[] = [];
    for (const step of steps) {
      if (accounts.has(step.account)) taken.push(await this.#do(step));
      else this.#pass(PHONE_MS);
      this.#pass(STEP_MS - PHONE_MS);
    }
    return taken;
  }

  #pass(ms: number): void {
    const { clock } = this.stage;
    clock.advanceTo(clock.now() + ms);
  }

  async #do({ account, user, operation: id, seed }: Step): Promise<Taken> {
    const operation = operationById(id);
    const users = this.usersOf(account);
    const random = new Random(seed);
    const known = this.#knownTo(account, random, seed);
    const asked = makeRequest(operation, { known, random });
    const asker = users[user % users.length];
    const answer = await this.ask(operation.method, asked.path + asked.query, asker, asked.body);
    return { asked, answer };
  }

  /** A phone that has to obey first does so a second later. */
  async ask(method: string, path: string, user: SeededUser | undefined, body?: unknown): Promise<Answer> {
    let isAnswered = false;
    const authorization = user === undefined ? {} : { Authorization: keyOf(user) };
    const answering = this.#door.ask(this.stage, method, path, authorization, body).finally(() => {
      isAnswered = true;
    });
    const { length } = this.stage.exchange.commands;
    while (!isAnswered && this.stage.exchange.commands.length === length)
      await new Promise<void>((resolve) => setImmediate(resolve));
    this.#pass(PHONE_MS);
    return answering;
  }

  /** What somebody of the account tries: mostly what is there, then what others may have, then what nobody has. */
  #knownTo(account: number, random: Random, seed: number): Known {
    const others = [1, 2, 3].filter((one) => one !== account) as [number, number];
    const owner = (): number => random.pick([account, account, account, ...others, NOBODY]);
    const number = (): string => {
      const of = owner();
      return of === NOBODY ? '+442079460998' : ownNumber(of, random.int(12));
    };
    return {
      id: (kind) => {
        const of = owner();
        if (of === account) return this.#ownId(account, kind, random) ?? account * ID_BLOCK + 1;
        return kind === 'customers' ? of : of * ID_BLOCK + 1 + random.int(GUESSES);
      },
      number,
      dialled: () => random.pick([number(), String(101 + random.int(9))]),
      email: () => this.#users.get(owner())?.[0]?.email ?? 'nobody@nowhere.example',
      text: () => `canary-${account}-${seed}`,
    };
  }

  #ownId(account: number, kind: Kind, random: Random): number | undefined {
    if (kind === 'customers') return account;
    if (kind === 'calls' || kind === 'calltraces') return this.stage.exchange.liveCalls(account)[0]?.record.id;
    const ids = [...collectionOf(this.store, kind as StoredResourceId).list(account)].map(({ id }) => Number(id));
    return ids[random.int(Math.max(1, ids.length))];
  }
}

/** One port for all houses, one after the other. */
export class Door {
  readonly #server: Server = createServer((req, res) => this.#stage?.api(req, res));
  #stage: Stage | undefined;

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  ask(stage: Stage, method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    this.#stage = stage;
    const { port } = this.#server.address() as AddressInfo;
    const text = body === undefined ? '' : JSON.stringify(body);
    const about = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    const whole = body === undefined ? headers : { ...headers, ...about };
    return new Promise((resolve, reject) => {
      const target = { port, host: '127.0.0.1', method, path: `/v1.1/pbx${path}`, headers: whole };
      const call = send(target, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject).on('end', () => {
          const { date: _, ...rest } = res.headers;
          resolve({ status: res.statusCode ?? 0, headers: rest, bytes: Buffer.concat(chunks) });
        });
      });
      call.on('error', reject).end(text);
    });
  }
}
