// The lamps of colleagues (RFC 4235): tells whoever subscribes to an extension which calls it has, whenever they are others. Conducts no call.
import type { User } from '../contract/resources/customer.ts';
import type { Clock } from '../kernel/clock.ts';
import { parseUri } from '../sip/uri.ts';
import type { EventState, SubscribeRequest, Subscription } from '../sip/user-agent-api.ts';
import type { Call } from './call.ts';
import type { CallBook } from './call-book.ts';
import type { Directory } from './directory.ts';
import type { Gatekeeper } from './gatekeeper.ts';

export const DIALOG_EVENT = 'dialog';
/** Of one extension; the next is refused with 503. */
export const MAX_WATCHERS_PER_USER = 100;

export interface DialogInfoDeps {
  readonly clock: Clock;
  readonly calls: CallBook;
  readonly directory: Directory;
  readonly gatekeeper: Gatekeeper;
  /** Host part of our addresses of record. */
  readonly domain: string;
}

/** An extension that somebody watches. */
interface Watched {
  readonly user: User;
  /** What all were told last. */
  told: string;
  readonly subscriptions: Set<Subscription>;
}

export class DialogInfo {
  readonly #deps: DialogInfoDeps;
  readonly #watched = new Map<number, Watched>();
  /** Accounts with changes since the present step began: many are told once. */
  readonly #due = new Set<number>();

  constructor(deps: DialogInfoDeps) {
    this.#deps = deps;
    deps.calls.observe((call) => this.#changed(call.customerId));
  }

  /** Answers a SUBSCRIBE: users may watch the extensions of their account, and so their own. */
  subscribe(request: SubscribeRequest): void {
    const { gatekeeper, directory } = this.#deps;
    const admission = gatekeeper.admit(request);
    if (!admission.ok) return request.respond(admission.refusal.status, { headers: admission.refusal.headers ?? [] });
    const customerId = directory.customerOf(admission.account.id) ?? 0;
    const user = directory.userByExtension(customerId, parseUri(request.request.uri)?.user ?? '');
    if (user === undefined) return request.respond(404);
    const watched = this.#watched.get(user.id) ?? { user, told: this.#dialogsOf(user), subscriptions: new Set() };
    if (watched.subscriptions.size >= MAX_WATCHERS_PER_USER)
      return request.respond(503, { headers: [['Retry-After', '60']] });
    // RFC 4235, 4.1: each subscription counts its documents.
    let version = 0;
    const subscription = request.accept(() => this.#document(user, version++), {
      onEnded: (ended) => {
        watched.subscriptions.delete(ended);
        if (watched.subscriptions.size === 0) this.#watched.delete(user.id);
      },
    });
    if (!subscription.active) return;
    watched.subscriptions.add(subscription);
    this.#watched.set(user.id, watched);
  }

  /** The user is gone. */
  forget(userId: number): void {
    for (const subscription of this.#watched.get(userId)?.subscriptions ?? []) subscription.terminate('noresource');
    this.#watched.delete(userId);
  }

  #changed(customerId: number): void {
    if (this.#watched.size === 0 || this.#due.has(customerId)) return;
    this.#due.add(customerId);
    this.#deps.clock.soon(() => this.#tell(customerId));
  }

  #tell(customerId: number): void {
    this.#due.delete(customerId);
    for (const watched of this.#watched.values()) {
      const now = watched.user.customer === customerId ? this.#dialogsOf(watched.user) : watched.told;
      if (now === watched.told) continue;
      watched.told = now;
      for (const subscription of watched.subscriptions) subscription.changed();
    }
  }

  // RFC 4235, 4.1: a full state says all; a call that is not in it has ended.
  #document(user: User, version: number): EventState {
    const entity = this.#address(user.ext);
    const attributes = `xmlns="urn:ietf:params:xml:ns:dialog-info" version="${version}" state="full" entity="${entity}"`;
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<dialog-info ${attributes}>\n${this.#dialogsOf(user)}</dialog-info>\n`;
    return { body, contentType: 'application/dialog-info+xml' };
  }

  #dialogsOf({ id, customer }: User): string {
    return this.#deps.calls
      .ofCustomer(customer)
      .filter((call) => !call.isOver)
      .flatMap((call) => [
        // Whom a group rings for a caller is a call of the member: the caller is in that of the group.
        ...(call.src.userId === id && !call.isForGroup ? [this.#dialog(call, 'initiator')] : []),
        ...(call.dst.kind === 'user' && call.dst.userId === id ? [this.#dialog(call, 'recipient')] : []),
      ])
      .join('');
  }

  #dialog(call: Call, direction: 'initiator' | 'recipient'): string {
    const { number, name } = direction === 'initiator' ? call.dst : call.src;
    const display = name === '' ? '' : ` display="${escaped(name)}"`;
    const identity = `<identity${display}>${escaped(this.#address(number))}</identity>`;
    const state = stateOf(call, direction);
    const id = `${call.id}-${direction}`;
    return `<dialog id="${id}" direction="${direction}"><state>${state}</state><remote>${identity}</remote></dialog>\n`;
  }

  #address(number: string): string {
    return `sip:${number}@${this.#deps.domain}`;
  }
}

/** RFC 4235, 3.7.1. */
function stateOf({ phase }: Call, direction: 'initiator' | 'recipient'): 'trying' | 'early' | 'confirmed' {
  if (phase === 'CONNECTED' || phase === 'ON_HOLD') return 'confirmed';
  // Who is called back has picked up already.
  if (phase === 'ACCEPTED') return direction === 'initiator' ? 'confirmed' : 'trying';
  return phase === 'RINGING' ? 'early' : 'trying';
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
