// The voicemail of a user: greets the caller, and records after the tone until the caller has done. Knows no folder and no mail.

import type { User } from '../../contract/resources/customer.ts';
import type { Sound } from '../../media/sound.ts';
import { Take } from '../../media/takes.ts';
import type { Tongue } from '../../media/tongue.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOfUser } from '../tongues.ts';
import { hasRoom, keepMessage } from '../voice-messages.ts';
import { answered, type Spoken } from './spoken.ts';

/** Who speaks longer is thanked (CHOICE-VOICEMAIL). */
export const LONGEST_MESSAGE_MS = 180_000;

export class Voicemail implements Attendant {
  readonly #board: Switchboard;
  readonly #user: User;
  readonly #facts: AttendantFacts;
  readonly #tongue: Tongue;
  #spoken: Spoken | undefined;
  /** What is being recorded, and since when. */
  #message: { readonly take: Take; readonly beganAt: number } | undefined;
  #hasGreeted = false;

  constructor(board: Switchboard, user: User, facts: AttendantFacts) {
    this.#board = board;
    this.#user = user;
    this.#facts = facts;
    this.#tongue = tongueOfUser(board, user.id);
  }

  start(): void {
    const { call, caller } = this.#facts;
    this.#spoken = answered(this.#board, call, caller.leg);
    if (!hasRoom(this.#board, this.#user)) return this.#endWith([this.#tongue.prompt('not-available')]);
    this.#spoken.listen((key) => this.#pressed(key));
    this.#spoken.say([greetingOf(this.#board, this.#user, this.#tongue)], () => this.#beep());
  }

  close(): void {
    this.#keep();
    this.#spoken?.close();
  }

  ringing(): readonly [] {
    return [];
  }

  /** The hash takes the next step; the star during the greeting is for the owner of the box, who asks for it from anywhere. */
  #pressed(key: string): void {
    if (this.#message !== undefined) {
      if (key === '#') this.#thank();
      return;
    }
    if (this.#hasGreeted) return;
    if (key === '#') this.#beep();
    else if (key === '*') this.#leaveFor({ kind: 'mailbox', user: this.#user });
  }

  #beep(): void {
    this.#hasGreeted = true;
    this.#spoken?.say([this.#board.sounds.tone('beep')], () => this.#record());
  }

  #record(): void {
    const take = new Take();
    this.#message = { take, beganAt: this.#board.clock.now() };
    this.#facts.caller.leg.media.record(take);
    this.#spoken?.wait(LONGEST_MESSAGE_MS, 'longest voice message', () => this.#thank());
  }

  #thank(): void {
    const goodbye = this.#tongue.prompt('goodbye');
    this.#endWith(this.#keep() ? [this.#tongue.prompt('voicemail-saved'), goodbye] : [goodbye]);
  }

  #endWith(words: readonly Sound[]): void {
    this.#spoken?.rest();
    this.#spoken?.say(words, () => {
      this.#spoken?.close();
      this.#facts.events.onDone(NORMAL_CLEARING);
    });
  }

  #leaveFor(place: { readonly kind: 'mailbox'; readonly user: User }): void {
    this.#spoken?.close();
    this.#facts.events.onChosen(place);
  }

  /** What was said until now is the message. True when it was one. */
  #keep(): boolean {
    const message = this.#message;
    if (message === undefined) return false;
    this.#message = undefined;
    const { call, caller } = this.#facts;
    caller.leg.media.record(undefined);
    const lengthMs = this.#board.clock.now() - message.beganAt;
    return keepMessage(this.#board, call, this.#user.id, { ...message, lengthMs }) !== undefined;
  }
}

/** The announcement that the user has chosen, else what everybody's box says. */
function greetingOf({ store, sounds }: Switchboard, { id }: User, tongue: Tongue): Sound {
  const announcementId = store.users.get(id)?.vm_announcement_id ?? 0;
  const announcement = store.vmannouncements.get(announcementId);
  return announcement === undefined
    ? tongue.prompt('voicemail-greeting')
    : sounds.upload(`vmannouncements/${announcement.id}`, announcement.data);
}
