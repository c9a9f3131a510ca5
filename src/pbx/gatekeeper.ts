// Who may speak to the exchange: digest authentication of SIP requests, and the trunk known by its flow. Knows no calls.
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import { DigestVerifier } from '../sip/digest.ts';
import type { TransportName } from '../sip/flow.ts';
import type { HeaderList, ServerRequest } from '../sip/user-agent-api.ts';
import type { Account } from '../store/store.ts';
import type { Directory } from './directory.ts';

/** What phones are asked with. */
export type DigestAlgorithm = 'MD5' | 'SHA-256';

const BROWSERS: ReadonlySet<TransportName> = new Set(['WS', 'WSS']);

export interface Refusal {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: HeaderList;
}

export type Admission =
  | { readonly ok: true; readonly account: Account }
  | { readonly ok: false; readonly refusal: Refusal };

export class Gatekeeper {
  readonly #directory: Directory;
  readonly #verifier: DigestVerifier;

  constructor(deps: {
    directory: Directory;
    clock: Clock;
    random: Random;
    realm: string;
    /**
     * One challenge each, the best first (RFC 8760, 2.4). Widely used phones (all that build on libre, as baresip does) give up at
     * the first one that they do not know.
     */
    algorithms: readonly DigestAlgorithm[];
  }) {
    this.#directory = deps.directory;
    this.#verifier = new DigestVerifier({
      realm: deps.realm,
      clock: deps.clock,
      algorithms: deps.algorithms,
      secret: deps.random.split('digest-secret').hex(64),
    });
  }

  /** Asks for the password, or says whose it was. REGISTER gets 401 as from a registrar, all else 407 as from a proxy. */
  admit(incoming: ServerRequest): Admission {
    const { request } = incoming;
    const registrar = request.method === 'REGISTER';
    let account: Account | undefined;
    const outcome = this.#verifier.verify({
      authorization: request.headers.all(registrar ? 'Authorization' : 'Proxy-Authorization'),
      method: request.method,
      uri: request.uri,
      password: (username) => {
        const found = this.#directory.account(username);
        account = found !== undefined && this.#directory.user(found.id)?.active === true ? found : undefined;
        return account?.sipPassword;
      },
    });
    if (outcome.ok && account !== undefined) return { ok: true, account };
    // A wrong password gets a fresh question, not 403: a phone whose first try raced a new password tries again.
    const stale = !outcome.ok && outcome.reason === 'stale';
    const name = registrar ? 'WWW-Authenticate' : 'Proxy-Authenticate';
    const challenges = this.#verifier.challenge({ stale });
    // Of several challenges old phones read the first, and the stacks of browsers (sip.js, JsSIP) the last.
    const ordered = BROWSERS.has(incoming.flow.transport) ? challenges.toReversed() : challenges;
    return {
      ok: false,
      refusal: { status: registrar ? 401 : 407, headers: ordered.map((value) => [name, value] as const) },
    };
  }
}
