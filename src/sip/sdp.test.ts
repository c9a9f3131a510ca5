// Session descriptions: what peers write, directions and hold, and our own offers and answers (RFC 3264).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo, LocalDescription, type LocalParts, offerOf } from './offer-answer.ts';
import {
  answerDirection,
  audioCodecs,
  audioTarget,
  chooseAudioCodec,
  type Direction,
  directionOf,
  formatSdp,
  isHold,
  parseSdp,
  type SessionDescription,
} from './sdp.ts';

// RFC 4566's fields with what desk phones send: own codecs first, a dynamic telephone-event, a video stream.
const PHONE = `v=0
o=alice 2890844526 2890842807 IN IP4 10.47.16.5
s=call
c=IN IP4 224.2.17.12/127
t=0 0
a=sendrecv
m=audio 49170 RTP/AVP 18 8 0 96
c=IN IP4 192.0.2.10
a=rtpmap:8 pcma/8000/1
a=rtpmap:96 Telephone-Event/8000
a=fmtp:96 0-15
a=ptime:30
a=recvonly
m=video 51372 RTP/AVP 31 99
a=rtpmap:99 h263-1998/90000
`;

const OURS: LocalParts = {
  address: '127.0.0.1',
  port: 4000,
  sessionId: '8123456789012345678',
  version: '1',
  direction: 'sendrecv',
  codecs: ['PCMU', 'PCMA'],
  dtmf: true,
};

