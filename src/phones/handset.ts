// A user's desk phone: registers, is called and answers by its behaviour, and does what its user does. Knows no exchange but its flow.
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import { fromOf } from '../sip/fields.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import { quote } from '../sip/header-lists.ts';
import type { SipRequest } from '../sip/message.ts';
import { formatUri, parseUri } from '../sip/uri.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { ServerRequest, Session, UserAgent } from '../sip/user-agent-api.ts';
import { type Act, type ActAnswer, actOnCalls } from './acts.ts';
import type { Behaviour } from './behaviour.ts';
import { PhoneCall } from './phone-call.ts';
import { PhoneMedia } from './phone-media.ts';
import { answerPlanOf, type TalkPlan, talkPlanOf } from './plan.ts';
import { Registration } from './registration.ts';
import { SilentEar } from './silent-ear.ts';
import type { VirtualPorts } from './virtual-ports.ts';

/** User-Agent and Server of every handset. */
export const HANDSET_PRODUCT = 'pbxsim-phone';
/** Calls that one phone takes at a time, ringing ones included; the next is 486. */
export const MAX_CALLS = 4;

export interface HandsetDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The exchange's domain: host part of all addresses. */
  readonly domain: string;
  /** Gives the phone's end of a flow to the exchange. */
  readonly connect: (listener: FlowListener) => Flow;
  readonly ports: VirtualPorts;
  /** Default MAX_CALLS. */
  readonly maxCalls?: number;
}

export interface Line {
  readonly ext: string;
  readonly sipUsername: string;
  readonly sipPassword: string;
  readonly displayName: string;
}

export interface CallView {
  readonly sip_call_id: string;
  /** `calling`, `ringback`, `ringing`, `connected`, `transferring`. */
  readonly state: string;
  /** Put on hold by this phone. */
  readonly held: boolean;
  readonly peer: string;
}

export class Handset {
  readonly #deps: HandsetDeps;
  readonly #line: Line;
  readonly #agent: UserAgent;
  readonly #flow: Flow;
  readonly #registration: Registration;
  readonly #sessionIds: Random;
  readonly #calls: PhoneCall[] = [];
  #behaviour: Behaviour;
  /** Of the next call alone. */
  #once: Behaviour | undefined;
  #steppedBack = false;

