// What flags may say, and the sentence for what they may not.
import { InvalidArgumentError } from 'commander';
import type { ClockMode } from '../kernel/clock.ts';
import { parseDuration, parseUtc } from '../kernel/time.ts';

export function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('expected a port from 0 to 65535.');
}

export function clockMode(text: string): ClockMode {
  if (text === 'real' || text === 'manual' || text === 'fast') return text;
  throw new InvalidArgumentError('expected real, manual or fast.');
}

/** Milliseconds since 1970. */
export function startTime(text: string): number {
  const ms = parseUtc(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('expected a time such as 2026-01-01T00:00:00Z.');
}

/** Whole milliseconds. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 0 && ms <= LONGEST_MS) return Math.round(ms);
  throw new InvalidArgumentError('expected a duration up to 1h, such as 500ms, 2s or 1m.');
}
const LONGEST_MS = 3_600_000;

/** From 1. */
export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a number from 1.');
}

/** Past calls that the seed world begins with. */
export function historySize(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_HISTORY) return Number(text);
  throw new InvalidArgumentError(`expected a number of calls from 0 to ${MAX_HISTORY}.`);
}
const MAX_HISTORY = 5_000_000;

/** Seconds of a session timer (RFC 4028). */
export function sessionExpires(text: string): number {
  const seconds = Number(text);
  if (/^\d{2,5}$/.test(text) && seconds >= 90 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('expected a number of seconds from 90 to 86400.');
}

/** One key of a telephone. */
export function key(text: string): string {
  if (/^[0-9*#A-D]$/.test(text)) return text;
  throw new InvalidArgumentError('expected one key of 0-9, *, #, A-D.');
}

/** `2027-01-31`. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && parseUtc(`${text}T00:00:00Z`) !== undefined) return text;
  throw new InvalidArgumentError('expected a day such as 2027-01-31.');
}

/** `2/3`: the second of three parts. */
export function shard(text: string): { readonly index: number; readonly of: number } {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index !== undefined && of !== undefined && index >= 1 && index <= of) return { index, of };
  throw new InvalidArgumentError('expected a part and how many there are, such as 1/3; the first is 1, the last 3/3.');
}

/** Patterns with commas between; at least one. */
export function patterns(text: string, before: readonly string[] = []): readonly string[] {
  const some = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (some.length === 0) throw new InvalidArgumentError("expected one at least, such as 'GET /queues*' or paging.");
  return [...before, ...some];
}

/** Every value of a flag that may come more than once. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
