// A new INVITE: who sends it, whom it is for, and whether a call can come of it. Opens the call or refuses.
import type { User } from '../contract/resources/customer.ts';
import { bodyText, fromOf } from '../sip/fields.ts';
import type { Flow } from '../sip/flow.ts';
import { parseSdp, type SessionDescription } from '../sip/sdp.ts';
import { parseUri } from '../sip/uri.ts';
import type { Replacement, ServerRequest, Session } from '../sip/user-agent-api.ts';
import { bargeAt } from './barge.ts';
import { MAX_LIVE_CALLS } from './call-book.ts';
import { clidOf, type Shown, shownBy } from './caller-id.ts';
import { WaitingCaller } from './caller-side.ts';
import { namedFor } from './cnam.ts';
import type { Destination } from './directory.ts';
import { asksForFax } from './fax-receiver.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import { CODECS } from './leg-media.ts';
import { retrieve, retrieveIn } from './park.ts';
import type { Party } from './party.ts';
import { digitsOf } from './party.ts';
import { pickUp, pickupIn } from './pickup.ts';
import type { Place } from './place.ts';
import { rateFor } from './rates.ts';
import { ruled } from './ruled.ts';
import type { Switchboard } from './switchboard.ts';
import { type Taker, takeOver } from './take-over.ts';
import { Visit } from './visit.ts';

const DEFAULT_MAX_FORWARDS = 70;
const REASONS = { 403: 'Forbidden', 404: 'Not Found', 480: 'Temporarily Unavailable', 486: 'Busy Here' } as const;

interface Caller {
  readonly customerId: number;
  readonly party: Party;
  readonly destination: Destination;
  /** The number of ours that an outsider called. */
  readonly ddi?: string;
  readonly shown: (place: Place) => Shown;
}

export class Invites {
  readonly #board: Switchboard;
  readonly #gatekeeper: Gatekeeper;
  readonly #isTrunk: (flow: Flow) => boolean;

  constructor(board: Switchboard, gatekeeper: Gatekeeper, isTrunk: (flow: Flow) => boolean) {
    this.#board = board;
    this.#gatekeeper = gatekeeper;
    this.#isTrunk = isTrunk;
  }

  /** Answers the INVITE: with a call, or with the status that tells why there is none. */
  handle(session: Session, request: ServerRequest): void {
    if (this.#board.calls.size >= MAX_LIVE_CALLS) return session.reject(503, { headers: [['Retry-After', '5']] });
    const replacement = this.#board.userAgent.replacedBy(request.request);
    if (replacement.kind !== 'none') return this.#takeOver(session, request, replacement);
    const dialled = dialledIn(request.request.uri);
    const pickup = this.#isTrunk(request.flow) ? undefined : pickupIn(dialled);
    if (pickup !== undefined) return this.#withTaker(session, request, (taker) => pickUp(this.#board, taker, pickup));
    const fetch = this.#isTrunk(request.flow) ? undefined : retrieveIn(dialled);
    if (fetch !== undefined) return this.#withTaker(session, request, (taker) => retrieve(this.#board, taker, fetch));
    const caller = this.#isTrunk(request.flow)
      ? this.#outsider(session, request, dialled)
      : this.#ownUser(session, request, dialled);
    if (caller === undefined) return;
    const { destination } = caller;
    if (destination.kind === 'nowhere')
      return session.reject(destination.status, { reason: destination.reason ?? REASONS[destination.status] });
    const offer = offerIn(request);
    if (offer === 'broken') return session.reject(400, { reason: 'Bad session description' });
    this.#connect(session, request, caller, destination, offer);
  }

  /** Nobody outside takes the place of our parties. */
  #takeOver(session: Session, request: ServerRequest, replacement: Exclude<Replacement, { kind: 'none' }>): void {
    if (this.#isTrunk(request.flow)) return session.reject(403);
    this.#withTaker(session, request, (taker) => takeOver(this.#board, taker, replacement));
  }

  #withTaker(session: Session, request: ServerRequest, act: (taker: Taker) => void): void {
    const user = this.#admitted(session, request);
    if (user === undefined) return;
    const offer = offerIn(request);
    if (offer === 'broken') return session.reject(400, { reason: 'Bad session description' });
    act({ user, session, offer });
  }

