// Records of the target that checks work on: found in its lists, or made by the API or else by the control API. Knows no clause.
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import { type BodyFacts, fullBody, leastBody } from '../checks/bodies.ts';
import { valueAt } from '../matching.ts';
import { type ControlClient, reasonOf } from '../run/control-client.ts';
import type { Answer, Bench, Members } from './check.ts';
import { blocked, CheckEnd, unevaluable } from './finding.ts';
import type { Ledger } from './ledger.ts';

/** Nobody is called there: Ofcom keeps these numbers for drama. */
const OUTSIDE = '+442079460999';

/** What the control API calls the records of a path that does not end in it. */
const administered: Readonly<Record<string, string>> = {
  '/callmeback/buttons': 'callmebackbuttons',
  '/callmeback/websites': 'callmebackwebsites',
};

export class Records {
  readonly #bench: Bench;
  readonly #ledger: Ledger;
  readonly #control: ControlClient | undefined;

  constructor(bench: Bench, ledger: Ledger, control: ControlClient | undefined) {
    this.#bench = bench;
    this.#ledger = ledger;
    this.#control = control;
  }

  async list(path: string, query: Readonly<Record<string, unknown>>): Promise<readonly Members[]> {
    const operation = listAt(path);
    if (operation === undefined) return [];
    const { status, body } = await this.#bench.ask(operation, { query });
    const data = valueAt(body, '/data');
    if (status !== 200 || !Array.isArray(data))
      throw new CheckEnd(blocked(`GET ${path} answers ${status} and no list.`));
    return data.filter((one) => typeof one === 'object' && one !== null);
  }

  /** Live calls come and go; of all else the list is read once. */
  async find(path: string): Promise<Members> {
    const known = this.#known(path);
    const listed = path === '/calls' ? await this.list(path, {}) : await this.#listedOnce(path);
    const [record = known] = listed;
    return record ?? this.own(path);
  }

  own(path: string): Promise<Members> {
    return path === '/calls' ? this.fresh(path) : this.#bench.once(`own ${path}`, (bench) => bench.fresh(path));
  }

  /** A record that nobody else knows: it may be removed. */
  async fresh(path: string): Promise<Members> {
    const create = operations.find(({ method, path: route }) => method === 'POST' && route === path);
    if (create !== undefined) return this.make(create, {});
    if (this.#control === undefined)
      throw new CheckEnd(unevaluable(`Nothing but the control API (--control) makes a record of ${path}.`));
    return this.administer(administered[path] ?? path.split('/').at(-1) ?? '', {}, path);
  }

  async make(create: Operation, extra: Members): Promise<Members> {
    const touches =
      create.id === 'createSms'
        ? 'spend'
        : create.module === 'calls' && create.id !== 'createCallLabel'
          ? 'dial'
          : 'write';
    if (!this.#bench.allows(touches))
      throw new CheckEnd(unevaluable(`There is no record of ${create.path}, and making one needs --allow ${touches}.`));
    const facts = await factsOf(this.#bench, create, {});
    const answer = await makeOn(this.#bench, create, facts, extra);
    const data = valueAt(answer.body, '/data');
    if (typeof data !== 'object' || data === null || valueAt(data, '/id') === undefined)
      throw new CheckEnd(blocked(`POST ${create.path} answers ${answer.status} and no record with an id.`));
    return data as Members;
  }

  async administer(kind: string, body: Members, listPath = `/${kind}`): Promise<Members> {
    const control = this.#bench.control;
    const customer = this.#bench.target.users.first?.customerId;
    const entry = this.#ledger.intend(listPath, { by: 'control', path: `/records/${kind}` });
    const query = customer === undefined ? '' : `?customer_id=${customer}`;
    const ask = () => control.ask('POST', `/records/${kind}${query}`, { ...leastRecord(this.#bench, kind), ...body });
    let answer = await ask();
    // An extension that somebody has already: the next one.
    for (let tries = 0; kind === 'users' && answer.status === 400 && tries < EXTENSIONS_TRIED; tries += 1)
      answer = await ask();
    if (answer.status !== 201) {
      this.#ledger.gone(entry);
      const why = `${answer.status}, ${reasonOf(answer)}`;
      throw new CheckEnd(unevaluable(`The control API makes no record of ${kind}: ${why}`));
    }
    const record = answer.body as Members;
    this.#ledger.made(entry, record.id);
    return record;
  }

  #listedOnce(path: string): Promise<readonly Members[]> {
    return this.#bench.once(`list ${path}`, (bench) => bench.list(path));
  }

  #known(path: string): Members | undefined {
    const [id] = this.#bench.target.known?.[path] ?? [];
    return id === undefined ? undefined : { id };
  }
}

/** Asks for a record with the least body; where that is refused, with everything that is published. */
export async function makeOn(bench: Bench, create: Operation, facts: BodyFacts, extra: Members = {}): Promise<Answer> {
  const least = leastBody(create.id, facts);
  const answer = await bench.ask(create, { body: merged(least, extra) });
  if (answer.status !== 400) return answer;
  const full = fullBody(create.id, facts);
  return full === undefined ? answer : bench.ask(create, { body: merged(full, extra) });
}

function merged(body: unknown, extra: Members): unknown {
  return Array.isArray(body) || typeof body !== 'object' ? body : { ...body, ...extra };
}

/** What bodies may name of the target. `record`: the one that is changed. */
export async function factsOf(bench: Bench, operation: Operation, record: Members): Promise<BodyFacts> {
  const needsNumber = ['createWebcall', 'updateTrackedDdis'].includes(operation.id);
  const needsColleague = ['createCall', 'createWebcall', 'createLeadCall'].includes(operation.id);
  const { first } = bench.target.users;
  return {
    id: record.id,
    record,
    e164: needsNumber ? await numberOf(bench) : (first?.number ?? ''),
    extension: needsColleague ? await colleagueOf(bench) : '',
    outside: OUTSIDE,
    email: first?.email ?? '',
    password: first?.password ?? '',
  };
}

/** A number of the account. */
export async function numberOf(bench: Bench): Promise<string> {
  const [ddi] = await bench.once('list /ddis', (inner) => inner.list('/ddis'));
  if (typeof ddi?.e164 === 'string') return ddi.e164;
  throw new CheckEnd(unevaluable('The account has no number in GET /ddis.'));
}

/** Somebody else in the account who can be called. */
async function colleagueOf(bench: Bench): Promise<string> {
  const { first, second } = bench.target.users;
  if (second?.ext !== undefined) return second.ext;
  const users = await bench.once('list /users', (inner) => inner.list('/users'));
  const other = users.find(({ id, ext }) => id !== first?.id && typeof ext === 'string' && ext !== '');
  return typeof other?.ext === 'string' ? other.ext : (first?.ext ?? OUTSIDE);
}

export function listAt(prefix: string): Operation | undefined {
  return operations.find(
    ({ method, path, response }) => method === 'GET' && path === prefix && response.kind === 'collection',
  );
}

const EXTENSIONS_TRIED = 20;
let made = 0;
function leastRecord(bench: Bench, kind: string): Members {
  if (kind !== 'users') return {};
  made += 1;
  return {
    ext: String(7000 + (made % 2900)),
    email: `check-${made}-${bench.random.token(10).toLowerCase()}@checks.example`,
  };
}
