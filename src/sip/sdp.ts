// Session descriptions as we use them (RFC 4566), read by sdp-transform, and what they say of direction and codecs (RFC 3264). Sends nothing.
import { parse, type SessionDescription as Sheet } from 'sdp-transform';
import { type PlainLine, type PlainSheet, sheetAtAGlance } from './sdp-glance.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface Codec {
  readonly payload: number;
  /** As registered, in capitals but for telephone-event: PCMU, PCMA, G722. */
  readonly name: string;
  /** Clock rate in Hz. */
  readonly rate: number;
  readonly channels?: number;
  /** What follows the payload number in a=fmtp. */
  readonly fmtp?: string;
}

export interface MediaDescription {
  /** audio, video, image ... */
  readonly type: string;
  /** 0: refused. */
  readonly port: number;
  /** RTP/AVP, RTP/SAVP, udptl ... */
  readonly protocol: string;
  /** The formats of the m= line, as written. */
  readonly formats: readonly string[];
  /** Address of its own c= line. */
  readonly connection?: string;
  readonly direction?: Direction;
  /** The formats that are RTP payloads we can name, in order. */
  readonly codecs: readonly Codec[];
  /** Milliseconds of sound in a packet. */
  readonly ptimeMs?: number;
}

export interface SessionDescription {
  readonly username: string;
  readonly sessionId: string;
  readonly version: string;
  /** Address of the o= line. */
  readonly address: string;
  /** Address of the session's c= line. */
  readonly connection?: string;
  readonly direction?: Direction;
  readonly media: readonly MediaDescription[];
}

export const MAX_SDP_CHARACTERS = 32_768;
/** The patterns of sdp-transform never see more than this at once. */
export const MAX_SDP_LINE = 1_024;
export const MAX_MEDIA = 32;
export const TELEPHONE_EVENT = 'telephone-event';

// RFC 3551, 6: payload numbers that need no rtpmap.
const STATIC: Readonly<Record<number, readonly [name: string, rate: number]>> = {
  0: ['PCMU', 8000],
  3: ['GSM', 8000],
  4: ['G723', 8000],
  8: ['PCMA', 8000],
  9: ['G722', 8000],
  12: ['QCELP', 8000],
  13: ['CN', 8000],
  15: ['G728', 8000],
  18: ['G729', 8000],
  31: ['H261', 90_000],
  34: ['H263', 90_000],
};

/** Never throws; undefined for what is no session description, or one beyond the limits. Lines we do not use are dropped. */
export function parseSdp(text: string): SessionDescription | undefined {
  if (text.length > MAX_SDP_CHARACTERS) return undefined;
  const plain = sheetAtAGlance(text);
  if (plain !== undefined) return narrow(plain);
  if (!/^v=0\s*$/m.test(text) || !/^o=/m.test(text)) return undefined;
  if (text.split('\n').some((line) => line.length > MAX_SDP_LINE)) return undefined;
  try {
    return narrow(parse(text));
  } catch {
    // sdp-transform throws on some broken lines; to the caller all broken text is alike.
    return undefined;
  }
}

/** Line for line what sdp-transform writes, at a fifth of its price: each call is described four times. */
export function formatSdp(session: SessionDescription): string {
  const { username, sessionId, version, address, connection, direction } = session;
  let text = `v=0\r\no=${username} ${sessionId} ${version} IN IP${ipVersion(address)} ${address}\r\ns=-\r\n`;
  text += `${connectionLine(connection)}t=0 0\r\n`;
  if (direction !== undefined) text += `a=${direction}\r\n`;
  for (const media of session.media) text += mediaLines(media);
  return text;
}

/** The direction of a stream as its author wrote it (RFC 4566, 6): its own, else the session's, else sendrecv. */
export function directionOf(media: MediaDescription, session: SessionDescription): Direction {
  return media.direction ?? session.direction ?? 'sendrecv';
}

/**
 * The direction in an answer: what the answerer wants, as far as the offer lets it (RFC 3264, 6.1). Both are seen
 * by who wrote them, so an offered sendonly leaves recvonly or inactive.
 */
export function answerDirection(offered: Direction, wanted: Direction): Direction {
  const send = receives(offered) && sends(wanted);
  const receive = sends(offered) && receives(wanted);
  if (send) return receive ? 'sendrecv' : 'sendonly';
  return receive ? 'recvonly' : 'inactive';
}

/** Whether the author holds the other party: sendonly, inactive, or the old c=0.0.0.0 (RFC 3264, 8.4), in its first audio stream. */
export function isHold(offer: SessionDescription): boolean {
  const audio = firstAudio(offer);
  if (audio === undefined) return false;
  return !receives(directionOf(audio, offer)) || hasNoAddress(audio, offer);
}

/** The codecs of the first audio stream that is not refused, in the author's order, telephone-event among them. */
export function audioCodecs(session: SessionDescription): readonly Codec[] {
  return firstAudio(session)?.codecs ?? [];
}

