// One party's sound: packets of its port in and out; what it says is passed on, taken down, mixed or given back. Knows no socket and no SIP.
import { decode, type Law } from './g711.ts';
import type { Gathering, Guest, Seat } from './gathering.ts';
import { JitterBuffer } from './jitter-buffer.ts';
import { mixAll } from './mixer.ts';
import { payloadTypeOf, readRtp, renumbered } from './rtp-packet.ts';
import { FRAME_SAMPLES, RtpSender } from './rtp-sender.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { Sound } from './sound.ts';
import type { Take } from './takes.ts';
import { KeyReader } from './telephone-events.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** A port of the network, as wires/ has it. It takes RTP from its party alone. */
export interface PacketPort {
  readonly address: Address;
  setRemote(address: Address): void;
  /** To where the party is; lost when that is not known. */
  send(packet: Uint8Array): void;
  onPacket: ((packet: Uint8Array) => void) | undefined;
  close(): void;
}

/** Payload numbers of one direction; undefined where there is none. */
export interface Numbers {
  readonly audio: number | undefined;
  readonly events: number | undefined;
}

export interface Formats {
  /** PCMU or PCMA. */
  readonly codec: string;
  readonly receive: Numbers;
  readonly send: Numbers;
}

export interface LineListener {
  digit(digit: string): void;
  silent(seconds: number): void;
}

/** What a line needs of all lines together. */
export interface LineHost {
  /** Real time, ms. */
  now(): number;
  /** Calls `fn` after so much real time; the result cancels. */
  alarm(delayMs: number, fn: () => void): () => void;
  /** The line has something to do in each frame, or no longer. False: too many have, and this one is not served. */
  serve(line: MediaLine, isBusy: boolean): boolean;
  closed(line: MediaLine): void;
  /** Seconds without a packet after which a party that has spoken counts as gone. */
  readonly silenceS: number;
}

interface Playing {
  readonly sound: Sound;
  readonly loop: boolean;
  samples: Int16Array;
  at: number;
  /** Frames of silence before it, while its samples were made. */
  waited: number;
}

/** Half a second: then what there is is played. */
const MOST_WAITED = 25;

export class MediaLine implements Guest {
  readonly #port: PacketPort;
  readonly #host: LineHost;
  readonly #sender: RtpSender;
  readonly #keys = new KeyReader();
  readonly #watch: SilenceWatch;
  listener: LineListener | undefined;
  /** What is said to the party by others of its room. */
  hears: Int16Array | undefined;
  recorded: Int16Array | undefined;
  #said: Int16Array | undefined;
  #formats: Formats | undefined;
  #target: MediaLine | undefined;
  #playing: Playing | undefined;
  #played: Int16Array | undefined;
  #echoes = false;
  #take: Take | undefined;
  #room: Gathering | undefined;
  #isServed = false;
  /** Only while somebody of ours listens. */
  #jitter: JitterBuffer | undefined;
  /** What another party says to this one, while somebody of ours records it. */
  #relayed: JitterBuffer | undefined;
  #relayedNow: Int16Array | undefined;

  constructor(port: PacketPort, host: LineHost, chance: () => number) {
    this.#port = port;
    this.#host = host;
    this.#sender = new RtpSender((packet) => port.send(packet), chance);
    this.#watch = new SilenceWatch(host, (seconds) => this.listener?.silent(seconds));
    port.onPacket = (packet) => this.#receive(packet);
  }

  get address(): Address {
    return this.#port.address;
  }

  /** What the party said in this frame; undefined when it said nothing. */
  get said(): Int16Array | undefined {
    return this.#said;
  }

  get take(): Take | undefined {
    return this.#take;
  }

  get room(): Gathering | undefined {
    return this.#room;
  }

  get played(): Int16Array | undefined {
    return this.#played;
  }

  get passesTo(): MediaLine | undefined {
    return this.#target;
  }

  setRemote(address: Address): void {
    this.#port.setRemote(address);
  }

  setFormats(formats: Formats): void {
    this.#formats = formats;
  }

  relayTo(other: MediaLine | undefined): void {
    this.#target = other;
  }

  play(sound: Sound, loop: boolean): void {
    this.#echoes = false;
    this.#playing = { sound, samples: sound.samples(), loop, at: 0, waited: 0 };
    this.#settle();
  }

  stop(): void {
    this.#playing = undefined;
    this.#echoes = false;
    this.#settle();
  }

  echo(): void {
    this.#playing = undefined;
    this.#echoes = true;
    this.#settle();
  }

  record(take: Take | undefined): void {
    this.#take = take;
    this.#settle();
  }

  enter(room: Gathering | undefined, seat?: Seat): void {
    this.#room?.leave(this);
    this.#room = room?.enter(this, seat) === true ? room : undefined;
    this.#settle();
  }

