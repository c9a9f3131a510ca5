// What is owed to a request that breaks the rules, one rule at a time. RFC 4475's messages are in torture.test.ts.
import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse.ts';
import { type Knowledge, validateRequest, validateResponse } from './validate.ts';

const GOOD = `INVITE sip:bob@biloxi.com SIP/2.0
Via: SIP/2.0/UDP pc33.atlanta.com;branch=z9hG4bK776asdhds
Max-Forwards: 70
To: <sip:bob@biloxi.com>
From: <sip:alice@atlanta.com>;tag=1928301774
Call-ID: a84b4c76e66710
CSeq: 1 INVITE
Contact: <sip:alice@pc33.atlanta.com>
Content-Type: application/sdp
Content-Length: 4

v=0
`;

const KNOWS: Knowledge = {
  methods: ['INVITE', 'ACK', 'BYE'],
  extensions: ['replaces', 'timer'],
  contentTypes: ['application/sdp'],
};

describe('a request in order', () => {
  it('is owed nothing', () => {
    expect(owed(GOOD)).toBeUndefined();
    expect(owed(GOOD.replace('SIP/2.0\n', 'sip/2.0\n'))).toBeUndefined();
    expect(owed(GOOD.replace('Max-Forwards: 70\n', ''))).toBeUndefined();
    expect(owed(GOOD.replace('Contact:', 'Require: Replaces, timer\nContact:'))).toBeUndefined();
    expect(owed(GOOD.replace('application/sdp', 'Application / SDP ;charset=utf-8'))).toBeUndefined();
  });
});

describe('400', () => {
  it.each([
    ['Missing Via', /Via.*\n/, ''],
    ['Missing From', /From.*\n/, ''],
    ['Missing To', /To.*\n/, ''],
    ['Missing Call-ID', /Call-ID.*\n/, ''],
    ['Missing CSeq', /CSeq.*\n/, ''],
    ['More than one From', /From/, 'f: <sip:x@y>\nFrom'],
    ['More than one Content-Length', /Content-Length/, 'l: 4\nContent-Length'],
    ['Malformed Via', /SIP\/2.0\/UDP pc33/, 'UDP pc33'],
    ['Empty branch in Via', /776asdhds/, ''],
    ['Malformed From', /From: </, 'From: "a <'],
    ['Malformed To', /<sip:bob@biloxi.com>/, '<bob>'],
    ['Malformed Call-ID', /a84b4c76e66710/, 'a b'],
    ['Malformed CSeq', /CSeq: 1/, 'CSeq: 2147483648'],
    ['Malformed CSeq', /CSeq: 1/, 'CSeq: -1'],
    ['CSeq method does not match', /1 INVITE/, '1 BYE'],
    ['Malformed Contact', /Contact: </, 'Contact: <sip:a@b>, <'.concat('>, <')],
    ['Malformed Contact', /Contact: .*/, 'Contact: *\nContact: *'],
    ['Malformed Record-Route', /Contact/, 'Record-Route: <sip:a@b\nContact'],
    ['Malformed Request-URI', /sip:bob@biloxi.com SIP/, 'bob SIP'],
    ['Malformed Max-Forwards', /70/, '256'],
    ['Malformed Max-Forwards', /70/, 'x'],
    ['Malformed Content-Length', /Content-Length: 4/, 'Content-Length: four'],
    ['Content-Length larger than the body', /Content-Length: 4/, 'Content-Length: 5'],
    ['Missing Content-Type', /Content-Type.*\n/, ''],
  ])('%s', (reason, pattern, replacement) => {
    expect(owed(GOOD.replace(pattern, replacement))).toEqual({ status: 400, reason });
  });

  it('more Via values than any path has', () => {
    const vias = 'Via: SIP/2.0/UDP a;branch=z9hG4bK1\n'.repeat(70);
    expect(owed(GOOD.replace('Via', `${vias}Via`))?.reason).toBe('Malformed Via');
  });
});