/** The first codec of the offer that we support: the offerer's preference counts. */
export function chooseAudioCodec(offer: SessionDescription, supported: readonly string[]): Codec | undefined {
  return audioCodecs(offer).find((codec) => supported.includes(codec.name));
}

/** Where the author wants its sound sent. Undefined: no audio, or no address given. */
export function audioTarget(session: SessionDescription): { host: string; port: number } | undefined {
  const audio = firstAudio(session);
  const host = audio?.connection ?? session.connection;
  return audio === undefined || host === undefined ? undefined : { host, port: audio.port };
}

/** The audio stream that an answer may accept: the first with a port and plain RTP. */
export function firstAudio(session: SessionDescription): MediaDescription | undefined {
  return session.media.find(isUsableAudio);
}

export function isUsableAudio(media: MediaDescription): boolean {
  return media.type === 'audio' && media.port > 0 && (media.protocol === 'RTP/AVP' || media.protocol === 'RTP/AVPF');
}

export function hasNoAddress(media: MediaDescription, session: SessionDescription): boolean {
  const address = media.connection ?? session.connection;
  return address === '0.0.0.0' || address === '::';
}

function sends(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}

function receives(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}

function narrow(sheet: Sheet | PlainSheet): SessionDescription | undefined {
  const { origin } = sheet;
  // sdp-transform leaves a member out when a line does not match, whatever its types say.
  const media: PlainLine[] = sheet.media ?? [];
  if (origin?.address === undefined || media.length > MAX_MEDIA) return undefined;
  const streams: MediaDescription[] = [];
  for (const line of media) {
    const stream = narrowMedia(line);
    if (stream === undefined) return undefined;
    streams.push(stream);
  }
  return {
    username: String(origin.username),
    sessionId: String(origin.sessionId),
    version: String(origin.sessionVersion),
    address: String(origin.address),
    ...connectionOf(sheet),
    ...(sheet.direction === undefined ? {} : { direction: sheet.direction }),
    media: streams,
  };
}

function narrowMedia(line: PlainLine): MediaDescription | undefined {
  const { type, port, protocol } = line;
  if (type === undefined || protocol === undefined || !Number.isInteger(port) || port < 0 || port > 65_535) {
    return undefined;
  }
  const formats = String(line.payloads ?? '')
    .split(' ')
    .filter((format) => format !== '');
  const codecs = formats.flatMap((format) => codecOf(format, line) ?? []);
  return {
    type: String(type),
    port,
    protocol: String(protocol),
    formats,
    ...connectionOf(line),
    ...(line.direction === undefined ? {} : { direction: line.direction }),
    codecs,
    ...(typeof line.ptime === 'number' ? { ptimeMs: line.ptime } : {}),
  };
}

function codecOf(format: string, line: PlainLine): Codec | undefined {
  const payload = Number(format);
  if (!/^\d{1,3}$/.test(format) || payload > 127) return undefined;
  const mapped = line.rtp?.find((map) => map.payload === payload);
  const config = line.fmtp?.find((entry) => entry.payload === payload)?.config;
  const fmtp = config === undefined ? {} : { fmtp: String(config) };
  if (mapped === undefined) {
    const known = STATIC[payload];
    return known === undefined ? undefined : { payload, name: known[0], rate: known[1], ...fmtp };
  }
  const name = String(mapped.codec);
  const channels = typeof mapped.encoding === 'number' ? { channels: mapped.encoding } : {};
  return {
    payload,
    name: name.toLowerCase() === TELEPHONE_EVENT ? TELEPHONE_EVENT : name.toUpperCase(),
    rate: typeof mapped.rate === 'number' ? mapped.rate : 8000,
    ...channels,
    ...fmtp,
  };
}

function connectionOf(part: { connection?: { ip: string } }): { connection?: string } {
  const ip = part.connection?.ip;
  // A multicast address carries its TTL after a slash.
  return ip === undefined ? {} : { connection: String(ip).split('/', 1)[0] ?? '' };
}

function connectionLine(address: string | undefined): string {
  return address === undefined ? '' : `c=IN IP${ipVersion(address)} ${address}\r\n`;
}

function ipVersion(address: string): number {
  return address.includes(':') ? 6 : 4;
}

// A refused stream is its m= line (RFC 3264, 6), and where it would have been.
function mediaLines(media: MediaDescription): string {
  const { type, port, protocol, formats, connection, ptimeMs, direction } = media;
  let text = `m=${type} ${port} ${protocol} ${formats.join(' ')}\r\n${connectionLine(connection)}`;
  if (port === 0) return text;
  for (const { payload, name, rate, channels } of media.codecs) {
    text += `a=rtpmap:${payload} ${name}/${rate}${channels === undefined ? '' : `/${channels}`}\r\n`;
  }
  for (const { payload, fmtp } of media.codecs) if (fmtp !== undefined) text += `a=fmtp:${payload} ${fmtp}\r\n`;
  if (ptimeMs !== undefined) text += `a=ptime:${ptimeMs}\r\n`;
  return direction === undefined ? text : `${text}a=${direction}\r\n`;
}
