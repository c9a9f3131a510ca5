// What clients were told, and whether a simulator still says so. One ledger for each client; it outlives the simulators.
import type { Random } from '../../kernel/random.ts';
import type { Asked, ServedFile, ServedUser } from './served-file.ts';

/** What a record should say; undefined: that it is gone. `maybe` has what was asked for and never answered. */
interface Entry {
  said: string | undefined;
  maybe?: { readonly said: string | undefined };
}

type Kind = 'calllabels' | 'contacts' | 'webhooks';

const names: Readonly<Record<Kind, string>> = { calllabels: 'name', contacts: 'last_name', webhooks: 'name' };
/** A user has 100 tokens at a time: of more the oldest end. */
const TOKENS_CHECKED = 8;
const WEBHOOKS_AT_MOST = 10;
/** Of each kind, so that six clients do not come near what an account may have. */
const LIVE_AT_MOST = 1000;

export interface LedgerOptions {
  readonly random: Random;
  /** Where webhooks go. */
  readonly hook: string;
  readonly changesUser: boolean;
}

export class Ledger {
  /** Answers that should have been 2xx, one sentence each. */
  readonly refused: string[] = [];

  /** Writes that were answered 2xx. */
  acknowledged = 0;
  readonly #random: Random;
  readonly #user: ServedUser;
  readonly #hook: string;
  readonly #records: Readonly<Record<Kind, Map<number, Entry>>> = {
    calllabels: new Map(),
    contacts: new Map(),
    webhooks: new Map(),
  };
  /** Tokens, and whether they should be let in. */
  readonly #tokens = new Map<string, boolean>();
  readonly #calls: number[] = [];
  /** Where the user is; only one client of each user changes that. */
  #location: Entry = { said: undefined };
  readonly #changesUser: boolean;
  #count = 0;

  constructor(user: ServedUser, { random, hook, changesUser }: LedgerOptions) {
    this.#user = user;
    this.#random = random;
    this.#hook = hook;
    this.#changesUser = changesUser;
  }

  /** Asks for one change after another until there is no answer. */
  async write(served: ServedFile, onAnswer: () => void): Promise<void> {
    try {
      for (;;) {
        await this.#one(served);
        onAnswer();
      }
    } catch {
      // The process was killed: what was asked for last may or may not have happened.
    }
  }

  /** What the simulator says otherwise than it did; empty when nothing is missing, and nothing came back. */
  async check(served: ServedFile): Promise<string[]> {
    const wrong: string[] = [];
    for (const kind of ['calllabels', 'contacts', 'webhooks'] as const)
      wrong.push(...(await this.#checkKind(served, kind)));
    for (const [token, isOpen] of this.#tokens) {
      const { status } = await served.ask('GET', '/me', undefined, [this.#user.user_id, token]);
      if (status !== (isOpen ? 200 : 401)) wrong.push(`token ${token} is answered ${status}, open: ${isOpen}`);
    }
    for (const callId of this.#calls.splice(0)) {
      const total = (await this.#list(served, `/cdrs?filter=${filterOf('live_id', callId)}`)).length;
      if (total !== 1) wrong.push(`call ${callId} has ${total} CDRs`);
    }
    if (this.#changesUser) wrong.push(...(await this.#checkUser(served)));
    return wrong;
  }

  async #checkUser(served: ServedFile): Promise<string[]> {
    const { body } = await served.ask('GET', `/users/${this.#user.user_id}`, undefined, this.#key);
    const said = String((body.data as Readonly<Record<string, unknown>>).location_id);
    const before = this.#location;
    this.#location = { said };
    const isRight = before.said === undefined || allows(before, said);
    return isRight ? [] : [`user ${this.#user.user_id} is at ${said}, not at ${before.said}`];
  }

  async #checkKind(served: ServedFile, kind: Kind): Promise<string[]> {
    const path = kind === 'webhooks' ? '/_sim/webhooks' : `/${kind}?limit=5000`;
    const all = await this.#list(served, path);
    const found = new Map(all.map((record) => [Number(record.id), String(record[names[kind]])]));
    const wrong: string[] = [];
    for (const [id, entry] of this.#records[kind]) {
      const said = found.get(id);
      if (!allows(entry, said)) wrong.push(`${kind} ${id} says ${said}, not ${entry.said}`);
      this.#records[kind].set(id, { said });
    }
    return wrong;
  }

  async #list(served: ServedFile, path: string): Promise<Array<Record<string, unknown>>> {
    const found: Array<Record<string, unknown>> = [];
    const join = path.includes('?') ? '&' : '?';
    const isControl = path.startsWith('/_sim');
    for (let page = 1; ; page += 1) {
      const { status, body } = await served.ask(
        'GET',
        isControl ? path : `${path}${join}page=${page}`,
        undefined,
        this.#key,
      );
      if (status !== 200) throw new Error(`${path} is answered ${status}: ${JSON.stringify(body)}`);
      found.push(...(body.data as Array<Record<string, unknown>>));
      if (isControl || found.length >= Number(body.total)) return found;
    }
  }

  #one(served: ServedFile): Promise<void> {
    const draw = this.#random.int(100);
    if (draw < 40) return this.#make(served, this.#random.int(2) === 0 ? 'calllabels' : 'contacts');
    if (draw < 65) return this.#change(served, this.#random.int(2) === 0 ? 'calllabels' : 'contacts');
    if (draw < 82) return this.#remove(served, this.#random.int(2) === 0 ? 'calllabels' : 'contacts');
    if (draw < 86) return this.#webhook(served);
    if (draw < 90) return this.#logIn(served);
    if (draw < 92) return this.#logOut(served);
    if (draw < 97) return this.#changeUser(served);
    return this.#call(served);
  }

  async #make(served: ServedFile, kind: Kind): Promise<void> {
    if (this.#live(kind).length >= LIVE_AT_MOST) return this.#remove(served, kind);
    const name = this.#name();
    const body = {
      calllabels: { name },
      contacts: { first_name: 'Ann', last_name: name },
      webhooks: { name, url: this.#hook, events: ['call_state_change'], customer_id: this.#user.customer_id },
    }[kind];
    const path = kind === 'webhooks' ? '/_sim/webhooks' : `/${kind}`;
    const answer = this.#accepted(await served.ask('POST', path, body, this.#key), `POST ${path}`);
    const made = (answer.body.data ?? answer.body) as { readonly id: number };
    const known = this.#records[kind].get(made.id);
    if (known !== undefined) throw new Error(`${kind} ${made.id} was given again`);
    this.#records[kind].set(made.id, { said: name });
  }

  async #change(served: ServedFile, kind: Kind): Promise<void> {
    const id = this.#pick(kind);
    const entry = id === undefined ? undefined : this.#records[kind].get(id);
    if (entry === undefined) return this.#make(served, kind);
    const said = this.#name();
    entry.maybe = { said };
    const path = `/${kind}/${id}`;
    this.#accepted(await served.ask('PATCH', path, { [names[kind]]: said }, this.#key), `PATCH ${path}`);
    this.#records[kind].set(id ?? 0, { said });
  }

  async #remove(served: ServedFile, kind: Kind): Promise<void> {
    const id = this.#pick(kind);
    const entry = id === undefined ? undefined : this.#records[kind].get(id);
    if (entry === undefined) return this.#make(served, kind);
    entry.maybe = { said: undefined };
    const path = kind === 'webhooks' ? `/_sim/webhooks/${id}` : `/${kind}/${id}`;
    this.#accepted(await served.ask('DELETE', path, undefined, this.#key), `DELETE ${path}`);
    this.#records[kind].set(id ?? 0, { said: undefined });
  }

  #webhook(served: ServedFile): Promise<void> {
    return this.#live('webhooks').length < WEBHOOKS_AT_MOST && this.#random.int(2) === 0
      ? this.#make(served, 'webhooks')
      : this.#remove(served, 'webhooks');
  }

  async #logIn(served: ServedFile): Promise<void> {
    const { email, password } = this.#user;
    const answer = this.#accepted(await served.ask('POST', '/login', { email, password }), 'POST /login');
    const token = String(answer.body.user_token);
    if (this.#tokens.has(token)) throw new Error('a token was given again');
    this.#tokens.set(token, true);
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > TOKENS_CHECKED && oldest !== undefined) this.#tokens.delete(oldest);
  }

  async #logOut(served: ServedFile): Promise<void> {
    const [token] = [...this.#tokens].find(([, isOpen]) => isOpen) ?? [];
    if (token === undefined) return this.#logIn(served);
    // Without an answer nobody knows.
    this.#tokens.delete(token);
    this.#accepted(await served.ask('POST', '/logout', undefined, [this.#user.user_id, token]), 'POST /logout');
    this.#tokens.set(token, false);
  }

  async #changeUser(served: ServedFile): Promise<void> {
    if (!this.#changesUser) return this.#make(served, 'contacts');
    const said = String(1 + this.#random.int(1_000_000));
    this.#location.maybe = { said };
    const body = [{ id: this.#user.user_id, location_id: Number(said) }];
    this.#accepted(await served.ask('PATCH', '/users', body, this.#key), 'PATCH /users');
    this.#location = { said };
  }

  async #call(served: ServedFile): Promise<void> {
    const answer = this.#accepted(
      await served.ask('POST', '/calls', { to: '+442079460001' }, this.#key),
      'POST /calls',
    );
    this.#calls.push(Number((answer.body.data as { readonly id: number }).id));
  }

  #accepted(answer: Asked, what: string): Asked {
    if (answer.status < 200 || answer.status > 299)
      this.refused.push(`${what} is answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    else this.acknowledged += 1;
    return answer;
  }

  #pick(kind: Kind): number | undefined {
    const live = this.#live(kind);
    return live[this.#random.int(Math.max(1, live.length))];
  }

  #live(kind: Kind): number[] {
    return [...this.#records[kind]].flatMap(([id, { said }]) => (said === undefined ? [] : [id]));
  }

  #name(): string {
    this.#count += 1;
    return `n${this.#user.user_id}-${this.#count}`;
  }

  get #key(): readonly [number, string] {
    return [this.#user.user_id, this.#user.api_key ?? ''];
  }
}

function allows({ said, maybe }: Entry, seen: string | undefined): boolean {
  return seen === said || (maybe !== undefined && seen === maybe.said);
}

function filterOf(property: string, value: number): string {
  return encodeURIComponent(JSON.stringify([{ property, operator: 'eq', value }]));
}
