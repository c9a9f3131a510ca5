// URIs: the examples of RFC 3261, 19.1, and what hostile peers write.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUri, parseUri, sameUri } from './uri.ts';

describe('a SIP URI', () => {
  it('has user, password, host, port, parameters and headers', () => {
    expect(
      parseUri('SIP:alice:s%65cret@Atlanta.COM:5070;Transport=TCP;lr?Subject=project%20x&priority=urgent'),
    ).toEqual({
      scheme: 'sip',
      user: 'alice',
      password: 'secret',
      host: 'atlanta.com',
      port: 5070,
      params: new Map<string, string | true>([
        ['transport', 'TCP'],
        ['lr', true],
      ]),
      headers: new Map([
        ['subject', 'project x'],
        ['priority', 'urgent'],
      ]),
      opaque: '',
    });
  });

  it.each([
    ['sips:192.0.2.4', undefined, '192.0.2.4', undefined],
    ['sip:+1-212-555-1212:1234@gateway.com;user=phone', '+1-212-555-1212', 'gateway.com', undefined],
    ['sip:alice;day=tuesday@atlanta.com', 'alice;day=tuesday', 'atlanta.com', undefined],
    ['sip:user@[2001:db8::1]:5060', 'user', '[2001:db8::1]', 5060],
    ['sip:%23100@pbx', '#100', 'pbx', undefined],
    ['sip:j%C3%B8rn@pbx', 'jørn', 'pbx', undefined],
  ])('%s', (text, user, host, port) => {
    expect(parseUri(text)).toMatchObject({ user, host, port });
  });

  it.each([
    '',
    'sip:',
    'alice@atlanta.com',
    'sip:@host',
    'sip:a@',
    'sip:a@b@c',
    'sip:a b@c',
    'sip:a@b:70000',
    'sip:a@b:port',
    'sip:a@b;;',
    'sip:a@b;=x',
    'sip:a@b?',
    'sip:a@b?x',
    'sip:%4@b',
    'sip:a@b;x=%zz',
    '<sip:a@b>',
    'sip:a@b\r\nVia: x',
    'sip:a@\u0000b',
  ])('is not %j', (text) => {
    expect(parseUri(text)).toBeUndefined();
  });
});

describe('other schemes', () => {
  it('tel has a number and parameters', () => {
    expect(parseUri('tel:+1-201-555-0123;phone-context=example.com')).toMatchObject({
      scheme: 'tel',
      user: '+1-201-555-0123',
      host: '',
      params: new Map([['phone-context', 'example.com']]),
    });
    expect(parseUri('tel:alice')).toBeUndefined();
  });

  it('are kept whole', () => {
    const uri = parseUri('soap.beep://192.0.2.103:3002');
    expect(uri).toMatchObject({ scheme: 'soap.beep', opaque: '//192.0.2.103:3002' });
    expect(uri && formatUri(uri)).toBe('soap.beep://192.0.2.103:3002');
  });
});

describe('formatting', () => {
  it('escapes what needs it and nothing else', () => {
    const uri = parseUri('sip:%23100%40x;y@pbx:5060;p=a%3Bb;lr?h=%26');
    expect(uri && formatUri(uri)).toBe('sip:%23100%40x;y@pbx:5060;p=a%3Bb;lr?h=%26');
    expect(uri && formatUri({ ...uri, user: 'a b<>"\r\n', params: new Map(), headers: new Map() })).toBe(
      'sip:a%20b%3C%3E%22%0D%0A@pbx:5060',
    );
  });

  it('gives back a URI that means the same', () => {
    const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((any) => any.toWellFormed());
    fc.assert(
      fc.property(text, text, text, (user, value, header) => {
        const params = new Map<string, string | true>([['p', value]]);
        const headers = new Map([['h', header]]);
        const uri = { scheme: 'sip', user, password: value, host: 'pbx', port: 1, params, headers, opaque: '' };
        expect(parseUri(formatUri(uri))).toEqual(uri);
      }),
    );
  });
});

// RFC 3261, 19.1.4: its examples.
describe('equivalence', () => {
  it.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;security=on'],
    ['sip:carol@chicago.com;newparam=5', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['tel:+1-201-555-0123', 'tel:+12015550123'],
  ])('%s is %s', (a, b) => {
    expect(sameUri(a, b)).toBe(true);
    expect(sameUri(b, a)).toBe(true);
  });

  it.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:a%3Bb@chicago.com', 'sip:a;b@chicago.com'],
    ['sip:a@b', 'sips:a@b'],
    ['sip:a@b', 'nonsense'],
  ])('%s is not %s', (a, b) => {
    expect(sameUri(a, b)).toBe(false);
    expect(sameUri(b, a)).toBe(false);
  });
});