  sendDigit(digit: string): boolean {
    if (this.#formats?.send.events === undefined || !this.#sender.press(digit)) return false;
    this.#settle();
    return true;
  }

  expectSound(expected: boolean): void {
    this.#watch.expect(expected);
  }

  close(): void {
    this.listener = undefined;
    this.#target = undefined;
    this.#take = undefined;
    this.#sender.forgetKeys();
    this.enter(undefined);
    this.stop();
    this.#watch.close();
    this.#port.onPacket = undefined;
    this.#port.close();
    this.#host.closed(this);
  }

  /** The first half of a frame: what has the party said, and what is played to it? */
  listen(): void {
    this.#said = this.#jitter?.pull(FRAME_SAMPLES);
    this.#played = this.#nextPlayed();
    this.#relayedNow = this.#relayed?.pull(FRAME_SAMPLES);
  }

  /**
   * The second half, when the rooms are mixed: lets the party hear what it is to hear. Returns what of it goes into a
   * recording of this line beside what its party says: what we play, and what others say.
   */
  speak(frame: number): { readonly played: Int16Array | undefined; readonly others: Int16Array | undefined } {
    const played = this.#played;
    const others = this.recorded ?? this.hears ?? this.#relayedNow;
    const { codec, send } = this.#formats ?? {};
    if (this.#sender.hasKeys) {
      if (send?.events === undefined) this.#sender.forgetKeys();
      else this.#sender.keyFrame(send.events, frame);
    } else if (send?.audio !== undefined && isLaw(codec)) {
      const samples = together(this.hears ?? (this.#echoes ? this.#said : undefined), played);
      if (samples !== undefined) this.#sender.sound(codec, send.audio, samples, frame);
    }
    if (played === undefined) this.#settle();
    return { played, others };
  }

  /** It hears something of ours, so that what another party sends is not for its ears. */
  get #isSpokenTo(): boolean {
    return this.#playing !== undefined || this.#echoes || this.isMixed || this.#sender.hasKeys;
  }

  /** It hears others from a room. Who is not served would hear nobody there: it goes on hearing what is passed on to it. */
  get isMixed(): boolean {
    return this.#isServed && this.#room?.speaksTo(this) === true;
  }

  #receive(packet: Uint8Array): void {
    this.#watch.heard();
    const number = payloadTypeOf(packet);
    const numbers = this.#formats?.receive;
    const kind =
      number === undefined
        ? undefined
        : number === numbers?.audio
          ? 'audio'
          : number === numbers?.events
            ? 'events'
            : undefined;
    if (kind === 'audio') takeIn(this.#jitter, packet, this.#formats);
    const target = this.#target;
    if (target !== undefined) target.#passOn(packet, kind, this.#formats);
    if (kind === 'events') this.#readKey(packet);
  }

  /** To the party goes what another one has sent, under the numbers that it has asked for; unchanged what we do not know. */
  #passOn(packet: Uint8Array, kind: 'audio' | 'events' | undefined, from: Formats | undefined): void {
    const to = this.#formats;
    if (this.#isSpokenTo) return;
    if (kind === undefined || to === undefined) return this.#port.send(packet);
    const number = to.send[kind];
    if (number === undefined || (kind === 'audio' && to.codec !== from?.codec)) return;
    if (kind === 'audio') takeIn(this.#relayed, packet, from);
    this.#port.send(renumbered(packet, number));
  }

  #readKey(packet: Uint8Array): void {
    const read = readRtp(packet);
    const key = read && this.#keys.read(read, this.#host.now());
    if (key === undefined) return;
    // What is mixed for the other one is our own stream: the key that was not passed on is sent in it.
    if (this.#target?.isMixed === true) this.#target.sendDigit(key);
    this.listener?.digit(key);
  }

  #nextPlayed(): Int16Array | undefined {
    const playing = this.#playing;
    if (playing === undefined) return undefined;
    const frame = new Int16Array(FRAME_SAMPLES);
    const { sound, loop, at } = playing;
    if (at === 0 && playing.waited < MOST_WAITED && sound.isUnderWay?.() === true) {
      playing.waited += 1;
      return frame;
    }
    // What was waited for is there now.
    if (at === 0 && playing.waited > 0) playing.samples = sound.samples();
    const { samples } = playing;
    if (samples.length === 0) {
      this.#playing = undefined;
      return undefined;
    }
    frame.set(samples.subarray(at, at + FRAME_SAMPLES));
    playing.at = at + FRAME_SAMPLES;
    if (playing.at < samples.length) return frame;
    if (loop) {
      const rest = FRAME_SAMPLES - (samples.length - at);
      frame.set(samples.subarray(0, rest), FRAME_SAMPLES - rest);
      playing.at = rest % samples.length;
    } else this.#playing = undefined;
    return frame;
  }

  /** Whether there is something to do in each frame, and what the party says is wanted. */
  #settle(): void {
    const wantsSound = this.#echoes || this.#take !== undefined || this.#room !== undefined;
    const isServed = this.#host.serve(this, wantsSound || this.#isSpokenTo);
    this.#isServed = isServed;
    if (isServed && wantsSound) this.#jitter ??= new JitterBuffer();
    else {
      this.#jitter = undefined;
      this.#said = undefined;
    }
    if (isServed && this.#take !== undefined) this.#relayed ??= new JitterBuffer();
    else {
      this.#relayed = undefined;
      this.#relayedNow = undefined;
    }
    if (isServed) return;
    this.#playing = undefined;
    this.#played = undefined;
    this.#echoes = false;
    this.#sender.forgetKeys();
  }
}

/** Puts a packet of sound where it waits to be heard. */
function takeIn(where: JitterBuffer | undefined, packet: Uint8Array, formats: Formats | undefined): void {
  const codec = formats?.codec;
  if (where === undefined || !isLaw(codec)) return;
  const read = readRtp(packet);
  if (read !== undefined) where.push(read.ssrc, read.timestamp, decode(codec, read.payload));
}

function isLaw(codec: string | undefined): codec is Law {
  return codec === 'PCMU' || codec === 'PCMA';
}

function together(one: Int16Array | undefined, other: Int16Array | undefined): Int16Array | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return mixAll([one, other], FRAME_SAMPLES);
}
