// Connections of an HTTP client that trusts the usual authorities and perhaps one more. Knows nothing of what is asked on them.
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { trusting } from './trust.ts';

interface Settings {
  /** How names become addresses. Default: the system's way. */
  readonly lookup?: LookupFunction;
  /** Until there is a connection, in ms. */
  readonly timeout: number;
}

/** The authorities, `ca` (PEM) among them, are read when the first HTTPS connection needs them. */
export function connector(settings: Settings, ca: string | undefined): buildConnector.connector {
  const plain = buildConnector({ ...settings, allowH2: false });
  let secure: buildConnector.connector | undefined;
  return (target, connected) => {
    if (target.protocol !== 'https:') return plain(target, connected);
    try {
      secure ??= buildConnector({ ...settings, allowH2: false, secureContext: trusting(ca) });
    } catch (error) {
      return connected(error instanceof Error ? error : new Error(String(error)), null);
    }
    secure(target, connected);
  };
}
