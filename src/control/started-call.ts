// Which call an INVITE made, or why it made none. Knows no phone.
import { failure, type Result, success } from '../kernel/errors.ts';
import { dataOf, type Journal } from '../kernel/journal.ts';
import type { ActAnswer } from '../phones/acts.ts';
import type { ControlDeps } from './deps.ts';

/**
 * `{call_id}` of the call that the INVITE made; otherwise a failure with the SIP answer it got: of that kind when nobody
 * has the number, `conflict` when it leads nowhere now. `before` is the journal's last entry before the INVITE left.
 */
export function startedCall(
  deps: Pick<ControlDeps, 'exchange' | 'journal'>,
  before: number,
  sipCallId: string | undefined,
  kind: 'conflict' | 'not_found',
): Result<{ call_id: number }> {
  const callId = sipCallId === undefined ? undefined : deps.exchange.callIdOfDialog(sipCallId);
  if (callId !== undefined) return success({ call_id: callId });
  const answer = sipCallId === undefined ? undefined : refusalOf(deps.journal, before, sipCallId);
  const nobody = answer === undefined || answer.startsWith('404');
  return failure(nobody ? kind : 'conflict', `The INVITE made no call: ${answer ?? 'it has no answer yet'}.`);
}

/** Lets the signalling run and names the call that the act was about. */
export function afterAct(
  deps: Pick<ControlDeps, 'exchange' | 'clock'>,
  done: Result<ActAnswer>,
): Result<{ call_id?: number }> {
  if (!done.ok) return done;
  deps.clock.settle();
  const { sipCallId } = done.value;
  const callId = sipCallId === undefined ? undefined : deps.exchange.callIdOfDialog(sipCallId);
  return success(callId === undefined ? {} : { call_id: callId });
}

/** Status line of the last refusal in the dialog; a challenge to prove who one is (401, 407) is none. */
function refusalOf(journal: Journal, after: number, sipCallId: string): string | undefined {
  const refusals = journal.query({ after, kind: 'sip' }).flatMap((entry) => {
    const { sip_call_id, status, text } = dataOf(entry);
    if (sip_call_id !== sipCallId || typeof status !== 'number' || status < 300) return [];
    if (status === 401 || status === 407) return [];
    const line =
      typeof text === 'string' ? text.slice(0, text.indexOf('\r\n')).replace('SIP/2.0 ', '') : String(status);
    return [line];
  });
  return refusals.at(-1);
}
