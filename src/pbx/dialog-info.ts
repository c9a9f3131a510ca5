// The lamps of colleagues (RFC 4235): tells whoever subscribes to an extension which calls it has, whenever they are others. Conducts no call.
import type { Clock } from '../kernel/clock.ts';
import type { EventState } from '../sip/user-agent-api.ts';
import type { Account } from '../store/store.ts';
import type { Call } from './call.ts';
import type { CallBook } from './call-book.ts';
import type { Directory } from './directory.ts';
import type { Refusal } from './gatekeeper.ts';
import { type EventPackage, type Subscriptions, ToldOnce } from './subscriptions.ts';

export const DIALOG_EVENT = 'dialog';

export interface DialogInfoDeps {
  readonly clock: Clock;
  readonly calls: CallBook;
  readonly directory: Directory;
  readonly subscriptions: Subscriptions;
  /** Host part of our addresses of record. */
  readonly domain: string;
}

export class DialogInfo implements EventPackage {
  readonly name = DIALOG_EVENT;
  readonly maxPerUser = 100;
  readonly #deps: DialogInfoDeps;
  /** The users whom somebody watches, and what all who do were told last. */
  readonly #told = new Map<number, string>();
  /** Accounts with changes. */
  readonly #due: ToldOnce;

  constructor(deps: DialogInfoDeps) {
    this.#deps = deps;
    this.#due = new ToldOnce(deps.clock, (customerId) => this.#tell(customerId));
    deps.subscriptions.serve(this);
    deps.calls.observe(({ customerId }) => {
      if (this.#told.size > 0) this.#due.changed(customerId);
    });
  }

  /** Users may watch the extensions of their account, and so their own. */
  asked({ id }: Account, number: string): number | Refusal {
    const { directory } = this.#deps;
    return directory.userByExtension(directory.customerOf(id) ?? 0, number)?.id ?? { status: 404 };
  }

  // RFC 4235, 4.1: each subscription counts its documents.
  tellerOf(userId: number): () => EventState {
    let version = 0;
    return () => this.#document(userId, version++);
  }

  began(userId: number): void {
    this.#told.set(userId, this.#dialogsOf(userId));
  }

  ended(userId: number): void {
    this.#told.delete(userId);
  }

  #tell(customerId: number): void {
    for (const [userId, told] of this.#told) {
      const now = this.#deps.directory.customerOf(userId) === customerId ? this.#dialogsOf(userId) : told;
      if (now === told) continue;
      this.#told.set(userId, now);
      this.#deps.subscriptions.tell(this.name, userId);
    }
  }

  // RFC 4235, 4.1: a full state says all; a call that is not in it has ended.
  #document(userId: number, version: number): EventState {
    const entity = this.#address(this.#deps.directory.user(userId)?.ext ?? '');
    const attributes = `xmlns="urn:ietf:params:xml:ns:dialog-info" version="${version}" state="full" entity="${entity}"`;
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<dialog-info ${attributes}>\n${this.#dialogsOf(userId)}</dialog-info>\n`;
    return { body, contentType: 'application/dialog-info+xml' };
  }

  #dialogsOf(id: number): string {
    const { calls, directory } = this.#deps;
    return calls
      .ofCustomer(directory.customerOf(id) ?? 0)
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
