// Checks of each published member of an event: it is there, and is what it is said to be. Knows no call.
import {
  callEventMembers,
  type EventMember,
  eventFieldClauseId,
  type MemberType,
  smsEventMembers,
} from '../../../contract/clauses/events.ts';
import { callStateCodes } from '../../../contract/codes.ts';
import { publishedEventNames } from '../../../contract/events.ts';
import type { Check } from '../check.ts';
import { blocked, demand, met } from '../finding.ts';
import { answered, unanswered } from './call-stories.ts';
import { type EventBody, eventsOf, timeOf } from './event-facts.ts';
import { receivedText } from './message-stories.ts';

/** The form of the specification alone: an offset, or a T, is another one. */
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) && timeOf(value) !== undefined;
const isText = (value: unknown): boolean => typeof value === 'string';
const isOneOf = (words: readonly string[]) => (value: unknown) => words.some((word) => word === value);

const TYPES: Readonly<Record<MemberType, { readonly words: string; readonly is: (value: unknown) => boolean }>> = {
  integer: { words: 'an integer', is: Number.isInteger },
  string: { words: 'a string', is: isText },
  time: { words: 'a date and time, YYYY-MM-DD HH:MM:SS', is: isTime },
  // Of texts the form is not written.
  'date and time': { words: 'a date and time', is: (value) => timeOf(value) !== undefined },
  'time or null': {
    words: 'null, or a date and time, YYYY-MM-DD HH:MM:SS',
    is: (value) => value === null || isTime(value),
  },
  'integer or null': { words: 'an integer or null', is: (value) => value === null || Number.isInteger(value) },
  'call state': { words: `one of ${callStateCodes.words.join(', ')}`, is: isOneOf(callStateCodes.words) },
  'event name': { words: `one of ${publishedEventNames.join(', ')}`, is: isOneOf(publishedEventNames) },
  context: { words: 'LOCAL_USER or QUEUE', is: isOneOf(['LOCAL_USER', 'QUEUE']) },
  direction: { words: 'in or out', is: isOneOf(['in', 'out']) },
  party: { words: 'caller, callee, or nothing', is: isOneOf(['caller', 'callee', '']) },
};

function judge(events: readonly EventBody[], { name, type, lenient }: EventMember): ReturnType<Check['run']> {
  if (events.length === 0) return Promise.resolve(blocked('No event came.'));
  const { words, is } = TYPES[type];
  for (const event of events) {
    const value = event[name];
    if (lenient === true && (value === undefined || value === null)) continue;
    const where = `${name} of ${String(event.event_name)}`;
    demand(value !== undefined, `An event has no ${name}.`, `${where}: ${words}`, Object.keys(event).join(', '));
    demand(is(value), `${name} of an event is something else.`, `${where}: ${words}`, value);
    // An id that says nothing identifies nothing.
    if (name === 'id' || name === 'src_hash') demand(value !== '', `${name} of an event is empty.`, where, value);
  }
  return Promise.resolve(met(`${events.length} events`));
}

export const eventFieldChecks: readonly Check[] = [
  ...callEventMembers.map(
    (member): Check => ({
      id: `events/field-${member.name.replaceAll('_', '-')}`,
      clause: eventFieldClauseId('call', member.name),
      ...{ effects: ['dial'], needs: ['second user', 'phones', 'webhooks'], lane: 'alone' },
      run: async (bench) => judge([...eventsOf(await answered(bench)), ...eventsOf(await unanswered(bench))], member),
    }),
  ),
  ...smsEventMembers.map(
    (member): Check => ({
      id: `events/sms-field-${member.name.replaceAll('_', '-')}`,
      clause: eventFieldClauseId('sms', member.name),
      ...{ effects: ['spend'], needs: ['second user', 'phones', 'webhooks', 'control'], lane: 'alone' },
      run: async (bench) => judge((await receivedText(bench)).events, member),
    }),
  ),
];
