// Attended transfer: the transferor has called somebody else meanwhile, and the two others are joined (REFER with Replaces, RFC 5589, 7;
// RFC 3891). The dialogs are all ours, so no new INVITE is made: the staying party's call lives on, the consultation ends.
import type { Replaces } from '../sip/replaces.ts';
import { bridge, endLeg } from './bridge.ts';
import type { Call } from './call.ts';
import { NORMAL_CLEARING } from './causes.ts';
import { agreeOnCodec } from './codec-agreement.ts';
import { Leg } from './leg.ts';
import type { Report } from './refer-progress.ts';
import type { Switchboard } from './switchboard.ts';
import { leave, type TransferFacts, transferTo, transferUnderway } from './transfer.ts';

const NO_SUCH_DIALOG = 481;

/** Joins the staying party to whom the transferor speaks to in the dialog that it names; 481 or 486 is reported when it cannot be. */
export function joinConsulted(board: Switchboard, facts: TransferFacts, replaces: Replaces): void {
  const { call, leaving, report } = facts;
  const session = board.userAgent.findSession(replaces.callId, replaces.toTag, replaces.fromTag);
  const own = session?.owner instanceof Leg ? session.owner : undefined;
  // Nobody disposes of the dialogs of others.
  if (own === undefined || own === leaving || own.party.userId !== leaving.party.userId) return report(NO_SUCH_DIALOG);
  const others = board.calls.ofCustomer(call.customerId).filter((other) => other !== call);
  const consultation = others.find(
    (other) => other.transfer !== undefined && other.surrender === undefined && other.legs().includes(own),
  );
  if (consultation !== undefined) {
    // RFC 3891, 3: a dialog that has been answered is not early.
    if (replaces.earlyOnly) return report(486);
    return join(board, facts, consultation, own);
  }
  const waiting = others.find((other) => other.surrender !== undefined && other.srcLeg === own);
  if (waiting === undefined) return report(NO_SUCH_DIALOG);
  sendThere(board, facts, waiting, report);
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
  endLeg(board, consultation, own, NORMAL_CLEARING);
  board.calls.end(consultation, NORMAL_CLEARING, consultation.sideOf(own));
  if (staying !== call.srcLeg) call.src = staying.party;
  call.dst = target.party;
  board.fileDialog(target.session.callId, call);
  bridge(board, call, staying, target);
  board.calls.touched(call);
  agreeOnCodec(board, call, staying, target);
}

/** Nobody has answered the transferor yet (semi-attended), or the exchange has. What goes on for it goes on for its party. */
function sendThere(board: Switchboard, facts: TransferFacts, waiting: Call, report: Report): void {
  const surrendered = waiting.surrender?.();
  if (surrendered === undefined) return report(NO_SUCH_DIALOG);
  const { place, underway, leave: leaveThere } = surrendered;
  if (underway !== undefined) transferUnderway(board, facts, place, underway);
  leaveThere();
  if (underway === undefined) transferTo(board, facts, place);
}
