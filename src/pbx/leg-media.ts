// The media side of a leg: our session description towards one party and what that party told us. No signalling.

import type { Random } from '../kernel/random.ts';
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

/** A UDP port that receives one party's sound and passes it on unchanged. wires/ has the real one. */
export interface MediaPort {
  readonly address: Address;
  /** Where the party said it listens; what it really sends from counts more once it has sent. */
  setRemote(address: Address): void;
  /** Passes what arrives here on to the party of `other`; undefined: to nobody. */
  relayTo(other: MediaPort | undefined): void;
  close(): void;
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

  close(): void {
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
