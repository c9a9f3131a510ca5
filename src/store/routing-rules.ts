// What a routing rule says and whether it holds for a call: pure readings of the record (CHOICE-ROUTING-RULES). Knows no exchange.
import { type DestinationType, isWord, ruleDirectionCodes, wordOf } from '../contract/codes.ts';
import type { RoutingRule } from '../contract/resources/settings.ts';

/** Where a rule may send a call: everything that a final destination may be but the end of the call, which is to block. */
export type RuleTarget = Exclude<DestinationType, 'H'>;

export type RuleAction =
  | { readonly kind: 'block' }
  | { readonly kind: 'redirect'; readonly letter: RuleTarget; readonly id: number };

/** What is known of a call when its rules are asked. */
export interface RuleCall {
  readonly direction: 'in' | 'out';
  /** All names of the caller: number, extension, user id, `group:<id>` of each user group; `anonymous` without a number. */
  readonly src: string | readonly string[];
  /** The same of whom the call is for. */
  readonly dst: string | readonly string[];
  /** ms since 1970 on the clock. */
  readonly atMs: number;
}

/** `block`, or `redirect:<letter>:<id>`; undefined for any other text. */
export function parseAction(text: string): RuleAction | undefined {
  if (text === 'block') return { kind: 'block' };
  const [, letter, id] = /^redirect:([UVRIQC]):([1-9]\d{0,14})$/.exec(text) ?? [];
  return letter === undefined ? undefined : { kind: 'redirect', letter: letter as RuleTarget, id: Number(id) };
}

/** A number, an extension or an id, `*` at its end for any more digits; `anonymous`; `group:<id>`. */
export function isRuleEnd(text: string): boolean {
  return /^(\+?[0-9#*]{1,20}|anonymous|group:[1-9]\d{0,14})$/.test(text);
}

/** The elements of a list in its read form. */
export function ruleList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((element) => element.trim());
}

/** What the rule does with the call; undefined when it is not about it. */
export function matchRule(
  rule: Pick<RoutingRule, 'direction' | 'source' | 'destination' | 'time_interval' | 'action'>,
  { direction, src, dst, atMs }: RuleCall,
): RuleAction | undefined {
  const word = wordOf(ruleDirectionCodes, rule.direction);
  if (word === undefined || !isWord(ruleDirectionCodes, word) || word !== direction) return undefined;
  if (!names(rule.source, src) || !names(rule.destination, dst) || !isInForce(rule.time_interval, atMs))
    return undefined;
  return parseAction(rule.action);
}

/** What the first of the rules by `pos` that is about the call does with it. */
export function firstMatch(rules: Iterable<RoutingRule>, call: RuleCall): RuleAction | undefined {
  for (const rule of [...rules].sort((one, other) => one.pos - other.pos || one.id - other.id)) {
    const action = matchRule(rule, call);
    if (action !== undefined) return action;
  }
  return undefined;
}

/** An empty list is about everybody. */
function names(list: string, end: string | readonly string[]): boolean {
  const elements = ruleList(list);
  const known = [end].flat().map(bare);
  return elements.length === 0 || elements.some((element) => known.some((name) => fits(bare(element), name)));
}

function fits(element: string, name: string): boolean {
  return element.endsWith('*') ? name.startsWith(element.slice(0, -1)) : element === name;
}

function bare(name: string): string {
  return name.replace(/^\+/, '');
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const DAY_MINUTES = 1440;

/** A part of the week in UTC. */
interface Interval {
  /** Numbers of days, 0 for Sunday. */
  readonly days: ReadonlySet<number>;
  /** Minutes after midnight; an end that is not after the start is on the next day. */
  readonly from: number;
  readonly until: number;
}

/** `mon-fri@09:00-17:30`, `sat`; `always` for the id of an interval, since nothing says when that is. Undefined for other text. */
export function parseInterval(text: string): Interval | 'always' | undefined {
  if (/^[1-9]\d{0,14}$/.test(text)) return 'always';
  const match = /^([a-z]{3})(?:-([a-z]{3}))?(?:@([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, first = '', last = first, fromHour = '00', fromMinute = '00', untilHour = '00', untilMinute = '00'] = match;
  const days = daysFrom(dayOf(first), dayOf(last));
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const until = Number(untilHour) * 60 + Number(untilMinute);
  return days === undefined ? undefined : { days, from, until: until > from ? until : until + DAY_MINUTES };
}

function dayOf(word: string): number {
  return (DAYS as readonly string[]).indexOf(word);
}

/** From one day to another, over the end of the week when need be. */
function daysFrom(first: number, last: number): ReadonlySet<number> | undefined {
  if (first < 0 || last < 0) return undefined;
  const count = ((last - first + 7) % 7) + 1;
  return new Set(Array.from({ length: count }, (_, index) => (first + index) % 7));
}

/** Without an interval, always. */
function isInForce(list: string, atMs: number): boolean {
  const intervals = ruleList(list).flatMap((text) => parseInterval(text) ?? []);
  return intervals.length === 0 || intervals.some((interval) => interval === 'always' || contains(interval, atMs));
}

/** The interval of today, or the part of yesterday's that is after midnight. */
function contains({ days, from, until }: Interval, atMs: number): boolean {
  const minutes = Math.floor(atMs / 60_000);
  const minute = minutes % DAY_MINUTES;
  // 1 January 1970 was a Thursday.
  const today = (Math.floor(minutes / DAY_MINUTES) + 4) % 7;
  if (days.has(today) && minute >= from && minute < until) return true;
  return days.has((today + 6) % 7) && minute + DAY_MINUTES < until;
}