describe('the other statuses', () => {
  it.each([
    [505, /SIP\/2.0\n/, 'SIP/3.0\n', undefined],
    [416, /sip:bob@biloxi.com SIP/, 'isbn:123 SIP', undefined],
    [405, /INVITE/g, 'PUBLISH', [['Allow', 'INVITE, ACK, BYE']]],
    [420, /Contact/, 'Require: replaces, 100rel\nRequire: path\nContact', [['Unsupported', '100rel, path']]],
    [415, /application\/sdp/, 'text/html', [['Accept', 'application/sdp']]],
    [415, /Contact/, 'Content-Encoding: gzip\nContact', [['Accept-Encoding', 'identity']]],
    [406, /Contact/, 'Accept: text/*, image/png\nContact', undefined],
  ])('%i', (status, pattern, replacement, headers) => {
    expect(owed(GOOD.replace(pattern, replacement))).toMatchObject(
      headers === undefined ? { status } : { status, headers },
    );
  });

  it('483 only where requests are passed on', () => {
    const last = GOOD.replace('70', '0');
    expect(owed(last)).toBeUndefined();
    expect(owed(last, { forwards: true })).toEqual({ status: 483, reason: 'Too Many Hops' });
    expect(owed(GOOD, { forwards: true })).toBeUndefined();
  });

  it('are not for a body that may be ignored, an Accept that suits, an ACK', () => {
    const html = GOOD.replace('application/sdp', 'text/html');
    expect(owed(html.replace('Contact', 'Content-Disposition: render;handling=optional\nContact'))).toBeUndefined();
    expect(owed(GOOD.replace('Contact', 'Accept: application/*;q=0.5\nContact'))).toBeUndefined();
    expect(owed(html.replaceAll('INVITE', 'ACK').replace('Contact', 'Require: x\nContact'))).toBeUndefined();
  });

  it('are not given for what the user agent did not say it knows', () => {
    expect(owed(GOOD.replaceAll('INVITE', 'PUBLISH').replace('Contact', 'Require: x\nContact'), {})).toBeUndefined();
  });
});

describe('a response', () => {
  const OK = GOOD.replace(/^.*\n/, 'SIP/2.0 200 OK\n');

  it('in order is kept', () => {
    expect(dropped(OK)).toBeUndefined();
  });

  it.each([
    ['no such status as 99', /200/, '99'],
    ['no such status as 700', /200/, '700'],
    ['not of version SIP/2.0', /SIP\/2.0 200/, 'SIP/7.0 200'],
    ['Missing Call-ID', /Call-ID.*\n/, ''],
    ['Malformed Via', /SIP\/2.0\/UDP/, 'SIP/UDP'],
    ['more than one Via', /776asdhds/, '1, SIP/2.0/UDP other;branch=z9hG4bK2'],
    ['Malformed CSeq', /1 INVITE/, 'INVITE'],
    ['Malformed To', /To: </, 'To: <<'],
    ['Content-Length larger than the body', /Length: 4/, 'Length: 40'],
  ])('is dropped: %s', (why, pattern, replacement) => {
    expect(dropped(OK.replace(pattern, replacement))).toBe(why);
  });
});

function owed(text: string, knowledge: Knowledge = KNOWS) {
  const result = parseMessage(Buffer.from(text));
  if (!result.ok || result.message.kind !== 'request') throw new Error('not a request');
  return validateRequest(result.message, knowledge);
}

function dropped(text: string) {
  const result = parseMessage(Buffer.from(text));
  if (!result.ok || result.message.kind !== 'response') throw new Error('not a response');
  return validateResponse(result.message);
}

describe('a line that is no header field', () => {
  it('owes 400 to the request and drops the response', () => {
    const lines =
      'Via: SIP/2.0/UDP a;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:c@d>\r\nCall-ID: 1\r\nno field\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 70\r\n\r\n';
    const request = parseMessage(Buffer.from(`OPTIONS sip:c@d SIP/2.0\r\n${lines}`));
    const response = parseMessage(Buffer.from(`SIP/2.0 200 OK\r\n${lines}`));
    expect(request.ok && request.message.kind === 'request' && validateRequest(request.message)).toEqual({
      status: 400,
      reason: 'Header line without a colon',
    });
    expect(response.ok && response.message.kind === 'response' && validateResponse(response.message)).toBe(
      'Header line without a colon',
    );
  });
});
