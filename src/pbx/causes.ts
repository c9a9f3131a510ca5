// Why a call ended: SIP status, Q.850 cause and the words of `t_cause`. Data; RFC 3398, 7.2.4.1 and 8.2.6.1 give the pairs.

export interface Cause {
  /** The SIP status that carries it; 0 for an end by BYE. */
  readonly status: number;
  readonly q850: number;
  /** The words of `t_cause` in events, CDRs and MSDRs. */
  readonly text: string;
}

const cause = (status: number, q850: number, text: string): Cause => ({ status, q850, text });

export const NORMAL_CLEARING = cause(0, 16, 'Normal clearing');
export const CALLER_CANCELLED = cause(487, 16, 'Originator cancel');
export const COMPLETED_ELSEWHERE = cause(0, 26, 'Call completed elsewhere');
export const NO_ANSWER = cause(480, 19, 'No answer');
/** Its phones are not rung at all: the user's calls go on at once (RFC 3261, 21.1.3 has the words). Q.850 has none for it. */
export const FORWARDED = cause(480, 31, 'Call forwarded');
export const NO_USER_RESPONDING = cause(480, 18, 'No user responding');
// RFC 3261, 21.4.18 names do-not-disturb; Q.850 has no word for it.
export const DO_NOT_DISTURB = cause(480, 21, 'Do not disturb');
export const NOT_REGISTERED = cause(480, 20, 'Subscriber absent');
export const QUEUE_FULL = cause(480, 42, 'Switching equipment congestion');
export const LOST = cause(0, 27, 'Destination out of order');
export const NO_ACK = cause(0, 102, 'Recovery on timer expiry');
/** A party that had sent sound sent none any more. Q.850 has no word for it; a timer it is. */
export const NO_SOUND = cause(0, 102, 'Media timeout');
/** Nobody refreshed the session in time, or the party did not answer a refresh (RFC 4028, 10). */
export const SESSION_EXPIRED = cause(0, 102, 'Session timer expired');
export const SHUTDOWN = cause(503, 41, 'Temporary failure');
/** The exchange went down without a word and came back: nobody sent a BYE. */
export const RESTARTED = cause(0, 41, 'System restarted');

const byStatus: readonly Cause[] = [
  cause(400, 127, 'Interworking, unspecified'),
  cause(401, 21, 'Call rejected'),
  cause(403, 21, 'Call rejected'),
  cause(404, 1, 'Unallocated number'),
  cause(405, 63, 'Service or option unavailable'),
  cause(407, 21, 'Call rejected'),
  cause(408, 18, 'No user responding'),
  cause(410, 22, 'Number changed'),
  cause(415, 79, 'Service or option not implemented'),
  cause(480, 18, 'No user responding'),
  cause(482, 25, 'Exchange routing error'),
  cause(483, 25, 'Exchange routing error'),
  cause(484, 28, 'Invalid number format'),
  cause(486, 17, 'User busy'),
  cause(487, 16, 'Originator cancel'),
  cause(488, 58, 'Bearer capability not available'),
  cause(500, 41, 'Temporary failure'),
  cause(502, 38, 'Network out of order'),
  cause(503, 41, 'Temporary failure'),
  cause(504, 102, 'Recovery on timer expiry'),
  cause(600, 17, 'User busy'),
  cause(603, 21, 'Call rejected'),
  cause(604, 1, 'Unallocated number'),
  cause(606, 58, 'Bearer capability not available'),
];

const OTHER = cause(480, 31, 'Normal, unspecified');

/** The cause that a final SIP failure stands for; the status itself is kept, but that of a redirection that led nowhere. */
export function causeOfStatus(status: number): Cause {
  if (status >= 300 && status < 400) return OTHER;
  const found = byStatus.find((entry) => entry.status === status) ?? OTHER;
  return found.status === status ? found : { ...found, status };
}

/** The value of a Reason header (RFC 3326) that tells the other leg. */
export function reasonHeader(of: Cause): string {
  // RFC 3326, 3.1: to a phone that rings no more because another one answered, the answer is the reason.
  if (of === COMPLETED_ELSEWHERE) return `SIP;cause=200;text="${of.text}"`;
  return `Q.850;cause=${of.q850};text="${of.text}"`;
}

/** The best of several failures, as a forking proxy picks it (RFC 3261, 16.7): 6xx first, then the lowest class, 486 before 480. */
export function bestFailure(causes: readonly Cause[]): Cause {
  const rank = (entry: Cause): number => {
    if (entry.status >= 600) return 0;
    if (entry.status === 486) return 1;
    return 2 + entry.status / 1000;
  };
  return causes.toSorted((a, b) => rank(a) - rank(b))[0] ?? NO_USER_RESPONDING;
}

/** Busy and declined are answers of the called party; the rest is not its doing. */
export function isCalleesWish(cause: Cause): boolean {
  return [486, 600, 603].includes(cause.status);
}
