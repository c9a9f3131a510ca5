// What the local authority vouches for, as Node reads it and as OpenSSL judges it.
import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { basicConstraints, certificate, forServers, issuerKey, keyUsage, subjectNames } from './certificate.ts';
import { LocalAuthority } from './local-authority.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const folder = mkdtempSync(join(tmpdir(), 'pbxsim-authority-'));
afterAll(() => rmSync(folder, { recursive: true }));

const authority = LocalAuthority.make(NOW);
const own = new X509Certificate(authority.pem);

/** What `openssl verify` says of a certificate under the authority, at that time. */
function judge(cert: string, args: readonly string[] = [], atMs = NOW): string {
  const [ca, file] = [join(folder, 'ca.pem'), join(folder, 'cert.pem')];
  writeFileSync(ca, authority.pem);
  writeFileSync(file, cert);
  const when = ['-attime', String(atMs / 1000)];
  const { stdout, stderr } = spawnSync(
    'openssl',
    ['verify', '-x509_strict', '-purpose', 'sslserver', ...when, ...args, '-CAfile', ca, file],
    { encoding: 'utf8' },
  );
  return stdout.trim().endsWith(': OK') ? 'OK' : (/lookup: (.*)/.exec(stderr)?.[1] ?? stderr);
}

describe('the local authority', () => {
  it('is an authority of servers for two years, with a name that its key gives it', () => {
    expect(own.ca).toBe(true);
    expect(own.verify(own.publicKey)).toBe(true);
    expect(own.subject).toMatch(/^O=pbxsim\nCN=pbxsim local authority [0-9a-f]{8}$/);
    expect(own.issuer).toBe(own.subject);
    expect(own.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(own.validFrom).toBe('Nov 21 11:00:00 2026 GMT');
    expect(own.validTo).toBe('Nov 20 12:00:00 2028 GMT');
    expect(new X509Certificate(LocalAuthority.make(NOW).pem).subject).not.toBe(own.subject);
  });

  it('is limited to names of this machine, as OpenSSL reads it', () => {
    writeFileSync(join(folder, 'ca.pem'), authority.pem);
    const text = execFileSync('openssl', ['x509', '-in', join(folder, 'ca.pem'), '-noout', '-text'], {
      encoding: 'utf8',
    }).replace(/\s+/g, ' ');
    expect(text).toContain('Basic Constraints: critical CA:TRUE, pathlen:0');
    expect(text).toContain('Key Usage: critical Certificate Sign, CRL Sign');
    expect(text).toContain('Name Constraints: critical Permitted: DNS:localhost DNS:pbxsim.test');
    expect(text).toContain('ASN1 OID: prime256v1');
  });

  it('vouches for a server at loopback, its names and the addresses given, for 90 days', () => {
    const { cert, key } = authority.certificateFor(['192.168.1.5', 'fe80::1%eth0', '::1'], NOW);
    const server = new X509Certificate(cert);
    expect(server.subjectAltName).toBe(
      'DNS:localhost, DNS:pbxsim.test, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, ' +
        'IP Address:192.168.1.5, IP Address:FE80:0:0:0:0:0:0:1',
    );
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.validTo).toBe('Feb 19 12:00:00 2027 GMT');
    for (const args of [
      ['-verify_hostname', 'localhost'],
      ['-verify_hostname', 'pbxsim.test'],
      ['-verify_ip', '::1'],
    ])
      expect(judge(cert, args)).toBe('OK');
    expect(judge(cert, ['-verify_hostname', 'example.com'])).toMatch(/hostname mismatch/i);
    expect(judge(cert, [], Date.UTC(2027, 1, 20))).toMatch(/expired/);
  });

  it('gives each server a key and a serial number of its own', () => {
    const [one, other] = [authority.certificateFor([], NOW), authority.certificateFor([], NOW)];
    expect(one.key).not.toBe(other.key);
    expect(new X509Certificate(one.cert).serialNumber).not.toBe(new X509Certificate(other.cert).serialNumber);
  });

  it('lets no certificate outlive it', () => {
    const { cert } = authority.certificateFor([], authority.untilMs - 86_400_000);
    expect(new X509Certificate(cert).validTo).toBe(own.validTo);
  });

  it('is believed for no other name, even by whoever has its key', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [, organization = '', commonName = ''] = /O=(.*)\nCN=(.*)/.exec(own.subject) ?? [];
    const forged = certificate({
      subject: { organization: 'x', commonName: 'x' },
      issuer: { organization, commonName },
      fromMs: NOW - 1000,
      untilMs: NOW + 86_400_000,
      publicKey,
      signedBy: createPrivateKey(authority.secret),
      extensions: [
        basicConstraints(false),
        keyUsage('handshakes'),
        forServers(),
        subjectNames(['example.com']),
        issuerKey(own.publicKey),
      ],
    });
    expect(judge(forged)).toBe('permitted subtree violation');
  });

  it('is found again in what was kept of it, and only there', () => {
    expect(LocalAuthority.from(authority.secret)?.pem).toBe(authority.pem);
    const other = LocalAuthority.make(NOW);
    const keyOf = (text: string): string => text.slice(0, text.indexOf('-----BEGIN CERTIFICATE'));
    const server = authority.certificateFor([], NOW);
    for (const wrong of [
      '',
      'no key',
      authority.pem,
      keyOf(authority.secret),
      authority.secret.slice(0, -40),
      authority.secret.replace(/[a-z]/, 'é'),
      keyOf(other.secret) + authority.pem,
      server.key + server.cert,
    ])
      expect(LocalAuthority.from(wrong)).toBeUndefined();
  });
});