describe('reading', () => {
  it('keeps what a call needs', () => {
    const session = read(PHONE);
    expect(session).toMatchObject({ username: 'alice', sessionId: '2890844526', version: '2890842807' });
    expect(session).toMatchObject({ address: '10.47.16.5', connection: '224.2.17.12', direction: 'sendrecv' });
    expect(session.media.map(({ type, port, formats }) => [type, port, formats])).toEqual([
      ['audio', 49170, ['18', '8', '0', '96']],
      ['video', 51372, ['31', '99']],
    ]);
    expect(audioCodecs(session)).toEqual([
      { payload: 18, name: 'G729', rate: 8000 },
      { payload: 8, name: 'PCMA', rate: 8000, channels: 1 },
      { payload: 0, name: 'PCMU', rate: 8000 },
      { payload: 96, name: 'telephone-event', rate: 8000, fmtp: '0-15' },
    ]);
    expect(session.media[0]?.ptimeMs).toBe(30);
    expect(audioTarget(session)).toEqual({ host: '192.0.2.10', port: 49170 });
    expect(session.media.map((media) => directionOf(media, session))).toEqual(['recvonly', 'sendrecv']);
  });

  it("chooses by the offerer's preference among what we have", () => {
    expect(chooseAudioCodec(read(PHONE), ['PCMU', 'PCMA'])?.name).toBe('PCMA');
    expect(chooseAudioCodec(read(PHONE), ['OPUS'])).toBeUndefined();
  });

  it.each([
    '',
    'v=0',
    'v=1\no=- 1 1 IN IP4 a',
    'v=0\no=x',
    PHONE.replace('49170', '70000'),
    `${PHONE}a=${'x'.repeat(1_100)}`,
    `${PHONE}${'m=audio 1 RTP/AVP 0\n'.repeat(31)}`,
  ])('refuses what is no description: %.20j', (text) => {
    expect(parseSdp(text)).toBeUndefined();
  });

  it('never throws, whatever the lines are', () => {
    const line = fc
      .tuple(fc.constantFrom(...'vosctma'), fc.string({ maxLength: 30 }))
      .map(([type, rest]) => `${type}=${rest}`);
    const attribute = fc
      .tuple(
        fc.constantFrom('rtpmap', 'fmtp', 'ptime', 'candidate', 'rtcp', 'ssrc', 'simulcast'),
        fc.string({ maxLength: 12 }),
      )
      .map(([name, rest]) => `a=${name}:${rest}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, attribute), { maxLength: 8 }), (lines) => {
        const session = parseSdp(`${PHONE}${lines.join('\r\n')}`);
        if (session === undefined) return;
        isHold(session);
        const answer = answerTo(session, OURS);
        if (answer !== undefined) expect(parseSdp(formatSdp(answer))).toBeDefined();
      }),
    );
  });
});

// RFC 3264, 6.1.
describe('the direction of an answer', () => {
  const table: ReadonlyArray<readonly [offered: Direction, wanted: Direction, answered: Direction]> = [
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendrecv', 'sendonly', 'sendonly'],
    ['sendrecv', 'recvonly', 'recvonly'],
    ['sendrecv', 'inactive', 'inactive'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['sendonly', 'recvonly', 'recvonly'],
    ['sendonly', 'inactive', 'inactive'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['recvonly', 'sendonly', 'sendonly'],
    ['recvonly', 'recvonly', 'inactive'],
    ['recvonly', 'inactive', 'inactive'],
    ['inactive', 'sendrecv', 'inactive'],
    ['inactive', 'sendonly', 'inactive'],
    ['inactive', 'recvonly', 'inactive'],
    ['inactive', 'inactive', 'inactive'],
  ];
  it.each(table)('%s offered, %s wanted: %s', (offered, wanted, answered) => {
    expect(answerDirection(offered, wanted)).toBe(answered);
  });
});

describe('hold', () => {
  it.each([
    [true, 'a=recvonly', 'a=sendonly'],
    [true, 'a=recvonly', 'a=inactive'],
    [true, 'c=IN IP4 192.0.2.10', 'c=IN IP4 0.0.0.0'],
    [false, 'a=recvonly', 'a=recvonly'],
    [false, 'a=recvonly\n', ''],
  ])('is %s with %s as %s', (held, line, replacement) => {
    expect(isHold(read(PHONE.replace(line, replacement)))).toBe(held);
  });

  it('may be said for the whole session', () => {
    expect(isHold(read(PHONE.replace('a=recvonly\n', '').replace('a=sendrecv', 'a=sendonly')))).toBe(true);
  });
});

describe('our offer', () => {
  it('names both codecs and telephone-event', () => {
    expect(formatSdp(offerOf(OURS)).split('\r\n')).toEqual([
      'v=0',
      'o=- 8123456789012345678 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 4000 RTP/AVP 0 8 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-16',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ]);
  });

  it('is read as it was meant', () => {
    const offer = offerOf({ ...OURS, address: '::1', direction: 'sendonly', dtmf: false });
    expect(parseSdp(formatSdp(offer))).toEqual(offer);
  });
});

describe('our answer', () => {
  it("has as many streams, one codec, the offerer's payload numbers, and refuses the rest", () => {
    const answer = answerTo(read(PHONE), OURS);
    expect(answer && formatSdp(answer).split('\r\n')).toEqual([
      'v=0',
      'o=- 8123456789012345678 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 4000 RTP/AVP 8 96',
      'a=rtpmap:8 PCMA/8000/1',
      'a=rtpmap:96 telephone-event/8000',
      'a=fmtp:96 0-15',
      'a=ptime:20',
      'a=sendonly',
      'm=video 0 RTP/AVP 31 99',
      '',
    ]);
  });

  it('to one who gives no address only receives', () => {
    const offer = read(PHONE.replace('192.0.2.10', '0.0.0.0').replace('a=recvonly', 'a=sendrecv'));
    expect(answerTo(offer, OURS)?.media[0]?.direction).toBe('recvonly');
  });

  it('takes no telephone-event of another clock than its codec', () => {
    const answer = answerTo(read(PHONE.replace('Telephone-Event/8000', 'telephone-event/48000')), OURS);
    expect(answer?.media[0]?.formats).toEqual(['8']);
  });

  it('accepts one audio stream only', () => {
    const offer = read(`${PHONE}m=audio 50000 RTP/AVP 0\n`);
    expect(answerTo(offer, OURS)?.media.map(({ port }) => port)).toEqual([4000, 0, 0]);
  });

  it('does not exist when nothing is in common', () => {
    expect(answerTo(read(PHONE), { ...OURS, codecs: ['OPUS'] })).toBeUndefined();
    expect(answerTo(read(PHONE.replace('RTP/AVP 18', 'RTP/SAVP 18')), OURS)).toBeUndefined();
    expect(answerTo(read(PHONE.replace('49170', '0')), OURS)).toBeUndefined();
  });
});

describe('our description in a dialog', () => {
  const version = (text: string | undefined) => (text === undefined ? undefined : parseSdp(text)?.version);

  it('keeps its session id, and its version until something changes', () => {
    const local = new LocalDescription('77');
    const first = local.offer(OURS);
    expect(read(first).sessionId).toBe('77');
    expect(version(first)).toBe('1');
    expect(local.offer(OURS)).toBe(first);
    expect(version(local.offer({ ...OURS, direction: 'sendonly' }))).toBe('2');
    expect(version(local.offer(OURS))).toBe('3');
    expect(local.last).toContain('o=- 77 3 ');
  });

  it('rises by one from offer to answer, and not for an answer that cannot be', () => {
    const local = new LocalDescription('77', 10);
    expect(version(local.offer(OURS))).toBe('10');
    expect(local.answer(read(PHONE), { ...OURS, codecs: [] })).toBeUndefined();
    expect(version(local.answer(read(PHONE), OURS))).toBe('11');
    expect(version(local.answer(read(PHONE), OURS))).toBe('11');
  });
});

function read(text: string): SessionDescription {
  const session = parseSdp(text);
  if (session === undefined) throw new Error(`no description:\n${text}`);
  return session;
}
