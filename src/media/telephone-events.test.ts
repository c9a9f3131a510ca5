// Keys in RTP: each press is told once, whatever becomes of its packets.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRtp, writeRtp } from './rtp-packet.ts';
import { KeyReader, keyPackets } from './telephone-events.ts';

/** A packet as RFC 4733, 2.3 draws it. */
function packet(event: number, timestamp: number, duration: number, isEnd = false, ssrc = 7) {
  const payload = Uint8Array.of(event, isEnd ? 0x8a : 0x0a, duration >> 8, duration & 0xff);
  return { marker: false, payloadType: 101, sequence: 0, timestamp, ssrc, payload };
}

const told = (packets: ReturnType<typeof packet>[], atMs = 0): string =>
  ((reader) => packets.flatMap((one) => reader.read(one, atMs) ?? []).join(''))(new KeyReader());

describe('keys that are heard', () => {
  it('are told at their first packet, and not again at the three that end them', () => {
    const press = (event: number, at: number) => [
      ...[160, 320, 480].map((duration) => packet(event, at, duration)),
      ...[640, 640, 640].map((duration) => packet(event, at, duration, true)),
    ];
    expect(told([...press(1, 1000), ...press(1, 3000), ...press(10, 5000), ...press(11, 7000)])).toBe('11*#');
  });

  it('are told when only the end arrives', () => {
    expect(told([packet(5, 1000, 640, true), packet(5, 1000, 640, true)])).toBe('5');
  });

  it('are not told again by late packets of an earlier press', () => {
    expect(told([packet(5, 1000, 640), packet(6, 3000, 160), packet(5, 1000, 640, true)])).toBe('56');
  });

  it('are one key when it is held for longer than a packet can say', () => {
    expect(told([packet(5, 1000, 0xffff), packet(5, 1000 + 0xffff, 160), packet(5, 1000 + 0xffff, 320, true)])).toBe(
      '5',
    );
  });

  it('are each a key of their own where a sender gives all the same time', () => {
    expect(told([packet(1, 1000, 160), packet(2, 1000, 160), packet(2, 1000, 320, true)])).toBe('12');
    const reader = new KeyReader();
    const presses = [0, 20, 1500, 1520].map((atMs) => reader.read(packet(1, 1000, 160), atMs));
    expect(presses).toEqual(['1', undefined, '1', undefined]);
  });

  it('go on over the end of the 32 bits, and begin anew with another source', () => {
    expect(told([packet(1, 0xfffffff0, 160), packet(2, 0x100, 160)])).toBe('12');
    expect(told([packet(1, 9000, 160), packet(2, 100, 160, false, 8)])).toBe('12');
  });

  it('are the sixteen of a telephone: a flash of the hook is none, and half a packet tells nothing', () => {
    expect(told(Array.from({ length: 18 }, (_, event) => packet(event, event * 1000, 160)))).toBe('0123456789*#ABCD');
    expect(told([{ ...packet(1, 1, 1), payload: Uint8Array.of(1, 2, 3) }])).toBe('');
  });

  it('are at most twenty in a second', () => {
    const many = Array.from({ length: 100 }, (_, at) => packet(1, at * 1000, 160));
    expect(told(many)).toBe('1'.repeat(20));
    const reader = new KeyReader();
    const later = many.flatMap((one, at) => reader.read(one, at * 100) ?? []);
    expect(later).toHaveLength(100);
  });

  it('come from no bytes that throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (all) => {
        const reader = new KeyReader();
        for (const bytes of all) {
          const read = readRtp(bytes);
          if (read !== undefined) reader.read(read, 0);
        }
      }),
    );
  });
});

describe('keys that are sent', () => {
  it('grow by their frames and end three times', () => {
    const packets = keyPackets('#', 100, 160) ?? [];
    expect(packets.map(({ payload }) => Buffer.from(payload).toString('hex'))).toEqual([
      '0b0a00a0',
      '0b0a0140',
      '0b0a01e0',
      '0b0a0280',
      '0b8a0320',
      '0b8a0320',
      '0b8a0320',
    ]);
    expect(packets.map(({ marker }) => marker)).toEqual([true, false, false, false, false, false, false]);
  });

  it('are none for what is no key', () => {
    expect([keyPackets('x', 100, 160), keyPackets('', 100, 160)]).toEqual([undefined, undefined]);
  });
});

describe('a packet', () => {
  it('is written as RFC 3550 draws it', () => {
    const header = { marker: true, payloadType: 101, sequence: 0x1234, timestamp: 0x9abcdef0, ssrc: 0xdeadbeef };
    const bytes = writeRtp({ ...header, payload: Uint8Array.of(1, 2) });
    expect(Buffer.from(bytes).toString('hex')).toBe('80e512349abcdef0deadbeef0102');
    expect(readRtp(bytes)).toEqual({ ...header, payload: Uint8Array.of(1, 2) });
  });

  it('is read without its sources, its extension and its padding', () => {
    const hex = `b1 00 0001 00000002 00000003 aaaaaaaa bede0001 bbbbbbbb 11 22 00 02`.replaceAll(' ', '');
    expect(readRtp(Buffer.from(hex, 'hex'))?.payload).toEqual(Buffer.from('1122', 'hex'));
  });

  it.each(['', '80', '000000010000000200000003', 'af0000010000000200000003', `a00000010000000200000003ff`])(
    'is none: %s',
    (hex) => {
      expect(readRtp(Buffer.from(hex, 'hex'))).toBeUndefined();
    },
  );
});
