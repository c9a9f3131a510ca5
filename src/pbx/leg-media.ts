// The media side of a leg: our session description towards one party, what that party told us, and what it is to hear. No signalling.

import type { Random } from '../kernel/random.ts';
import type { Room } from '../media/room.ts';
import type { Sound } from '../media/sound.ts';
import type { Take } from '../media/takes.ts';
import type { Address, Flow } from '../sip/flow.ts';
import { LocalDescription } from '../sip/offer-answer.ts';
import {
  audioCodecs,
  audioTarget,
  chooseAudioCodec,
  type Direction,
  parseSdp,
  type SessionDescription,
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
  setFormats?(formats: PortFormats): void;
  /** The party hears this, from its beginning, instead of what it heard before; `loop`: until it is stopped. */
  play?(sound: Sound, loop: boolean): void;
  /** Ends what is played and the echo. */
  stop?(): void;
  /** The party hears itself. */
  echo?(): void;
  /** What both sides say on this port goes into the take, too; undefined: into none. */
  record?(take: Take | undefined): void;
  /** The party is in this conference; undefined: in none. */
  enter?(room: Room | undefined): void;
  /** Sends a key as RFC 4733 events. False when the party cannot take them. */
  sendDigit?(digit: string): boolean;
  /** Who is told of keys (RFC 4733), and that a party who should speak has sent nothing for long. */
  listener?: PortListener | undefined;
  /** Whether the party should be sending: who holds or is held may be silent. */
  expectSound?(expected: boolean): void;
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
    this.#learn(offer);
    this.codec = chooseAudioCodec(offer, codecs)?.name ?? '';
    return answer;
  }

  /** Takes in the party's answer to our offer. False when it is none, or has no sound in common. */
  accept(answerText: string): boolean {
    const answer = parseSdp(answerText);
    const codec = answer === undefined ? undefined : chooseAudioCodec(answer, CODECS);
    if (answer === undefined || codec === undefined) return false;
    this.#learn(answer);
    this.codec = codec.name;
    return true;
  }

  /** Lets the party hear a sound; nothing happens to a party in memory, which hears nothing. The caller's clock knows when it is over. */
  play(sound: Sound, { loop = false }: { readonly loop?: boolean } = {}): void {
    this.#port?.play?.(sound, loop);
  }

  /** Nothing is played any more, and nothing echoed. */
  stop(): void {
    this.#port?.stop?.();
  }

  /** The party hears itself. */
  echo(): void {
    this.#port?.echo?.();
  }

  /** What is said and heard on this leg goes into the take, until another one or none is given. */
  record(take: Take | undefined): void {
    this.#port?.record?.(take);
  }

  /** The party hears the others of that conference, and they hear it; undefined: it has left. */
  enter(room: Room | undefined): void {
    this.#port?.enter?.(room);
  }

  /** Sends a key as RFC 4733 events. False when the party has no port or has not agreed on them: SIP INFO is left. */
  sendDigit(digit: string): boolean {
    return this.#port?.sendDigit?.(digit) ?? false;
  }

  close(): void {
    if (this.#port !== undefined) this.#port.listener = undefined;
    this.#port?.close();
    this.#port = undefined;
  }

  #learn(description: SessionDescription): void {
    this.remote = description;
    const target = audioTarget(description);
    if (target !== undefined && target.port > 0) this.#port?.setRemote(target);
  }

  #listen(): { address: string; port: number } | undefined {
    if (!this.#flow.external || this.#ports === undefined)
      return { address: this.#flow.local.host, port: VIRTUAL_PORT };
    this.#port ??= this.#ports.open();
    return this.#port === undefined ? undefined : { address: this.#port.address.host, port: this.#port.address.port };
  }
}

/** Lets two parties hear each other, as far as both have real ports. */
export function join(a: LegMedia, b: LegMedia): void {
  a.port?.relayTo(b.port);
  b.port?.relayTo(a.port);
}

/** Nothing of either party reaches the other. */
export function separate(a: LegMedia, b: LegMedia): void {
  a.port?.relayTo(undefined);
  b.port?.relayTo(undefined);
}
