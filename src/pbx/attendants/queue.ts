// One caller in a queue: hears music and where it stands, waits until an agent answers, and talks in the agent's call from then on.
import { monitorModeCodes, wordOf } from '../../contract/codes.ts';
import type { User } from '../../contract/resources/customer.ts';
import type { Timer } from '../../kernel/clock.ts';
import type { Sound } from '../../media/sound.ts';
import type { Tongue } from '../../media/tongue.ts';
import { Announcer } from '../announcer.ts';
import type { Attendant, AttendantFacts } from '../attendant.ts';
import { causeOfHangup, closeLeg, endLeg, eventsAlone } from '../bridge.ts';
import type { Shown } from '../caller-id.ts';
import {
  CALLER_CANCELLED,
  type Cause,
  NO_ANSWER,
  NO_USER_RESPONDING,
  NORMAL_CLEARING,
  NOT_REGISTERED,
  QUEUE_FULL,
} from '../causes.ts';
import { namedFor } from '../cnam.ts';
import { ringTimeOf } from '../dial.ts';
import type { Leg } from '../leg.ts';
import { separate } from '../leg-media.ts';
import { type MemberAnswer, MemberRinging } from '../member-ringing.ts';
import type { Queue, UserTarget } from '../place.ts';
import { loggedIn } from '../queue-agents.ts';
import type { QueueRoom, Waiting } from '../queue-room.ts';
import { mayBeRecorded } from '../recording-rules.ts';
import { follow, takeHolds } from '../ring-group-call.ts';
import type { Switchboard } from '../switchboard.ts';
import { musicOf, tongueOfPlace } from '../tongues.ts';
import { wayOfKey } from './ivr-places.ts';
import { listedSounds } from './queue-sounds.ts';

type AgentAnswer = MemberAnswer<UserTarget>;

/** What goes on for the caller; `left` when an agent has it or it has gone. */
type Stage = 'waiting' | 'ringing' | 'greeting' | 'left';

export class QueueAttendant implements Attendant, Waiting {
  readonly since: number;
  readonly #board: Switchboard;
  #facts: AttendantFacts;
  readonly #queue: Queue;
  #voice: Announcer;
  readonly #tongue: Tongue;
  readonly #music: Sound;
  #room: QueueRoom | undefined;
  #stage: Stage = 'waiting';
  #ringing: MemberRinging<UserTarget> | undefined;
  /** The agent who has answered and hears something before the caller. */
  #greeted: { readonly answer: AgentAnswer; readonly voice: Announcer } | undefined;
  #patience: Timer | undefined;
  #nextNews: Timer | undefined;

  constructor(board: Switchboard, queue: Queue, facts: AttendantFacts) {
    this.#board = board;
    this.#facts = facts;
    this.#queue = queue;
    this.#voice = new Announcer(board, facts.call, facts.caller.leg);
    this.#tongue = tongueOfPlace(board, queue);
    this.#music = musicOf(board, facts.call.customerId, queue.moh);
    this.since = board.clock.now();
  }

  get userId(): number | null {
    return this.#facts.caller.leg.party.userId;
  }

  get callId(): number {
    return this.#facts.call.id;
  }

  get isIdle(): boolean {
    return this.#stage === 'waiting';
  }

