// DER against what X.690 and well-known encodings say, byte for byte.
import { describe, expect, it } from 'vitest';
import { bits, integer, objectId, octets, sequence, set, tagged, time, utf8, yes } from './der.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('DER', () => {
  it.each([
    ['an empty sequence', sequence(), '3000'],
    ['a set of a truth', set(yes()), '31030101ff'],
    ['octets', octets(Buffer.from('0102', 'hex')), '04020102'],
    ['text', utf8('pé'), '0c0370c3a9'],
    ['zero', integer(Buffer.from([0, 0])), '020100'],
    ['127', integer(Buffer.from([0x7f])), '02017f'],
    ['128, which must not read as negative', integer(Buffer.from([0x80])), '02020080'],
    ['256 with a needless zero', integer(Buffer.from([0, 1, 0])), '02020100'],
    ['18 bits (X.690, 8.6.4.2)', bits(Buffer.from('0a3b5f291cd0', 'hex'), 4), '0307040a3b5f291cd0'],
    ['the arc of RSA', objectId('1.2.840.113549'), '06062a864886f70d'],
    ['an arc with a second number above 39', objectId('2.100.3'), '0603813403'],
    ['a moment of this century', time(Date.UTC(2026, 10, 21, 9, 8, 7, 999)), '170d3236313132313039303830375a'],
    ['a moment from 2050 on', time(Date.UTC(2050, 0, 1)), '180f32303530303130313030303030305a'],
  ])('writes %s', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });

  it.each([
    [127, '047f'],
    [128, '048180'],
    [201, '0481c9'],
    [65_536, '0483010000'],
  ])('writes a length of %i in as few bytes as there can be', (length, head) => {
    const bytes = tagged(4, Buffer.alloc(length));
    expect(hex(bytes.subarray(0, bytes.length - length))).toBe(head);
  });
});
