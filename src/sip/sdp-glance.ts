// Session descriptions as most phones write them (one stream of plain RTP with its codecs), read without the whole grammar. Knows nothing of what they mean.
import type { MediaDescription } from 'sdp-transform';

/** What sdp-transform makes of the same text, as far as anybody looks; numbers of the o= line as they are written. */
export interface PlainSheet {
  readonly origin: Readonly<Record<'username' | 'sessionId' | 'sessionVersion' | 'address', string>>;
  readonly connection: { readonly ip: string };
  readonly direction?: undefined;
  readonly media: PlainLine[];
}

export type PlainLine = Pick<
  MediaDescription,
  'type' | 'port' | 'protocol' | 'payloads' | 'connection' | 'rtp' | 'fmtp' | 'ptime' | 'direction'
>;

const HEAD =
  /^v=0\r\no=(\S{1,64}) (\d{1,20}) (\d{1,20}) IN IP4 ([\w.-]{1,255})\r\ns=[^\r\n]{1,64}\r\nc=IN IP4 ([\w.-]{1,255})\r\nt=0 0\r\nm=audio (0|[1-9]\d{0,4}) (RTP\/AVP) ((?:0|[1-9]\d{0,2})(?: (?:0|[1-9]\d{0,2})){0,31})\r\n/;
const ATTRIBUTE =
  /a=(?:rtpmap:(0|[1-9]\d{0,2}) ([\w-]{1,32})\/([1-9]\d{0,5})|fmtp:(0|[1-9]\d{0,2}) ([\w=;,-]{1,200})|ptime:([1-9]\d{0,3})|(sendrecv|sendonly|recvonly|inactive))\r\n/y;

/** Undefined for everything else: then it is read by the grammar. */
export function sheetAtAGlance(text: string): PlainSheet | undefined {
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const [
    all,
    username = '',
    sessionId = '',
    sessionVersion = '',
    address = '',
    ip = '',
    port,
    protocol = '',
    payloads = '',
  ] = head;
  const line: PlainLine = { type: 'audio', port: Number(port), protocol, payloads, rtp: [], fmtp: [] };
  for (let at = all.length; at < text.length; at = ATTRIBUTE.lastIndex) {
    ATTRIBUTE.lastIndex = at;
    const attribute = ATTRIBUTE.exec(text);
    if (attribute === null) return undefined;
    const [, mapped, codec, rate, formatted, config, ptime, direction] = attribute;
    if (codec !== undefined) line.rtp.push({ payload: Number(mapped), codec, rate: Number(rate) });
    else if (config !== undefined) line.fmtp.push({ payload: Number(formatted), config });
    else if (ptime !== undefined) line.ptime = Number(ptime);
    else if (direction !== undefined) line.direction = direction as NonNullable<PlainLine['direction']>;
  }
  return { origin: { username, sessionId, sessionVersion, address }, connection: { ip }, media: [line] };
}
