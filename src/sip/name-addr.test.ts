// Name-addrs, lists, parameters and Via values: the forms that phones write, and those that nobody may.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseParams, splitList } from './header-lists.ts';
import { formatNameAddr, isPlainNameAddr, parseNameAddr, parseNameAddrs, tagOf } from './name-addr.ts';
import { parseUri } from './uri.ts';
import { formatVia, parseVia } from './via.ts';

describe('a name-addr', () => {
  it('is known at a glance in its everyday forms alone', () => {
    expect(isPlainNameAddr('"Alice" <sip:alice@192.0.2.1:5060;transport=tcp>;tag=7;expires=60')).toBe(true);
    expect(isPlainNameAddr('Alice<sip:+4912@pbx.example>')).toBe(true);
    expect(isPlainNameAddr('sip:alice@pbx.example')).toBe(false);
    const piece = fc.constantFrom(
      '"A b" ',
      'A',
      '<',
      'sip:',
      'a',
      '@',
      'h.x',
      ':',
      '5060',
      ';',
      'p',
      '=',
      '>',
      ' ',
      '"',
      ',',
      '%41',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = `<sip:${pieces.join('')}`;
        const address = parseNameAddr(text);
        if (isPlainNameAddr(text)) expect(address && parseUri(address.uri)).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['<sip:a@b>', '', 'sip:a@b', []],
    ['"Mr. \\"X\\" <y>, z" <sip:a@b;p=1>;tag=7', 'Mr. "X" <y>, z', 'sip:a@b;p=1', [['tag', '7']]],
    [
      'Anonymous Caller<sip:a@b> ; tag = 7 ;x',
      'Anonymous Caller',
      'sip:a@b',
      [
        ['tag', '7'],
        ['x', true],
      ],
    ],
    [
      'sip:a@b;tag=7;Q=0.5',
      '',
      'sip:a@b',
      [
        ['tag', '7'],
        ['q', '0.5'],
      ],
    ],
    ['Jørn <sip:a@b>', 'Jørn', 'sip:a@b', []],
    ['<sip:a@b>;+sip.instance="<urn:uuid:1;2>"', '', 'sip:a@b', [['+sip.instance', '"<urn:uuid:1;2>"']]],
    ['<sip:a@b>;tag=YWJj==', '', 'sip:a@b', [['tag', 'YWJj==']]],
  ])('%s', (text, displayName, uri, params) => {
    expect(parseNameAddr(text)).toEqual({ displayName, uri, params: new Map(params as [string, string | true][]) });
  });

  it.each([
    '',
    '"open <sip:a@b>',
    '"a" sip:a@b',
    '"a"xsip:a@b>',
    '"a" b <sip:a@b>',
    'Bell, A <sip:a@b>',
    '<sip:a@b',
    '< sip:a@b >',
    '<>',
    '<sip:a@b>x',
    '<sip:a@b>;;tag=1',
    '<sip:a@b>;t ag=1',
    '<sip:a@b>;tag=a b',
    '<sip:a@b>;tag="open',
    'sip:a@b?x=y',
  ])('is not %j', (text) => {
    expect(parseNameAddr(text)).toBeUndefined();
  });

  it('is written so that it is read the same', () => {
    const name = fc.string({ maxLength: 12 }).map((text) => text.trim());
    fc.assert(
      fc.property(name, (displayName) => {
        const address = { displayName, uri: 'sip:a@b;c=d', params: new Map([['tag', '7']]) };
        expect(parseNameAddr(formatNameAddr(address))).toEqual(address);
      }),
    );
  });

  it('may come in lists, on one line or more', () => {
    const routes = parseNameAddrs(['<sip:p1;lr>, "a, b" <sip:p2;lr>', '<sip:p3,x>']);
    expect(routes?.map(({ uri }) => uri)).toEqual(['sip:p1;lr', 'sip:p2;lr', 'sip:p3,x']);
    expect(parseNameAddrs(['<sip:p1>,'])).toBeUndefined();
    expect(parseNameAddrs([])).toEqual([]);
  });

  it('has a tag or none', () => {
    const tag = (text: string) => tagOf(parseNameAddr(text) ?? { displayName: '', uri: '', params: new Map() });
    expect([tag('<sip:a>;tag=x'), tag('<sip:a;tag=x>'), tag('<sip:a>;tag'), tag('<sip:a>;tag=')]).toEqual([
      'x',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('lists and parameters', () => {
  it('split at commas outside quotes and brackets only', () => {
    expect(splitList(' a ,"b,\\",c" , <d,e>,,f')).toEqual(['a', '"b,\\",c"', '<d,e>', '', 'f']);
    expect(splitList('"open, to the end')).toEqual(['"open, to the end']);
  });

  it('take the first of two of one name, and no more than 64', () => {
    expect([...(parseParams(';a=1;A=2', 0) ?? [])]).toEqual([['a', '1']]);
    const many = (count: number) => Array.from({ length: count }, (_, i) => `;p${i}`).join('');
    expect(parseParams(many(64), 0)?.size).toBe(64);
    expect(parseParams(many(65), 0)).toBeUndefined();
  });
});

describe('a Via', () => {
  it('has all its parts', () => {
    expect(parseVia('SIP/2.0/udp [2001:db8::9]:5062 ;rport;branch=z9hG4bK1;received=192.0.2.1;ttl=3;x')).toEqual({
      transport: 'UDP',
      host: '[2001:db8::9]',
      port: 5062,
      branch: 'z9hG4bK1',
      received: '192.0.2.1',
      rport: true,
      params: new Map<string, string | true>([
        ['ttl', '3'],
        ['x', true],
      ]),
    });
    expect(parseVia('SIP/2.0/WS df7jal23ls0d.invalid;rport=5070')).toMatchObject({ transport: 'WS', rport: 5070 });
  });

  it('is answered with its branch although one without a value stands before it', () => {
    const via = parseVia('SIP/2.0/UDP 192.0.2.102:5060;rport;branch;received;branch=z9hG4bK0166');
    expect(via).toMatchObject({ branch: 'z9hG4bK0166', received: undefined, rport: true });
  });

  it('still asks for rport when it did', () => {
    const via = parseVia('SIP/2.0/TCP host:5060;rport');
    expect(via && formatVia(via)).toBe('SIP/2.0/TCP host:5060;rport');
  });

  it('is written with what the server filled in (RFC 3581)', () => {
    const via = parseVia('SIP/2.0/UDP host;branch=z9hG4bK1;rport;x=1');
    expect(via && formatVia({ ...via, received: '192.0.2.1', rport: 9988 })).toBe(
      'SIP/2.0/UDP host;branch=z9hG4bK1;received=192.0.2.1;rport=9988;x=1',
    );
  });

  it.each([
    '',
    'UDP host',
    'SIP/2.0/UDP',
    'SIP/2.0/UDP host:70000',
    'SIP/2.0/UDP a b',
    'SIP/2.0/UDP host;;',
    'HTTP/2.0/UDP h',
  ])('is not %j', (text) => {
    expect(parseVia(text)).toBeUndefined();
  });
});
