// What `serve` says for programs when it is ready: one line of JSON. The words for people are in banner.ts.
import type { Simulator, SipAddresses } from '../simulator.ts';

export interface Ready {
  readonly httpUrl: string;
  readonly sip: SipAddresses;
  readonly simulator: Simulator;
  readonly allowHttpWebhooks: boolean;
  readonly controlToken: string | undefined;
  /** Path of the authority's certificate: of HTTPS, and of SIP over TLS. */
  readonly caFile?: string | undefined;
}

export const written = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** The ready line's members; their names are fixed. */
export function readyFacts({ httpUrl, sip, simulator, controlToken, caFile }: Ready): Record<string, unknown> {
  const { customers } = simulator.world;
  return {
    api_root: `${httpUrl}/v1.1/pbx`,
    control_root: `${httpUrl}/_sim`,
    openapi_url: `${httpUrl}/openapi.json`,
    sip: {
      ...{ udp: written(sip.udp), tcp: written(sip.tcp), ws: sip.ws },
      ...(sip.tls === undefined ? {} : { tls: written(sip.tls), wss: sip.wss }),
      domain: sip.domain,
    },
    users: customers.flatMap(({ users }) => users),
    numbers: customers[0]?.numbers ?? [],
    refused_credentials: customers[0]?.refused ?? [],
    seed: simulator.seed,
    clock: simulator.clock.mode,
    ...(caFile === undefined ? {} : { ca_file: caFile }),
    ...(controlToken === undefined ? {} : { control_token: controlToken }),
  };
}
