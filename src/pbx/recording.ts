// Recordings of calls: by themselves, as the users who talk want it, and by order (monitor_state). Each leaves a record at its end.
// Knows no signalling: it is told when two parties are joined, when a leg ends, and when the call is over.
import { mp3Bytes } from '../contract/recording-format.ts';
import type { Monitor } from '../contract/resources/history.ts';
import type { Clock } from '../kernel/clock.ts';
import { failure, type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import { utcText } from '../kernel/time.ts';
import { Take, type Takes } from '../media/takes.ts';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import { contextOf, partyId, typeOf, userOf } from './call-record.ts';
import type { Directory } from './directory.ts';
import type { RecordingAct } from './face.ts';
import type { Leg } from './leg.ts';
import type { Party } from './party.ts';
import { mayBeRecorded, recordedFor } from './recording-rules.ts';
import { NO_TEXT, spokenText } from './recording-text.ts';

/** The recording of one call, whether there is one or not yet. */
export interface CallRecording {
  readonly state: Call['recording'];
  /**
   * Records from now on; no news while it is recorded already, and none where the parties are never recorded. `forUserId`: whose
   * record it will be, else a user's of the call.
   */
  start(forUserId?: number): void;
  /** What is said until `resume` is left out. */
  pause(): void;
  resume(): void;
}

interface Running {
  readonly userId: number;
  /** The user asked for it by hand: it goes on with whomever that user talks to after a transfer. */
  readonly isOrdered: boolean;
  readonly src: Party;
  readonly dst: Party;
  /** Where the two talk; the call may have gone elsewhere when the record is written. */
  readonly context: Monitor['context'];
  readonly startedAt: number;
  readonly take: Take;
  /** The leg on which one listens: both parties are heard there. */
  leg: Leg | undefined;
  recordedMs: number;
  /** Undefined while it is paused. */
  since: number | undefined;
}

/** What a user who ordered a recording by hand takes along. */
export interface Order {
  readonly userId: number;
  readonly isPaused: boolean;
}

export interface RecorderDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly store: Store;
  readonly directory: Directory;
  readonly takes: Takes;
}

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #running = new Map<Call, Running>();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Recordings that are being made: none when no call is live. */
  get size(): number {
    return this.#running.size;
  }

  of(call: Call): CallRecording {
    return {
      get state() {
        return call.recording;
      },
      start: (forUserId) => this.#start(call, forUserId ?? call.dst.userId ?? userOf(call), false),
      pause: () => this.#pause(call),
      resume: () => this.#resume(call),
    };
  }

  /** What PATCH asks for. 403 for a user who may not record, 400 where there is nothing to record (CHOICE-MONITOR-STATE). */
  order(call: Call, byUserId: number, act: RecordingAct): Result<null> {
    const { directory } = this.#deps;
    if (directory.user(byUserId)?.rec_allowed !== true)
      return failure('forbidden', 'You may not record calls.', [
        'monitor_state: recording is not allowed to this user',
      ]);
    const refused = this.#refusal(call, act);
    if (refused !== undefined) return failure('invalid', refused, [`monitor_state: ${refused}`]);
    if (act === 'start') this.#start(call, byUserId, true);
    else this.of(call)[act]();
    return success(null);
  }

  /** Two parties talk from now on. Other ones than before end the record of those (CHOICE-RECORDING-TRANSFER). */
  joined(call: Call): void {
    const running = this.#running.get(call);
    if (running !== undefined && running.src === call.src && running.dst === call.dst)
      return this.#listen(call, running);
    const parent = call.isForGroup ? this.#parentOf(call) : undefined;
    const before = running ?? (parent && this.#running.get(parent));
    const goesOn = before !== undefined && talks(call, before.userId);
    const isPaused = goesOn && before.since === undefined;
    if (before !== undefined) this.#finish(running === undefined ? (parent ?? call) : call, before);
    const user = recordedFor(this.#deps.directory, call);
    if (user !== undefined) this.#begin(call, user.id, { isOrdered: false, isPaused });
    else if (goesOn && before.isOrdered && mayBeRecorded(this.#deps.directory, call))
      this.#begin(call, before.userId, { isOrdered: true, isPaused });
  }

  /**
   * Two parties talk no more, and that one stays: the record ends with the other. What the one who stays has ordered, or paused,
   * is left to whom it talks to next.
   */
  parted(call: Call, { party }: Leg): void {
    const running = this.#running.get(call);
    if (running === undefined) return;
    const isOwn = running.userId === party.userId;
    if (!isOwn || !(running.isOrdered || running.since === undefined)) this.#finish(call, running);
  }

  /** What that party has ordered to be recorded, and takes along when it talks on in another call. */
  orderOf(call: Call, { party }: Leg): Order | undefined {
    const running = this.#running.get(call);
    if (running?.isOrdered !== true || running.userId !== party.userId) return undefined;
    return { userId: running.userId, isPaused: running.since === undefined };
  }

  /** In the call where it talks on; no news while that is recorded already. */
  goOn(call: Call, { userId, isPaused }: Order): void {
    if (this.#running.has(call) || !mayBeRecorded(this.#deps.directory, call)) return;
    this.#begin(call, userId, { isOrdered: true, isPaused });
  }

  /** One cannot listen there any more. */
  legEnded(call: Call, leg: Leg): void {
    const running = this.#running.get(call);
    if (running === undefined || running.leg !== leg) return;
    leg.media.record(undefined);
    running.leg = undefined;
    this.#listen(call, running, leg);
  }

  /** To be told before the call leaves the book. */
  callEnded(call: Call): void {
    const running = this.#running.get(call);
    if (running !== undefined) this.#finish(call, running);
  }

  #start(call: Call, forUserId: number, isOrdered: boolean): void {
    if (call.isOver || !mayBeRecorded(this.#deps.directory, call)) return;
    if (this.#running.has(call)) this.#resume(call);
    else this.#begin(call, forUserId, { isOrdered, isPaused: false });
  }

  #refusal(call: Call, act: RecordingAct): string | undefined {
    if (!call.isAnswered) return `only an answered call can be recorded; this one is ${call.phase}`;
    if (!mayBeRecorded(this.#deps.directory, call)) return 'calls between these extensions are never recorded';
    return act === 'start' || this.#running.has(call) ? undefined : 'the call is not being recorded';
  }

  #begin(call: Call, userId: number, { isOrdered, isPaused }: { isOrdered: boolean; isPaused: boolean }): void {
    const now = this.#deps.clock.now();
    const { src, dst } = call;
    const times = { startedAt: now, recordedMs: 0, since: isPaused ? undefined : now };
    const context = contextOf(call);
    const running: Running = { userId, isOrdered, src, dst, context, take: new Take(), leg: undefined, ...times };
    if (isPaused) running.take.pause();
    this.#running.set(call, running);
    call.recording = isPaused ? 'paused' : 'recording';
    this.#note(call, 'started', { for: userId, ...(isPaused ? { paused: 1 } : {}) });
    this.#listen(call, running);
  }

  /** On any leg that has sound to be heard; in memory there is none. */
  #listen(call: Call, running: Running, notOn?: Leg): void {
    if (running.leg !== undefined) return;
    const leg = call.legs().find((one) => one !== notOn && one.isUp && one.media.port !== undefined);
    leg?.media.record(running.take);
    running.leg = leg;
  }

  #pause(call: Call): void {
    const running = this.#running.get(call);
    if (running?.since === undefined) return;
    running.recordedMs += this.#deps.clock.now() - running.since;
    running.since = undefined;
    running.take.pause();
    call.recording = 'paused';
    this.#note(call, 'paused');
  }

  #resume(call: Call): void {
    const running = this.#running.get(call);
    if (running === undefined || running.since !== undefined) return;
    running.since = this.#deps.clock.now();
    running.take.resume();
    call.recording = 'recording';
    this.#note(call, 'resumed');
  }

  #finish(call: Call, running: Running): void {
    const { clock, store, takes } = this.#deps;
    const now = clock.now();
    running.leg?.media.record(undefined);
    this.#running.delete(call);
    call.recording = 'off';
    const ms = running.recordedMs + (running.since === undefined ? 0 : now - running.since);
    // An account that is gone keeps no records of its last calls.
    if (store.customers.get(call.customerId) === undefined) return;
    const { monitors } = store;
    const record = this.#recordOf(call, running, monitors.nextId(call.customerId), Math.floor(ms / 1000));
    monitors.insert(call.customerId, record);
    takes.keep(`monitor/${record.id}`, running.take);
    this.#note(call, 'ended', { id: record.id, seconds: record.duration });
  }

  #recordOf(call: Call, { userId, src, dst, context, startedAt }: Running, id: number, seconds: number): Monitor {
    const wantsText = this.#deps.directory.user(userId)?.monitor_transcript === 'Y' && seconds > 0;
    const names = { caller: src.name || src.number, callee: dst.name || dst.number };
    return {
      id,
      live_id: call.id,
      user_id: userId,
      sip_endpoint_id: userId,
      duration: seconds,
      size: mp3Bytes(seconds),
      caller: src.number,
      called: dst.number,
      src_id: partyId(src),
      dst_id: partyId(dst),
      dst_name: dst.name,
      context,
      type: typeOf(call),
      timestamp: utcText(startedAt),
      ...(wantsText ? spokenText({ id, liveId: call.id, seconds, ...names }) : NO_TEXT),
    };
  }

  #parentOf(call: Call): Call | undefined {
    for (const other of this.#running.keys()) if (other.id === call.parentId) return other;
    return undefined;
  }

  #note(call: Call, what: string, data: Record<string, string | number> = {}): void {
    this.#deps.journal.append(`recording.${what}`, { callId: call.id, customerId: call.customerId, data });
  }
}

function talks({ src, dst }: Call, userId: number): boolean {
  return src.userId === userId || dst.userId === userId;
}
