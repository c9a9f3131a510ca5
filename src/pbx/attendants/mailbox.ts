// A mailbox: its user proves to be that one by the PIN, and listens to the messages one by one. Knows no store and no mail.
import type { User } from '../../contract/resources/customer.ts';
import type { VoiceMessage } from '../../contract/resources/history.ts';
import type { Sound } from '../../media/sound.ts';
import type { Tongue } from '../../media/tongue.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOfUser } from '../tongues.ts';
import { deleteMessage, markHeard, messagesOf, saveMessage, soundOfMessage } from '../voice-messages.ts';
import { askForDigits, UNHURRIED } from './key-collector.ts';
import { answered, type Spoken } from './spoken.ts';

/** Digits of a PIN, and how often one may be wrong (CHOICE-MAILBOX). */
const PIN_DIGITS = 4;
const TRIES = 3;
/** How long a key may take when the menu has been said, and how often that is said. */
export const MENU_WAIT_MS = 5000;
const MENU_TURNS = 3;

export class Mailbox implements Attendant {
  readonly #board: Switchboard;
  readonly #user: User;
  readonly #facts: AttendantFacts;
  readonly #tongue: Tongue;
  #spoken: Spoken | undefined;
  /** What is left to be heard, the present one first. What the API has removed meanwhile is passed over. */
  #messages: readonly VoiceMessage[] = [];

  constructor(board: Switchboard, user: User, facts: AttendantFacts) {
    this.#board = board;
    this.#user = user;
    this.#facts = facts;
    this.#tongue = tongueOfUser(board, user.id);
  }

  start(): void {
    const { call, caller } = this.#facts;
    this.#spoken = answered(this.#board, call, caller.leg);
    const pin = this.#pin();
    const isOwner = call.src.kind === 'user' && call.src.userId === this.#user.id;
    if (pin === '' && isOwner) this.#open(this.#spoken);
    else this.#askForPin(this.#spoken, pin, TRIES);
  }

  close(): void {
    this.#spoken?.close();
  }

  ringing(): readonly [] {
    return [];
  }

  /** As it is now: who waits in line for it may have had it changed. */
  #pin(): string {
    return this.#board.store.users.get(this.#user.id)?.vm_pin ?? '';
  }

  /** A box without a PIN is open to its own phone alone: elsewhere no PIN is the right one. */
  #askForPin(spoken: Spoken, pin: string, tries: number): void {
    const tongue = this.#tongue;
    const asked = { sounds: [tongue.prompt('enter-pin')], most: PIN_DIGITS, ...UNHURRIED };
    askForDigits(spoken, asked, (digits) => {
      if (pin !== '' && digits === pin) return this.#open(spoken);
      if (tries > 1) spoken.say([tongue.prompt('wrong-pin')], () => this.#askForPin(spoken, pin, tries - 1));
      else this.#leave(spoken, [tongue.prompt('wrong-pin')]);
    });
  }

  /** How many there are, and then the first one; any key goes straight to that. */
  #open(spoken: Spoken): void {
    const tongue = this.#tongue;
    this.#messages = messagesOf(this.#board, this.#user.id);
    const fresh = this.#messages.filter(({ is_new }) => is_new).length;
    const old = this.#messages.length - fresh;
    if (this.#messages.length === 0) return this.#leave(spoken, [tongue.prompt('no-messages')]);
    const counts = [
      ...(fresh > 0 ? [tongue.promptWithNumber('new-messages', fresh)] : []),
      ...(old > 0 ? [tongue.promptWithNumber('old-messages', old)] : []),
    ];
    spoken.listen((key) => (key === '*' ? this.#leave(spoken, []) : this.#play(spoken)));
    spoken.say(counts, () => this.#play(spoken));
  }

  /** The present message, and after it what can be done with it. */
  #play(spoken: Spoken): void {
    const message = this.#present();
    if (message === undefined) return this.#leave(spoken, [this.#tongue.prompt('end-of-messages')]);
    spoken.rest();
    spoken.listen((key) => this.#pressed(spoken, message, key));
    spoken.say([soundOfMessage(this.#board, message)], () => {
      markHeard(this.#board, message.id);
      this.#offer(spoken, [], MENU_TURNS);
    });
  }

  #offer(spoken: Spoken, before: readonly Sound[], turns: number): void {
    const tongue = this.#tongue;
    spoken.rest();
    if (turns === 0) return this.#leave(spoken, []);
    spoken.say([...before, tongue.prompt('mailbox-menu')], () =>
      spoken.wait(MENU_WAIT_MS, 'a choice in the mailbox', () => this.#offer(spoken, [], turns - 1)),
    );
  }

  /** Keys count at any time, also while the message still plays. Who goes on has heard enough of it. */
  #pressed(spoken: Spoken, message: VoiceMessage, key: string): void {
    const tongue = this.#tongue;
    switch (key) {
      case '1':
        return this.#play(spoken);
      case '2':
        saveMessage(this.#board, message.id);
        return this.#next(spoken, [tongue.prompt('message-saved')]);
      case '3':
        deleteMessage(this.#board, message.id);
        return this.#next(spoken, [tongue.prompt('message-deleted')]);
      case '#':
        markHeard(this.#board, message.id);
        return this.#next(spoken, []);
      case '*':
        return this.#leave(spoken, []);
      default:
        return this.#offer(spoken, [tongue.prompt('invalid')], MENU_TURNS);
    }
  }

  #next(spoken: Spoken, words: readonly Sound[]): void {
    this.#messages = this.#messages.slice(1);
    spoken.rest();
    spoken.listen((key) => (key === '*' ? this.#leave(spoken, []) : this.#play(spoken)));
    spoken.say(words, () => this.#play(spoken));
  }

  #present(): VoiceMessage | undefined {
    const { voicemessages } = this.#board.store;
    this.#messages = this.#messages.filter(({ id }) => voicemessages.get(id) !== undefined);
    return this.#messages[0];
  }

  #leave(spoken: Spoken, words: readonly Sound[]): void {
    spoken.rest();
    spoken.listen(() => {});
    spoken.say([...words, this.#tongue.prompt('goodbye')], () => {
      spoken.close();
      this.#facts.events.onDone(NORMAL_CLEARING);
    });
  }
}
