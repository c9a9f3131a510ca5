// The registrar: which contacts reach a user (RFC 3261, 10). Knows users by id and flows; knows nothing of calls.
import type { Clock, Timer } from '../kernel/clock.ts';
import { callIdOf, contactsOf, cseqOf, tokensOf } from '../sip/fields.ts';
import type { Address, Flow, TransportName } from '../sip/flow.ts';
import type { SipRequest } from '../sip/message.ts';
import type { NameAddr } from '../sip/name-addr.ts';
import { parseUri, sameUri } from '../sip/uri.ts';
import type { HeaderList, ServerRequest } from '../sip/user-agent-api.ts';

export const DEFAULT_EXPIRES_S = 3600;
/** Shorter wishes get 423 (RFC 3261, 10.2.8): they would cost more than they bring. */
export const MIN_EXPIRES_S = 60;
export const MAX_EXPIRES_S = 7200;
export const MAX_BINDINGS_PER_USER = 10;

export interface Binding {
  readonly userId: number;
  readonly contact: string;
  /** The flow that the REGISTER came on. */
  readonly flow: Flow;
  readonly callId: string;
  readonly cseq: number;
  readonly product: string;
  /** It said that it may be told of messages without a subscription. */
  readonly takesNews: boolean;
  readonly expiresAt: number;
}

interface Kept extends Binding {
  readonly timer: Timer;
}

/** Opens a flow to an address; undefined when that transport is not there. */
export type Connect = (transport: TransportName, address: Address) => Flow | undefined;

export interface RegistrarDeps {
  readonly clock: Clock;
  readonly connect: Connect;
  /** Told after each change of a user's bindings. */
  readonly onChange: (userId: number, bindings: readonly Binding[]) => void;
}

interface Wish {
  readonly contact: string;
  readonly expiresS: number;
}

export class Registrar {
  readonly #deps: RegistrarDeps;
  readonly #byUser = new Map<number, Kept[]>();

  constructor(deps: RegistrarDeps) {
    this.#deps = deps;
  }

  /** The user's contacts, those registered last first. */
  bindings(userId: number): readonly Binding[] {
    return this.#byUser.get(userId) ?? [];
  }

  /** Whether a phone of the user could be rung now. */
  isReached(userId: number): boolean {
    return this.bindings(userId).some((binding) => this.flowTo(binding) !== undefined);
  }

  /** How a request reaches that contact; undefined when its flow is gone. */
  flowTo(binding: Binding): Flow | undefined {
    const { flow, contact } = binding;
    const uri = parseUri(contact);
    const asked = uri?.params.get('transport');
    const transport = (typeof asked === 'string' ? asked.toUpperCase() : flow.transport) as TransportName;
    // A browser's Contact is an invented name and a memory flow has no address: only the flow itself leads there (RFC 7118, 5).
    if (uri === undefined || !['UDP', 'TCP'].includes(flow.transport)) return flow.open ? flow : undefined;
    if (transport === flow.transport && flow.transport === 'TCP' && flow.open) return flow;
    // Behind an address translator the Contact cannot be reached and the source can (RFC 3581).
    if (uri.host !== flow.remote.host) return flow.open ? flow : undefined;
    return this.#deps.connect(transport, { host: uri.host, port: uri.port ?? 5060 });
  }

