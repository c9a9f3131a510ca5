// Blind transfer: the staying party is led to somebody else, by REFER (RFC 3515, 5589) or by command. The live call goes on under its id.
import { nameAddrOf } from '../sip/fields.ts';
import { reasonPhrase } from '../sip/serialise.ts';
import { parseUri } from '../sip/uri.ts';
import type { ServerRequest } from '../sip/user-agent-api.ts';
import { bridge, closeLeg, endCall, endLeg, eventsAlone } from './bridge.ts';
import type { Call, TransferAnswer } from './call.ts';
import { AnsweredCaller } from './caller-side.ts';
import { CALLER_CANCELLED, type Cause, NORMAL_CLEARING } from './causes.ts';
import { Dial } from './dial.ts';
import { release, renegotiate } from './hold.ts';
import type { Leg } from './leg.ts';
import { separate } from './leg-media.ts';
import type { Party } from './party.ts';
import { type Attended, type Group, isAttended, type Place, type Target } from './place.ts';
import { GroupRinging } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';

/** How the transferor hears of the progress; a command wants to hear nothing. */
type Report = (status: number) => void;

/** REFER from `leg`: 202, then NOTIFYs with the progress. */
export function acceptRefer(board: Switchboard, call: Call, leg: Leg, staying: Leg, request: ServerRequest): void {
  const lines = request.request.headers.all('Refer-To');
  const referTo = nameAddrOf(request.request, 'Refer-To');
  const uri = referTo === undefined ? undefined : parseUri(referTo.uri);
  // RFC 3515, 2.4.2: exactly one Refer-To.
  if (lines.length !== 1 || uri === undefined) return request.respond(400, { reason: 'One Refer-To is needed' });
  if (uri.headers !== undefined && /replaces=/i.test(referTo?.uri ?? ''))
    return request.respond(501, { reason: 'Attended transfer' });
  request.respond(202);
  const report = subscription(leg, request);
  report(100);
  const found = resolve(board, call, uri.user ?? '');
  if (typeof found === 'number') return report(found);
  new Transfer(board, call, leg, staying, found, report).start();
}

/** `PATCH dst`: the user's side leaves, the other party is led on. */
export function transferByCommand(board: Switchboard, call: Call, to: string, by: Leg | undefined): TransferAnswer {
  const leaving = by ?? (call.direction === 'out' ? call.srcLeg : call.dstLeg);
  const staying = leaving === call.srcLeg ? call.dstLeg : call.srcLeg;
  if (leaving === undefined || staying === undefined)
    return { accepted: false, refused: 'the call has no two answered parties' };
  const found = resolve(board, call, to);
  if (typeof found === 'number')
    return { accepted: false, refused: `${to} is neither an extension nor a number that can be called` };
  new Transfer(board, call, leaving, staying, found, () => {}).start();
  return { accepted: true };
}

function resolve(board: Switchboard, call: Call, number: string): Exclude<Place, Attended> | number {
  const destination = board.directory.dialled(call.customerId, number);
  if (destination.kind === 'nowhere') return destination.status;
  return isAttended(destination) ? 480 : destination;
}

// RFC 3515, 2.4.4: the REFER is a subscription; each NOTIFY carries a status line, the last one ends it.
function subscription(leg: Leg, refer: ServerRequest): Report {
  const id = refer.request.headers.get('CSeq')?.split(' ', 1)[0] ?? '';
  let last = 0;
  return (status) => {
    if (!leg.isUp || last >= 200 || status === last) return;
    last = status;
    leg.session.request('NOTIFY', {
      headers: [
        ['Event', `refer;id=${id}`],
        ['Subscription-State', status < 200 ? 'active;expires=180' : 'terminated;reason=noresource'],
      ],
      contentType: 'message/sipfrag;version=2.0',
      body: `SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`,
    });
  };
}

class Transfer {
  readonly #board: Switchboard;
  readonly #call: Call;
  readonly #leaving: Leg;
  readonly #staying: Leg;
  readonly #report: Report;
  readonly #place: Place;
  readonly #dial: Dial | GroupRinging;

