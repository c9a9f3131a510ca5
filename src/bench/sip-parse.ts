// How fast one core reads and writes an INVITE as a desk phone sends it. Run alone: `node src/bench/sip-parse.ts`.
import { cseqOf, fromOf, toOf, topVia } from '../sip/fields.ts';
import type { SipRequest } from '../sip/message.ts';
import { parseMessage } from '../sip/parse.ts';
import { serialise } from '../sip/serialise.ts';
import { validateRequest } from '../sip/validate.ts';

export interface SipParseFigures {
  readonly messageBytes: number;
  /** Bytes to a message with all its headers. */
  readonly parsedPerSecond: number;
  /** The same, and what a transaction looks at: top Via, From, To, CSeq. */
  readonly parsedAndViewedPerSecond: number;
  /** The same as the first, and the whole validator. */
  readonly parsedAndValidatedPerSecond: number;
  readonly serialisedPerSecond: number;
}

const SDP = [
  'v=0',
  'o=1001 8123456 1 IN IP4 192.0.2.11',
  's=-',
  'c=IN IP4 192.0.2.11',
  't=0 0',
  'm=audio 16384 RTP/AVP 0 8 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-16',
  'a=sendrecv',
  '',
].join('\r\n');

const INVITE = [
  'INVITE sip:1002@pbx.example.com SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.11:5060;branch=z9hG4bK-524287-1---8f3eb40b11f97a9c;rport',
  'Max-Forwards: 70',
  'Contact: <sip:1001@192.0.2.11:5060;transport=UDP>',
  'To: <sip:1002@pbx.example.com>',
  'From: "Alice Example" <sip:1001@pbx.example.com>;tag=5e00e125',
  'Call-ID: wSSsR1c-lUjKuRhxr0iEKA..',
  'CSeq: 1 INVITE',
  'Allow: INVITE, ACK, CANCEL, BYE, NOTIFY, REFER, MESSAGE, OPTIONS, INFO, SUBSCRIBE',
  'Supported: replaces, timer',
  'User-Agent: Deskphone 5.6.1',
  'Content-Type: application/sdp',
  `Content-Length: ${SDP.length}`,
  '',
  SDP,
].join('\r\n');

const KNOWLEDGE = { methods: ['INVITE', 'ACK', 'BYE'], extensions: ['replaces'], contentTypes: ['application/sdp'] };

/** The best of `rounds` rounds of each measurement, so that a busy neighbour does not count. */
export function sipParse(rounds = 8, messagesPerRound = 50_000): SipParseFigures {
  const bytes = Buffer.from(INVITE);
  const invite = read(bytes);
  const rate = (run: () => unknown): number => perSecond(run, rounds, messagesPerRound);
  return {
    messageBytes: bytes.length,
    parsedPerSecond: rate(() => read(bytes)),
    parsedAndViewedPerSecond: rate(() => {
      const message = read(bytes);
      return [topVia(message), fromOf(message), toOf(message), cseqOf(message)];
    }),
    parsedAndValidatedPerSecond: rate(() => validateRequest(read(bytes), KNOWLEDGE)),
    serialisedPerSecond: rate(() => serialise(invite)),
  };
}

function read(bytes: Uint8Array): SipRequest {
  const result = parseMessage(bytes);
  if (!result.ok || result.message.kind !== 'request') throw new Error('the sample INVITE was not read as a request');
  return result.message;
}

function perSecond(run: () => unknown, rounds: number, messages: number): number {
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    for (let i = 0; i < messages; i += 1) run();
    best = Math.max(best, (messages / (performance.now() - start)) * 1000);
  }
  return Math.round(best);
}

if (import.meta.main) {
  const figures = sipParse();
  console.log(`INVITE of ${figures.messageBytes} bytes, one core, per second (aim: 250,000 parsed)`);
  for (const [name, figure] of Object.entries(figures).slice(1)) console.log(`${name.padEnd(28)} ${figure}`);
}
