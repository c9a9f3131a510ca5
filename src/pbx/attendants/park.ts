// A parked party: hears music until somebody fetches it, and when nobody does in time, the user who parked it is rung for it
// (CHOICE-PARK). Knows no transfer.
import type { User } from '../../contract/resources/customer.ts';
import type { Timer } from '../../kernel/clock.ts';
import { Announcer } from '../announcer.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { causeOfStatus } from '../causes.ts';
import type { Leg } from '../leg.ts';
import type { Switchboard } from '../switchboard.ts';

/** How long a party stays parked before its parker is rung. */
export const PARKED_MS = 120_000;

export class Parked implements Attendant {
  readonly #board: Switchboard;
  readonly #parker: User;
  readonly #facts: AttendantFacts;
  readonly #voice: Announcer;
  #timer: Timer | undefined;

  constructor(board: Switchboard, parker: User, facts: AttendantFacts) {
    this.#board = board;
    this.#parker = parker;
    this.#facts = facts;
    this.#voice = new Announcer(board, facts.call, facts.caller.leg);
  }

  start(): void {
    const { call, caller, events } = this.#facts;
    // Nobody parks oneself: the code is for whom one talks to.
    if (caller.leg.party.userId === this.#parker.id) return events.onFailed(causeOfStatus(403));
    this.#note('call.parked', this.#parker.ext);
    this.#voice.repeat(this.#board.sounds.music());
    call.pickUp = { caller: () => caller.leg, by: (leg, answer) => this.#fetched(leg, answer) };
    this.#timer = this.#board.clock.after(PARKED_MS, `parking of call ${call.id}`, () => {
      this.#leave();
      events.onChosen({ kind: 'user', user: this.#parker });
    });
  }

  close(): void {
    this.#leave();
  }

  ringing(): readonly Leg[] {
    return [];
  }

  /** The live call goes on under its id, with who fetched the party. */
  #fetched(leg: Leg, answer: (codecs: readonly string[]) => boolean): boolean {
    const { call, caller } = this.#facts;
    if (!answer(caller.codecs)) return false;
    this.#leave();
    this.#note('call.retrieved', leg.party.number);
    call.dst = leg.party;
    caller.connect(call, leg);
    this.#board.calls.touched(call);
    return true;
  }

  #leave(): void {
    this.#timer?.cancel();
    this.#voice.stop();
    this.#facts.call.pickUp = undefined;
  }

  #note(kind: string, by: string): void {
    const { id: callId, customerId, dst } = this.#facts.call;
    this.#board.journal.append(kind, { callId, customerId, data: { at: dst.number, by } });
  }
}
