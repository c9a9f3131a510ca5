// An answered caller and the exchange that speaks to it: sounds in turn, keys, waits. Closing it ends them all. Knows no service.
import type { Timer } from '../../kernel/clock.ts';
import type { Sound } from '../../media/sound.ts';
import { isHold } from '../../sip/sdp.ts';
import { Announcer } from '../announcer.ts';
import type { Call } from '../call.ts';
import type { Leg } from '../leg.ts';
import type { Switchboard } from '../switchboard.ts';

/**
 * The exchange answers: the call is connected, unless the party was answered before it came here (a transfer), and on hold when
 * the party holds already.
 */
export function answered(board: Switchboard, call: Call, leg: Leg): Spoken {
  if (!call.isAnswered) board.calls.move(call, 'answered');
  const { remote } = leg.media;
  if (remote !== undefined && isHold(remote)) call.holders.add(leg);
  if (call.holders.size > 0 && call.phase === 'CONNECTED') board.calls.move(call, 'held');
  return new Spoken(board, call, leg);
}

export class Spoken {
  readonly #board: Switchboard;
  readonly #call: Call;
  readonly #leg: Leg;
  readonly #announcer: Announcer;
  #timer: Timer | undefined;
  #isOpen = true;

  constructor(board: Switchboard, call: Call, leg: Leg) {
    this.#board = board;
    this.#call = call;
    this.#leg = leg;
    this.#announcer = new Announcer(board, call, leg);
  }

  /** False when the caller has left, or went on: nothing that was begun comes back. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Says these in turn instead of what is said now, and goes on with `then` when the last one is over. */
  say(sounds: readonly Sound[], then: () => void = () => {}): void {
    if (this.#isOpen) this.#announcer.say(sounds, then);
  }

  /** What is said is cut short; nothing follows it. */
  hush(): void {
    this.#announcer.stop();
  }

  /** One wait at a time: another one takes its place. `what` names it. */
  wait(delayMs: number, what: string, then: () => void): void {
    this.#timer?.cancel();
    if (!this.#isOpen) return;
    this.#timer = this.#board.clock.after(delayMs, `${what} in call ${this.#call.id}`, then);
  }

  /** Nothing is waited for any more. */
  rest(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Each key that the caller presses from now on goes there. */
  listen(onKey: (key: string) => void): void {
    this.#leg.onKey = (key) => {
      if (this.#isOpen) onKey(key);
    };
  }

  /** The end of it: silence, no echo, and keys go nowhere. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.rest();
    this.#announcer.stop();
    this.#leg.onKey = undefined;
    this.#leg.media.stop();
  }
}
