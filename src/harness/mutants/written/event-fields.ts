// Mutants of the published members of events: each is missing, and each is something else. Knows no check.
import {
  callEventMembers,
  type EventMember,
  eventFieldClauseId,
  smsEventMembers,
} from '../../../contract/clauses/events.ts';
import { ofEvents } from '../couriers.ts';
import type { Json, Mutant } from '../mutant.ts';

type Kind = 'call' | 'sms';

/** The event's name is how it is known at all: it is another one of a kind that is not published, once in a call. */
function renamed(kind: Kind): Mutant {
  const [from, to] = kind === 'sms' ? ['sms.received', 'sms.got'] : ['call.hold', 'call.parked'];
  return ofEvents(`events: ${from} is called ${to}`, eventFieldClauseId(kind, 'event_name'), (event) =>
    event.event_name === from ? { ...event, event_name: to } : undefined,
  );
}

function mistyped({ type }: EventMember, value: unknown): unknown {
  switch (type) {
    case 'integer':
    case 'integer or null':
      return `${String(value)} `;
    case 'time':
      return `${String(value).replace(' ', 'T')}Z`;
    case 'date and time':
      return String(value).slice(0, 10).split('-').reverse().join('.');
    case 'time or null':
      return value === null ? '' : `${String(value).replace(' ', 'T')}Z`;
    case 'party':
      return 'somebody';
    case 'string':
      return { text: value };
    default:
      return `${String(value)}_`;
  }
}

function without(event: Json, name: string): Json {
  const { [name]: _, ...rest } = event;
  return rest;
}

function mutantsOf(kind: Kind, member: EventMember): Mutant[] {
  const { name, lenient } = member;
  if (name === 'event_name') return [renamed(kind)];
  const clause = eventFieldClauseId(kind, name);
  const isOne = ({ event_name: event }: Json): boolean => String(event).startsWith(`${kind}.`);
  const wrong = ofEvents(`events: ${name} of a ${kind} has another type`, clause, (event) =>
    isOne(event) ? { ...event, [name]: mistyped(member, event[name]) } : undefined,
  );
  const missing = ofEvents(`events: ${name} of a ${kind} is missing`, clause, (event) =>
    isOne(event) ? without(event, name) : undefined,
  );
  return lenient === true ? [wrong] : [wrong, missing];
}

export const eventFieldMutants: readonly Mutant[] = [
  ...callEventMembers.flatMap((member) => mutantsOf('call', member)),
  ...smsEventMembers.flatMap((member) => mutantsOf('sms', member)),
];
