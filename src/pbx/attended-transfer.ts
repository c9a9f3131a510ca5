// Attended transfer: the transferor has called somebody else meanwhile, and the two others are joined (REFER with Replaces, RFC 5589, 7;
// RFC 3891). The dialogs are all ours, so no new INVITE is made: the staying party's call lives on, the consultation ends.
import type { Replaces } from '../sip/replaces.ts';
import { bridge, endLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { NORMAL_CLEARING } from './causes.ts';
import { agreeOnCodec } from './codec-agreement.ts';
import { Leg } from './leg.ts';
import type { Place } from './place.ts';
import type { Surrendered } from './reach.ts';
import { NO_REPORT, type Report } from './refer-progress.ts';
import type { Switchboard } from './switchboard.ts';
import { callLedOn, rateOfLeg } from './tolls.ts';
import { leave, type TransferFacts, transferTo, transferUnderway } from './transfer.ts';

const NO_SUCH_DIALOG = 481;

/** Joins the staying party to whom the transferor speaks to in the dialog that it names; 481 or 486 is reported when it cannot be. */
export function joinConsulted(board: Switchboard, facts: TransferFacts, replaces: Replaces): void {
  const { call, leaving, report } = facts;
  const own = ownDialog(board, leaving, replaces);
  if (own === undefined) return report(NO_SUCH_DIALOG);
  const others = board.calls.ofCustomer(call.customerId).filter((other) => other !== call);
  const consultation = conversationOf(others, own);
  if (consultation !== undefined) {
    // RFC 3891, 3: a dialog that has been answered is not early.
    if (replaces.earlyOnly) return report(486);
    return join(board, facts, consultation, own);
  }
  const left = placeOf(others, own);
  if (left === undefined) return report(NO_SUCH_DIALOG);
  if (isPersonal(left.place)) return report(403);
  sendThere(board, facts, left);
}

/** The other way round: the transferor speaks to the exchange, and whom it talks to in the dialog that it names takes its place. */
export function bringHere(board: Switchboard, here: Call, leg: Leg, replaces: Replaces, report: Report): void {
  const leaving = ownDialog(board, leg, replaces);
  const call = leaving && conversationOf(board.calls.ofCustomer(here.customerId), leaving);
  const staying = call?.srcLeg === leaving ? call?.dstLeg : call?.srcLeg;
  if (leaving === undefined || call === undefined || staying?.isUp !== true) return report(NO_SUCH_DIALOG);
  if (replaces.earlyOnly) return report(486);
  const left = placeOf([here], leg);
  if (left === undefined) return report(NO_SUCH_DIALOG);
  if (isPersonal(left.place)) return report(403);
  // The dialog in which the transferor hears of it is the one that ends.
  report(200);
  sendThere(board, { call, leaving, staying, report: NO_REPORT }, left);
}

/** The dialog that somebody names, if it is a dialog of its own and another one than it speaks in. Nobody disposes of those of others. */
function ownDialog({ userAgent }: Switchboard, { party, session }: Leg, replaces: Replaces): Leg | undefined {
  const found = userAgent.findSession(replaces.callId, replaces.toTag, replaces.fromTag);
  const own = found?.owner instanceof Leg && found !== session ? found.owner : undefined;
  return own?.party.userId === party.userId ? own : undefined;
}

/** The call in which two talk, one of them by that leg. */
function conversationOf(calls: readonly Call[], leg: Leg): Call | undefined {
  return calls.find((one) => one.transfer !== undefined && one.surrender === undefined && one.legs().includes(leg));
}

function join(board: Switchboard, facts: TransferFacts, consultation: Call, own: Leg): void {
  const { call, staying, report } = facts;
  const target = consultation.srcLeg === own ? consultation.dstLeg : consultation.srcLeg;
  if (target === undefined || !target.isUp) return report(NO_SUCH_DIALOG);
  report(200);
  // Who holds goes on holding, and the call on hold with it.
  if (consultation.holders.has(target)) call.holders.add(target);
  leave(board, facts, target.party);
  own.session.events = {};
  const order = board.recorder.orderOf(consultation, target);
  const perMinute = rateOfLeg(target, consultation);
  endLeg(board, consultation, own, NORMAL_CLEARING);
  board.calls.end(consultation, NORMAL_CLEARING, consultation.sideOf(own));
  if (staying !== call.srcLeg) call.src = staying.party;
  call.dst = target.party;
  board.fileDialog(target.session.callId, call);
  bridge(board, call, staying, target);
  callLedOn(call, target, perMinute, board.clock.now());
  board.calls.touched(call);
  if (order !== undefined) board.recorder.goOn(call, order);
  agreeOnCodec(board, call, staying, target);
}

/** Where the caller waits whose leg that is, or is attended to; undefined where it does neither. */
function placeOf(calls: readonly Call[], leg: Leg): Surrendered | undefined {
  return calls.find((one) => one.surrender !== undefined && one.srcLeg === leg)?.surrender?.();
}

/** What is a matter of the one who was let in there. */
function isPersonal({ kind }: Place): boolean {
  return kind === 'barge';
}

/** Nobody has answered the transferor yet (semi-attended), or the exchange has. What goes on for it goes on for its party. */
function sendThere(
  board: Switchboard,
  facts: TransferFacts,
  { place, underway, leave: leaveThere }: Surrendered,
): void {
  if (underway !== undefined) transferUnderway(board, facts, place, underway);
  leaveThere();
  if (underway === undefined) transferTo(board, facts, place);
}
