// What an `events` step says about the deliveries so far: met, not yet, or never. Pure; knows no receiver and no clock.
import { parseUtc } from '../../kernel/time.ts';
import type { EventsStep, ExpectedEvent } from '../language/document.ts';
import { readOrder } from '../language/event-order.ts';
import type { Count } from '../language/shapes.ts';
import { pointerDifferences, shown, valueAt } from '../matching.ts';
import type { Difference } from './difference.ts';
import type { Delivery } from './inbox.ts';
import type { Seen } from './scenario-time.ts';

/** One event: its first delivery, and how often it was delivered. */
interface Event {
  readonly first: Delivery;
  deliveries: number;
}

interface Expectation {
  readonly name: string;
  readonly event: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly least: number;
  readonly most: number;
  readonly found: readonly Event[];
}

/** Values of the step's captures when it is met. */
export type EventCaptures = ReadonlyMap<string, unknown>;

/** `deliveries`: of the step's webhook, in order of arrival. References in the step are filled in. */
export function judgeEvents(step: EventsStep, deliveries: readonly Delivery[]): Seen<EventCaptures, Difference> {
  const all = eventsOf(deliveries, step.of);
  const expectations = Object.entries(step.events).map(([name, expected]) => expectationOf(name, expected, all));
  const never =
    invalid(deliveries) ??
    wrongMembers(expectations) ??
    tooMany(expectations, all) ??
    forbidden(step, all, expectations) ??
    outOfOrder(step, expectations) ??
    repeated(step, all);
  if (never !== undefined) return { is: 'never', difference: never };
  const missing = expectations.find(({ found, least }) => found.length < least);
  if (missing !== undefined) {
    const { name, event, least, most, found } = missing;
    const difference = {
      expected: `${name}: ${times(least, most)} ${event}`,
      actual: `${found.length}; ${arrived(all)}`,
    };
    return { is: 'not', difference };
  }
  return { is: 'so', value: capturesOf(step, expectations) };
}

function eventsOf(deliveries: readonly Delivery[], of: string | number | undefined): Event[] {
  const byId = new Map<string, Event>();
  for (const delivery of deliveries) {
    if (of !== undefined && String(delivery.body?.call_id) !== String(of)) continue;
    const known = byId.get(delivery.id);
    if (known === undefined) byId.set(delivery.id, { first: delivery, deliveries: 1 });
    else known.deliveries += 1;
  }
  return [...byId.values()];
}

function expectationOf(name: string, expected: ExpectedEvent, all: readonly Event[]): Expectation {
  const {
    event,
    where = {},
    with: members = {},
    count,
  } = typeof expected === 'string' ? { event: expected } : expected;
  const [least, most] = boundsOf(count ?? 1);
  const found = all.filter(({ first }) => first.event === event && pointerDifferences(first.body, where).length === 0);
  return { name, event, with: members, least, most, found };
}

/** The least and the most that a count allows. */
export function boundsOf(count: Count): readonly [number, number] {
  if (typeof count === 'number') return [count, count];
  return [count.at_least ?? 0, count.at_most ?? Number.POSITIVE_INFINITY];
}

