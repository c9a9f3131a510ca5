// Follow-me: the numbers at which a user may be reached ring for one caller; the first who takes the caller has it. Knows neither
// who the caller is nor what comes when nobody does.
import type { User } from '../contract/resources/customer.ts';
import type { Sound } from '../media/sound.ts';
import { Announcer } from './announcer.ts';
import { shownByForwarding } from './caller-id.ts';
import type { Cause } from './causes.ts';
import { ringTimeOf } from './dial.ts';
import { Confirmation } from './follow-me-confirm.ts';
import { followMeTargets } from './forwarding.ts';
import type { Leg } from './leg.ts';
import { type MemberAnswer, MemberRinging } from './member-ringing.ts';
import type { Target } from './place.ts';
import type { GroupCaller, GroupReach } from './ring-group.ts';
import type { Switchboard } from './switchboard.ts';
import { tongueOfUser } from './tongues.ts';

export class FollowMe implements GroupReach {
  readonly #board: Switchboard;
  readonly #user: User;
  #for: GroupCaller;
  readonly #ringing: MemberRinging<Target>;
  #announcer: Announcer;
  /** The announcement is over, if there is one. */
  #rings = false;

  /** Of a user with an announcement (`fm_announcement_enabled`) the caller is answered: otherwise nobody hears it. */
  constructor(board: Switchboard, user: User, caller: GroupCaller) {
    const { directory } = board;
    this.#board = board;
    this.#user = user;
    this.#for = caller;
    const targets = followMeTargets(directory, user);
    const isTogether = user.fm_strategy === 'A';
    this.#ringing = new MemberRinging(board, {
      ...caller,
      forUserId: user.id,
      turns: { next: isTogether ? [targets] : targets.map((target) => [target]), growing: user.fm_strategy === 'M' },
      ringTimeMs: ringTimeOf({ ring_time: user.fm_ring_time }),
      shown: (target) => shownByForwarding(user, directory.partyOf(user), this.#for.shown(target), target),
      events: {
        onInvited: () => this.#for.events.onInvited(),
        onRinging: () => this.#for.events.onRinging(),
        onAnswered: (answer) => this.#answered(answer),
        onNobody: (cause) => {
          this.#announcer.stop();
          this.#for.events.onFailed(cause);
        },
      },
    });
    this.#announcer = new Announcer(board, caller.call, caller.caller);
  }

  get hasRung(): boolean {
    return this.#ringing.hasRung;
  }

  /** The announcement comes first, where the user has one. */
  start(): void {
    if (!this.#user.fm_announcement_enabled) return this.#ring();
    this.#announcer.say([this.#announcement()], () => {
      this.#announcer.repeat(this.#board.sounds.tone('ringback'));
      this.#ring();
    });
  }

  #ring(): void {
    this.#rings = true;
    this.#ringing.start();
  }

  close(cause: Cause): void {
    this.#announcer.stop();
    this.#ringing.close(cause);
  }

  ringing(): readonly Leg[] {
    return this.#ringing.ringing();
  }

  /** Who comes while the announcement is said hears it from its beginning. */
  handTo(next: GroupCaller): void {
    this.#announcer.stop();
    this.#for = next;
    this.#announcer = new Announcer(this.#board, next.call, next.caller);
    this.#ringing.handTo(next);
    if (!this.#rings) this.start();
  }

  #announcement(): Sound {
    const { sounds, store } = this.#board;
    const upload = store.vmannouncements.get(this.#user.fm_announcement_id);
    return upload === undefined || upload.data === ''
      ? tongueOfUser(this.#board, this.#user.id).prompt('followme-announcement')
      : sounds.upload(`vmannouncements/${upload.id}`, upload.data);
  }

  /** Who picks a call up wants it, and is not asked. */
  #answered(answer: MemberAnswer<Target>): void {
    const { call, leg, isPickedUp } = answer;
    if (isPickedUp || !this.#user.fm_confirm_required) return this.#take(answer);
    const confirmation = new Confirmation(this.#board, call, leg, (refused) => {
      if (refused === undefined) this.#take(answer);
      else this.#ringing.refuse(answer, refused);
    });
    confirmation.start();
  }

  #take(answer: MemberAnswer<Target>): void {
    this.#announcer.stop();
    this.#ringing.join(answer, this.#for.events.onAnswered);
  }
}