  /** Answers a REGISTER whose sender has proved to be that user. */
  register(userId: number, request: ServerRequest): void {
    const message = request.request;
    const contacts = contactsOf(message);
    const callId = callIdOf(message) ?? '';
    const cseq = cseqOf(message)?.number ?? 0;
    if (message.headers.get('Contact')?.trim() === '*') return this.#removeAll(userId, request);
    if (contacts === undefined) return request.respond(400, { reason: 'Bad Contact' });
    const wishes = contacts.map((contact) => this.#wishOf(contact, message.headers.get('Expires')));
    const tooShort = wishes.some(({ expiresS }) => expiresS > 0 && expiresS < MIN_EXPIRES_S);
    if (tooShort) return request.respond(423, { headers: [['Min-Expires', String(MIN_EXPIRES_S)]] });
    if (wishes.some(({ contact }) => parseUri(contact) === undefined))
      return request.respond(400, { reason: 'Bad Contact' });
    const kept = this.#byUser.get(userId) ?? [];
    // RFC 3261, 10.3 step 7: a REGISTER that was overtaken by a later one of the same phone changes nothing.
    const overtaken = wishes.some((wish) =>
      kept.some((has) => sameUri(has.contact, wish.contact) && has.callId === callId && has.cseq > cseq),
    );
    if (overtaken) return request.respond(500, { reason: 'Out of order' });
    const added = wishes.filter((wish) => wish.expiresS > 0 && !kept.some((has) => sameUri(has.contact, wish.contact)));
    const staying = request.flow.external ? kept.filter(isExternal) : kept;
    if (staying.length + added.length > MAX_BINDINGS_PER_USER)
      return request.respond(403, { reason: 'Too many contacts' });
    const product = message.headers.get('User-Agent') ?? '';
    const takesNews = mayBeTold(message);
    if (added.length > 0 && request.flow.external) this.#makeRoom(userId);
    for (const wish of wishes) this.#apply({ userId, ...wish, flow: request.flow, callId, cseq, product, takesNews });
    request.respond(200, { headers: this.#contactHeaders(userId) });
    if (wishes.length > 0) this.#deps.onChange(userId, this.bindings(userId));
  }

  /** A flow that cannot be opened again from here has gone: what was reached over it is reached no more. */
  flowClosed(flow: Flow): void {
    if (flow.transport === 'TCP' || flow.transport === 'UDP') return;
    for (const [userId, kept] of this.#byUser) {
      if (kept.some((binding) => binding.flow === flow)) this.#drop(userId, (binding) => binding.flow === flow);
    }
  }

  /** Removes the user's bindings, all or those that match. */
  forget(userId: number): void {
    this.#drop(userId, () => true);
  }

  close(): void {
    for (const kept of this.#byUser.values()) for (const binding of kept) binding.timer.cancel();
    this.#byUser.clear();
  }

  /** A phone out there takes the place of the simulated one: from its first registration on it alone is reached. */
  #makeRoom(userId: number): void {
    const kept = this.#byUser.get(userId) ?? [];
    for (const binding of kept) if (!isExternal(binding)) binding.timer.cancel();
    this.#byUser.set(userId, kept.filter(isExternal));
  }

  #removeAll(userId: number, request: ServerRequest): void {
    // RFC 3261, 10.2.2: the star goes with Expires: 0 and nothing else.
    if (request.request.headers.get('Expires')?.trim() !== '0')
      return request.respond(400, { reason: 'Contact * needs Expires 0' });
    this.#drop(userId, () => true);
    request.respond(200);
  }

  #wishOf(contact: NameAddr, header: string | undefined): Wish {
    const own = contact.params.get('expires');
    const text = typeof own === 'string' ? own : header;
    const expiresS = text !== undefined && /^\d{1,10}$/.test(text.trim()) ? Number(text) : DEFAULT_EXPIRES_S;
    return { contact: contact.uri, expiresS: Math.min(expiresS, MAX_EXPIRES_S) };
  }

  #apply(wish: Omit<Binding, 'expiresAt'> & Wish): void {
    const { userId, contact, expiresS } = wish;
    const kept = this.#byUser.get(userId) ?? [];
    for (const old of kept) if (sameUri(old.contact, contact)) old.timer.cancel();
    const others = kept.filter((old) => !sameUri(old.contact, contact));
    if (expiresS === 0) {
      this.#byUser.set(userId, others);
      return;
    }
    const timer = this.#deps.clock.after(
      expiresS * 1000,
      `registration of user ${userId}`,
      () => this.#drop(userId, (binding) => binding.contact === contact),
      { background: true },
    );
    const { flow, callId, cseq, product, takesNews } = wish;
    const expiresAt = this.#deps.clock.now() + expiresS * 1000;
    this.#byUser.set(userId, [
      { userId, contact, flow, callId, cseq, product, takesNews, expiresAt, timer },
      ...others,
    ]);
  }

  #drop(userId: number, goes: (binding: Binding) => boolean): void {
    const kept = this.#byUser.get(userId) ?? [];
    const staying = kept.filter((binding) => !goes(binding));
    for (const binding of kept) if (!staying.includes(binding)) binding.timer.cancel();
    if (staying.length === kept.length) return;
    this.#byUser.set(userId, staying);
    this.#deps.onChange(userId, staying);
  }

  #contactHeaders(userId: number): HeaderList {
    const now = this.#deps.clock.now();
    return this.bindings(userId).map((binding) => [
      'Contact',
      `<${binding.contact}>;expires=${Math.max(0, Math.round((binding.expiresAt - now) / 1000))}`,
    ]);
  }
}

function isExternal(binding: Binding): boolean {
  return binding.flow.external;
}

/** RFC 3261, 20.5 and RFC 6665, 8.2.2: it takes NOTIFY, or names the package of messages. */
function mayBeTold(register: SipRequest): boolean {
  const allowed = tokensOf(register, 'Allow').some((method) => method === 'NOTIFY');
  return allowed || tokensOf(register, 'Allow-Events').some((name) => name.toLowerCase() === 'message-summary');
}
