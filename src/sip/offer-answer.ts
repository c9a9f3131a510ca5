// Our own side of offer and answer (RFC 3264, 5-8): builds descriptions and keeps their identity. Knows no dialogs.
import {
  answerDirection,
  type Codec,
  type Direction,
  directionOf,
  formatSdp,
  hasNoAddress,
  isUsableAudio,
  type MediaDescription,
  type SessionDescription,
  TELEPHONE_EVENT,
} from './sdp.ts';

/** What one audio stream of ours is like. */
export interface LocalStream {
  /** Where we listen: an IPv4 or IPv6 address. */
  readonly address: string;
  readonly port: number;
  readonly direction: Direction;
  /** By registered name, in our order of preference: PCMU, PCMA. */
  readonly codecs: readonly string[];
  /** Whether digits go as telephone-event (RFC 4733). */
  readonly dtmf: boolean;
}

export interface LocalParts extends LocalStream {
  /** o= session id and version, decimal digits. */
  readonly sessionId: string;
  readonly version: string;
}

// RFC 3551: numbers that mean the same everywhere; others take dynamic ones.
const OFFERED: Readonly<Record<string, Codec>> = {
  PCMU: { payload: 0, name: 'PCMU', rate: 8000 },
  PCMA: { payload: 8, name: 'PCMA', rate: 8000 },
};
const DTMF: Codec = { payload: 101, name: TELEPHONE_EVENT, rate: 8000, fmtp: '0-16' };
const PTIME_MS = 20;

/** An offer of one audio stream. Codecs other than PCMU and PCMA are left out. */
export function offerOf(parts: LocalParts): SessionDescription {
  const codecs = parts.codecs.flatMap((name) => OFFERED[name] ?? []);
  return sheetOf(parts, [streamOf(parts, parts.dtmf ? [...codecs, DTMF] : codecs, parts.direction, 'RTP/AVP')]);
}

/**
 * The answer to an offer: as many streams, in the same order; the first audio stream with a codec in common is
 * accepted with the offerer's first such codec and its payload numbers, all others are refused with port 0.
 * Undefined when there is none to accept: 488 is owed (RFC 3261, 13.3.1.3).
 */
export function answerTo(offer: SessionDescription, parts: LocalParts): SessionDescription | undefined {
  let accepted = false;
  const media = offer.media.map((offered): MediaDescription => {
    const codec = offered.codecs.find(({ name }) => parts.codecs.includes(name));
    if (accepted || codec === undefined || !isUsableAudio(offered)) return { ...offered, port: 0, codecs: [] };
    accepted = true;
    const digits = offered.codecs.find(({ name, rate }) => name === TELEPHONE_EVENT && rate === codec.rate);
    const codecs = parts.dtmf && digits !== undefined ? [codec, digits] : [codec];
    const direction = answerDirection(effectiveDirection(offered, offer), parts.direction);
    return streamOf(parts, codecs, direction, offered.protocol);
  });
  return accepted ? sheetOf(parts, media) : undefined;
}

/** Our description in one dialog: the session id stays, the version rises by one with each change and only then (RFC 3264, 8). */
export class LocalDescription {
  readonly #sessionId: string;
  #version: number;
  #last: string | undefined;

  /** `sessionId`: decimal digits, drawn from the seeded random. */
  constructor(sessionId: string, firstVersion = 1) {
    this.#sessionId = sessionId;
    this.#version = firstVersion;
  }

  /** What was last offered or answered. */
  get last(): string | undefined {
    return this.#last;
  }

  offer(stream: LocalStream): string {
    return this.#publish(offerOf({ ...stream, ...this.#identity() }));
  }

  /** Undefined when no stream of the offer can be accepted; nothing changes then. */
  answer(offer: SessionDescription, stream: LocalStream): string | undefined {
    const answer = answerTo(offer, { ...stream, ...this.#identity() });
    return answer === undefined ? undefined : this.#publish(answer);
  }

  #identity(): { sessionId: string; version: string } {
    return { sessionId: this.#sessionId, version: String(this.#version) };
  }

  #publish(session: SessionDescription): string {
    const written = (): string => formatSdp({ ...session, version: String(this.#version) });
    const same = written();
    if (this.#last === undefined || same === this.#last) this.#last = same;
    else {
      this.#version += 1;
      this.#last = written();
    }
    return this.#last;
  }
}

// RFC 3264, 8.4: who gives no address receives nothing.
function effectiveDirection(media: MediaDescription, session: SessionDescription): Direction {
  const written = directionOf(media, session);
  if (!hasNoAddress(media, session)) return written;
  return written === 'sendrecv' || written === 'sendonly' ? 'sendonly' : 'inactive';
}

function sheetOf(parts: LocalParts, media: readonly MediaDescription[]): SessionDescription {
  const { sessionId, version, address } = parts;
  return { username: '-', sessionId, version, address, connection: address, media };
}

function streamOf(
  parts: LocalParts,
  codecs: readonly Codec[],
  direction: Direction,
  protocol: string,
): MediaDescription {
  const formats = codecs.map(({ payload }) => String(payload));
  return { type: 'audio', port: parts.port, protocol, formats, direction, codecs, ptimeMs: PTIME_MS };
}