  start(): void {
    const { call, caller } = this.#facts;
    const queue = this.#queue;
    const waiting = this.#board.queues.get(queue.id)?.size ?? 0;
    if (queue.max_callers > 0 && waiting >= queue.max_callers) return this.#leave(QUEUE_FULL);
    if (!queue.join_empty && loggedIn(this.#board, queue).length === 0) return this.#leave(NOT_REGISTERED);
    call.queueState = 'waiting';
    caller.leg.onKey = (key) => this.#key(key);
    this.#room = this.#board.queues.open(this.#board, queue);
    this.#room.enter(this);
    this.#waitOn();
    this.#room.look();
    if (this.#stage === 'left') return;
    const welcome = this.#stage === 'waiting' ? [this.#tongue.prompt('queue-welcome')] : [];
    const sounds = listedSounds(this.#board, call.customerId, queue.caller_sounds, this.#tongue);
    const exit = queue.hash_to_exit ? [this.#tongue.prompt('queue-exit')] : [];
    this.#tell([...(sounds.length === 0 ? welcome : sounds), ...this.#news(), ...exit]);
  }

  close(cause: Cause): void {
    if (this.#stage === 'left') return;
    this.#settle();
    this.#facts.call.queueState = '';
    this.#ringing?.close(cause);
    if (this.#greeted !== undefined) this.#endGreeting(this.#greeted.answer, cause);
    this.#room?.leave(this);
  }

  ringing(): readonly Leg[] {
    return this.#ringing?.ringing() ?? [];
  }

  /** The place in the line, the agents who ring, and one who hears something before the caller go over to somebody else. */
  handTo(facts: AttendantFacts): void {
    const { call, caller } = facts;
    const before = this.#facts.call;
    this.#silence();
    this.#facts = facts;
    this.#voice = new Announcer(this.#board, call, caller.leg);
    call.queueState = before.queueState;
    before.queueState = '';
    caller.leg.onKey = (key) => this.#key(key);
    if (this.#greeted === undefined) this.#waitOn();
    this.#tell(this.#news());
    this.#ringing?.handTo({ call, caller: caller.leg, codecs: caller.codecs });
    if (this.#greeted === undefined) return;
    const { answer } = this.#greeted;
    const src = namedFor(this.#board.store, call.customerId, caller.leg.party, answer.target);
    this.#board.calls.adopt(answer.call, call, caller.leg, src);
    // Nobody is an agent for oneself.
    if (answer.target.user.id === this.userId)
      this.#agentLost(answer, () => this.#endGreeting(answer, NO_USER_RESPONDING));
  }

  ring(agents: readonly User[], queue: Queue): void {
    const { call, caller, maxForwards } = this.#facts;
    this.#stage = 'ringing';
    call.queueState = 'ringing';
    const ringing = new MemberRinging<UserTarget>(this.#board, {
      call,
      caller: caller.leg,
      codecs: caller.codecs,
      turns: { next: [agents.map((user) => ({ kind: 'user', user }))], growing: false },
      ringTimeMs: ringTimeOf({ ring_time: queue.ring_time }),
      shown: ({ user }) => this.#shownTo(user, queue),
      ...(maxForwards === undefined ? {} : { maxForwards }),
      events: {
        onRinging: () => {
          if (!call.isAnswered) this.#board.calls.move(call, 'ringing');
        },
        onSpared: ({ user }) => this.#room?.spared(user),
        onAnswered: (answer) => this.#answered(answer, queue),
        onNobody: () => this.#back(),
      },
    });
    this.#ringing = ringing;
    ringing.start();
  }

  turnedAway(): void {
    this.#leave(NOT_REGISTERED);
  }

  /** How long the caller may still wait. What an agent has answered is not cut off. */
  #waitOn(): void {
    const { max_wait_time } = this.#queue;
    if (max_wait_time === 0) return;
    const leftMs = this.since + max_wait_time * 1000 - this.#board.clock.now();
    this.#patience = this.#board.clock.after(Math.max(0, leftMs), `longest wait of call ${this.#facts.call.id}`, () =>
      this.#leave(NO_ANSWER),
    );
  }

  #key(key: string): void {
    if (this.#stage === 'left' || this.#stage === 'greeting') return;
    if (key === '#' && this.#queue.hash_to_exit) return this.#leave(NORMAL_CLEARING);
    const ivr = this.#board.store.ivrs.get(this.#queue.ivr);
    const way = ivr && wayOfKey(this.#board, this.#facts.call.customerId, ivr, key)?.way;
    if (way === undefined) return;
    this.close(NORMAL_CLEARING);
    if (way === 'hang up') this.#facts.events.onDone(NORMAL_CLEARING);
    else this.#facts.events.onChosen(way);
  }

  /** Says these, then plays music until there is news again: every so many seconds, but nothing that is said is cut off. */
  #tell(sounds: readonly Sound[]): void {
    const { clock } = this.#board;
    const { ann_freq, pos_ann, hold_ann } = this.#queue;
    const nextAt = clock.now() + ann_freq * 1000;
    this.#voice.say(sounds, () => {
      this.#voice.repeat(this.#music);
      if (ann_freq === 0 || (!pos_ann && !hold_ann)) return;
      const what = `news of the queue for call ${this.#facts.call.id}`;
      this.#nextNews = clock.after(Math.max(0, nextAt - clock.now()), what, () => this.#tell(this.#news()));
    });
  }

  /** Where the caller stands, and how long it will be there. */
  #news(): Sound[] {
    const { pos_ann, hold_ann } = this.#queue;
    const room = this.#room;
    if (room === undefined) return [];
    return [
      ...(pos_ann ? [this.#tongue.promptWithNumber('position', room.positionOf(this))] : []),
      ...(hold_ann ? [this.#tongue.promptWithNumber('wait-minutes', room.minutesToWait(this))] : []),
    ];
  }

  #shownTo(agent: User, queue: Queue): Shown {
    const shown = this.#facts.shown({ kind: 'user', user: agent });
    const waited = Math.floor((this.#board.clock.now() - this.since) / 1000);
    const minutes = `${Math.floor(waited / 60)}:${String(waited % 60).padStart(2, '0')}`;
    const prefix = [...(queue.cli_prefix ? [queue.name] : []), ...(queue.wait_time_prefix ? [minutes] : [])].join(' ');
    return prefix === '' ? shown : { ...shown, prefix };
  }

  /** Nobody is rung for the caller any more: it waits on, where it was. */
  #back(): void {
    this.#ringing = undefined;
    if (this.#stage === 'left') return;
    this.#stage = 'waiting';
    this.#facts.call.queueState = 'waiting';
    this.#room?.lookSoon();
  }

  #answered(answer: AgentAnswer, queue: Queue): void {
    const { call, leg } = answer;
    this.#board.calls.move(call, 'answered');
    this.#board.mediaStarted(call, leg);
    this.#ringing?.take(answer);
    this.#ringing = undefined;
    this.#stage = 'greeting';
    this.#patience?.cancel();
    this.#board.queues.log.took(queue, leg);
    const voice = new Announcer(this.#board, call, leg);
    this.#greeted = { answer, voice };
    leg.session.events = eventsAlone(this.#board, call, leg, (ending) => {
      const by = ending.by === 'remote-bye' ? 'callee' : null;
      this.#agentLost(answer, () => {
        closeLeg(this.#board, call, leg, causeOfHangup(ending));
        this.#board.calls.end(call, causeOfHangup(ending), by);
      });
    });
    call.hangUp = (cause) => this.#agentLost(answer, () => this.#endGreeting(answer, cause));
    call.ringing = () => [];
    voice.say(listedSounds(this.#board, call.customerId, queue.agent_sounds, this.#tongue), () =>
      this.#join(answer, queue),
    );
  }

  /** The agent is gone before it spoke to the caller, who keeps its place. */
  #agentLost(answer: AgentAnswer, end: () => void): void {
    this.#greeted?.voice.stop();
    this.#greeted = undefined;
    this.#room?.spared(answer.target.user);
    end();
    if (this.#stage === 'left') return;
    this.#waitOn();
    this.#back();
  }

  #endGreeting({ call, leg }: AgentAnswer, cause: Cause): void {
    const isCaller = cause === CALLER_CANCELLED;
    this.#greeted?.voice.stop();
    this.#greeted = undefined;
    leg.session.events = {};
    endLeg(this.#board, call, leg, isCaller ? NORMAL_CLEARING : cause);
    this.#board.calls.end(call, isCaller ? NORMAL_CLEARING : cause, isCaller ? 'caller' : null);
  }

  #join(answer: AgentAnswer, queue: Queue): void {
    const { call, caller } = this.#facts;
    const { call: child, leg } = answer;
    this.#greeted = undefined;
    this.#settle();
    call.queueState = 'connected';
    takeHolds(call, child, caller.leg);
    caller.connect(child, leg);
    // A caller who was transferred here talked before: its call goes on, whatever becomes of the agent's.
    const goesOn = call.isAnswered;
    const part = follow(this.#board, call, child);
    this.#board.queues.log.joined(queue, leg, this.#board.clock.now() - this.since);
    if (isRecorded(queue) && mayBeRecorded(this.#board.directory, child)) this.#board.recordingFor(child).start();
    this.#goOnAfter(answer, queue, goesOn ? part : () => {});
    this.#room?.leave(this);
  }

  /** When the agent hangs up, the caller is asked something (`post_call_ivr_id`). */
  #goOnAfter({ call: child, leg }: AgentAnswer, queue: Queue, part: () => void): void {
    const { call, caller, events } = this.#facts;
    if (queue.post_call_ivr_id === 0) return;
    child.calleeGone = (gone) => {
      const ivr = this.#board.directory.placeOf(call.customerId, 'I', queue.post_call_ivr_id);
      if (gone !== leg || ivr === undefined || !caller.leg.isUp) return false;
      separate(caller.leg.media, leg.media);
      part();
      call.queueState = '';
      this.#board.calls.end(child, NORMAL_CLEARING, 'callee');
      events.onChosen(ivr);
      return true;
    };
  }

  /** The caller gets nothing here. */
  #leave(cause: Cause): void {
    this.close(cause);
    this.#facts.events.onFailed(cause);
  }

  /** Nothing is heard or waited for any more. */
  #settle(): void {
    this.#stage = 'left';
    this.#silence();
  }

  #silence(): void {
    this.#patience?.cancel();
    this.#nextNews?.cancel();
    this.#voice.stop();
    this.#facts.caller.leg.onKey = undefined;
  }
}

/** Every caller of a queue is inbound. */
function isRecorded({ monitor }: Queue): boolean {
  const mode = wordOf(monitorModeCodes, monitor);
  return mode === 'A' || mode === 'I';
}