  constructor(
    board: Switchboard,
    call: Call,
    leaving: Leg,
    staying: Leg,
    place: Exclude<Place, Attended>,
    report: Report,
  ) {
    this.#board = board;
    this.#call = call;
    this.#leaving = leaving;
    this.#staying = staying;
    this.#report = report;
    this.#place = place;
    this.#dial = place.kind === 'group' ? this.#ringGroup(place.group) : this.#dialParty(place);
  }

  start(): void {
    separate(this.#leaving.media, this.#staying.media);
    this.#call.transfer = undefined;
    this.#call.hangUp = (cause) => {
      this.#dial.cancel(cause);
      endCall(this.#board, this.#call, cause, null);
    };
    this.#leaving.session.events = eventsAlone(this.#board, this.#call, this.#leaving, () => this.#transferorLeft());
    this.#staying.session.events = eventsAlone(this.#board, this.#call, this.#staying, () => this.#stayingLeft());
    this.#dial.start();
  }

  /** The transferor may hang up as soon as its REFER is accepted: the transfer goes on without it. */
  #transferorLeft(): void {
    release(this.#board, this.#call, this.#leaving);
    closeLeg(this.#board, this.#call, this.#leaving);
  }

  #stayingLeft(): void {
    this.#dial.cancel(CALLER_CANCELLED);
    this.#report(CALLER_CANCELLED.status);
    closeLeg(this.#board, this.#call, this.#staying);
    endCall(this.#board, this.#call, NORMAL_CLEARING, this.#call.sideOf(this.#staying));
  }

  #dialParty(target: Target): Dial {
    return new Dial(this.#board, {
      call: this.#call,
      target,
      shown: this.#staying.party,
      codecs: this.#staying.media.codecs,
      events: {
        onInvited: () => {},
        onProvisional: (_, response) => this.#report(response.status),
        onRedirected: () => {},
        onAnswered: (leg) => this.#answered(leg),
        onFailed: (cause) => this.#failed(cause),
      },
    });
  }

  /** The call is at the group from the answer on, and who stays talks in the call of the member. */
  #ringGroup(group: Group): GroupRinging {
    return new GroupRinging(this.#board, {
      call: this.#call,
      caller: this.#staying,
      group,
      shown: this.#staying.party,
      codecs: this.#staying.media.codecs,
      events: {
        onInvited: () => {},
        onRinging: () => this.#report(180),
        onAnswered: (leg, member) => {
          this.#moved(leg, this.#board.directory.partyAt(this.#place));
          return new AnsweredCaller(this.#board, this.#staying).connect(member, leg);
        },
        onFailed: (cause) => this.#failed(cause),
      },
    });
  }

  #answered(leg: Leg): void {
    this.#moved(leg, leg.party);
    this.#board.mediaStarted(this.#call, leg);
    bridge(this.#board, this.#call, this.#staying, leg);
    renegotiate(this.#call, this.#staying, leg, () => leg.media.codecs);
  }

  /** The transferor goes, and the staying party is with somebody else. */
  #moved(leg: Leg, dst: Party): void {
    const { src } = this.#call;
    this.#report(200);
    this.#call.referredBy = this.#leaving.party.number;
    // Who stays is the caller from now on when the caller has left.
    if (this.#leaving === this.#call.srcLeg) this.#call.src = this.#staying.party;
    this.#call.dst = dst;
    this.#call.srcLeg = this.#staying;
    this.#call.dstLeg = leg;
    release(this.#board, this.#call, this.#leaving);
    this.#leaving.session.events = {};
    endLeg(this.#board, this.#call, this.#leaving, NORMAL_CLEARING);
    this.#board.journal.append('call.transferred', {
      callId: this.#call.id,
      customerId: this.#call.customerId,
      data: { from: src.number, to: dst.number, by: this.#leaving.party.number },
    });
  }

  /** The transferor keeps its party; when it has hung up already nobody is left to speak to. */
  #failed(cause: Cause): void {
    this.#report(cause.status);
    if (!this.#leaving.isUp) return endCall(this.#board, this.#call, cause, null);
    const [src, dst] =
      this.#call.srcLeg === this.#leaving ? [this.#leaving, this.#staying] : [this.#staying, this.#leaving];
    bridge(this.#board, this.#call, src, dst);
  }
}
