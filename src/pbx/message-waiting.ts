// The lamp for messages that wait (RFC 3842): tells a user's phones and subscribers how many there are, whenever that is another
// number. Knows no message and no folder.
import type { Clock } from '../kernel/clock.ts';
import type { EventState, UserAgent } from '../sip/user-agent-api.ts';
import type { Account, Store } from '../store/store.ts';
import type { Refusal } from './gatekeeper.ts';
import type { Binding, Registrar } from './registrar.ts';
import { MAILBOX_CODE } from './service-codes.ts';
import { type EventPackage, type Subscriptions, ToldOnce } from './subscriptions.ts';

export const MESSAGE_SUMMARY = 'message-summary';
export interface MessageWaitingDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly registrar: Registrar;
  readonly subscriptions: Subscriptions;
  readonly userAgent: UserAgent;
  /** Host part of our addresses of record. */
  readonly domain: string;
}

/** One user's box, as its phones know it. */
interface Box {
  /** What all of them were told last: `2/8`. */
  told: string;
  /** A phone has gone whose lamp was lit. */
  mayShow: boolean;
  /** The registrations that are told of it, and those that refused to hear of it or never said that they would listen. */
  readonly phones: Map<string, 'listens' | 'refuses'>;
}

const EMPTY = '0/0';

export class MessageWaiting implements EventPackage {
  readonly name = MESSAGE_SUMMARY;
  readonly maxPerUser = 20;
  readonly #deps: MessageWaitingDeps;
  readonly #boxes = new Map<number, Box>();
  /** Users of whom something may be another number. */
  readonly #due: ToldOnce;

  constructor(deps: MessageWaitingDeps) {
    this.#deps = deps;
    this.#due = new ToldOnce(deps.clock, (userId) => this.#tellAll(userId));
    deps.subscriptions.serve(this);
  }

  /** The user's registrations are these now. A phone that is new is told when messages wait, or when it may still show some. */
  registered(userId: number, bindings: readonly Binding[]): void {
    const box = this.#boxOf(userId);
    const present = new Set(bindings.map(keyOf));
    for (const key of box.phones.keys()) {
      if (present.has(key)) continue;
      box.phones.delete(key);
      box.mayShow ||= box.told !== EMPTY;
    }
    const fresh = bindings.filter((binding) => !box.phones.has(keyOf(binding)));
    for (const binding of fresh) box.phones.set(keyOf(binding), binding.takesNews ? 'listens' : 'refuses');
    if (box.told !== this.#countsOf(userId)) this.changed(userId);
    else if (box.told !== EMPTY || box.mayShow) this.#tell(userId, box, fresh);
    if (bindings.length === 0) this.#forgetIfEmpty(userId, box);
  }

  /** The user's record is another one, perhaps in its counts. */
  changed(userId: number): void {
    const box = this.#boxes.get(userId);
    if (box !== undefined && box.told !== this.#countsOf(userId)) this.#due.changed(userId);
  }

  /** Users subscribe to their own box, by its extension or by the code of the mailbox (RFC 3842, 3). */
  asked({ id, sipUsername }: Account, number: string): number | Refusal {
    const own = [sipUsername, this.#deps.store.users.get(id)?.ext, MAILBOX_CODE];
    return own.includes(number) ? id : { status: 403, reason: 'Not your mailbox' };
  }

  tellerOf(userId: number): () => EventState {
    return () => this.#summaryOf(userId);
  }

  /** It has been told all with its acceptance; what phones know is looked after already. */
  began(userId: number): void {
    const box = this.#boxOf(userId);
    if (box.phones.size === 0) box.told = this.#countsOf(userId);
  }

  ended(userId: number): void {
    const box = this.#boxes.get(userId);
    if (box !== undefined) this.#forgetIfEmpty(userId, box);
  }

  /** The user is gone. */
  forget(userId: number): void {
    this.#boxes.delete(userId);
  }

  #tellAll(userId: number): void {
    const box = this.#boxes.get(userId);
    if (box === undefined || box.told === this.#countsOf(userId)) return;
    const { registrar, subscriptions } = this.#deps;
    // Who was told of messages and is away is told when it is back.
    if (box.phones.size + subscriptions.to(this.name, userId).size === 0) return;
    box.told = this.#countsOf(userId);
    this.#tell(userId, box, registrar.bindings(userId));
    subscriptions.tell(this.name, userId);
  }

  #tell(userId: number, box: Box, bindings: readonly Binding[]): void {
    for (const binding of bindings)
      if (box.phones.get(keyOf(binding)) === 'listens') this.#notify(userId, box, binding);
  }

  /** Outside any dialog, for phones that have not subscribed: most wait for it. One that refuses is left alone until it registers anew. */
  #notify(userId: number, box: Box, binding: Binding): void {
    const flow = this.#deps.registrar.flowTo(binding);
    const subscribers = [...this.#deps.subscriptions.to(this.name, userId)];
    const isSubscribed = subscribers.some((subscription) => subscription.flow === flow);
    if (flow === undefined || isSubscribed) return;
    const ext = this.#deps.store.users.get(userId)?.ext ?? '';
    const { body, contentType } = this.#summaryOf(userId);
    this.#deps.userAgent.request(
      {
        method: 'NOTIFY',
        uri: binding.contact,
        from: `<sip:${MAILBOX_CODE}@${this.#deps.domain}>`,
        to: `<sip:${ext}@${this.#deps.domain}>`,
        flow,
        // RFC 6665, 8.2.3 asks for a state, and there is no subscription.
        headers: [
          ['Event', MESSAGE_SUMMARY],
          ['Subscription-State', 'terminated;reason=noresource'],
        ],
        body,
        contentType,
      },
      ({ status, by }) => {
        const key = keyOf(binding);
        if (by === 'response' && status >= 400 && box.phones.has(key)) box.phones.set(key, 'refuses');
      },
    );
  }

  // RFC 3842, 5.2: the account is where one listens to them.
  #summaryOf(userId: number): EventState {
    const counts = this.#countsOf(userId);
    const lines = [
      `Messages-Waiting: ${counts.startsWith('0/') ? 'no' : 'yes'}`,
      `Message-Account: sip:${MAILBOX_CODE}@${this.#deps.domain}`,
      `Voice-Message: ${counts}`,
    ];
    return { body: lines.map((line) => `${line}\r\n`).join(''), contentType: 'application/simple-message-summary' };
  }

  /** New and old ones. */
  #countsOf(userId: number): string {
    const user = this.#deps.store.users.get(userId);
    return user === undefined ? EMPTY : `${user.vm_new}/${user.vm_old}`;
  }

  #boxOf(userId: number): Box {
    const known = this.#boxes.get(userId);
    if (known !== undefined) return known;
    const box: Box = { told: EMPTY, mayShow: false, phones: new Map() };
    this.#boxes.set(userId, box);
    return box;
  }

  /** Who shows nothing needs no memory of it. */
  #forgetIfEmpty(userId: number, { told, mayShow, phones }: Box): void {
    const subscribers = this.#deps.subscriptions.to(this.name, userId).size;
    if (told === EMPTY && !mayShow && phones.size + subscribers === 0) this.#boxes.delete(userId);
  }
}

/** One registration of a phone: after it was started again it has another Call-ID, and no lamp that is lit. */
function keyOf({ contact, callId }: Binding): string {
  return `${callId} ${contact}`;
}
