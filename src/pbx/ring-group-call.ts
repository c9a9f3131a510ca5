// The call of a caller at a ring group after a member has answered: the parties talk in the member's call, and it goes with that one.
import type { Call } from './call.ts';
import { NORMAL_CLEARING } from './causes.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';
import { musicOfPlace } from './tongues.ts';

/** A caller who holds while phones are rung holds the member's call from its answer on. */
export function takeHolds(call: Call, member: Call, caller: Leg): void {
  if (call.holders.has(caller)) member.holders.add(caller);
  call.holders.clear();
}

/**
 * The call is answered, held, resumed and ended with the member's, in which the group's music is heard on hold. The result: it goes
 * on without the member.
 */
export function follow(board: Switchboard, call: Call, member: Call): () => void {
  const { calls } = board;
  takeMusic(board, call, member);
  call.answeredBy = member;
  call.surrender = undefined;
  call.transfer = undefined;
  call.dstLeg = member.dstLeg;
  call.hangUp = (cause) => member.hangUp(cause);
  call.ringing = () => member.ringing();
  const keepUp = (): void => {
    if (member.isOver) return calls.end(call, member.cause ?? NORMAL_CLEARING, member.terminatedBy);
    if (!call.isAnswered) calls.move(call, 'answered');
    if (member.phase === 'ON_HOLD' && call.phase === 'CONNECTED') calls.move(call, 'held');
    if (member.phase === 'CONNECTED' && call.phase === 'ON_HOLD') calls.move(call, 'resumed');
  };
  const stop = calls.watch(member, keepUp);
  keepUp();
  return () => {
    stop();
    call.answeredBy = undefined;
    // Whoever holds on is the caller; the member, who held as well or alone, is gone.
    for (const leg of member.holders) if (leg === call.srcLeg) call.holders.add(leg);
    if (call.phase === 'ON_HOLD' && call.holders.size === 0) calls.move(call, 'resumed');
  };
}

/** The recording of the member's call is told, too: it may be made in memory. */
function takeMusic(board: Switchboard, { dst, customerId }: Call, member: Call): void {
  const music = musicOfPlace(board, customerId, dst);
  if (music.name === board.sounds.music().name) return;
  member.holdMusic = music;
  const data = { name: music.name, ms: music.durationMs };
  board.journal.append('call.music', { callId: member.id, customerId, data });
}