  constructor(deps: HandsetDeps, line: Line, behaviour: Behaviour) {
    this.#deps = deps;
    this.#line = line;
    this.#behaviour = behaviour;
    this.#sessionIds = deps.random.split('sdp-session');
    this.#agent = createUserAgent({
      clock: deps.clock,
      random: deps.random,
      product: HANDSET_PRODUCT,
      contactUser: line.sipUsername,
      route: () => this.#flow,
      lastHop: true,
      events: {
        onInvite: (session, request) => this.#invited(session, request.request),
        onRequest: (request) => answerOutside(request),
      },
    });
    this.#flow = deps.connect(new SilentEar(this.#agent, () => this.#behaviour.on_call === 'silent'));
    this.#registration = new Registration({
      clock: deps.clock,
      agent: this.#agent,
      name: this.#name,
      domain: deps.domain,
      credentials: { username: line.sipUsername, password: line.sipPassword },
      callId: deps.random.split('register').token(22),
    });
  }

  get registered(): boolean {
    return this.#registration.registered;
  }

  get steppedBack(): boolean {
    return this.#steppedBack;
  }

  get behaviour(): Behaviour {
    return this.#behaviour;
  }

  /** Holds for calls that come from now on. */
  set behaviour(behaviour: Behaviour) {
    this.#behaviour = behaviour;
  }

  /** Holds for the next call that comes, and for no other. */
  behaveOnce(behaviour: Behaviour): void {
    this.#once = behaviour;
  }

  /** Registered, and on no call. */
  get isFree(): boolean {
    return this.registered && this.#calls.length === 0;
  }

  /** Oldest first. */
  get calls(): CallView[] {
    return this.#calls.map(({ sipCallId, state, held, peer }) => ({ sip_call_id: sipCallId, state, held, peer }));
  }

  register(): void {
    this.#registration.register();
  }

  /** Leaves the extension to an external phone. Calls go on. */
  stepBack(): void {
    if (this.#steppedBack) return;
    this.#steppedBack = true;
    this.#registration.withdraw();
  }

  /** The external phone is gone: registers again. */
  comeBack(): void {
    if (!this.#steppedBack) return;
    this.#steppedBack = false;
    this.#registration.register();
  }

  /** `conflict`, with one sentence, when it is impossible now. `among`: only calls with this Call-ID or this other party. */
  act(act: Act, among?: string): Result<ActAnswer> {
    switch (act.act) {
      case 'call':
        return this.#call(act.to ?? '', act.offer === 'late');
      case 'register':
        if (this.#steppedBack) return failure('conflict', this.#takenOver);
        this.#registration.register(act.expires_s);
        return success({});
      case 'unregister':
        if (!this.registered) return failure('conflict', `The phone at ${this.#line.ext} is not registered.`);
        this.#registration.withdraw();
        return success({});
      default:
        return actOnCalls(this.#callsWith(among), act, `The phone at ${this.#line.ext}`);
    }
  }

  /** Hangs up and unregisters, then is gone. */
  retire(): void {
    for (const call of [...this.#calls]) call.hangUp();
    this.#registration.withdraw(() => this.close());
  }

  /** Gone at once, without a word. */
  close(): void {
    this.#registration.stop();
    this.#agent.close();
    this.#calls.length = 0;
  }

  get #name(): string {
    return `phone ${this.#line.ext}`;
  }

  get #takenOver(): string {
    return `An external phone has taken extension ${this.#line.ext}; the simulated one has stepped back.`;
  }

  #callsWith(among: string | undefined): readonly PhoneCall[] {
    return among === undefined
      ? this.#calls
      : this.#calls.filter(({ sipCallId, peer }) => sipCallId === among || peer === among);
  }

  get #address(): string {
    return `<sip:${this.#line.sipUsername}@${this.#deps.domain}>`;
  }

  #call(to: string, offersLate: boolean): Result<ActAnswer> {
    const { ext, displayName, sipUsername: username, sipPassword: password } = this.#line;
    if (this.#steppedBack) return failure('conflict', this.#takenOver);
    if (!this.registered) return failure('conflict', `The phone at ${ext} is not registered.`);
    if (this.#full)
      return failure('conflict', `The phone at ${ext} has ${this.#calls.length} calls, and no line free.`);
    const call = this.#newCall('out', to);
    this.#pickedUp(call);
    const uri = this.#uriOf(to);
    const from = `${quote(displayName)} ${this.#address}`;
    call.dial(this.#agent, { uri, from, to: `<${uri}>`, credentials: { username, password } }, offersLate);
    return success({ sipCallId: call.sipCallId });
  }

  #invited(session: Session, invite: SipRequest): void {
    if (this.#full) {
      session.reject(486);
      return;
    }
    const behaviour = this.#once ?? this.#behaviour;
    this.#once = undefined;
    const call = this.#newCall('in', callerOf(invite), talkPlanOf(behaviour));
    call.receive(session, invite, answerPlanOf(behaviour));
  }

  get #full(): boolean {
    return this.#calls.length >= (this.#deps.maxCalls ?? MAX_CALLS);
  }

  #newCall(direction: 'in' | 'out', peer: string, talk?: TalkPlan): PhoneCall {
    const { clock, ports } = this.#deps;
    const call = new PhoneCall(direction, {
      clock,
      name: this.#name,
      media: new PhoneMedia(String(this.#sessionIds.uint32()), ports.next()),
      peer,
      self: this.#address,
      uriOf: (dialled) => this.#uriOf(dialled),
      ...(talk === undefined ? {} : { talk }),
      onPickedUp: (picked) => this.#pickedUp(picked),
      onEnded: (ended) => this.#forget(ended),
    });
    this.#calls.push(call);
    return call;
  }

  /** A user talks to one at a time: turning to a call holds the others, as a desk phone does. */
  #pickedUp(call: PhoneCall): void {
    for (const other of this.#calls) if (other !== call && other.isTalking && !other.held) other.hold();
  }

  #forget(call: PhoneCall): void {
    const at = this.#calls.indexOf(call);
    if (at >= 0) this.#calls.splice(at, 1);
  }

  #uriOf(dialled: string): string {
    return dialledUri(dialled, this.#deps.domain);
  }
}

/** The URI of a number or extension at the exchange, its `#` escaped. */
export function dialledUri(dialled: string, domain: string): string {
  const uri = parseUri(`sip:${domain}`);
  return uri === undefined ? `sip:${domain}` : formatUri({ ...uri, user: dialled });
}

/** What a display would show: the number that the caller gives. */
export function callerOf(invite: SipRequest): string {
  const from = fromOf(invite);
  return parseUri(from?.uri ?? '')?.user ?? from?.displayName ?? '';
}

/** Requests outside any dialog: OPTIONS is answered as if called (RFC 3261, 11.2); of what it is told unasked it knows the lamp. */
export function answerOutside(request: ServerRequest): void {
  const { method } = request.request;
  if (method === 'OPTIONS') request.respond(200, { headers: [['Accept', 'application/sdp']] });
  else if (method === 'NOTIFY' && /^message-summary\b/.test(request.request.headers.get('Event') ?? ''))
    request.respond(200);
  else if (method === 'NOTIFY') request.respond(489, { headers: [['Allow-Events', 'talk, hold, refer']] });
  else request.respond(501);
}
