// Whose events a check looks at: those of the call that the story made, whoever else calls meanwhile.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../run/inbox.ts';
import type { Bench } from '../check.ts';
import { CheckEnd } from '../finding.ts';
import { eventsOfCall, someEvents } from './event-facts.ts';
import { selectionChecks } from './event-selections.ts';

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

describe('the queue that somebody gave up', () => {
  const queue = { id: 3, number: '300' };
  const told = (callId: number, event: string, context: string, dst = '300'): Delivery =>
    ({ ...delivery(callId, event), body: { call_id: callId, event_name: event, context, dst } }) as Delivery;
  const judged = async (id: string, deliveries: readonly Delivery[], ids: readonly unknown[] = ['7', 9]) => {
    const check = selectionChecks.find((one) => one.id === `events/${id}`);
    try {
      const finding = await check?.run({ once: async () => ({ queue, ids, deliveries }) } as unknown as Bench);
      return finding?.found;
    } catch (error) {
      return error instanceof CheckEnd ? error.finding.found : error;
    }
  };
  const missed = told(7, 'call.missed', 'QUEUE');
  const others = [told(8, 'call.ringing', 'LOCAL_USER'), told(8, 'call.missed', 'QUEUE')];

  it('is missed only by an event of its own calls', async () => {
    expect(await judged('queue-missed', [...others, missed])).toBe('met');
    expect(await judged('queue-missed', [...others, told(9, 'call.missed', 'QUEUE', '102')])).toBe('met');
    expect(await judged('queue-missed', others)).toBe('violated');
  });

  it('has the context of its own events judged, nobody else’s', async () => {
    expect(await judged('queue-context', [...others, missed])).toBe('met');
    expect(await judged('queue-context', others)).toBe('blocked');
    expect(await judged('queue-context', [missed, told(9, 'call.ringing', 'LOCAL_USER')])).toBe('violated');
  });

  it('is not judged where several calls were told and its own are not known', async () => {
    expect(await judged('queue-missed', [...others, missed], [])).toBe('blocked');
    expect(await judged('queue-missed', [missed], [])).toBe('met');
  });
});
