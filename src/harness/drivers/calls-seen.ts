// The calls that a phone has, concluded from its SIP messages alone. Knows nothing else of the phone.
import type { PhoneCallState, PhoneCallView, PhoneMessage } from './phone-driver.ts';
import { userIn } from './sip-reading.ts';

interface Progress {
  readonly outgoing: boolean;
  readonly peer: string;
  state: PhoneCallState | 'ended';
  held: boolean;
  /** Direction of a re-INVITE of ours that is not answered yet. */
  asked: string | undefined;
}

/** Calls that have not ended, oldest first. `self`: the number or user whose messages these are. */
export function callsSeen(messages: readonly PhoneMessage[], self: string): PhoneCallView[] {
  const calls = new Map<string, Progress>();
  for (const message of messages) {
    const known = calls.get(message.sipCallId);
    if (known !== undefined) follow(known, message);
    else if (message.method === 'INVITE' && message.status === undefined) {
      const outgoing = message.direction === 'sent';
      const peer = userIn(message.text, outgoing ? 'To' : 'From');
      const state = outgoing ? 'calling' : 'ringing';
      calls.set(message.sipCallId, { outgoing, peer: peer === '' ? self : peer, state, held: false, asked: undefined });
    }
  }
  return [...calls].flatMap(([sipCallId, { state, held, peer }]) =>
    state === 'ended' ? [] : [{ sipCallId, state, held, peer }],
  );
}

function follow(call: Progress, { method, status, direction, sdp }: PhoneMessage): void {
  if (method === 'BYE' || method === 'CANCEL') {
    if (status === undefined) call.state = 'ended';
    return;
  }
  if (method === 'REFER' && direction === 'sent' && status === undefined) call.state = 'transferring';
  if (method !== 'INVITE') return;
  if (status === undefined) {
    // A challenged INVITE is sent again: it is no change of a call that nobody has answered.
    if (direction === 'sent' && call.state === 'connected') call.asked = sdp;
    return;
  }
  if (call.state === 'connected') {
    if (direction === 'received' && call.asked !== undefined && status >= 200) {
      if (status < 300) call.held = call.asked === 'sendonly' || call.asked === 'inactive';
      call.asked = undefined;
    }
    return;
  }
  if (status < 180) return;
  if (status < 200) call.state = call.outgoing ? 'ringback' : 'ringing';
  else if (status < 300) call.state = 'connected';
  else if (status !== 401 && status !== 407) call.state = 'ended';
}
