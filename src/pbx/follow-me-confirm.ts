// Whoever answers for a user who is followed is asked whether it takes the call: 1 takes it, 2 or silence does not. Knows no caller.
import { Spoken } from './attendants/spoken.ts';
import { causeOfHangup, closeLeg, eventsAlone } from './bridge.ts';
import type { Call } from './call.ts';
import { type Cause, causeOfStatus, NO_ANSWER } from './causes.ts';
import type { Leg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';
import { tongueOfUser } from './tongues.ts';

/** From the end of the question on. */
const CONFIRM_MS = 10_000;
const TAKES = '1';
const REFUSES = '2';
const REFUSED = causeOfStatus(603);

export class Confirmation {
  readonly #board: Switchboard;
  readonly #call: Call;
  readonly #leg: Leg;
  readonly #decided: (refused: Cause | undefined) => void;
  readonly #spoken: Spoken;

  /** `decided` is told once: undefined for yes, else why not; the leg is up then, unless it hung up itself. */
  constructor(board: Switchboard, call: Call, leg: Leg, decided: (refused: Cause | undefined) => void) {
    this.#board = board;
    this.#call = call;
    this.#leg = leg;
    this.#decided = decided;
    this.#spoken = new Spoken(board, call, leg);
  }

  start(): void {
    const board = this.#board;
    board.mediaStarted(this.#call, this.#leg);
    board.calls.watch(this.#call, () => this.#heedEnd());
    this.#leg.session.events = eventsAlone(board, this.#call, this.#leg, (ending) => {
      closeLeg(board, this.#call, this.#leg, causeOfHangup(ending));
      this.#decide(REFUSED);
    });
    this.#spoken.listen((key) => {
      if (key === TAKES) this.#decide(undefined);
      if (key === REFUSES) this.#decide(REFUSED);
    });
    const tongue = tongueOfUser(board, this.#leg.party.userId ?? this.#call.forUserId ?? null);
    this.#spoken.say([tongue.prompt('followme-confirm')], () =>
      this.#spoken.wait(CONFIRM_MS, 'confirmation of follow-me', () => this.#decide(NO_ANSWER)),
    );
  }

  /** The question is withdrawn with the call; nothing is decided any more. */
  #heedEnd(): void {
    if (this.#call.isOver) this.#spoken.close();
  }

  #decide(refused: Cause | undefined): void {
    if (!this.#spoken.isOpen) return;
    this.#spoken.close();
    this.#leg.session.events = {};
    this.#decided(refused);
  }
}
