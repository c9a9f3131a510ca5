// What sip.js is spared: challenges that it fails on, and the port of a Via of ours.
import { describe, expect, it } from 'vitest';
import { asSipjsTakes } from './sipjs-taste.ts';

const SHA = 'WWW-Authenticate: Digest realm="pbxsim.test",nonce="n",algorithm=SHA-256,qop="auth"';
const MD5 = 'WWW-Authenticate: Digest realm="pbxsim.test",nonce="n",algorithm=MD5,qop="auth"';
const BARE = 'Proxy-Authenticate: Digest realm="pbxsim.test",nonce="n"';

function response(...headers: string[]): string {
  return ['SIP/2.0 401 Unauthorized', ...headers, 'Content-Length: 0', '', ''].join('\r\n');
}

describe('challenges', () => {
  it.each([
    ['MD5 last', [SHA, MD5], [MD5]],
    ['MD5 first', [MD5, SHA], [MD5]],
    ['no algorithm, which means MD5', [SHA, BARE], [BARE]],
    ['none that it knows: all stay', [SHA], [SHA]],
  ])('%s', (_, given, kept) => {
    expect(asSipjsTakes(response(...given))).toBe(response(...kept));
  });
});

describe('the top Via', () => {
  it('loses its port, and only it', () => {
    const rest = ';branch=z9hG4bK1;rport=5070;received=127.0.0.1';
    const other = 'Via: SIP/2.0/UDP 192.0.2.1:5080;branch=z9hG4bK0';
    expect(asSipjsTakes(response(`Via: SIP/2.0/UDP 127.0.0.1:5070${rest}`, other))).toBe(
      response(`Via: SIP/2.0/UDP 127.0.0.1${rest}`, other),
    );
    expect(asSipjsTakes(response(`v: SIP / 2.0 / TCP [::1]:5070 ${rest}`))).toBe(
      response(`v: SIP / 2.0 / TCP [::1] ${rest}`),
    );
    expect(asSipjsTakes(response(`Via: SIP/2.0/WS abc.invalid${rest}`))).toBe(
      response(`Via: SIP/2.0/WS abc.invalid${rest}`),
    );
  });
});

it('leaves requests and bodies alone', () => {
  const request = `INVITE sip:101@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bK1\r\n\r\nVia: SIP/2.0/UDP h:1`;
  expect(asSipjsTakes(request)).toBe(request);
  expect(asSipjsTakes(`${response()}${SHA}`)).toBe(`${response()}${SHA}`);
});
