// Where webhooks may be sent, by name, by number in every spelling, and by what names turn out to mean.
import type { LookupAddress, lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkTarget, guarded } from './web-target.ts';

const strict = { allowLoopbackHttp: false };
const trying = { allowLoopbackHttp: true };
const NEVER = 'must not point to a link-local or cloud metadata address';

describe('the target of a webhook', () => {
  it.each([
    'https://example.com/hook?key=1',
    'https://example.com:8443',
    'https://127.0.0.1:9443/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.0.0.8/hook',
    'https://[fd12:3456::1]/',
    'https://bücher.example/',
  ])('may be %s', (url) => {
    expect(checkTarget(url, strict)).toBeUndefined();
  });

  it.each([
    ['', 'must be a whole URL, such as https://example.com/hook'],
    ['example.com/hook', 'must be a whole URL, such as https://example.com/hook'],
    ['https://', 'must be a whole URL, such as https://example.com/hook'],
    ['https://exa mple.com/', 'must be a whole URL, such as https://example.com/hook'],
    ['ftp://example.com/', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['http://example.com/', 'must use https (plain http to loopback has to be switched on)'],
    ['http://127.0.0.1/', 'must use https (plain http to loopback has to be switched on)'],
    ['https://user:secret@example.com/', 'must not contain a user name or password'],
    ['https://user@example.com/', 'must not contain a user name or password'],
    ['https://0.0.0.0/', 'must point to one host'],
    ['https://[::]/', 'must point to one host'],
    ['https://224.0.0.1/', 'must point to one host'],
    ['https://255.255.255.255/', 'must point to one host'],
  ])('may not be %s', (url, why) => {
    expect(checkTarget(url, strict)).toBe(why);
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://169.254.0.1/',
    'https://169.254.169.254./',
    'https://2852039166/',
    'https://0xA9FEA9FE/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://１６９.254.169.254/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::a9fe:a9fe]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[fe80::1]/',
    'https://[febf:ffff::1]/',
    'https://[fd00:ec2::254]/',
    'https://100.100.100.200/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://METADATA.google.internal./',
    'https://metadata/',
  ])('is never %s', (url) => {
    expect(checkTarget(url, strict)).toBe(NEVER);
    expect(checkTarget(url.replace('https:', 'http:'), trying)).toBe(NEVER);
  });

  it.each([
    ['http://127.0.0.1:3000/hook', undefined],
    ['http://127.9.9.9/', undefined],
    ['http://0x7f.1/', undefined],
    ['http://localhost:3000/', undefined],
    ['http://[::1]:3000/', undefined],
    ['http://example.com/', 'must use https (plain http is for loopback only)'],
    ['http://localhost.example.com/', 'must use https (plain http is for loopback only)'],
    ['http://10.0.0.8/', 'must use https (plain http is for loopback only)'],
    ['http://127.0.0.1@example.com/', 'must not contain a user name or password'],
  ])('with plain http switched on: %s', (url, why) => {
    expect(checkTarget(url, trying)).toBe(why);
  });
});

describe('what a name leads to', () => {
  /** A name server with one answer. */
  function answering(...addresses: string[]): typeof lookup {
    const all: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const found = (_name: string, _options: unknown, done: (error: null, list: LookupAddress[]) => void): void =>
      done(null, all);
    return found as unknown as typeof lookup;
  }

  function ask(name: string, server: typeof lookup, all: boolean): Promise<unknown> {
    return new Promise((resolve) => {
      guarded(server)(name, { all }, (error, address) => resolve(error === null ? address : error.message));
    });
  }

  it('is left alone when it is a host', async () => {
    const server = answering('192.0.2.7', '2001:db8::7');
    expect(await ask('example.com', server, false)).toBe('192.0.2.7');
    expect(await ask('example.com', server, true)).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('is never a metadata service, whatever the name says', async () => {
    const why = 'innocent.example leads to 169.254.169.254, where no webhook is sent';
    expect(await ask('innocent.example', answering('169.254.169.254'), false)).toBe(why);
    expect(await ask('innocent.example', answering('169.254.169.254'), true)).toBe(why);
    expect(await ask('mixed.example', answering('fe80::1', '192.0.2.7'), true)).toEqual([
      { address: '192.0.2.7', family: 4 },
    ]);
  });

  it('has to be this machine for localhost, which plain http relies on', async () => {
    expect(await ask('localhost', answering('192.0.2.7'), true)).toBe(
      'localhost leads to 192.0.2.7, where no webhook is sent',
    );
    expect(await ask('localhost', answering('127.0.0.1'), false)).toBe('127.0.0.1');
  });
});
