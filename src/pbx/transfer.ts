// Blind transfer: the staying party is led to somebody else, by REFER (RFC 3515, 5589) or by command. The live call goes on under its id.
import type { ServerRequest } from '../sip/user-agent-api.ts';
import { bringHere, joinConsulted } from './attended-transfer.ts';
import { bridge, causeOfHangup, closeLeg, endCall, endLeg, eventsAlone } from './bridge.ts';
import type { Call, TransferAnswer } from './call.ts';
import { type Shown, shownBy } from './caller-id.ts';
import { CALLER_CANCELLED, type Cause, NORMAL_CLEARING } from './causes.ts';
import { namedFor } from './cnam.ts';
import type { Destination } from './directory.ts';
import { release } from './hold.ts';
import { Leading } from './leading.ts';
import type { Leg } from './leg.ts';
import { separate } from './leg-media.ts';
import type { Party } from './party.ts';
import type { Place } from './place.ts';
import type { Underway } from './reach.ts';
import { recall } from './recall.ts';
import { readRefer } from './refer.ts';
import { NO_REPORT, type Report, reportTo } from './refer-progress.ts';
import { ruled } from './ruled.ts';
import type { Switchboard } from './switchboard.ts';

export interface TransferFacts {
  readonly call: Call;
  /** The transferor's leg. */
  readonly leaving: Leg;
  readonly staying: Leg;
  readonly report: Report;
}

/** REFER from `leg`: 202, then NOTIFYs with the progress (CHOICE-TRANSFER). */
export function acceptRefer(board: Switchboard, call: Call, leg: Leg, staying: Leg, request: ServerRequest): void {
  // Who calls from outside has no say in whom our users talk to.
  if (leg.party.kind !== 'user') return request.respond(603);
  const referral = readRefer(request.request);
  if ('status' in referral) return request.respond(referral.status, { reason: referral.reason });
  const { number, replaces, wantsProgress } = referral;
  // RFC 4488, 4: who does not want to hear of it is told that it will not.
  request.respond(202, wantsProgress ? {} : { headers: [['Refer-Sub', 'false']] });
  const report = wantsProgress ? reportTo(board.clock, leg, request) : NO_REPORT;
  const facts = { call, leaving: leg, staying, report };
  if (replaces !== undefined) return joinConsulted(board, facts, replaces);
  const found = resolve(board, call, leg.party, number);
  if (found.kind === 'nowhere') report(found.status);
  else transferTo(board, facts, found);
}

/**
 * REFER from a party that talks to nobody. Nobody can be led away while somebody is being dialled: it may ask again (491). Where the
 * exchange speaks to it there is nobody, and it need not (403; RFC 3261, 21.4.4) - but whom it talks to in another dialog may come
 * here, when it is that dialog that the REFER names.
 */
export function acceptReferAlone(board: Switchboard, call: Call, leg: Leg, request: ServerRequest): void {
  if (leg.party.kind !== 'user') return request.respond(603);
  if (call.transfer === undefined) return request.respond(491);
  const referral = readRefer(request.request);
  if ('status' in referral) return request.respond(referral.status, { reason: referral.reason });
  const { replaces, wantsProgress } = referral;
  if (replaces === undefined) return request.respond(403, { reason: 'There is nobody to transfer' });
  request.respond(202, wantsProgress ? {} : { headers: [['Refer-Sub', 'false']] });
  bringHere(board, call, leg, replaces, wantsProgress ? reportTo(board.clock, leg, request) : NO_REPORT);
}

/** `PATCH dst`: the user's side leaves, the other party is led on. */
export function transferByCommand(board: Switchboard, call: Call, to: string, by: Leg | undefined): TransferAnswer {
  const leaving = by ?? usersSide(call);
  const staying = leaving === call.srcLeg ? call.dstLeg : call.srcLeg;
  if (leaving === undefined || staying === undefined)
    return { accepted: false, refused: 'the call has no two answered parties' };
  const found = resolve(board, call, leaving.party, to);
  if (found.kind === 'nowhere') return { accepted: false, refused: found.why };
  transferTo(board, { call, leaving, staying, report: NO_REPORT }, found);
  return { accepted: true };
}

/** The leg of the only user; of two users, or of none, that of whoever was in the call for its account when it began. */
function usersSide({ srcLeg, dstLeg, direction }: Call): Leg | undefined {
  const [user, other] = [srcLeg, dstLeg].filter((leg) => leg?.party.kind === 'user');
  if (user !== undefined && other === undefined) return user;
  return direction === 'out' ? srcLeg : dstLeg;
}

