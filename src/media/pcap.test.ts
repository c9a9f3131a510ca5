// Captures to the last byte: file header, packet headers, checksums worked out by hand, addresses of those who have none.
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../kernel/journal.ts';
import { IpWriter } from './ip-packets.ts';
import { addressBytes, HostAddresses, splitHostPort } from './ip-text.ts';
import { pcapOf } from './pcap.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const v4 = (last: number, port: number) => ({ address: Uint8Array.of(192, 0, 2, last), port });
const v6 = (last: number, port: number) => ({ address: addressBytes(`2001:db8::${last}`) ?? new Uint8Array(16), port });

function entry(seq: number, at: number, kind: string, data: Record<string, string>): JournalEntry {
  return { seq, at, kind, callId: 1, customerId: 1, cause: null, data };
}

describe('a capture', () => {
  it('has the SIP messages alone, each with its time in microseconds', () => {
    const leg = { transport: 'MEM', local: 'pbx.test:5060', remote: 'phone-1.invalid:5060' };
    const bytes = pcapOf({
      entries: [
        entry(1, 1_767_225_600_250, 'sip.in', { ...leg, text: 'AB' }),
        entry(2, 1_767_225_600_250, 'call.state', { to: 'INITIAL' }),
      ],
    });
    expect(hex(bytes)).toBe(
      [
        'a1b2c3d4 0002 0004 00000000 00000000 00040000 00000065',
        '6955b900 0003d090 0000001e 0000001e',
        // 192.0.2.2 to 192.0.2.1, which is the exchange. The words sum to 20933, folded 0935, its complement f6ca.
        '4500001e 00010000 4011f6ca c0000202 c0000201',
        // Pseudo-header 1841e, ports and length 2792, data 4142: 1ecf2, folded ecf3, its complement 130c.
        '13c413c4 000a130c 4142',
      ]
        .join('')
        .replaceAll(' ', ''),
    );
  });

  it('keeps bytes that are no text', () => {
    const data = {
      transport: 'UDP',
      local: '127.0.0.1:5060',
      remote: '127.0.0.1:5070',
      text: '\uFFFD',
      base64: '/w==',
    };
    expect(hex(pcapOf({ entries: [entry(1, 0, 'sip.in', data)] })).endsWith('ff')).toBe(true);
  });

  it('has one dialog alone when asked', () => {
    const leg = { transport: 'UDP', local: '127.0.0.1:5060', remote: '127.0.0.1:5070' };
    const entries = [
      entry(1, 0, 'sip.in', { ...leg, sip_call_id: 'a', text: 'one' }),
      entry(2, 0, 'sip.in', { ...leg, sip_call_id: 'b', text: 'two' }),
    ];
    const text = Buffer.from(pcapOf({ entries }, 'b')).toString('latin1');
    expect([text.includes('one'), text.includes('two')]).toEqual([false, true]);
  });
});

describe('packets', () => {
  it('are fragments where the network would not take them whole, counted in eights', () => {
    const packets = new IpWriter().udp(v4(1, 5060), v4(2, 5060), new Uint8Array(3000));
    expect(packets.map((packet) => packet.length)).toEqual([1468, 1468, 132]);
    expect(packets.map((packet) => hex(packet.subarray(4, 8)))).toEqual(['00012000', '000120b5', '0001016a']);
  });

  it('of IPv6 carry a fragment header of their own', () => {
    const packets = new IpWriter().udp(v6(1, 5060), v6(2, 5060), new Uint8Array(1500));
    expect(packets.map((packet) => packet[6])).toEqual([44, 44]);
    expect(packets.map((packet) => hex(packet.subarray(40, 48)))).toEqual(['1100000100000001', '110005a800000001']);
    expect(new IpWriter().udp(v6(1, 5060), v6(2, 5060), new Uint8Array(9))[0]?.[6]).toBe(17);
  });

  it('of a stream go on where the last one ended, and know what the other side has sent', () => {
    const writer = new IpWriter();
    const numbers = (packets: readonly Uint8Array[]): string[] => packets.map((packet) => hex(packet.subarray(24, 32)));
    expect(numbers(writer.tcp(v4(1, 5060), v4(2, 40_000), new Uint8Array(10)))).toEqual(['0000000100000001']);
    expect(numbers(writer.tcp(v4(2, 40_000), v4(1, 5060), new Uint8Array(5)))).toEqual(['000000010000000b']);
    expect(numbers(writer.tcp(v4(1, 5060), v4(2, 40_000), new Uint8Array(40_000)))).toEqual([
      '0000000b00000006',
      '0000800b00000006',
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['192.0.2.7', 'c0000207'],
    ['::1', '00000000000000000000000000000001'],
    ['2001:db8::9', '20010db8000000000000000000000009'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:192.0.2.7', 'c0000207'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s', (text, bytes) => {
    expect(hex(addressBytes(text) ?? new Uint8Array())).toBe(bytes);
  });

  it.each(['phone-1.invalid', '1.2.3', '1.2.3.256', '1:2', '1::2::3', '12345::', ':::', ''])('%s is none', (text) => {
    expect(addressBytes(text)).toBeUndefined();
  });

  it('of names are those set aside for documentation, of the family of the other end', () => {
    const hosts = new HostAddresses();
    const shown = (one: string, other: string) =>
      hosts.pair(one, other).map(({ address, port }) => `${hex(address)}:${port}`);
    expect(shown('pbx.test:5060', 'phone-1.invalid:5061')).toEqual(['c0000201:5060', 'c0000202:5061']);
    expect(shown('pbx.test:5060', 'phone-2.invalid')).toEqual(['c0000201:5060', 'c0000203:5060']);
    expect(shown('pbx.test:5060', '[2001:db8::99]:7')).toEqual([
      '20010db8000000000000000000000001:5060',
      '20010db8000000000000000000000099:7',
    ]);
    expect(splitHostPort('x:99999')).toEqual({ host: 'x', port: 5060 });
  });
});
