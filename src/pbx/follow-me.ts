// Follow-me: the numbers at which a user may be reached ring for one caller; the first who takes the caller has it. Knows neither
// who the caller is nor what comes when nobody does.
import type { User } from '../contract/resources/customer.ts';
import type { Sound } from '../media/sound.ts';
import { Announcer } from './announcer.ts';
import type { Call } from './call.ts';
import { type Shown, shownByForwarding } from './caller-id.ts';
import type { Cause } from './causes.ts';
import { ringTimeOf } from './dial.ts';
import { Confirmation } from './follow-me-confirm.ts';
import { followMeTargets } from './forwarding.ts';
import type { Leg } from './leg.ts';
import { type MemberAnswer, MemberRinging } from './member-ringing.ts';
import type { Place, Target } from './place.ts';
import type { GroupEvents } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';
import { tongueOfUser } from './tongues.ts';

export interface FollowMeOptions {
  /** The caller at the user's follow-me. */
  readonly call: Call;
  readonly caller: Leg;
  /** Who has an announcement (`fm_announcement_enabled`) wants the caller answered: otherwise nobody hears it. */
  readonly user: User;
  /** Whom a number sees to which the caller is led on as such. */
  readonly shown: (place: Place) => Shown;
  readonly codecs: readonly string[];
  readonly maxForwards?: number;
  readonly events: GroupEvents;
}

export class FollowMe {
  readonly #board: Switchboard;
  readonly #options: FollowMeOptions;
  readonly #ringing: MemberRinging<Target>;
  readonly #announcer: Announcer;

  constructor(board: Switchboard, options: FollowMeOptions) {
    const { user, call, caller, shown, events } = options;
    const { directory } = board;
    this.#board = board;
    this.#options = options;
    const targets = followMeTargets(directory, user);
    const isTogether = user.fm_strategy === 'A';
    this.#ringing = new MemberRinging(board, {
      ...options,
      forUserId: user.id,
      turns: { next: isTogether ? [targets] : targets.map((target) => [target]), growing: user.fm_strategy === 'M' },
      ringTimeMs: ringTimeOf({ ring_time: user.fm_ring_time }),
      shown: (target) => shownByForwarding(user, directory.partyOf(user), shown(target), target),
      events: {
        onInvited: () => events.onInvited(),
        onRinging: () => events.onRinging(),
        onAnswered: (answer) => this.#answered(answer),
        onNobody: (cause) => {
          this.#announcer.stop();
          events.onFailed(cause);
        },
      },
    });
    this.#announcer = new Announcer(board, call, caller);
  }

  /** Rings the first numbers, after the announcement where the user has one. Where there is nobody to ring it fails before this returns. */
  start(): void {
    if (!this.#options.user.fm_announcement_enabled) return this.#ringing.start();
    this.#announcer.say([this.#announcement()], () => {
      this.#announcer.repeat(this.#board.sounds.tone('ringback'));
      this.#ringing.start();
    });
  }

  /** Stops ringing everywhere; no event follows. The phones are told why, but for a caller who gave up. */
  close(cause: Cause): void {
    this.#announcer.stop();
    this.#ringing.close(cause);
  }

  /** The legs that ring, for orders to a phone. */
  ringing(): Leg[] {
    return this.#ringing.ringing();
  }

  #announcement(): Sound {
    const { sounds, store } = this.#board;
    const { user } = this.#options;
    const upload = store.vmannouncements.get(user.fm_announcement_id);
    return upload === undefined || upload.data === ''
      ? tongueOfUser(this.#board, user.id).prompt('followme-announcement')
      : sounds.upload(`vmannouncements/${upload.id}`, upload.data);
  }

  /** Who picks a call up wants it, and is not asked. */
  #answered(answer: MemberAnswer<Target>): void {
    const { call, leg, isPickedUp } = answer;
    if (isPickedUp || !this.#options.user.fm_confirm_required) return this.#take(answer);
    const confirmation = new Confirmation(this.#board, call, leg, (refused) => {
      if (refused === undefined) this.#take(answer);
      else this.#ringing.refuse(answer, refused);
    });
    confirmation.start();
  }

  #take(answer: MemberAnswer<Target>): void {
    this.#announcer.stop();
    this.#ringing.join(answer, this.#options.events.onAnswered);
  }
}
