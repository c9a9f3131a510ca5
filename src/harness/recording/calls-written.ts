// What a recorded call must show again: its events with their partial order, and its record. Knows no act and no request.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
import type { CdrStep, EventsStep, ExpectedEvent } from '../language/document.ts';
import type { HeardCall, HeardEvent } from './heard.ts';

/** An event that tells of a new call: the first whose call id no step has captured. */
export function beginningOf(call: HeardCall, name: string, captured: readonly string[]): EventsStep {
  const event = call.events[0]?.name ?? 'call.initial';
  const where = { '/call_id': { $not: { $one_of: captured.map((one) => `\${${one}}`) } } };
  return {
    events: { began: captured.length === 0 ? event : { event, where } },
    others: 'allow',
    capture: { [name]: 'began/call_id' },
  } as EventsStep;
}

/** All events of the call, as often as they came, in the order in which they came. `captured`: its id is known already. */
export function eventsOf(call: HeardCall, name: string, captured: boolean, within: string | undefined): EventsStep {
  const groups = grouped(call.events);
  const names = [...groups.keys()];
  const last = nameOf(call.events.at(-1));
  const expected = Object.fromEntries(
    [...groups].map(([group, events]) => [group, expectationOf(events, group === names[0], group === last)]),
  );
  const order = chainsOf(call.events.map(nameOf), groups);
  return {
    events: expected,
    ...(captured ? { of: `\${${name}}` } : {}),
    ...(order.length === 0 ? {} : { order: order.length === 1 ? order[0] : order }),
    until: last,
    ...(within === undefined ? {} : { within }),
    ...(captured ? {} : { capture: { [name]: `${last}/call_id` } }),
  } as EventsStep;
}

/** `records`: what the call's history was; undefined when it could not be asked. */
export function recordOf(name: string, records: readonly Readonly<Record<string, unknown>>[] | undefined): CdrStep {
  const [record] = records ?? [];
  if (record === undefined || records?.length !== 1) {
    return { cdr: `\${${name}}`, ...(records === undefined ? {} : { count: records.length }) };
  }
  const { type, destination, billsec } = record;
  const seconds = typeof billsec !== 'number' ? {} : { '/billsec': billsec === 0 ? 0 : around(billsec) };
  return {
    cdr: `\${${name}}`,
    expect: {
      ...(type === undefined ? {} : { '/type': type }),
      ...(destination === undefined ? {} : { '/destination': destination }),
      ...seconds,
    },
  } as CdrStep;
}

/** Waits are rounded, and clocks cut seconds off. */
function around(seconds: number): object {
  return { $at_least: Math.max(0, seconds - 1), $at_most: seconds + 1 };
}

function grouped(events: readonly HeardEvent[]): Map<string, HeardEvent[]> {
  const groups = new Map<string, HeardEvent[]>();
  for (const event of events) groups.set(nameOf(event), [...(groups.get(nameOf(event)) ?? []), event]);
  return groups;
}

const KEYS: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** `hangup`, or `key_5`. */
function nameOf(event: HeardEvent | undefined): string {
  const name = (event?.name ?? '').replace(/^call\./, '');
  if (name !== 'dtmf') return name;
  const digit = String(event?.payload.digit);
  return `key_${KEYS[digit] ?? digit.toLowerCase()}`;
}

function expectationOf([first, ...more]: readonly HeardEvent[], isFirst: boolean, isLast: boolean): ExpectedEvent {
  const { name = '', payload = {} } = first ?? {};
  const { digit, destination, terminated_by: by } = payload;
  const members = {
    ...(isFirst && typeof destination === 'string' && destination !== '' ? { '/destination': destination } : {}),
    ...(isLast && typeof by === 'string' ? { '/terminated_by': by } : {}),
  };
  const facts = {
    ...(name === 'call.dtmf' ? { where: { '/digit': digit } } : {}),
    ...(Object.keys(members).length === 0 ? {} : { with: members }),
    ...(more.length === 0 ? {} : { count: more.length + 1 }),
  };
  return (Object.keys(facts).length === 0 ? name : { event: name, ...facts }) as ExpectedEvent;
}

/** One chain of what came once; what came more often is between its neighbours in that chain. */
function chainsOf(came: readonly string[], groups: ReadonlyMap<string, readonly HeardEvent[]>): string[] {
  const isSingle = (name: string): boolean => groups.get(name)?.length === 1;
  const singles = came.filter(isSingle);
  const chains = singles.length < 2 ? [] : [singles.join(' < ')];
  for (const name of groups.keys()) {
    if (isSingle(name)) continue;
    const before = came.slice(0, came.indexOf(name)).findLast(isSingle);
    const after = came.slice(came.lastIndexOf(name) + 1).find(isSingle);
    const chain = [before, name, after].filter((one) => one !== undefined);
    if (chain.length > 1) chains.push(chain.join(' < '));
  }
  return chains;
}
