// The echo test: says what it is, and then the caller hears itself until it hangs up. Knows no user.
import type { Attendant, AttendantFacts } from '../attendant.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOf } from '../tongues.ts';
import { answered, type Spoken } from './spoken.ts';

export function echoTest(board: Switchboard, { call, caller: { leg } }: AttendantFacts): Attendant {
  let spoken: Spoken | undefined;
  return {
    start() {
      spoken = answered(board, call, leg);
      spoken.say([tongueOf(board, leg.party).prompt('echo-test')], () => {
        board.journal.append('sound.echoed', { callId: call.id, customerId: call.customerId, data: { to: 'caller' } });
        leg.media.echo();
      });
    },
    close() {
      spoken?.close();
    },
    ringing: () => [],
  };
}
