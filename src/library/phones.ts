// The simulated phones and the public network as a test plays them. Knows no SIP message.
import { afterAct, startedCall } from '../control/started-call.ts';
import { type Act, type ActName, parseAct } from '../phones/acts.ts';
import { type Behaviour, type OnCall, parseBehaviour } from '../phones/behaviour.ts';
import type { PublicCallView, Script } from '../phones/carrier.ts';
import type { PhoneView } from '../phones/fleet.ts';
import type { Simulator } from '../simulator.ts';
import { granted, refusal } from './refusal.ts';

/** A behaviour, or its `on_call` word alone. */
export type BehaviourWish = Behaviour | OnCall;
/** An act, or its word alone where it needs nothing else. */
export type ActWish = Act | Exclude<ActName, 'call' | 'transfer' | 'digits'>;

/** Which call an act was about. `callId` is the call's id in the API, its events and (as `live_id`) its CDR. */
export interface ActDone {
  readonly callId?: number;
}

/** Whose phone is meant: extensions may be the same in two accounts. */
export interface OfCustomer {
  /** Default: the first customer. */
  readonly customerId?: number;
}

/** The desk phones of the users. Each registers when the simulator starts, and answers after two seconds unless told otherwise. */
export class Phones {
  readonly #simulator: Simulator;

  /** @internal */
  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  /** Every phone of the customer. */
  list(of: OfCustomer = {}): PhoneView[] {
    return this.#fleet.list(this.#customer(of));
  }

  /** One phone: its registration, its behaviour, its calls. Throws `Refused` (`not_found`). */
  view(ext: string, of: OfCustomer = {}): PhoneView {
    const view = this.#fleet.view(this.#customer(of), ext);
    if (view === undefined) throw refusal('not_found', `No simulated phone has extension ${ext}.`);
    return view;
  }

  /**
   * What the phone does when it is called, from the next call on: `'busy'`, `{ on_call: 'answer', after_ms: 500 }`.
   * Throws `Refused` for a behaviour that cannot be (`invalid`) and a phone that is not there (`not_found`).
   */
  behaviour(ext: string, behaviour: BehaviourWish, of: OfCustomer = {}): PhoneView {
    return granted(this.#fleet.setBehaviour(this.#customer(of), ext, granted(parseBehaviour(behaviour))));
  }

  /**
   * What a user does at the phone: `act('101', { act: 'call', to: '102' })`, `act('102', 'answer')`. Done by SIP; when it
   * returns the messages have arrived. Throws `Refused`, of kind `conflict` when it is impossible now.
   */
  act(ext: string, act: Act & { readonly act: 'call' }, of?: OfCustomer): Required<ActDone>;
  act(ext: string, act: ActWish, of?: OfCustomer): ActDone;
  act(ext: string, act: ActWish, of: OfCustomer = {}): ActDone {
    const wish = granted(parseAct(typeof act === 'string' ? { act } : act));
    const { journal, clock, world } = this.#simulator;
    const deps = { journal, clock, exchange: world.exchange };
    const before = journal.last;
    const done = this.#fleet.act(this.#customer(of), ext, wish);
    if (wish.act !== 'call') return actDone(granted(afterAct(deps, done)));
    const { sipCallId } = granted(done);
    clock.settle();
    return actDone(granted(startedCall(deps, before, sipCallId, 'conflict')));
  }

  get #fleet() {
    return this.#simulator.world.phones;
  }

  #customer({ customerId }: OfCustomer): number {
    return customerId ?? this.#simulator.world.customers[0]?.customerId ?? 0;
  }
}

export interface InboundWish {
  /** A public number with or without `+`, or `anonymous`. */
  readonly from: string;
  /** A number of a customer: one of `simulator.numbers`. */
  readonly to: string;
  /** What the caller does once the call is answered: `talk_ms`, `then`, `digits`. */
  readonly behaviour?: BehaviourWish;
}

/** The public network: calls and texts that come from it, and whom outbound calls reach. */
export class Trunk {
  readonly #simulator: Simulator;

  /** @internal */
  constructor(simulator: Simulator) {
    this.#simulator = simulator;
  }

  /** A call arrives. Throws `Refused`: nobody has the number (`not_found`), it leads nowhere now (`conflict`). */
  call({ from, to, behaviour }: InboundWish): Required<ActDone> {
    const { journal, clock, world } = this.#simulator;
    const wish = behaviour === undefined ? {} : { behaviour: granted(parseBehaviour(behaviour)) };
    const before = journal.last;
    const { sipCallId } = granted(world.trunk.call({ from, to, ...wish }));
    clock.settle();
    return actDone(granted(startedCall({ journal, exchange: world.exchange }, before, sipCallId, 'not_found')));
  }

  /** What the outside party of a live call does, found by its number: `act('+442079460123', 'hangup')`. */
  act(number: string, act: Exclude<ActWish, 'register' | 'unregister'>): ActDone {
    const { clock, world } = this.#simulator;
    const wish = granted(parseAct(typeof act === 'string' ? { act } : act));
    return actDone(granted(afterAct({ clock, exchange: world.exchange }, world.trunk.act(number, wish))));
  }

  /** Says what an outbound call to this number reaches, until `unscript`. */
  script(number: string, behaviour: BehaviourWish): Script {
    return granted(this.#simulator.world.trunk.script(number, granted(parseBehaviour(behaviour))));
  }

  /** The number behaves again as numbers do. False when it had no script. */
  unscript(number: string): boolean {
    return this.#simulator.world.trunk.unscript(number);
  }

  /** The scripted numbers. */
  scripts(): Script[] {
    return this.#simulator.world.trunk.scripts();
  }

  /** Live calls as the public network sees them. */
  calls(): PublicCallView[] {
    return this.#simulator.world.trunk.calls();
  }

  /** A text message arrives for one of our numbers. Throws `Refused` (`not_found`). */
  sms(message: { readonly from: string; readonly to: string; readonly text: string }): {
    readonly customerId: number;
    readonly userId: number | null;
  } {
    const { from, to, text } = message;
    const received = granted(this.#simulator.world.exchange.receiveSms(from, to, text));
    this.#simulator.clock.settle();
    return received;
  }
}

function actDone({ call_id }: { call_id: number }): Required<ActDone>;
function actDone({ call_id }: { call_id?: number }): ActDone;
function actDone({ call_id }: { call_id?: number }): ActDone {
  return call_id === undefined ? {} : { callId: call_id };
}
