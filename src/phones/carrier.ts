// The public network at the other end of the trunk: answers what the exchange calls, and calls in. Knows no users.
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import { fromOf } from '../sip/fields.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import { quote } from '../sip/header-lists.ts';
import type { SipRequest } from '../sip/message.ts';
import { formatNameAddr } from '../sip/name-addr.ts';
import { parseUri } from '../sip/uri.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { Session, UserAgent } from '../sip/user-agent-api.ts';
import { type Act, type ActAnswer, actOnCalls } from './acts.ts';
import type { Behaviour } from './behaviour.ts';
import { answerOutside, type CallView, callerOf, dialledUri } from './handset.ts';
import { loopBack } from './looped-call.ts';
import { PhoneCall } from './phone-call.ts';
import { PhoneMedia } from './phone-media.ts';
import { answerPlanOf, JUST_TALK, type TalkPlan, talkPlanOf } from './plan.ts';
import { type Conduct, conductOf, digitsOf, e164Of } from './public-numbers.ts';
import { SilentEar } from './silent-ear.ts';
import { VirtualPorts } from './virtual-ports.ts';

/** User-Agent and Server of everybody on the public network. */
export const CARRIER_PRODUCT = 'pbxsim-carrier';
/** Numbers that can be scripted at a time. */
export const MAX_SCRIPTS = 10_000;
/** Where the network's own addresses are; it resolves nowhere (RFC 2606). */
const NETWORK_HOST = 'carrier.invalid';
// RFC 3323, 4.1.1.3.
const ANONYMOUS_FROM = '"Anonymous" <sip:anonymous@anonymous.invalid>';

export interface CarrierDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The exchange's domain. */
  readonly domain: string;
  /** Gives the network's end of the trunk. Called once. */
  readonly connect: (listener: FlowListener) => Flow;
  /** True for the numbers of the exchange's own customers, digits with or without `+`. */
  readonly isOurs: (number: string) => boolean;
}

export interface InboundCall {
  /** The caller's number, or `anonymous`. */
  readonly from: string;
  /** What the network says of who that is; nothing of who hides. */
  readonly name?: string;
  /** A number of ours. */
  readonly to: string;
  /** What the caller does once answered: `talk_ms`, `then`, `digits`. */
  readonly behaviour?: Behaviour;
  /** The caller is a fax machine, and says so (RFC 6913). */
  readonly isFax?: boolean;
}

export interface Script {
  /** E.164 with `+`. */
  readonly number: string;
  readonly behaviour: Behaviour;
}

export interface PublicCallView extends CallView {
  /** The outside party. */
  readonly number: string;
}

export class Carrier {
  readonly #deps: CarrierDeps;
  readonly #agent: UserAgent;
  readonly #flow: Flow;
  readonly #sessionIds: Random;
  readonly #ports = new VirtualPorts();
  readonly #scripts = new Map<string, Behaviour>();
  /** Live calls with the outside party's number. */
  readonly #calls = new Map<PhoneCall, string>();

