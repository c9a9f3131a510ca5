// The media side of a leg: our session description towards one party, what that party told us, and what it is to hear. No signalling.

import type { Random } from '../kernel/random.ts';
import type { Gathering, Seat } from '../media/gathering.ts';
import type { Sound } from '../media/sound.ts';
import type { Take } from '../media/takes.ts';
import { talk } from '../media/tones.ts';
import { music } from '../media/tunes.ts';
import type { Address, Flow } from '../sip/flow.ts';
import { LocalDescription, offerOf } from '../sip/offer-answer.ts';
import {
  audioCodecs,
  audioTarget,
  chooseAudioCodec,
  type Direction,
  directionOf,
  firstAudio,
  isHold,
  parseSdp,
  type SessionDescription,
  TELEPHONE_EVENT,
} from '../sip/sdp.ts';

/** Sound that the exchange can carry, in the order in which it offers. */
export const CODECS: readonly string[] = ['PCMU', 'PCMA'];

/** One party's sound: a UDP port, and what is sent and heard on it. media/ has the real one, over the sockets of wires/. */
export interface MediaPort {
  readonly address: Address;
  /** Where the party said it listens; what it really sends from counts more once it has sent. */
  setRemote(address: Address): void;
  /** Passes what arrives here on to the party of `other`; undefined: to nobody. */
  relayTo(other: MediaPort | undefined): void;
  /** What the packets' payload numbers mean, each way, as agreed. */
  setFormats(formats: PortFormats): void;
  /** The party hears this, from its beginning, instead of what it heard before; `loop`: until it is stopped. */
  play(sound: Sound, loop: boolean): void;
  /** Ends what is played and the echo. */
  stop(): void;
  /** The party hears itself. */
  echo(): void;
  /** What both sides say on this port goes into the take, too; undefined: into none. */
  record(take: Take | undefined): void;
  /** The party is in this conference or watched talk, there on that seat; undefined: in none. */
  enter(room: Gathering | undefined, seat?: Seat): void;
  /** Sends a key as RFC 4733 events. False when the party cannot take them. */
  sendDigit(digit: string): boolean;
  /** Who is told of keys (RFC 4733), and that a party who should speak has sent nothing for long. */
  listener: PortListener | undefined;
  /** Whether the party should be sending: who holds or is held may be silent. */
  expectSound(expected: boolean): void;
  close(): void;
}

export interface PortListener {
  /** A key was pressed: once for each press. */
  digit(digit: string): void;
  /** The party has sent sound and then nothing for so many seconds. Told once. */
  silent(seconds: number): void;
}

/** Payload numbers of one direction; undefined where there is none. */
export interface PayloadNumbers {
  readonly audio: number | undefined;
  /** telephone-event (RFC 4733). */
  readonly events: number | undefined;
}

export interface PortFormats {
  /** PCMU or PCMA. */
  readonly codec: string;
  /** What we have told the party to send with. */
  readonly receive: PayloadNumbers;
  /** What the party has told us to send with. */
  readonly send: PayloadNumbers;
}

export interface MediaPorts {
  /** Undefined when all ports are taken. */
  open(): MediaPort | undefined;
}

/** Written where nothing listens: both ends of an in-memory leg live in this process and exchange no packets. */
const VIRTUAL_PORT = 4000;

export class LegMedia {
  readonly #local: LocalDescription;
  readonly #flow: Flow;
  readonly #ports: MediaPorts | undefined;
  #port: MediaPort | undefined;
  #hearsKeys = false;
  #room: Gathering | undefined;
  /** What the party last described. */
  remote: SessionDescription | undefined;
  /** The codec in use, by registered name; empty before an answer. */
  codec = '';
  /** Told each key that the party presses in its sound (RFC 4733); keys of SIP INFO come with the dialog. */
  onDigit: ((digit: string) => void) | undefined;
  /** Told once when a party that has spoken and should be speaking has been silent for so many seconds: it is not there any more. */
  onSilent: ((seconds: number) => void) | undefined;

  constructor(deps: { flow: Flow; ports: MediaPorts | undefined; random: Random }) {
    this.#flow = deps.flow;
    this.#ports = deps.ports;
    this.#local = new LocalDescription(String(deps.random.uint32()));
  }

  get port(): MediaPort | undefined {
    return this.#port;
  }

  /** What was last sent to the party; empty before. */
  get sent(): string {
    return this.#local.last ?? '';
  }

  /** The codecs that this party can do and we carry. Before it spoke: all that we carry. */
  get codecs(): readonly string[] {
    if (this.remote === undefined) return CODECS;
    const theirs = audioCodecs(this.remote).map((codec) => codec.name);
    return theirs.filter((name) => CODECS.includes(name));
  }

  /** Undefined when there is no media port left to offer. */
  offer(codecs: readonly string[], direction: Direction = 'sendrecv'): string | undefined {
    const at = this.#listen();
    return at === undefined ? undefined : this.#local.offer({ ...at, direction, codecs, dtmf: true });
  }

  /** Undefined when nothing in the party's offer suits `codecs`: 488 is owed. */
  answer(offer: SessionDescription, codecs: readonly string[], direction: Direction = 'sendrecv'): string | undefined {
    const at = this.#listen();
    if (at === undefined) return undefined;
    const answer = this.#local.answer(offer, { ...at, direction, codecs, dtmf: true });
    if (answer === undefined) return undefined;
    this.codec = chooseAudioCodec(offer, codecs)?.name ?? '';
    // An answer has the numbers of its offer.
    this.#learn(offer, offer);
    return answer;
  }

