// What every part of the exchange works with: one object, made once by exchange.ts and handed to whoever conducts a call.
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import type { SoundBook } from '../media/sound-book.ts';
import type { Takes } from '../media/takes.ts';
import type { Flow } from '../sip/flow.ts';
import type { Session, UserAgent } from '../sip/user-agent-api.ts';
import type { Letter } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { ConferenceRooms } from './attendants/conference-room.ts';
import type { Call } from './call.ts';
import type { CallBook } from './call-book.ts';
import type { Cause } from './causes.ts';
import type { Directory } from './directory.ts';
import type { Leg } from './leg.ts';
import type { LegMedia } from './leg-media.ts';
import type { Party } from './party.ts';
import type { QueueRooms } from './queue-room.ts';
import type { CallRecording, Recorder } from './recording.ts';
import type { Registrar } from './registrar.ts';

export interface Switchboard {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly random: Random;
  /** What is left to chance in who is rung. */
  readonly chance: Random;
  readonly store: Store;
  /** Sends what a real system would mail. */
  readonly mail: (letter: Letter) => void;
  readonly directory: Directory;
  readonly registrar: Registrar;
  readonly calls: CallBook;
  /** Where callers wait for agents. */
  readonly queues: QueueRooms;
  readonly conferences: ConferenceRooms;
  readonly userAgent: UserAgent;
  /** Host part of our addresses of record. */
  readonly domain: string;
  /** The way to the public network; undefined when there is no trunk. */
  readonly trunk: () => Flow | undefined;
  /** What the exchange plays; `playing.ts` plays it. */
  readonly sounds: SoundBook;
  /** What was really heard, for recordings and voice messages: a `Take` is made on legs by `media.record`, and kept here under its record. */
  readonly takes: Takes;
  /** Starts, pauses and resumes the recording of a call; its end is the call's. */
  readonly recordingFor: (call: Call) => CallRecording;
  readonly recorder: Recorder;
  /** A media side for a leg on that flow. */
  readonly mediaOn: (flow: Flow) => LegMedia;
  /** Makes the leg and files its dialog under the call. */
  readonly newLeg: (call: Call, session: Session, party: Party, media: LegMedia) => Leg;
  /** Says before the first INVITE leaves that this Call-ID belongs to the call. */
  readonly fileDialog: (sipCallId: string, call: Call) => void;
  /** Notes that a leg's media began and, later, ended. */
  readonly mediaStarted: (call: Call, leg: Leg) => void;
  readonly mediaEnded: (call: Call, leg: Leg, cause: Cause) => void;
}
