// What the steps of one running scenario share: the target's clients, phones, captured values, time. Knows no kind of step.
import type { OutsidePhone } from '../drivers/outside-phones.ts';
import type { ScenarioPhone } from '../drivers/phone-driver.ts';
import type { UserName } from '../language/document.ts';
import { substitute } from '../language/templates.ts';
import type { Target, TargetUser } from '../target/target.ts';
import type { ControlClient } from './control-client.ts';
import type { Inbox } from './inbox.ts';
import { credentialsOf, type RestClient } from './rest-client.ts';
import type { ScenarioTime } from './scenario-time.ts';

export interface StagePhone {
  readonly phone: ScenarioPhone;
  /** Whose phone it is; undefined for somebody outside. */
  readonly user?: TargetUser;
  /** The same phone as `phone`, when it is somebody outside. */
  readonly outside?: OutsidePhone;
}

export interface StageParts {
  readonly target: Target;
  readonly rest: RestClient;
  readonly control: ControlClient | undefined;
  readonly time: ScenarioTime;
  readonly inbox: Inbox | undefined;
  readonly phones: ReadonlyMap<string, StagePhone>;
}

/** Members whose values no report shows, in captures of any step. */
const SECRET = /token|nonce|password|api_key/;

/** Undoes what a step has done to the target. Never rejects. */
export type Undo = () => Promise<void>;

export class Stage {
  readonly target: Target;
  readonly rest: RestClient;
  readonly control: ControlClient | undefined;
  readonly time: ScenarioTime;
  readonly inbox: Inbox | undefined;
  readonly phones: ReadonlyMap<string, StagePhone>;
  /** Last in, first out. */
  readonly undo: Undo[] = [];
  /** Calls that steps were about; the last one's ladder goes with a failure. */
  readonly calls: (number | string)[] = [];
  readonly #values = new Map<string, unknown>();
  readonly #secrets = new Set<string>();

  constructor({ target, rest, control, time, inbox, phones }: StageParts) {
    this.target = target;
    this.rest = rest;
    this.control = control;
    this.time = time;
    this.inbox = inbox;
    this.phones = phones;
    for (const user of Object.values(target.users)) {
      for (const secret of [user.key, user.password, user.sip?.password]) this.#keepSecret(secret);
    }
    this.#keepSecret(target.control?.token);
  }

  capture(name: string, value: unknown, pointer = ''): void {
    this.#values.set(name, value);
    if (SECRET.test(pointer) || SECRET.test(name)) this.#keepSecret(value);
    if (/(^|\/)call_id$|^call/.test(pointer === '' ? name : pointer)) this.noteCall(value);
  }

  /** The step with its references filled in; those that nothing was captured for stay. */
  fill<T>(step: T): T {
    return substitute(step, (name) => this.lookup(name)) as T;
  }

  lookup(name: string): unknown {
    const [owner = '', fact] = name.split('.');
    if (fact === undefined) return this.#values.get(name);
    const phone = this.phones.get(owner);
    if (phone !== undefined) return phoneFact(phone, fact);
    const user = this.target.users[owner as UserName];
    return user === undefined ? undefined : userFact(user, fact);
  }

  /** Undefined for nobody. */
  credentials(
    as: UserName | 'nobody' | { readonly id: unknown; readonly token: string } | undefined,
  ): { readonly id: unknown; readonly key: string } | undefined {
    if (as === 'nobody') return undefined;
    if (typeof as === 'object') return { id: as.id, key: as.token };
    const user = this.target.users[as ?? 'first'];
    return user === undefined ? undefined : credentialsOf(user);
  }

  /** What an act at a phone dials for a phone of the scenario: the extension, or for callers outside the public number. */
  dialled(to: string, from: StagePhone): string {
    const called = this.phones.get(to);
    if (called === undefined) return to;
    return from.outside === undefined ? called.phone.number : (called.user?.number ?? called.phone.number);
  }

  /** A step was about this call. */
  noteCall(id: unknown): void {
    if (typeof id === 'number' || typeof id === 'string') this.calls.push(id);
  }

  /** The text without any secret's value. */
  redact(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '***');
    return shown;
  }

  #keepSecret(value: unknown): void {
    if (typeof value === 'string' && value.length >= 4) this.#secrets.add(value);
  }
}

function phoneFact({ phone, user }: StagePhone, fact: string): unknown {
  switch (fact) {
    case 'number':
      return user === undefined ? phone.number : user.number;
    case 'ext':
      return phone.number;
    case 'user_id':
      return user?.id;
    case 'customer_id':
      return user?.customerId;
    default:
      return undefined;
  }
}

function userFact(user: TargetUser, fact: string): unknown {
  switch (fact) {
    case 'id':
      return user.id;
    case 'key':
      return user.key ?? undefined;
    case 'customer_id':
      return user.customerId;
    case 'email':
    case 'password':
    case 'ext':
    case 'number':
      return user[fact];
    default:
      return undefined;
  }
}
