// Wires the switchboard: makes the parts that calls are conducted with and ties what one tells to who must know. Conducts nothing.
import type { SipFaults } from '../faults/sip-faults.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdBlocks } from '../kernel/ids.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import { SoundBook } from '../media/sound-book.ts';
import { Takes } from '../media/takes.ts';
import type { Flow } from '../sip/flow.ts';
import type { UserAgent } from '../sip/user-agent-api.ts';
import type { Letter } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { ConferenceRooms } from './attendants/conference-room.ts';
import type { Bookkeeper } from './bookkeeper.ts';
import { CallBook, type EventWords } from './call-book.ts';
import type { Directory } from './directory.ts';
import { Leg } from './leg.ts';
import { LegMedia, type MediaPorts } from './leg-media.ts';
import { missedCallLetters } from './mails.ts';
import { QueueRooms } from './queue-room.ts';
import { Recorder } from './recording.ts';
import { type Binding, type Connect, Registrar } from './registrar.ts';
import type { Signalling } from './signalling.ts';
import type { SipJournal } from './sip-journal.ts';
import type { Switchboard } from './switchboard.ts';

export interface ExchangeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly journal: Journal;
  readonly store: Store;
  /** Host part of our addresses of record, and the digest realm. */
  readonly domain: string;
  readonly product: string;
  /** Live ids: shared with whoever writes history, so that no id comes twice. */
  readonly liveIds: IdBlocks;
  readonly connect: Connect;
  /** RTP ports for external legs; without them external legs are answered with an address that receives nothing. */
  readonly mediaPorts?: MediaPorts;
  /** What parties are let hear; without it there is no voice and nothing decoded. */
  readonly sounds?: SoundBook;
  /** Where the sound of recordings is kept for whoever makes files of it. */
  readonly takes?: Takes;
  /** What may become of messages on their way in and out. */
  readonly faults?: SipFaults;
  /** Where the RFCs leave the choice. */
  readonly signalling?: Signalling;
  /** Told after each change of a user's registrations. */
  readonly onRegistration?: (userId: number, bindings: readonly Binding[]) => void;
  /** Where mails go; they are lost without it. */
  readonly mail?: (letter: Letter) => void;
  /** Dialogs whose messages are filed under their call at least: as `SipJournal` has it. */
  readonly rememberedDialogs?: number;
  /** An event in the words of its webhooks, for the journal. */
  readonly wordsOf?: EventWords;
}

/** What the exchange itself has a hand in and shares with the switchboard. */
interface Shared {
  readonly directory: Directory;
  readonly userAgent: UserAgent;
  readonly sipJournal: SipJournal;
  readonly bookkeeper: Bookkeeper;
  readonly trunk: () => Flow | undefined;
  readonly onRegistration: (userId: number, bindings: readonly Binding[]) => void;
}

export function wiredSwitchboard(deps: ExchangeDeps, shared: Shared): Switchboard {
  const { clock, journal, random, store, domain, mediaPorts } = deps;
  const { directory, userAgent, sipJournal, bookkeeper, trunk } = shared;
  const mediaRandom = random.split('sdp');
  const takes = deps.takes ?? new Takes();
  const recorder = new Recorder({ clock, journal, store, directory, takes });
  const queues = new QueueRooms();
  return {
    clock,
    journal,
    random: random.split('call-id'),
    chance: random.split('ringing'),
    store,
    mail: deps.mail ?? (() => {}),
    directory,
    domain,
    registrar: wiredRegistrar(deps, shared),
    calls: wiredCalls(deps, bookkeeper, recorder),
    queues,
    conferences: new ConferenceRooms(),
    userAgent,
    trunk,
    sounds: deps.sounds ?? new SoundBook(),
    takes,
    recorder,
    recordingFor: (call) => recorder.of(call),
    mediaOn: (flow) => new LegMedia({ flow, ports: mediaPorts, random: mediaRandom }),
    newLeg: (_, session, party, media) => new Leg(session, party, media),
    fileDialog: (sipCallId, call) => sipJournal.file(sipCallId, { callId: call.id, customerId: call.customerId }),
    mediaStarted: (call, leg) => bookkeeper.mediaStarted(call, leg),
    mediaEnded: (call, leg, cause) => {
      recorder.legEnded(call, leg);
      queues.log.legEnded(leg, clock.now());
      bookkeeper.mediaEnded(call, leg, cause);
    },
  };
}

function wiredRegistrar({ clock, store, connect, onRegistration }: ExchangeDeps, shared: Shared): Registrar {
  const onChange = (userId: number, bindings: readonly Binding[]): void => {
    store.users.update(userId, { nb_sip_locations: bindings.length });
    shared.onRegistration(userId, bindings);
    onRegistration?.(userId, bindings);
  };
  return new Registrar({ clock, connect, onChange });
}

function wiredCalls(deps: ExchangeDeps, bookkeeper: Bookkeeper, recorder: Recorder): CallBook {
  const { clock, journal, random, store, liveIds, mail, wordsOf } = deps;
  return new CallBook({
    clock,
    journal,
    random: random.split('calls'),
    ids: liveIds,
    onEnded: (call, lastState) => {
      recorder.callEnded(call);
      bookkeeper.callEnded(call, lastState);
      for (const letter of missedCallLetters(store, call)) mail?.(letter);
    },
    ...(wordsOf === undefined ? {} : { wordsOf }),
  });
}