  constructor(deps: CarrierDeps) {
    this.#deps = deps;
    this.#sessionIds = deps.random.split('sdp-session');
    this.#agent = createUserAgent({
      clock: deps.clock,
      random: deps.random,
      product: CARRIER_PRODUCT,
      contactUser: 'trunk',
      route: () => this.#flow,
      events: {
        onInvite: (session, request) => this.#invited(session, request.request),
        onRequest: (request) => answerOutside(request),
      },
    });
    this.#flow = deps.connect(new SilentEar(this.#agent, (invite) => this.#isSilent(invite())));
  }

  /** Whoever has this number behaves so from the next call on. Numbers compare by their digits. */
  script(number: string, behaviour: Behaviour): Result<Script> {
    const digits = digitsOf(number);
    if (!/^\d{1,15}$/.test(digits)) {
      return failure('invalid', 'A scripted number has 1 to 15 digits.', ['number: expected 1 to 15 digits']);
    }
    if (this.#scripts.size >= MAX_SCRIPTS && !this.#scripts.has(digits)) {
      return failure('conflict', `${MAX_SCRIPTS} numbers are scripted already.`);
    }
    this.#scripts.set(digits, behaviour);
    return success({ number: e164Of(number), behaviour });
  }

  /** The number behaves as before. False when it was not scripted. */
  unscript(number: string): boolean {
    return this.#scripts.delete(digitsOf(number));
  }

  scripts(): Script[] {
    return [...this.#scripts].map(([digits, behaviour]) => ({ number: e164Of(digits), behaviour }));
  }

  /** Somebody outside calls a number of ours. `invalid` names a `from` that is no number, `not_found` a `to` that nobody has. */
  call({ from, to, name, behaviour, isFax = false }: InboundCall): Result<{ sipCallId: string }> {
    if (from !== 'anonymous' && !/^\d{3,15}$/.test(digitsOf(from))) {
      return failure('invalid', 'The caller is no number.', ['from: expected 3 to 15 digits or anonymous']);
    }
    if (!this.#deps.isOurs(to)) return failure('not_found', `Nobody here has the number ${to}.`);
    const caller = from === 'anonymous' ? from : e164Of(from);
    const call = this.#newCall('out', caller, e164Of(to), behaviour === undefined ? JUST_TALK : talkPlanOf(behaviour));
    const uri = this.#uriOf(e164Of(to));
    const headers = isFax ? [['Accept-Contact', '*;+sip.fax="passthrough"'] as const] : [];
    call.dial(this.#agent, { uri, from: addressOf(from, name), to: `<${uri}>`, headers });
    return success({ sipCallId: call.sipCallId });
  }

  /**
   * What somebody outside does in a live call, found by its Call-ID or by the outside party's number. `not_found` without
   * such a call, `conflict` when it is impossible now.
   */
  act(target: string, act: Act): Result<ActAnswer> {
    const digits = digitsOf(target);
    const all = [...this.#calls];
    const named = all.filter(([call]) => call.sipCallId === target);
    const calls = named.length > 0 ? named : all.filter(([, number]) => digitsOf(number) === digits);
    if (calls.length === 0) return failure('not_found', `${target} has no live call on the public network.`);
    return actOnCalls(
      calls.map(([call]) => call),
      act,
      target,
    );
  }

  /** Live calls, oldest first; those that were looped back are not among them. */
  calls(): PublicCallView[] {
    return [...this.#calls].map(([{ sipCallId, state, held, peer }, number]) => ({
      ...{ sip_call_id: sipCallId, state, held, peer, number },
    }));
  }

  /** Gone at once, without a word. */
  close(): void {
    this.#agent.close();
    this.#calls.clear();
  }

  #invited(session: Session, invite: SipRequest): void {
    const number = calledNumber(invite);
    const conduct = this.#conductOf(number);
    if (conduct === undefined) {
      const from = fromOf(invite);
      const params = new Map<string, string>();
      const caller = from === undefined ? ANONYMOUS_FROM : formatNameAddr({ ...from, params });
      loopBack(this.#agent, session, invite, { uri: this.#uriOf(e164Of(number)), from: caller });
      return;
    }
    const call = this.#newCall('in', number, callerOf(invite), conduct.talk);
    call.receive(session, invite, conduct.answer);
  }

  /** Undefined for a number of ours that nobody scripted: the call goes back in. */
  #conductOf(number: string): Conduct | undefined {
    const scripted = this.#scripts.get(digitsOf(number));
    if (scripted !== undefined) return { answer: answerPlanOf(scripted), talk: talkPlanOf(scripted) };
    return this.#deps.isOurs(number) ? undefined : conductOf(number);
  }

  #isSilent(invite: SipRequest | undefined): boolean {
    return invite !== undefined && this.#conductOf(calledNumber(invite))?.answer.kind === 'silent';
  }

  #newCall(direction: 'in' | 'out', number: string, peer: string, talk: TalkPlan): PhoneCall {
    const call = new PhoneCall(direction, {
      clock: this.#deps.clock,
      name: `number ${number}`,
      media: new PhoneMedia(String(this.#sessionIds.uint32()), this.#ports.next()),
      peer,
      self: addressOf(number),
      uriOf: (dialled) => this.#uriOf(dialled),
      talk,
      onEnded: (ended) => this.#calls.delete(ended),
    });
    this.#calls.set(call, number);
    return call;
  }

  #uriOf(dialled: string): string {
    return dialledUri(dialled, this.#deps.domain);
  }
}

/** The number in the Request-URI. */
function calledNumber(invite: SipRequest): string {
  return parseUri(invite.uri)?.user ?? '';
}

/** How a number of the network writes itself in From. */
function addressOf(number: string, name?: string): string {
  if (number === 'anonymous') return ANONYMOUS_FROM;
  const address = `<${dialledUri(e164Of(number), NETWORK_HOST)}>`;
  return name === undefined ? address : `${quote(name)} ${address}`;
}
