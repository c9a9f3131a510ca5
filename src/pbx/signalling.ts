// How the exchange speaks SIP where the RFCs leave it the choice: session timers of its own, and what it asks for passwords with. Data.
import { failure, type Result, success } from '../kernel/errors.ts';
import type { DigestAlgorithm } from './gatekeeper.ts';

/** Seconds that a session timer may have: RFC 4028, 4 allows no shorter one, and nobody needs a longer one than a day. */
export const SESSION_EXPIRES_S = { least: 90, most: 86_400 };

export const DIGESTS = ['md5', 'sha-256', 'both'] as const;
export type DigestChoice = (typeof DIGESTS)[number];

export interface Signalling {
  /**
   * The session timer that the exchange asks for in its INVITEs and brings with its answers (RFC 4028), in seconds. It refreshes the
   * session itself, so that a phone that is not there any more is noticed without media. Default: only timers that phones want.
   */
  readonly sessionExpiresS?: number;
  /**
   * With what phones are asked for their password (RFC 8760). Default `md5`, for widely used phones give up at a challenge that they do
   * not know; `both` asks with SHA-256 first.
   */
  readonly digest?: DigestChoice;
}

/** The settings, or why they cannot be. Undefined members are as if they were not there. */
export function readSignalling(wish: {
  readonly sessionExpiresS?: number | undefined;
  readonly digest?: string | undefined;
}): Result<Signalling> {
  const { least, most } = SESSION_EXPIRES_S;
  const { sessionExpiresS: seconds } = wish;
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= least && seconds <= most))
    return failure('invalid', `sessionExpiresS: expected a whole number of seconds from ${least} to ${most}.`);
  const digest = DIGESTS.find((name) => name === wish.digest);
  if (wish.digest !== undefined && digest === undefined)
    return failure('invalid', `digest: expected ${DIGESTS.join(', ')}.`);
  return success({
    ...(seconds === undefined ? {} : { sessionExpiresS: seconds }),
    ...(digest === undefined ? {} : { digest }),
  });
}

/** Best first. */
export function algorithmsOf(digest: DigestChoice = 'md5'): readonly DigestAlgorithm[] {
  const wanted: Readonly<Record<DigestChoice, readonly DigestAlgorithm[]>> = {
    md5: ['MD5'],
    'sha-256': ['SHA-256'],
    both: ['SHA-256', 'MD5'],
  };
  return wanted[digest];
}
