// One participant of a conference: asked for the PIN, then in the room with the others until it hangs up (CHOICE-CONFERENCES).
import type { PromptName } from '../../media/prompts.ts';
import type { Tongue } from '../../media/tongue.ts';
import { Announcer } from '../announcer.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Attended, Conference } from '../place.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOf } from '../tongues.ts';
import type { ConferenceRoom, Participant } from './conference-room.ts';
import { askForDigits, UNHURRIED } from './key-collector.ts';
import { answered, type Spoken } from './spoken.ts';

type ConferencePlace = Extract<Attended, { kind: 'conference' }>;

/** How often a PIN may be keyed in. */
const ATTEMPTS = 3;

export class ConferenceAttendant implements Attendant, Participant {
  readonly #board: Switchboard;
  readonly #place: ConferencePlace;
  readonly #facts: AttendantFacts;
  readonly #voice: Announcer;
  readonly #tongue: Tongue;
  #spoken: Spoken | undefined;
  #room: ConferenceRoom | undefined;
  #stopWatching: () => void = () => {};

  constructor(board: Switchboard, place: ConferencePlace, facts: AttendantFacts) {
    this.#board = board;
    this.#place = place;
    this.#facts = facts;
    this.#tongue = tongueOf(board, facts.caller.leg.party);
    this.#voice = new Announcer(board, facts.call, facts.caller.leg);
  }

  get #conference(): Conference {
    return this.#place.conference;
  }

  start(): void {
    const { call, caller } = this.#facts;
    this.#spoken = answered(this.#board, call, caller.leg);
    const { pin, pin_pstn } = this.#conference;
    const owed = caller.leg.party.kind === 'user' ? pin : pin_pstn;
    if (owed === '' || this.#place.isAdmitted === true) this.#enter();
    else this.#ask(owed, ATTEMPTS, ['conference-enter-pin']);
  }

  close(): void {
    this.#spoken?.close();
    this.#stopWatching();
    this.#voice.stop();
    this.#facts.caller.leg.media.enter(undefined);
    const room = this.#room;
    this.#room = undefined;
    room?.leave(this);
  }

  /** Whoever takes the place of one who is in the room comes in by that one's leave. */
  get seat(): ConferencePlace {
    return this.#room === undefined ? this.#place : { ...this.#place, isAdmitted: true };
  }

  ringing(): readonly [] {
    return [];
  }

  joined(size: number): void {
    this.#note(size);
    if (this.#conference.ann_join_leave) this.#say(['conference-join']);
    else if (size === 2) this.#voice.stop();
  }

  left(size: number): void {
    this.#note(size);
    const told: PromptName[] = this.#conference.ann_join_leave ? ['conference-leave'] : [];
    if (size === 1) this.#alone(told);
    else if (told.length > 0) this.#say(told);
  }

  /** So many are there: a recording in memory has as many voices. */
  #note(size: number): void {
    const { id: callId, customerId } = this.#facts.call;
    this.#board.journal.append('conference.size', { callId, customerId, data: { size } });
  }

  #ask(owed: string, attempts: number, prompts: readonly PromptName[]): void {
    const spoken = this.#spoken;
    if (spoken === undefined) return;
    const sounds = prompts.map((name) => this.#tongue.prompt(name));
    askForDigits(spoken, { sounds, most: owed.length, ...UNHURRIED }, (digits) => {
      if (digits === owed) this.#enter();
      else if (attempts > 1) this.#ask(owed, attempts - 1, ['conference-wrong-pin', 'conference-enter-pin']);
      else this.#refuse(['conference-wrong-pin', 'goodbye']);
    });
  }

  #refuse(prompts: readonly PromptName[]): void {
    this.#spoken?.say(
      prompts.map((name) => this.#tongue.prompt(name)),
      () => {
        this.close();
        this.#facts.events.onDone(NORMAL_CLEARING);
      },
    );
  }

  #enter(): void {
    const { call } = this.#facts;
    const { calls, conferences, recordingFor } = this.#board;
    if (conferences.isFull(this.#conference.id)) return this.#refuse(['conference-full']);
    this.#spoken?.close();
    this.#room = conferences.open(this.#conference.id);
    this.#stopWatching = calls.watch(call, () => this.#hear());
    this.#hear();
    this.#room.enter(this);
    this.#note(this.#room.size);
    const told: PromptName[] = this.#conference.monitor ? ['recording-on'] : [];
    if (this.#room.size === 1) this.#alone(told);
    else this.#say(told);
    if (this.#conference.monitor) recordingFor(call).start(call.src.userId ?? undefined);
  }

  /** Who holds the call neither hears the others nor lets them hear its own music. */
  #hear(): void {
    const { call, caller } = this.#facts;
    const isIn = call.holders.size === 0 && !call.isOver;
    caller.leg.media.enter(isIn ? this.#room?.sound : undefined);
  }

  #say(prompts: readonly PromptName[]): void {
    this.#voice.say(prompts.map((name) => this.#tongue.prompt(name)));
  }

  #alone(before: readonly PromptName[]): void {
    const said = [...before, 'conference-alone' as const].map((name) => this.#tongue.prompt(name));
    this.#voice.say(said, () => this.#voice.repeat(this.#board.sounds.music()));
  }
}
