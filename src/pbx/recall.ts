// Recall: a transfer failed and the transferor has hung up; its phones ring for the party that it left (CHOICE-RECALL).
import { endCall } from './bridge.ts';
import type { Cause } from './causes.ts';
import { Leading } from './leading.ts';
import type { Switchboard } from './switchboard.ts';
import { shownOf, type TransferFacts } from './transfer.ts';

/**
 * Rings the transferor as long as its own ring time, and then goes where its unanswered calls go. Nobody there either: the call
 * ends. `cause` is why the transfer failed, and why the call ends when there is nobody to be called back.
 */
export function recall(board: Switchboard, { call, leaving, staying }: TransferFacts, cause: Cause): void {
  const { directory, journal } = board;
  const user = leaving.party.userId === null ? undefined : directory.user(leaving.party.userId);
  if (user === undefined || !staying.isUp) return endCall(board, call, cause, null);
  journal.append('call.recalled', {
    callId: call.id,
    customerId: call.customerId,
    data: { to: leaving.party.number, cause: cause.text },
  });
  const recalling = new Leading(board, {
    call,
    staying,
    shown: (place) => shownOf(board, staying, call.customerId, place),
    events: {
      onProgress: () => {},
      onArrived: () => {},
      onFailed: (last) => endCall(board, call, last, null),
      onOver: () => {},
    },
  });
  recalling.start({ kind: 'user', user });
}
