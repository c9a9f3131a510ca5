// Hosts as numbers: spellings, families, and which of our own addresses a peer can reach.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, isLoopback, isUnicast, ownHostFor, ownHosts, peerAddress, written } from './ip-address.ts';

describe('addresses of peers', () => {
  it('have one spelling', () => {
    expect(peerAddress({ host: '[2001:DB8:0:0::1]', port: 5060 }, 6)).toEqual({ host: '2001:db8::1', port: 5060 });
    expect(peerAddress({ host: '192.0.2.1', port: 65_535 }, 4)).toEqual({ host: '192.0.2.1', port: 65_535 });
    expect(peerAddress({ host: 'LocalHost', port: 5060 }, 6)).toEqual({ host: '::1', port: 5060 });
  });

  it('never throw, whatever the host', () => {
    const host = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4Extended(),
      fc.constantFrom('[', '[]', 'fe80::1%x'),
    );
    fc.assert(
      fc.property(host, fc.integer(), fc.constantFrom(4 as const, 6 as const), (name, port, family) => {
        const address = peerAddress({ host: name, port }, family);
        if (address !== undefined) expect(address.host.includes(':')).toBe(family === 6);
      }),
    );
  });

  it('are written with brackets where a colon would mislead', () => {
    expect(written({ host: '::1', port: 5060 })).toBe('[::1]:5060');
    expect(written({ host: '127.0.0.1', port: 5060 })).toBe('127.0.0.1:5060');
  });

  it.each([
    ['127.0.0.1', true, true],
    ['127.255.0.9', true, true],
    ['::1', true, true],
    ['::ffff:127.0.0.1', true, true],
    ['128.0.0.1', false, true],
    ['0.0.0.0', false, false],
    ['::', false, false],
    ['239.1.2.3', false, false],
    ['ff02::1', false, false],
    ['255.255.255.255', false, false],
    ['localhost', false, false],
  ])('%s: loopback %s, one peer %s', (host, ours, one) => {
    expect(isLoopback(host)).toBe(ours);
    expect(isUnicast(host)).toBe(one);
  });
});

describe('the bytes of an address', () => {
  it.each([
    ['127.0.0.1', '7f000001'],
    ['::1', '00000000000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['2001:db8::a:0:1', '20010db800000000 0000000a00000001'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['1::', '00010000000000000000000000000000'],
  ])('%s', (host, hex) => {
    expect(Buffer.from(addressBytes(host)).toString('hex')).toBe(hex.replace(' ', ''));
  });
});

describe('the addresses of a server', () => {
  it('are the one that it listens on', () => {
    expect(ownHosts('192.0.2.7')).toEqual(['192.0.2.7']);
  });

  it.each(['0.0.0.0', '::'])('are those of the machine besides, where it listens on %s', (all) => {
    expect(ownHosts(all)).toEqual(expect.arrayContaining([all, '127.0.0.1']));
  });
});

describe('our own address', () => {
  it('is the one bound to', () => {
    expect(ownHostFor('192.0.2.7', '127.0.0.1')).toBe('192.0.2.7');
  });

  it('bound to all, is the one in the network of the peer', () => {
    expect(ownHostFor('0.0.0.0', '127.0.0.9')).toBe('127.0.0.1');
    expect(ownHostFor('::', '::1')).toBe('::1');
  });
});