/** `2`, `at least 1`, `1 to 3`. */
export function times(least: number, most: number): string {
  if (least === most) return String(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

/** Every delivery counts, also of calls that the step does not speak of. */
function invalid(deliveries: readonly Delivery[]): Difference | undefined {
  const bad = deliveries.find(({ flaws }) => flaws.length > 0);
  if (bad === undefined) return undefined;
  const [flaw = ''] = bad.flaws;
  const pointer = /^(\/\S+): /.exec(flaw)?.[1];
  return {
    expected: `every delivery valid by the contract: ${flaw.replace(/^\/\S+: /, '').replace(/, found .*/, '')}`,
    actual: `delivery ${bad.order}, ${bad.event || 'no event name'}: ${pointer === undefined ? flaw : shown(valueAt(bad.body, pointer))}`,
    ...(pointer === undefined ? {} : { pointer }),
  };
}

function wrongMembers(expectations: readonly Expectation[]): Difference | undefined {
  for (const { name, event, with: members, found } of expectations) {
    for (const { first } of found) {
      const [wrong] = pointerDifferences(first.body, members);
      if (wrong !== undefined) {
        return { pointer: wrong.pointer, expected: `${name}, ${event} with ${wrong.expected}`, actual: wrong.actual };
      }
    }
  }
  return undefined;
}

function tooMany(expectations: readonly Expectation[], all: readonly Event[]): Difference | undefined {
  const over = expectations.find(({ found, most }) => found.length > most);
  if (over === undefined) return undefined;
  const { name, event, least, most, found } = over;
  return { expected: `${name}: ${times(least, most)} ${event}`, actual: `${found.length}; ${arrived(all)}` };
}

function forbidden(
  step: EventsStep,
  all: readonly Event[],
  expectations: readonly Expectation[],
): Difference | undefined {
  const none = all.find(({ first }) => step.none?.some((name) => name === first.event));
  if (none !== undefined) return { expected: `no ${none.first.event}`, actual: arrived(all) };
  if (step.others === 'allow') return undefined;
  const known = new Set(expectations.flatMap(({ found }) => found));
  const other = all.find((event) => !known.has(event));
  if (other === undefined) return undefined;
  const expected = `no other events than ${expectations.map(({ event }) => event).join(', ') || 'none'}`;
  return { expected, actual: `${other.first.event || shown(other.first.body)}; ${arrived(all)}` };
}

function outOfOrder(step: EventsStep, expectations: readonly Expectation[]): Difference | undefined {
  if (step.order === undefined) return undefined;
  const reading = readOrder(step.order, Object.keys(step.events));
  if (!reading.ok) return undefined;
  const rank = step.ordered_by === 'event_time' ? timeOf : (event: Event): number => event.first.order;
  const found = new Map(expectations.map((expectation) => [expectation.name, expectation.found]));
  for (const [earlier, later] of reading.pairs) {
    const early = found.get(earlier) ?? [];
    const late = found.get(later) ?? [];
    const wrong = late.find((event) => early.some((other) => rank(other) > rank(event)));
    if (wrong === undefined) continue;
    const both = [...early, ...late].sort((a, b) => a.first.order - b.first.order);
    return { expected: `${earlier} before ${later}, by ${step.ordered_by ?? 'arrival'}`, actual: arrived(both) };
  }
  return undefined;
}

function timeOf({ first }: Event): number {
  return parseUtc(String(first.body?.event_time)) ?? 0;
}

function repeated(step: EventsStep, all: readonly Event[]): Difference | undefined {
  if (step.repeats !== 'fail') return undefined;
  const twice = all.find(({ deliveries }) => deliveries > 1);
  if (twice === undefined) return undefined;
  const { first, deliveries } = twice;
  return {
    pointer: '/id',
    expected: 'each event delivered once',
    actual: `${first.event} ${first.id} came ${deliveries} times`,
  };
}

const MAX_LISTED = 30;

/** The events in order of arrival, in a few words. */
function arrived(all: readonly Event[]): string {
  if (all.length === 0) return 'nothing arrived';
  const names = all.slice(0, MAX_LISTED).map(({ first }) => first.event || 'no event name');
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
  return `arrived: ${names.join(', ')}${more}`;
}

function capturesOf(step: EventsStep, expectations: readonly Expectation[]): EventCaptures {
  const values = new Map<string, unknown>();
  for (const [name, target] of Object.entries(step.capture ?? {})) {
    const slash = target.indexOf('/');
    const found = expectations.find((expectation) => expectation.name === target.slice(0, slash))?.found[0];
    values.set(name, valueAt(found?.first.body, target.slice(slash)));
  }
  return values;
}
