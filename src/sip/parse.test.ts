// Bytes to messages: what is read, what is tolerated, what is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyText, callIdOf, contactsOf, cseqOf, fromOf, tokensOf, toOf, topVia } from './fields.ts';
import type { SipMessage } from './message.ts';
import { tagOf } from './name-addr.ts';
import { MAX_HEADERS, MAX_MESSAGE_BYTES, parseMessage } from './parse.ts';
import { serialise } from './serialise.ts';
import { validateRequest, validateResponse } from './validate.ts';

// RFC 3261, 24.2: F1 of the sample call.
const INVITE = [
  'INVITE sip:bob@biloxi.com SIP/2.0',
  'Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bK776asdhds',
  'Max-Forwards: 70',
  'To: Bob <sip:bob@biloxi.com>',
  'From: Alice <sip:alice@atlanta.com>;tag=1928301774',
  'Call-ID: a84b4c76e66710@pc33.atlanta.com',
  'CSeq: 314159 INVITE',
  'Contact: <sip:alice@pc33.atlanta.com>',
  'Content-Type: application/sdp',
  'Content-Length: 4',
  '',
  'v=0\n',
].join('\r\n');

// RFC 3665, 2.1: F4, two Via and an expiring contact.
const REGISTERED = [
  'SIP/2.0 200 OK',
  'Via: SIP/2.0/TLS client.biloxi.example.com:5061;branch=z9hG4bKnashd92;received=192.0.2.201',
  'From: Bob <sips:bob@biloxi.example.com>;tag=ja743ks76zlflH',
  'To: Bob <sips:bob@biloxi.example.com>;tag=37GkEhwl6',
  'Call-ID: 1j9FpLxk3uxtm8tn@biloxi.example.com',
  'CSeq: 2 REGISTER',
  'Contact: <sips:bob@client.biloxi.example.com>;expires=3600',
  'Content-Length: 0',
  '',
  '',
].join('\r\n');

describe('a request', () => {
  it('is read with all that a user agent needs', () => {
    const message = parsed(INVITE);
    expect(message).toMatchObject({ kind: 'request', method: 'INVITE', uri: 'sip:bob@biloxi.com', version: 'SIP/2.0' });
    expect(topVia(message)).toMatchObject({ transport: 'UDP', host: 'pc33.atlanta.com', branch: 'z9hG4bK776asdhds' });
    expect(toOf(message)).toEqual({ displayName: 'Bob', uri: 'sip:bob@biloxi.com', params: new Map() });
    const from = fromOf(message);
    expect(from && tagOf(from)).toBe('1928301774');
    expect(callIdOf(message)).toBe('a84b4c76e66710@pc33.atlanta.com');
    expect(cseqOf(message)).toEqual({ number: 314159, method: 'INVITE' });
    expect(contactsOf(message)?.map(({ uri }) => uri)).toEqual(['sip:alice@pc33.atlanta.com']);
    expect(bodyText(message)).toBe('v=0\n');
  });

  it('may have line ends of LF alone and empty lines before it', () => {
    expect(parsed(`\r\n\n\r\n${INVITE.replaceAll('\r\n', '\n')}`)).toEqual(parsed(INVITE));
  });

  it('may use compact names, in any case', () => {
    const compact = INVITE.replace('Via:', 'v:')
      .replace('From:', 'F:')
      .replace('Call-ID:', 'i :')
      .replace('To:', 'tO:');
    expect(parsed(compact)).toEqual(parsed(INVITE));
  });

  it('keeps header values as written, unknown headers and their order', () => {
    const message = parsed('OPTIONS sip:a SIP/2.0\r\nX-One: 1,  2;; "\r\nSubject:  hi  there \t\r\nx-one:\r\n\r\n');
    expect([...message.headers].map(({ name, value }) => [name, value])).toEqual([
      ['X-One', '1,  2;; "'],
      ['Subject', 'hi  there'],
      ['x-one', ''],
    ]);
  });

  it('keeps a list on one line or on several apart, but reads it the same', () => {
    const message = parsed('OPTIONS sip:a SIP/2.0\r\nSupported: timer, replaces\r\nk: path\r\nSupported:\r\n\r\n');
    expect(message.headers.all('Supported')).toEqual(['timer, replaces', 'path', '']);
    expect(tokensOf(message, 'supported')).toEqual(['timer', 'replaces', 'path']);
  });

  it('may be folded with blanks or tabs', () => {
    const message = parsed('OPTIONS sip:a SIP/2.0\r\nSubject: one  \r\n\ttwo\n   three\r\nTo:\r\n <sip:a>\r\n\r\n');
    expect(message.headers.get('Subject')).toBe('one two three');
    expect(message.headers.get('To')).toBe('<sip:a>');
  });

  it('may hold long runs of blanks at no great cost', () => {
    const blanks = ' '.repeat(60_000);
    const message = parsed(`OPTIONS sip:a SIP/2.0\r\nSubject: a${blanks}b\r\n c\r\n\r\n`);
    expect(message.headers.get('Subject')).toBe(`a${blanks}b c`);
  }, 1_000);
});