  /** Takes in the party's answer to our offer. False when it is none, or has no sound in common. */
  accept(answerText: string): boolean {
    const answer = parseSdp(answerText);
    const codec = answer === undefined ? undefined : chooseAudioCodec(answer, CODECS);
    if (answer === undefined || codec === undefined) return false;
    this.codec = codec.name;
    this.#learn(answer, OUR_OFFER);
    return true;
  }

  /** Lets the party hear a sound; nothing happens to a party in memory, which hears nothing. The caller's clock knows when it is over. */
  play(sound: Sound, { loop = false }: { readonly loop?: boolean } = {}): void {
    this.#port?.play(sound, loop);
  }

  /** Nothing is played any more, and nothing echoed. */
  stop(): void {
    this.#port?.stop();
  }

  /** The party hears itself. */
  echo(): void {
    this.#port?.echo();
  }

  /** What is said and heard on this leg goes into the take, until another one or none is given. */
  record(take: Take | undefined): void {
    this.#port?.record(take);
  }

  /** The party hears the others of that conference, and they hear it, or as its seat says in a watched talk; undefined: it has left. */
  enter(room: Gathering | undefined, seat?: Seat): void {
    if (this.#port === undefined) {
      this.#room?.represent?.(this, false);
      room?.represent?.(this, true);
    }
    this.#room = room;
    this.#port?.enter(room, seat);
  }

  /** The party leaves that one; nothing happens to who is somewhere else meanwhile. */
  leave(room: Gathering): void {
    if (this.#room === room) this.enter(undefined);
  }

  /** Sends a key as RFC 4733 events. False when the party has no port or has not agreed on them: SIP INFO is left. */
  sendDigit(digit: string): boolean {
    return this.#port?.sendDigit(digit) ?? false;
  }

  /** Keys that the other party sends in its sound reach this one in its own. */
  get hearsKeys(): boolean {
    return this.#port !== undefined && this.#hearsKeys;
  }

  close(): void {
    if (this.#port !== undefined) this.#port.listener = undefined;
    this.#port?.close();
    this.#port = undefined;
  }

  /** `ours`: what has our numbers. */
  #learn(description: SessionDescription, ours: SessionDescription): void {
    this.remote = description;
    const port = this.#port;
    if (port === undefined) return;
    const target = audioTarget(description);
    if (target !== undefined && target.port > 0) port.setRemote(target);
    const none = { audio: undefined, events: undefined };
    const receive = numbersIn(ours, this.codec);
    const send = isHold(description) ? none : numbersIn(description, this.codec);
    port.setFormats({ codec: this.codec, receive, send });
    this.#hearsKeys = send.events !== undefined;
    const audio = firstAudio(description);
    port.expectSound(audio !== undefined && !isHold(description) && directionOf(audio, description) === 'sendrecv');
  }

  #listen(): { address: string; port: number } | undefined {
    if (!this.#flow.external || this.#ports === undefined)
      return { address: this.#flow.local.host, port: VIRTUAL_PORT };
    if (this.#port === undefined) {
      this.#port = this.#ports.open();
      if (this.#port !== undefined)
        this.#port.listener = {
          digit: (digit) => this.onDigit?.(digit),
          silent: (seconds) => this.onSilent?.(seconds),
        };
    }
    return this.#port === undefined ? undefined : { address: this.#port.address.host, port: this.#port.address.port };
  }
}

/** Every offer of ours numbers alike. */
const OUR_OFFER = offerOf({
  ...{ address: '0.0.0.0', port: VIRTUAL_PORT, direction: 'sendrecv', codecs: CODECS, dtmf: true },
  ...{ sessionId: '0', version: '0' },
});

/** The numbers by which the author of a description wants the codec and keys sent. */
function numbersIn(description: SessionDescription, codec: string): PayloadNumbers {
  const codecs = audioCodecs(description);
  return {
    audio: codecs.find(({ name }) => name === codec)?.payload,
    events: codecs.find(({ name }) => name === TELEPHONE_EVENT)?.payload,
  };
}

const MUSIC = music();
const TALK = talk();

/** Lets two parties hear each other. A party in memory sends nothing: somebody else is heard speaking in its place. */
export function join(a: LegMedia, b: LegMedia): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    one.port?.relayTo(other.port);
    if (other.port === undefined) one.play(TALK, { loop: true });
    else one.stop();
  }
}

/** Nothing of either party reaches the other. */
export function separate(a: LegMedia, b: LegMedia): void {
  for (const one of [a, b]) {
    one.port?.relayTo(undefined);
    one.stop();
  }
}

interface WithMedia {
  readonly media: LegMedia;
}

/** Who is held hears music; who holds hears nothing of us. */
export function holdWithMusic<L extends WithMedia>(a: L, b: L, isHolder: (leg: L) => boolean, music = MUSIC): void {
  separate(a.media, b.media);
  for (const one of [a, b]) if (!isHolder(one)) one.media.play(music, { loop: true });
}

/** What a supervisor hears of a talk besides its parties: in the place of two in memory somebody speaks, or there is music. */
export type HeardInMemory = 'talk' | 'music' | 'nothing';

export function hearInMemory(ear: LegMedia, what: HeardInMemory): void {
  if (what === 'nothing') ear.stop();
  else ear.play(what === 'talk' ? TALK : MUSIC, { loop: true });
}
