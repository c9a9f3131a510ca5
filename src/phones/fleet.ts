// Every simulated handset, by customer and extension: the face that the control API builds on. Knows no HTTP and no exchange.
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import type { Act, ActAnswer } from './acts.ts';
import { type Behaviour, DEFAULT_BEHAVIOUR } from './behaviour.ts';
import { type CallView, Handset } from './handset.ts';
import { VirtualPorts } from './virtual-ports.ts';

export interface FleetDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The exchange's domain. */
  readonly domain: string;
  /** Makes a fresh flow to the exchange and gives the phone's end of it. */
  readonly connect: (listener: FlowListener) => Flow;
  /** Calls that each phone takes at a time. Default 4. */
  readonly maxCalls?: number;
}

export interface NewPhone {
  readonly customerId: number;
  readonly userId: number;
  readonly ext: string;
  readonly sipUsername: string;
  readonly sipPassword: string;
  readonly displayName: string;
  /** Default: answers after 2 s. */
  readonly behaviour?: Behaviour;
  /** Default: registers at once. */
  readonly registers?: boolean;
}

/** A phone as the control API shows it. */
export interface PhoneView {
  readonly ext: string;
  readonly customer_id: number;
  readonly user_id: number;
  readonly registered: boolean;
  /** An external phone has the extension. */
  readonly stepped_back: boolean;
  readonly behaviour: Behaviour;
  readonly calls: readonly CallView[];
}

interface Entry {
  readonly facts: NewPhone;
  readonly handset: Handset;
}

export class Fleet {
  readonly #deps: FleetDeps;
  readonly #ports = new VirtualPorts();
  readonly #phones = new Map<string, Entry>();

  constructor(deps: FleetDeps) {
    this.#deps = deps;
  }

  /** Puts a phone there. `conflict` when the extension has one already. */
  add(facts: NewPhone): Result<PhoneView> {
    const { customerId, ext, behaviour = DEFAULT_BEHAVIOUR } = facts;
    const key = keyOf(customerId, ext);
    if (this.#phones.has(key)) return failure('conflict', `Extension ${ext} has a simulated phone already.`);
    const { random, ...rest } = this.#deps;
    const deps = { ...rest, ports: this.#ports, random: random.split(`phone-${key}`) };
    const entry = { facts, handset: new Handset(deps, facts, behaviour) };
    this.#phones.set(key, entry);
    if (facts.registers !== false) entry.handset.register();
    return success(viewOf(entry));
  }

  /** Its calls are hung up and its registration is withdrawn. False when there is none. */
  remove(customerId: number, ext: string): boolean {
    const entry = this.#phones.get(keyOf(customerId, ext));
    if (entry === undefined) return false;
    this.#phones.delete(keyOf(customerId, ext));
    entry.handset.retire();
    return true;
  }

  view(customerId: number, ext: string): PhoneView | undefined {
    const entry = this.#phones.get(keyOf(customerId, ext));
    return entry === undefined ? undefined : viewOf(entry);
  }

  /** Whether the phone is registered, on no call, and answers when it is called, as phones do that nobody has told otherwise. */
  isFree(customerId: number, ext: string): boolean {
    const handset = this.#phones.get(keyOf(customerId, ext))?.handset;
    return handset?.isFree === true && handset.behaviour.on_call === 'answer';
  }

  /** In the order in which they were added; of one customer when given. */
  list(customerId?: number): PhoneView[] {
    const all = [...this.#phones.values()];
    return (customerId === undefined ? all : all.filter(({ facts }) => facts.customerId === customerId)).map(viewOf);
  }

  /** Holds for calls that come from now on. `not_found` when there is no such phone. */
  setBehaviour(customerId: number, ext: string, behaviour: Behaviour): Result<PhoneView> {
    const entry = this.#phones.get(keyOf(customerId, ext));
    if (entry === undefined) return nobody(ext);
    entry.handset.behaviour = behaviour;
    return success(viewOf(entry));
  }

  /** Holds for the next call that comes to the phone, and for no other. False when there is no such phone. */
  behaveOnce(customerId: number, ext: string, behaviour: Behaviour): boolean {
    const entry = this.#phones.get(keyOf(customerId, ext));
    entry?.handset.behaveOnce(behaviour);
    return entry !== undefined;
  }

  /**
   * What a user does at the phone. `not_found` without such a phone, `conflict` when it is impossible now. `among`: the act
   * is about a call with this Call-ID or this other party, and no other.
   */
  act(customerId: number, ext: string, act: Act, among?: string): Result<ActAnswer> {
    const entry = this.#phones.get(keyOf(customerId, ext));
    return entry === undefined ? nobody(ext) : entry.handset.act(act, among);
  }

  /** An external phone has registered the extension. */
  stepBack(customerId: number, ext: string): void {
    this.#phones.get(keyOf(customerId, ext))?.handset.stepBack();
  }

  /** The external phone is gone. */
  comeBack(customerId: number, ext: string): void {
    this.#phones.get(keyOf(customerId, ext))?.handset.comeBack();
  }

  /** The phones as they would be put there again, for snapshots: without their calls. */
  state(): NewPhone[] {
    return [...this.#phones.values()].map(({ facts, handset }) => ({
      ...facts,
      behaviour: handset.behaviour,
      registers: handset.registered || handset.steppedBack,
    }));
  }

  /** All gone at once, without a word on the wire. */
  closeAll(): void {
    for (const { handset } of this.#phones.values()) handset.close();
    this.#phones.clear();
  }
}

function viewOf({ facts, handset }: Entry): PhoneView {
  return {
    ext: facts.ext,
    customer_id: facts.customerId,
    user_id: facts.userId,
    registered: handset.registered,
    stepped_back: handset.steppedBack,
    behaviour: handset.behaviour,
    calls: handset.calls,
  };
}

function keyOf(customerId: number, ext: string): string {
  return `${customerId}/${ext}`;
}

function nobody<T>(ext: string): Result<T> {
  return failure('not_found', `No simulated phone has extension ${ext}.`);
}