describe('the body', () => {
  it('ends where Content-Length says when more arrived', () => {
    expect(bodyText(parsed(`${INVITE}and more`))).toBe('v=0\n');
  });

  it('is all there is when Content-Length says more, says nothing, or is no number', () => {
    for (const line of ['Content-Length: 400', 'X: 1', 'Content-Length: -4', 'Content-Length: many']) {
      expect(bodyText(parsed(INVITE.replace('Content-Length: 4', line)))).toBe('v=0\n');
    }
  });

  it('begins at the right byte when headers are not ASCII', () => {
    expect(bodyText(parsed(INVITE.replace('To: Bob', 'To: "Bjørn ☎"')))).toBe('v=0\n');
    expect(bodyText(parsed('MESSAGE sip:a SIP/2.0\nSubject: é\n\né'))).toBe('é');
    const raw = Buffer.concat([
      Buffer.from('MESSAGE sip:a SIP/2.0\r\nSubject: '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('\r\n\r\né'),
    ]);
    const result = parseMessage(raw);
    expect(result.ok && [result.message.headers.get('Subject'), bodyText(result.message)]).toEqual([
      '\ufffd\ufffd',
      'é',
    ]);
  });
});

describe('a response', () => {
  it('is read with status and reason', () => {
    const message = parsed(REGISTERED);
    expect(message).toMatchObject({ kind: 'response', status: 200, reason: 'OK' });
    expect(topVia(message)).toMatchObject({ host: 'client.biloxi.example.com', port: 5061, received: '192.0.2.201' });
    expect(contactsOf(message)?.[0]?.params.get('expires')).toBe('3600');
    expect(message.kind === 'response' && validateResponse(message)).toBeUndefined();
  });

  it('may lack the reason and the blank before it', () => {
    expect(parsed('SIP/2.0 180\r\n\r\n')).toMatchObject({ status: 180, reason: '' });
  });
});

describe('what is no message', () => {
  it.each([
    ['', 'no start line'],
    ['\r\n\r\n', 'no start line'],
    ['hello\r\n\r\n', 'no start line'],
    ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'no start line'],
    ['INVITE sip:a\r\n\r\n', 'no start line'],
    ['SIP/2.0 abc\r\n\r\n', 'the status line has no status code'],
    ['INVITE sip:a SIP/2.0\r\nTo: x\r\n', 'no empty line after the headers'],
    ['INVITE sip:a SIP/2.0\r\nTo: x\r\n folded', 'no empty line after the headers'],
  ])('%j: %s', (text, why) => {
    expect(parseMessage(Buffer.from(text))).toEqual({ ok: false, why });
  });

  it.each([
    ['To x', 'Header line without a colon'],
    [': x', 'Header line without a name'],
  ])('is not a message with the line %j: it is kept, so that 400 can be answered', (line, flaw) => {
    const parsed = parseMessage(
      Buffer.from(`OPTIONS sip:a SIP/2.0\r\nCall-ID: 1\r\n${line}\r\nCSeq: 1 OPTIONS\r\n\r\n`),
    );
    expect(parsed.ok && parsed.message.headers.flaw).toBe(flaw);
    expect(parsed.ok && [parsed.message.headers.get('Call-ID'), parsed.message.headers.get('CSeq')]).toEqual([
      '1',
      '1 OPTIONS',
    ]);
  });

  it('is what exceeds the limits', () => {
    const head = 'OPTIONS sip:a SIP/2.0\r\n';
    const lines = (count: number): Buffer => Buffer.from(`${head}${'X: 1\r\n'.repeat(count)}\r\n`);
    expect(parseMessage(lines(MAX_HEADERS)).ok).toBe(true);
    expect(parseMessage(lines(MAX_HEADERS + 1))).toEqual({ ok: false, why: 'more than 256 headers' });
    const answer = (count: number): Buffer => Buffer.from(`SIP/2.0 200 OK\r\n${'X: 1\r\n'.repeat(count)}\r\n`);
    expect(parseMessage(answer(272)).ok).toBe(true);
    expect(parseMessage(answer(273))).toEqual({ ok: false, why: 'more than 272 headers' });
    const padded = (bytes: number): Buffer => Buffer.from(`${head}\r\n`.padEnd(bytes, 'x'));
    expect(parseMessage(padded(MAX_MESSAGE_BYTES)).ok).toBe(true);
    expect(parseMessage(padded(MAX_MESSAGE_BYTES + 1))).toEqual({ ok: false, why: 'longer than 65536 bytes' });
  });
});

describe('hostile bytes', () => {
  it('never throw, whatever they are', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => examine(bytes)));
  });

  it('never throw when a good message is cut, overwritten and spliced', () => {
    const originals = fc.constantFrom(INVITE, REGISTERED).map((text) => Buffer.from(text));
    const edit = fc.record({ at: fc.nat(600), remove: fc.nat(20), insert: fc.string({ maxLength: 8, unit: hostile }) });
    fc.assert(
      fc.property(originals, fc.array(edit, { minLength: 1, maxLength: 6 }), (original, edits) => {
        let bytes: Buffer = original;
        for (const { at, remove, insert } of edits) {
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)]);
        }
        examine(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});

const hostile = fc.constantFrom(...'\r\n\t \0"\\<>;,:=@%/()ü☎0aSIP.');

/** Everything that looks at what arrived before anybody trusts it. */
function examine(bytes: Uint8Array): void {
  const result = parseMessage(bytes);
  if (!result.ok) return;
  const { message } = result;
  topVia(message);
  fromOf(message);
  contactsOf(message);
  cseqOf(message);
  if (message.kind === 'request') validateRequest(message, { methods: ['INVITE'], contentTypes: [], extensions: [] });
  else validateResponse(message);
  expect(parseMessage(serialise(message)).ok || message.headers.size === MAX_HEADERS).toBe(true);
}

function parsed(text: string): SipMessage {
  const result = parseMessage(Buffer.from(text));
  if (!result.ok) throw new Error(result.why);
  return result.message;
}
