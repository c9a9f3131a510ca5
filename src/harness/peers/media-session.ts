// The one audio stream of a call as SDP alone (RFC 3264): G.711 and telephone-event, held or not. Sends no sound and knows no dialog.
import { type MediaDescription, parse, type SessionDescription, write } from 'sdp-transform';
import type { BodyAndContentType, SessionDescriptionHandler, SessionDescriptionHandlerOptions } from 'sip.js';
import type { SdpDirection } from '../drivers/phone-driver.ts';
import type { Address } from './wire.ts';

export interface MediaOptions extends SessionDescriptionHandlerOptions {
  /** The other party is on hold: we send (music, say) and hear nothing. */
  readonly hold?: boolean;
}

interface Format {
  readonly payload: number;
  readonly codec: string;
}

const SDP_TYPE = 'application/sdp';
const TELEPHONE_EVENT = 'telephone-event';
// RFC 3551, 6: payload types that mean the same everywhere, in our order of preference.
const STATIC: readonly Format[] = [
  { payload: 0, codec: 'PCMU' },
  { payload: 8, codec: 'PCMA' },
];
const OFFERED: readonly Format[] = [...STATIC, { payload: 101, codec: TELEPHONE_EVENT }];
const RATE = 8000;

export class MediaSession implements SessionDescriptionHandler {
  readonly #place: Address;
  #version = 0;
  /** An offer of the peer that we have not answered. */
  #offered: string | undefined;
  /** An offer of ours that the peer has not answered. */
  #offering = false;

  /** `place`: where we take RTP. */
  constructor(place: Address) {
    this.#place = place;
  }

  close(): void {}

  hasDescription(contentType: string): boolean {
    return contentType.split(';', 1)[0]?.trim().toLowerCase() === SDP_TYPE;
  }

  /** The answer when the peer has offered, else an offer. Rejects when there is nothing in the offer that we speak. */
  getDescription(options: MediaOptions = {}): Promise<BodyAndContentType> {
    const wanted: SdpDirection = options.hold === true ? 'sendonly' : 'sendrecv';
    const offered = this.#offered;
    const media = offered === undefined ? [streamOf(this.#place.port, OFFERED, wanted)] : this.#answer(offered, wanted);
    if (media === undefined) return Promise.reject(new Error('Nothing in the offer can be spoken here.'));
    this.#offering = offered === undefined;
    this.#offered = undefined;
    this.#version += 1;
    return Promise.resolve({ body: write(this.#sheet(media)), contentType: SDP_TYPE });
  }

  setDescription(sdp: string): Promise<void> {
    if (this.#offering) this.#offering = false;
    else if (canAnswer(sdp)) this.#offered = sdp;
    else return Promise.reject(new Error('Nothing in the offer can be spoken here.'));
    return Promise.resolve();
  }

  /** Our last offer was refused: what was agreed before goes on. */
  rollbackDescription(): Promise<void> {
    this.#offering = false;
    this.#offered = undefined;
    return Promise.resolve();
  }

  sendDtmf(): boolean {
    return false;
  }

  #answer(offer: string, wanted: SdpDirection): SessionDescription['media'] | undefined {
    const session = parse(offer);
    const at = session.media.findIndex(isSpeakable);
    const chosen = session.media[at];
    if (chosen === undefined) return undefined;
    const direction = common(opposite(directionOf(chosen, session)), wanted);
    // RFC 3264, 6: as many streams as were offered; port 0 refuses one.
    return session.media.map((offered, index) =>
      index === at
        ? { ...streamOf(this.#place.port, spoken(offered), direction), protocol: offered.protocol }
        : {
            ...streamOf(0, [], 'inactive'),
            type: offered.type,
            protocol: offered.protocol,
            payloads: offered.payloads ?? '0',
          },
    );
  }

  #sheet(media: SessionDescription['media']): SessionDescription {
    const { host } = this.#place;
    const version = host.includes(':') ? 6 : 4;
    return {
      version: 0,
      origin: {
        username: '-',
        sessionId: this.#place.port,
        sessionVersion: this.#version,
        netType: 'IN',
        ipVer: version,
        address: host,
      },
      name: '-',
      connection: { version, ip: host },
      timing: { start: 0, stop: 0 },
      media,
    };
  }
}

/** Whether one of the streams of an offer is audio that we speak; 488 is owed otherwise (RFC 3261, 13.3.1.3). */
export function canAnswer(offer: string): boolean {
  return parse(offer).media.some(isSpeakable);
}

type Stream = SessionDescription['media'][number];

function isSpeakable(stream: Stream): boolean {
  const plain = /^RTP\/AVPF?$/.test(stream.protocol);
  return stream.type === 'audio' && stream.port !== 0 && plain && codecsOf(stream).some(isVoice);
}

/** The first voice codec of the offerer that we have, and its digits, with the offerer's payload types. */
function spoken(stream: Stream): readonly Format[] {
  const formats = codecsOf(stream);
  const voice = formats.find(isVoice);
  const digits = formats.find(({ codec }) => codec === TELEPHONE_EVENT);
  return [voice, digits].filter((format) => format !== undefined);
}

function codecsOf(stream: MediaDescription): Format[] {
  // A lone number is parsed as one, whatever its type says.
  const numbers = String(stream.payloads ?? '')
    .split(' ')
    .map(Number);
  return numbers.flatMap((payload) => {
    const named = stream.rtp.find((map) => map.payload === payload);
    if (named !== undefined && (named.rate ?? RATE) !== RATE) return [];
    const codec = named?.codec ?? STATIC.find((format) => format.payload === payload)?.codec;
    return codec === undefined ? [] : [{ payload, codec: canonical(codec) }];
  });
}

// RFC 4855, 3: names of codecs are the same in any case.
function canonical(codec: string): string {
  return codec.toLowerCase() === TELEPHONE_EVENT ? TELEPHONE_EVENT : codec.toUpperCase();
}

function isVoice({ codec }: Format): boolean {
  return STATIC.some((format) => format.codec === codec);
}

function streamOf(port: number, formats: readonly Format[], direction: SdpDirection): Stream {
  const digits = formats.find(({ codec }) => codec === TELEPHONE_EVENT);
  return {
    type: 'audio',
    port,
    protocol: 'RTP/AVP',
    payloads: formats.map(({ payload }) => payload).join(' '),
    rtp: formats.map(({ payload, codec }) => ({ payload, codec, rate: RATE })),
    fmtp: digits === undefined ? [] : [{ payload: digits.payload, config: '0-16' }],
    ...(port === 0 ? {} : { direction }),
  };
}

// RFC 3264, 6.1, and 8.4 for the older way to hold: an address of zeros.
function directionOf(stream: Stream, session: SessionDescription): SdpDirection {
  const address = (stream.connection ?? session.connection)?.ip;
  const written = stream.direction ?? session.direction ?? 'sendrecv';
  if (address !== '0.0.0.0') return written;
  return written === 'sendrecv' || written === 'sendonly' ? 'sendonly' : 'inactive';
}

function opposite(direction: SdpDirection): SdpDirection {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}

function common(one: SdpDirection, other: SdpDirection): SdpDirection {
  const sends = one.startsWith('send') && other.startsWith('send');
  const hears = /recv/.test(one) && /recv/.test(other);
  if (sends) return hears ? 'sendrecv' : 'sendonly';
  return hears ? 'recvonly' : 'inactive';
}
