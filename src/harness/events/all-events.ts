// The events that a webhook of every category gets. Data.
import { type EventName, publishedEventNames } from '../../contract/events.ts';

export const allEvents: ReadonlySet<EventName> = new Set<EventName>(publishedEventNames);
