// Whose events a check looks at: those of the call that the story made, whoever else calls meanwhile.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../run/inbox.ts';
import { eventsOfCall, someEvents } from './event-facts.ts';

function delivery(callId: number, event: string): Delivery {
  const id = `${callId} ${event}`;
  return {
    id,
    event,
    webhook: 'call_state_change',
    body: { call_id: callId, event_name: event },
  } as unknown as Delivery;
}

const ours = [delivery(7, 'call.initial'), delivery(7, 'call.failed')];
const foreign = [delivery(8, 'call.initial'), delivery(8, 'call.connected')];
const names = (deliveries: readonly Delivery[], id?: number) =>
  eventsOfCall({ deliveries, id }).map(({ event_name: name }) => name);

describe('the events of a story', () => {
  it('are those of its call, among others', () => {
    expect(names([...foreign, ...ours], 7)).toEqual(['call.initial', 'call.failed']);
    expect(names(foreign, 7)).toEqual([]);
  });

  it('are all that there are where only one call was told', () => {
    expect(names(ours)).toEqual(['call.initial', 'call.failed']);
    expect(names([])).toEqual([]);
  });

  it('are nobody’s where several calls were told and its own is not known: nothing is judged', () => {
    for (const read of [eventsOfCall, someEvents] as const)
      expect(() => read({ deliveries: [...ours, ...foreign], id: undefined } as never)).toThrow(
        expect.objectContaining({ finding: expect.objectContaining({ found: 'blocked' }) }),
      );
  });
});
