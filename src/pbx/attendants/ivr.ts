// An IVR: a menu that the caller answers with keys or an extension, or that chance answers. Knows no number and no call state.
import type { Sound } from '../../media/sound.ts';
import type { Tongue } from '../../media/tongue.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { NORMAL_CLEARING } from '../causes.ts';
import type { Ivr } from '../place.ts';
import type { Switchboard } from '../switchboard.ts';
import { tongueOfPlace } from '../tongues.ts';
import { dialledInIvr, type Way, wayByChance, wayOfKey } from './ivr-places.ts';
import { soundsOf } from './ivr-sounds.ts';
import { answered, type Spoken } from './spoken.ts';

/** Until the next digit of an extension; then what was keyed is all (CHOICE-IVR). */
export const NEXT_DIGIT_MS = 3000;
const DEFAULT_TIMEOUT_S = 5;

export class IvrMenu implements Attendant {
  readonly #board: Switchboard;
  readonly #ivr: Ivr;
  readonly #facts: AttendantFacts;
  readonly #tongue: Tongue;
  #spoken: Spoken | undefined;
  /** How often the menu is said once more. */
  #repeats: number;
  /** What may become an extension. */
  #digits = '';

  constructor(board: Switchboard, ivr: Ivr, facts: AttendantFacts) {
    this.#board = board;
    this.#ivr = ivr;
    this.#facts = facts;
    this.#tongue = tongueOfPlace(board, ivr);
    this.#repeats = ivr.repeats;
  }

  start(): void {
    const { call, caller } = this.#facts;
    const spoken = answered(this.#board, call, caller.leg);
    this.#spoken = spoken;
    if (this.#ivr.random_choice) spoken.say(this.#sounds(this.#ivr.sounds), () => this.#leaveToChance(spoken));
    else this.#ask(spoken, []);
  }

  close(): void {
    this.#spoken?.close();
  }

  ringing(): readonly [] {
    return [];
  }

  /** Says the menu and waits for a key, which may come at any time. */
  #ask(spoken: Spoken, before: readonly Sound[]): void {
    const { sounds, timeout } = this.#ivr;
    const menu = this.#sounds(sounds);
    this.#digits = '';
    spoken.rest();
    spoken.listen((key) => this.#pressed(spoken, key));
    spoken.say([...before, ...(menu.length > 0 ? menu : [this.#tongue.prompt('ivr-menu')])], () =>
      spoken.wait((timeout > 0 ? timeout : DEFAULT_TIMEOUT_S) * 1000, 'a choice in the IVR', () =>
        this.#askAgain(spoken, this.#tongue.prompt('no-input')),
      ),
    );
  }

  #askAgain(spoken: Spoken, why: Sound): void {
    if (this.#repeats === 0) return this.#giveUp(spoken, why);
    this.#repeats -= 1;
    this.#ask(spoken, [why]);
  }

  /** Nothing was chosen: the final destination of the menu is where the caller goes. */
  #giveUp(spoken: Spoken, why: Sound): void {
    spoken.rest();
    spoken.listen(() => {});
    spoken.say([why, ...this.#sounds(this.#ivr.post_sounds)], () => this.#fail(spoken));
  }

  #pressed(spoken: Spoken, key: string): void {
    spoken.hush();
    spoken.rest();
    const dials = this.#ivr.ext_dialing && /^\d$/.test(key);
    if (dials) this.#dial(spoken, key);
    else if (this.#digits === '') this.#choose(spoken, key);
    else if (key === '#') this.#settle(spoken);
    else this.#refuse(spoken);
  }

  /** A key of the menu with which an extension begins waits for what follows. */
  #dial(spoken: Spoken, digit: string): void {
    this.#digits += digit;
    const { goesOn } = dialledInIvr(this.#board, this.#facts.call.customerId, this.#digits);
    if (goesOn) spoken.wait(NEXT_DIGIT_MS, 'the next digit', () => this.#settle(spoken));
    else this.#settle(spoken);
  }

  #settle(spoken: Spoken): void {
    const digits = this.#digits;
    this.#digits = '';
    spoken.rest();
    const { place } = dialledInIvr(this.#board, this.#facts.call.customerId, digits);
    if (place !== undefined) this.#go(spoken, place, '', false);
    else if (digits.length === 1) this.#choose(spoken, digits);
    else this.#refuse(spoken);
  }

  #choose(spoken: Spoken, key: string): void {
    const chosen = wayOfKey(this.#board, this.#facts.call.customerId, this.#ivr, key);
    if (chosen === undefined) this.#refuse(spoken);
    else this.#go(spoken, chosen.way, chosen.sounds, false);
  }

  #refuse(spoken: Spoken): void {
    this.#askAgain(spoken, this.#tongue.prompt('invalid'));
  }

  #leaveToChance(spoken: Spoken): void {
    const way = wayByChance(this.#board, this.#facts.call.customerId, this.#ivr);
    if (way === undefined) this.#fail(spoken);
    else this.#go(spoken, way, '', true);
  }

  /** What is chosen is chosen: further keys mean nothing. */
  #go(spoken: Spoken, way: Way, written: string, byChance: boolean): void {
    const { events } = this.#facts;
    const { ring_time } = this.#ivr;
    spoken.listen(() => {});
    spoken.say(this.#sounds(written), () => {
      spoken.close();
      if (way === 'hang up') events.onDone(NORMAL_CLEARING);
      else events.onChosen(way, { byChance, ...(ring_time > 0 ? { ringTimeMs: ring_time * 1000 } : {}) });
    });
  }

  #fail(spoken: Spoken): void {
    spoken.close();
    this.#facts.events.onFailed(NORMAL_CLEARING);
  }

  #sounds(written: string): Sound[] {
    return soundsOf(this.#board, this.#facts.call.customerId, written, this.#tongue);
  }
}
