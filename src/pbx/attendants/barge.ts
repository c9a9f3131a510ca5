// A supervisor who listens in on the call of a user (CHOICE-BARGE): hears both parties, and by a key whispers to the user or speaks to
// both. Its call lasts as long as the watched one, which knows nothing of it. Knows no right.
import type { User } from '../../contract/resources/customer.ts';
import type { HeardBy } from '../../media/gathering.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { isTalk, talkOf } from '../barge.ts';
import type { Call } from '../call.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Leg } from '../leg.ts';
import { type HeardInMemory, hearInMemory } from '../leg-media.ts';
import { Supervision, type Supervisor } from '../supervision.ts';
import type { Switchboard } from '../switchboard.ts';
import { answered, type Spoken } from './spoken.ts';

/** As telephone systems with this service have them: listen, whisper, barge in. */
const MODES: Readonly<Record<string, HeardBy>> = { '4': 'nobody', '5': 'one', '6': 'both' };

export class Barge implements Attendant, Supervisor {
  readonly watchedId: number;
  readonly leg: Leg;
  readonly #board: Switchboard;
  readonly #user: User;
  readonly #facts: AttendantFacts;
  #spoken: Spoken | undefined;
  #heardBy: HeardBy = 'nobody';
  #watched: { readonly call: Call; readonly supervision: Supervision } | undefined;
  /** The user's leg when it was last seen: it may come to be in another call. */
  #watchedLeg: Leg | undefined;
  #heardInMemory: HeardInMemory = 'nothing';
  #stopWatching: () => void = () => {};

  constructor(board: Switchboard, user: User, facts: AttendantFacts) {
    this.#board = board;
    this.#user = user;
    this.#facts = facts;
    this.watchedId = user.id;
    this.leg = facts.caller.leg;
  }

  get heardBy(): HeardBy {
    return this.#heardBy;
  }

  get isAway(): boolean {
    return this.#facts.call.holders.size > 0;
  }

  start(): void {
    const { call } = this.#facts;
    this.#spoken = answered(this.#board, call, this.leg);
    this.#spoken.listen((key) => this.#key(key));
    this.#stopWatching = this.#board.calls.watch(call, () => this.#watched?.supervision.look());
    const talk = talkOf(this.#board, this.#user);
    if (talk === undefined) this.lost();
    else this.#watch(talk);
  }

  close(): void {
    this.#spoken?.close();
    this.#stopWatching();
    this.#leave();
  }

  ringing(): readonly [] {
    return [];
  }

  seen(watched: Leg, isHeld: boolean): void {
    this.#watchedLeg = watched;
    const inMemory = this.#watched?.call.legs().every(({ media }) => media.port === undefined) === true;
    const heard = this.isAway || !inMemory ? 'nothing' : isHeld ? 'music' : 'talk';
    if (heard !== this.#heardInMemory) hearInMemory(this.leg.media, heard);
    this.#heardInMemory = heard;
  }

  /** Told in the middle of what happens to the watched call: that comes first. The user's leg may be in another talk then. */
  lost(): void {
    this.#board.clock.soon(() => {
      if (this.#spoken?.isOpen !== true) return;
      const leg = this.#watchedLeg;
      const { calls } = this.#board;
      const next = calls
        .ofCustomer(this.#user.customer)
        .find((call) => leg?.isUp === true && isTalk(call) && call.legs().includes(leg));
      if (next !== undefined && next === this.#watched?.call) return;
      if (next !== undefined) return this.#watch(next);
      this.close();
      this.#facts.events.onDone(NORMAL_CLEARING);
    });
  }

  #watch(call: Call): void {
    this.#leave();
    const supervision = Supervision.of(this.#board.calls, call);
    this.#watched = { call, supervision };
    this.#note('began', call);
    supervision.enter(this);
  }

  #leave(): void {
    const watched = this.#watched;
    if (watched === undefined) return;
    this.#watched = undefined;
    watched.supervision.leave(this);
    this.#note('ended', watched.call);
  }

  #key(key: string): void {
    const heardBy = MODES[key];
    if (heardBy === undefined || this.#watched === undefined || heardBy === this.#heardBy) return;
    this.#heardBy = heardBy;
    this.#note('changed', this.#watched.call);
    this.#watched.supervision.look();
  }

  #note(what: string, watched: Call): void {
    const { id: callId, customerId } = this.#facts.call;
    const data = { call: watched.id, beside: this.#user.ext, heard_by: this.#heardBy };
    this.#board.journal.append(`supervision.${what}`, { callId, customerId, data });
  }
}
