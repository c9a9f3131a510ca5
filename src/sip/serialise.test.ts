// Messages to bytes and back, and the responses that a request is owed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Headers } from './headers.ts';
import type { SipMessage, SipRequest } from './message.ts';
import { parseMessage } from './parse.ts';
import { reasonPhrase, requestOf, responseTo, serialise } from './serialise.ts';

describe('a request of ours', () => {
  it('is written line by line, with the true Content-Length last', () => {
    const request = requestOf({
      method: 'MESSAGE',
      uri: 'sip:bob@biloxi.com',
      headers: [
        ['To', '<sip:bob@biloxi.com>'],
        ['Content-Length', '99'],
        ['Content-Type', 'text/plain'],
      ],
      body: 'Grüße',
    });
    expect(Buffer.from(serialise(request)).toString()).toBe(
      [
        'MESSAGE sip:bob@biloxi.com SIP/2.0',
        'To: <sip:bob@biloxi.com>',
        'Content-Type: text/plain',
        'Content-Length: 7',
        '',
        'Grüße',
      ].join('\r\n'),
    );
  });

  it('cannot be split by what a user typed', () => {
    const request = requestOf({
      method: 'BYE',
      uri: 'sip:a\r\nEvil: 1',
      headers: [['Subject', 'hi\r\nEvil: 2\n\r\nEvil: 3']],
    });
    expect(Buffer.from(serialise(request)).toString()).toBe(
      'BYE sip:a Evil: 1 SIP/2.0\r\nSubject: hi Evil: 2 Evil: 3\r\nContent-Length: 0\r\n\r\n',
    );
  });
});

describe('a response', () => {
  const invite = requestOf({
    method: 'INVITE',
    uri: 'sip:bob@192.0.2.4',
    headers: [
      ['Via', 'SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/UDP b;branch=z9hG4bK2'],
      ['v', 'SIP/2.0/UDP c;branch=z9hG4bK3'],
      ['Record-Route', '<sip:p1;lr>'],
      ['Record-Route', '<sip:p2;lr>'],
      ['To', 'Bob <sip:bob@biloxi.com;tag=no>'],
      ['From', '<sip:alice@atlanta.com>;tag=1'],
      ['Call-ID', 'x@y'],
      ['CSeq', '1 INVITE'],
      ['Timestamp', '54'],
      ['Subject', 'not echoed'],
    ],
  });

  it('that makes a dialog copies Via and Record-Route in order and tags To', () => {
    const ringing = responseTo(invite, 180, { toTag: 'b', headers: [['Contact', '<sip:bob@192.0.2.4>']] });
    expect(ringing).toMatchObject({ status: 180, reason: 'Ringing' });
    expect(lines(ringing)).toEqual([
      'Via: SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/UDP b;branch=z9hG4bK2',
      'Via: SIP/2.0/UDP c;branch=z9hG4bK3',
      'Record-Route: <sip:p1;lr>',
      'Record-Route: <sip:p2;lr>',
      'From: <sip:alice@atlanta.com>;tag=1',
      'To: Bob <sip:bob@biloxi.com;tag=no>;tag=b',
      'Call-ID: x@y',
      'CSeq: 1 INVITE',
      'Contact: <sip:bob@192.0.2.4>',
    ]);
  });

  it('100 carries the Timestamp, no tag and no route', () => {
    expect(lines(responseTo(invite, 100))).toEqual([
      'Via: SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/UDP b;branch=z9hG4bK2',
      'Via: SIP/2.0/UDP c;branch=z9hG4bK3',
      'From: <sip:alice@atlanta.com>;tag=1',
      'To: Bob <sip:bob@biloxi.com;tag=no>',
      'Call-ID: x@y',
      'CSeq: 1 INVITE',
      'Timestamp: 54',
    ]);
  });

  it('writes no empty tag: a tag has at least one character (RFC 3261, 25.1)', () => {
    expect(responseTo(invite, 100, { toTag: '' }).headers.get('To')).toBe('Bob <sip:bob@biloxi.com;tag=no>');
  });

  it('leaves a tag alone that is there, and routes out of failures', () => {
    const within: SipRequest = { ...invite, headers: invite.headers.copy().set('To', '<sip:bob@b>;x;Tag=mine') };
    const busy = responseTo(within, 486, { toTag: 'other', reason: 'Not now' });
    expect(busy.headers.get('To')).toBe('<sip:bob@b>;x;Tag=mine');
    expect(busy.headers.has('Record-Route')).toBe(false);
    expect(busy.reason).toBe('Not now');
  });

  it('has the customary reason phrase, or that of its class', () => {
    expect([180, 481, 603, 299, 499, 699, 999].map(reasonPhrase)).toEqual([
      'Ringing',
      'Call/Transaction Does Not Exist',
      'Decline',
      'OK',
      'Bad Request',
      'Decline',
      '',
    ]);
  });
});

describe('round trip', () => {
  const token = fc.stringMatching(/^[A-Za-z0-9\-.!%*_+`'~]{1,12}$/);
  const value = fc.string({ maxLength: 40, unit: 'grapheme' }).map((text) =>
    text
      .replace(/[\r\n]/g, '')
      .trim()
      .toWellFormed(),
  );
  const field = fc.tuple(fc.oneof(token, fc.constantFrom('Via', 'To', 'Subject', 'Contact')), value);
  const uri = fc.stringMatching(/^sips?:[a-z0-9]{1,8}@[a-z0-9.]{1,12}$/);
  const version = 'SIP/2.0';
  const parts = {
    headers: fc.array(field, { maxLength: 12 }).map((fields) => {
      const headers = Headers.of(fields.filter(([name, text]) => isKept(name, text)));
      return headers;
    }),
    body: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  };
  const request = fc.record({
    kind: fc.constant('request' as const),
    method: token,
    uri,
    version: fc.constant(version),
    ...parts,
  });
  const response = fc.record({
    kind: fc.constant('response' as const),
    status: fc.integer({ min: 100, max: 699 }),
    reason: value,
    version: fc.constant(version),
    ...parts,
  });

  it('gives the same message, whatever is in it', () => {
    fc.assert(
      fc.property(fc.oneof(request, response), (message: SipMessage) => {
        const result = parseMessage(serialise(message));
        if (!result.ok) throw new Error(result.why);
        const { headers, body, ...start } = result.message;
        const { headers: sentHeaders, body: sentBody, ...sentStart } = message;
        expect(start).toEqual(sentStart);
        expect(lines({ ...message, headers })).toEqual([
          ...lines({ ...message, headers: sentHeaders }),
          `Content-Length: ${sentBody.length}`,
        ]);
        expect([...body]).toEqual([...sentBody]);
      }),
    );
  });

  /** Not what our parser trims, and no length of its own. */
  function isKept(name: string, text: string): boolean {
    const lower = name.toLowerCase();
    return lower !== 'content-length' && lower !== 'l' && text === text.trim();
  }
});

function lines(message: SipMessage): string[] {
  return [...message.headers].map(({ name, value }) => `${name}: ${value}`);
}
