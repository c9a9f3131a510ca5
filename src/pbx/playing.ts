// What the exchange lets a party hear, as the call's journal tells it: recordings of parties in memory are made of that. Sets no timer.
import type { Sound } from '../media/sound.ts';
import type { Call } from './call.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';

/** The party hears the sound from its beginning, instead of what it heard before; `loop`: until `stopPlaying`. */
export function play(board: Switchboard, call: Call, leg: Leg, sound: Sound, { loop = false } = {}): void {
  const data = { name: sound.name, ms: sound.durationMs, to: call.sideOf(leg), ...(loop ? { loop } : {}) };
  board.journal.append('sound.played', { callId: call.id, customerId: call.customerId, data });
  leg.media.play(sound, { loop });
}

/** The party hears nothing of the exchange any more: what was played is cut short. */
export function stopPlaying(board: Switchboard, call: Call, leg: Leg): void {
  const data = { to: call.sideOf(leg) };
  board.journal.append('sound.stopped', { callId: call.id, customerId: call.customerId, data });
  leg.media.stop();
}
