// The webhooks of the published document. Knows no operation.

import { eventWords } from '../descriptions/events.ts';
import { categories, type EventName, payloads } from '../events.ts';
import { eventExamples } from '../examples/events.ts';
import { schemaReference } from './names.ts';

/** Every event by name. */
export function webhooks(): Record<string, object> {
  const rows = Object.values(payloads).flatMap(({ events, name }) =>
    events.map((event) => [event, webhookObject(event, name)] as const),
  );
  return Object.fromEntries(rows);
}

function webhookObject(event: EventName, payload: string): object {
  const example = { summary: event, value: eventExamples[event] };
  return {
    post: {
      operationId: `on_${event.replace('.', '_')}`,
      tags: ['events'],
      summary: `Sent for the event ${event}.`,
      description: `${eventWords[event]}\n\n${categoryWords(event)}`,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaReference(payload), examples: { [event]: example } } },
      },
      responses: {
        '2XX': { description: 'Delivered.' },
        default: { description: 'Tried again on the schedule of CHOICE-WEBHOOK-RETRY.' },
      },
      'x-choice': [
        ...(event === 'call.dtmf' ? ['CHOICE-DTMF-EVENT'] : []),
        ...(event === 'webhook.test' ? ['CHOICE-TEST-EVENT'] : []),
        'CHOICE-WEBHOOK-RETRY',
        'CHOICE-WEBHOOK-TIMEOUT',
        'CHOICE-WEBHOOK-SUCCESS',
        'CHOICE-WEBHOOK-HEADERS',
      ],
    },
  };
}

function categoryWords(event: EventName): string {
  const titles = categories.filter(({ events }) => events.includes(event)).map(({ title }) => title);
  return titles.length === 0 ? 'Sent whatever the categories.' : `Categories that have it: ${titles.join(', ')}.`;
}