/** `PATCH dst` of a caller who speaks to the exchange itself: `away` ends that, and the caller is led on. */
export function transferFromAttendant(
  board: Switchboard,
  call: Call,
  caller: Leg,
  to: string,
  away: () => void,
): TransferAnswer {
  const found = resolve(board, call, caller.party, to);
  if (found.kind === 'nowhere') return { accepted: false, refused: found.why };
  away();
  board.recorder.parted(call, caller);
  const leading = new Leading(board, {
    call,
    staying: caller,
    shown: (place) => shownOf(board, caller, call.customerId, place),
    events: {
      onProgress: () => {},
      onArrived: (dst) => noteTransfer(board, call, dst, ''),
      onFailed: (cause) => endCall(board, call, cause, null),
      onOver: () => {},
    },
  });
  leading.start(found);
  return { accepted: true };
}

/** Leads the staying party to the place. */
export function transferTo(board: Switchboard, facts: TransferFacts, place: Place): void {
  begin(board, facts).start(place);
}

/** What has begun at a place for the transferor goes on for the staying party. */
export function transferUnderway(board: Switchboard, facts: TransferFacts, place: Place, underway: Underway): void {
  begin(board, facts).adopt(place, underway);
}

/** Where a number leads that the transferor dials for its party; routing rules are about this call like any other. */
function resolve(board: Switchboard, call: Call, caller: Party, dialled: string): Destination {
  const { customerId } = call;
  const user = caller.userId === null ? undefined : board.directory.user(caller.userId);
  return ruled(board, { customerId, caller, dialled, destination: board.directory.dialled(customerId, dialled, user) });
}

function begin(board: Switchboard, facts: TransferFacts): Leading {
  const { call, leaving, staying, report } = facts;
  separate(leaving.media, staying.media);
  // The transferor may hang up as soon as its REFER is accepted: the transfer goes on without it.
  leaving.session.events = eventsAlone(board, call, leaving, (ending) => {
    release(board, call, leaving);
    closeLeg(board, call, leaving, causeOfHangup(ending));
    board.recorder.parted(call, staying);
  });
  return new Leading(board, {
    call,
    staying,
    shown: (place) => shownAfter(board, facts, place),
    referredBy: `<sip:${leaving.party.number}@${board.domain}>`,
    events: {
      onProgress: report,
      onArrived: (dst) => {
        report(200);
        leave(board, facts, dst);
      },
      onFailed: (cause) => fail(board, facts, cause),
      onOver: () => report(CALLER_CANCELLED.status),
    },
  });
}

/** The transferor goes: its part in the call is done. */
export function leave(board: Switchboard, { call, leaving, staying }: TransferFacts, dst: Party): void {
  call.referredBy = leaving.party.number;
  call.transferredBy = leaving.party.userId ?? call.transferredBy;
  release(board, call, leaving);
  leaving.session.events = {};
  endLeg(board, call, leaving, NORMAL_CLEARING);
  board.recorder.parted(call, staying);
  noteTransfer(board, call, dst, leaving.party.number);
}

function noteTransfer({ journal }: Switchboard, call: Call, dst: Party, by: string): void {
  const data = { from: call.src.number, to: dst.number, by };
  journal.append('call.transferred', { callId: call.id, customerId: call.customerId, data });
}

/** The transferor keeps its party; when it has hung up already it is called back. */
function fail(board: Switchboard, facts: TransferFacts, cause: Cause): void {
  const { call, leaving, staying, report } = facts;
  report(cause.status);
  if (!leaving.isUp) return recall(board, facts, cause);
  const [src, dst] = call.srcLeg === leaving ? [leaving, staying] : [staying, leaving];
  bridge(board, call, src, dst);
}

/** Whom the new party sees: the one that stays, or the transferor where its user wants that (`transfer_cli`). */
function shownAfter(board: Switchboard, { call, leaving, staying }: TransferFacts, place: Place): Shown {
  const transferor = leaving.party.userId === null ? undefined : board.directory.user(leaving.party.userId);
  return shownOf(board, transferor?.transfer_cli === 'L' ? leaving : staying, call.customerId, place);
}

/** What a party's calls show. */
export function shownOf({ directory, store }: Switchboard, { party }: Leg, customerId: number, place: Place): Shown {
  const user = party.userId === null ? undefined : directory.user(party.userId);
  return user === undefined ? namedFor(store, customerId, party, place) : shownBy(user, party, place);
}
