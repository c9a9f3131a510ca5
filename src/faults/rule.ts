// What a fault is, in the words of the control API: where it strikes, what it does, how often. Knows neither HTTP nor SIP.
import type { Json } from '../kernel/journal.ts';
import { parseDuration } from '../kernel/time.ts';

/** Where faults strike: a response of the API, a webhook's attempt, a SIP message at the exchange. */
export const BOUNDARIES = ['api', 'webhook', 'sip'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** What can be done there. */
export const DEEDS = {
  api: ['status', 'delay', 'reset', 'truncate', 'field'],
  webhook: ['drop', 'duplicate', 'reorder', 'delay', 'field'],
  sip: ['drop', 'duplicate', 'delay', 'reorder', 'garble'],
} as const satisfies Record<Boundary, readonly string[]>;
export type Deed = (typeof DEEDS)[Boundary][number];

/** As the exchange sees it. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** All that are given must be so; what is absent matches everything. */
export interface FaultMatch {
  readonly at: Boundary;
  /** `api`: an operation id of the specification. */
  readonly operation?: string;
  /** `webhook`: the name of an event. */
  readonly event?: string;
  /** `api`: the HTTP method. `sip`: the method of a request, or of the request that a response answers. */
  readonly method?: string;
  /** `sip`. */
  readonly direction?: Direction;
}

export interface FaultAction {
  readonly do: Deed;
  /** Of `status`: what is answered instead. */
  readonly status?: number;
  /** On the clock. Of `delay`: how long. Of `reorder`: how long to wait for the next one at most. */
  readonly ms?: number;
  /** Of `field`: a JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string;
  /** Of `field`: what stands there then. Absent: the member is removed. */
  readonly value?: Json;
}

export interface FaultDraft {
  readonly match: FaultMatch;
  readonly action: FaultAction;
  /** Acts at most so often. */
  readonly times?: number;
  /** Lets so many matches pass first. */
  readonly after?: number;
  /** Of acting on a match, from the seed. */
  readonly probability?: number;
  /** Life on the clock: ms, or a duration such as `15m`. */
  readonly ttl?: number | string;
}

/** A rule as it is listed. */
export interface FaultView extends FaultDraft {
  readonly id: number;
  /** Messages that it matched, and those on which it acted. */
  readonly matched: number;
  readonly acted: number;
  /** False when it has acted as often as it may. */
  readonly active: boolean;
  /** ISO 8601 UTC; null without `ttl`. */
  readonly expires_at: string | null;
}

/** What a rule looks at. */
export type FaultFacts =
  | { readonly at: 'api'; readonly operation: string | null; readonly method: string }
  | { readonly at: 'webhook'; readonly event: string }
  | { readonly at: 'sip'; readonly method: string; readonly direction: Direction };

/** Rules that there may be at a time. */
export const MAX_RULES = 100;
/** The longest delay: a day, as for phones. */
export const MAX_DELAY_MS = 86_400_000;
export const MAX_TTL_MS = 365 * 86_400_000;
export const MAX_COUNT = 1_000_000_000;
/** Of a pointer and of a value's JSON. */
export const MAX_POINTER_CHARACTERS = 1024;
export const MAX_VALUE_CHARACTERS = 65_536;

/** In ms; undefined when it is no duration. */
export function ttlMs(ttl: number | string): number | undefined {
  return typeof ttl === 'number' ? ttl : parseDuration(ttl);
}

/** One line for people: `3: webhook call.hangup drop, probability 0.1, 2 of 5 times`. */
export function describeFault({ id, match, action, probability, times, acted }: FaultView): string {
  const { at, direction, operation, event, method } = match;
  const where = [at, direction, operation, event, method].filter((word) => word !== undefined);
  const detail = action.status ?? action.pointer ?? (action.ms === undefined ? undefined : `${action.ms} ms`);
  const what = detail === undefined ? action.do : `${action.do} ${detail}`;
  const chance = probability === undefined ? '' : `, probability ${probability}`;
  return `${id}: ${where.join(' ')} ${what}${chance}${times === undefined ? '' : `, ${acted} of ${times} times`}`;
}