  /** Whose phone sends this; undefined when it has been told why that is not known. */
  #admitted(session: Session, request: ServerRequest): User | undefined {
    const admission = this.#gatekeeper.admit(request);
    if (!admission.ok) {
      session.reject(admission.refusal.status, { headers: admission.refusal.headers ?? [] });
      return undefined;
    }
    const user = this.#board.directory.user(admission.account.id);
    if (user === undefined) session.reject(403);
    return user;
  }

  #ownUser(session: Session, request: ServerRequest, dialled: string): Caller | undefined {
    const user = this.#admitted(session, request);
    if (user === undefined) return undefined;
    const { directory } = this.#board;
    const party = directory.partyOf(user);
    const wish = isAnonymous(request) ? 'anonymous' : undefined;
    const dest = bargeAt(this.#board, user, dialled) ?? directory.dialled(user.customer, dialled, user);
    return {
      customerId: user.customer,
      party,
      destination: this.#ruled(user.customer, party, dialled, dest),
      shown: (target) => shownBy(user, party, target, wish),
    };
  }

  #outsider(session: Session, request: ServerRequest, dialled: string): Caller | undefined {
    const { directory } = this.#board;
    const ddi = directory.ddi(dialled);
    const customerId = ddi === undefined ? undefined : directory.customerOfDdi(ddi);
    if (ddi === undefined || customerId === undefined) {
      session.reject(404);
      return undefined;
    }
    const from = fromOf(request.request);
    const number = from === undefined ? '' : (parseUri(from.uri)?.user ?? '');
    const name = from?.displayName ?? '';
    const party = directory.outsider(number === '' ? 'anonymous' : number, name);
    const destination = this.#ruled(customerId, party, ddi.e164, directory.targetOf(ddi, asksForFax(request.request)));
    const namedAt = (place: Destination): Party => namedFor(this.#board.store, customerId, party, place);
    return {
      customerId,
      party: namedAt(destination),
      ddi: ddi.e164,
      destination,
      shown: (place) => ({ number: party.number, name: namedAt(place).name }),
    };
  }

  #ruled(customerId: number, caller: Party, dialled: string, destination: Destination): Destination {
    return ruled(this.#board, { customerId, caller, dialled, destination });
  }

  #connect(
    session: Session,
    request: ServerRequest,
    caller: Caller,
    target: Place,
    offer: SessionDescription | undefined,
  ): void {
    const media = this.#board.mediaOn(request.flow);
    // The offer must suit us before anybody's phone rings; what the called party can do is known later.
    if (offer !== undefined && media.answer(offer, CODECS) === undefined) {
      media.close();
      return session.reject(488);
    }
    const { directory } = this.#board;
    const call = this.#board.calls.open({
      customerId: caller.customerId,
      direction: target.kind === 'public' ? 'out' : 'in',
      origin: 'call',
      src: caller.party,
      dst: directory.partyAt(target),
      clid: clidOf(caller.shown(target)),
      ...(caller.ddi === undefined ? {} : { ddi: caller.ddi }),
      rate: target.kind === 'public' ? rateFor(digitsOf(target.number)) : 0,
    });
    this.#board.fileDialog(session.callId, call);
    const leg = this.#board.newLeg(call, session, caller.party, media);
    new Visit(this.#board, {
      call,
      caller: new WaitingCaller(this.#board, leg, offer),
      target,
      shown: caller.shown,
      maxForwards: maxForwardsAfter(request),
      visits: [],
    }).start();
  }
}

function dialledIn(uri: string): string {
  const parsed = parseUri(uri);
  return parsed === undefined
    ? ''
    : parsed.scheme === 'tel'
      ? (uri.slice(4).split(';', 1)[0] ?? '')
      : ((parsed.user ?? '').split(';', 1)[0] ?? '');
}

function offerIn(request: ServerRequest): SessionDescription | undefined | 'broken' {
  const body = bodyText(request.request);
  return body === '' ? undefined : (parseSdp(body) ?? 'broken');
}

// RFC 3323: Privacy asks the network to hide the caller.
function isAnonymous(request: ServerRequest): boolean {
  const privacy = request.request.headers.get('Privacy') ?? '';
  return /\b(id|user|header)\b/i.test(privacy);
}

function maxForwardsAfter(request: ServerRequest): number {
  const written = Number(request.request.headers.get('Max-Forwards') ?? DEFAULT_MAX_FORWARDS);
  return Number.isInteger(written) && written > 0 ? Math.min(written, 255) - 1 : DEFAULT_MAX_FORWARDS - 1;
}
