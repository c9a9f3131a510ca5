// Which authorities are trusted for TLS to others: Node's, the machine's, and those given. Knows nothing of what is sent.
import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** The settings for connections that trust the usual authorities and those in `extraCa` (PEM). Takes some 80 ms: ask once, when needed. */
export function trusting(extraCa: string | undefined): SecureContext {
  const usual = [...getCACertificates('default'), ...getCACertificates('system')];
  return createSecureContext({ ca: [...new Set(extraCa === undefined ? usual : [...usual, extraCa])] });
}

/** What is wrong with a text that should be certificates in PEM, one or more; undefined when all can be read. */
export function certificateTrouble(pem: string): string | undefined {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) return 'it holds no certificate in PEM';
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch {
      return 'it holds a certificate that cannot be read';
    }
  }
  return undefined;
}

/** Throws when the text given as further authorities cannot be used: a sentence for whoever gave it. */
export function checkAuthorities(ca: string | undefined): void {
  const trouble = ca === undefined ? undefined : certificateTrouble(ca);
  if (trouble !== undefined) throw new Error(`The file of authorities for webhooks cannot be used: ${trouble}.`);
}
