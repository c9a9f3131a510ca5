// What an events step says of deliveries: every way to be wrong is told apart.
import { describe, expect, it } from 'vitest';
import type { EventsStep } from '../language/document.ts';
import { judgeEvents } from './event-check.ts';
import type { Delivery } from './inbox.ts';

/** Deliveries in order of arrival: `name`, or `name#id`, or with members. */
function arrived(...events: ReadonlyArray<string | readonly [string, Readonly<Record<string, unknown>>]>): Delivery[] {
  return events.map((event, index) => {
    const [text, members] = typeof event === 'string' ? [event, {}] : event;
    const [name = '', id = `e${index + 1}`] = text.split('#');
    const body = { id, event_name: `call.${name}`, call_id: 7, ...members };
    return { webhook: 'all', order: index + 1, body, event: `call.${name}`, id, flaws: [] };
  });
}

const answered: EventsStep = {
  events: { ringing: 'call.ringing', connected: 'call.connected', hangup: 'call.hangup' },
  order: 'ringing < connected < hangup',
  until: 'hangup',
};
const judge = (step: EventsStep, deliveries: readonly Delivery[]) => judgeEvents(step, deliveries);

describe('expected events', () => {
  it('are met when all are there in order', () => {
    expect(judge(answered, arrived('ringing', 'connected', 'hangup')).is).toBe('so');
  });

  it('may still come', () => {
    expect(judge(answered, arrived('ringing', 'connected'))).toEqual({
      is: 'not',
      difference: { expected: 'hangup: 1 call.hangup', actual: '0; arrived: call.ringing, call.connected' },
    });
  });

  it('are wrong for ever in a wrong order', () => {
    expect(judge(answered, arrived('connected', 'ringing'))).toEqual({
      is: 'never',
      difference: { expected: 'ringing before connected, by arrival', actual: 'arrived: call.connected, call.ringing' },
    });
  });

  it('can be ordered by the time that they carry', () => {
    const step: EventsStep = { ...answered, ordered_by: 'event_time' };
    const at = (name: string, second: number) => [name, { event_time: `2026-01-01 00:00:0${second}` }] as const;
    expect(judge(step, arrived(at('connected', 2), at('ringing', 1), at('hangup', 3))).is).toBe('so');
    expect(judge(step, arrived(at('ringing', 2), at('connected', 1), at('hangup', 3))).is).toBe('never');
  });

  it('have a count', () => {
    expect(judge(answered, arrived('ringing', 'ringing'))).toEqual({
      is: 'never',
      difference: { expected: 'ringing: 1 call.ringing', actual: '2; arrived: call.ringing, call.ringing' },
    });
    const twice: EventsStep = { events: { ringing: { event: 'call.ringing', count: { at_least: 2 } } }, quiet: '1s' };
    expect(judge(twice, arrived('ringing')).is).toBe('not');
    expect(judge(twice, arrived('ringing', 'ringing', 'ringing')).is).toBe('so');
  });

  it('carry what they should, in every one of them', () => {
    const step: EventsStep = {
      events: { up: { event: 'call.connected', where: { '/call_id': 7 }, with: { '/state': 'CONNECTED' } } },
      others: 'allow',
    };
    expect(judge(step, arrived(['connected', { state: 'CONNECTED' }])).is).toBe('so');
    expect(judge(step, arrived(['connected', { state: 'RINGING' }]))).toEqual({
      is: 'never',
      difference: { pointer: '/state', expected: 'up, call.connected with "CONNECTED"', actual: '"RINGING"' },
    });
    expect(judge(step, arrived(['connected', { state: 'RINGING', call_id: 8 }])).is).toBe('not');
  });

  it('are of the call that is meant', () => {
    const step: EventsStep = { ...answered, of: '7' };
    const other = ['hangup', { call_id: 8 }] as const;
    expect(judge(step, arrived('ringing', other, 'connected', 'hangup')).is).toBe('so');
  });

  it('exclude those that must not come, and those that nobody spoke of', () => {
    expect(judge({ ...answered, none: ['call.missed'] }, arrived('missed'))).toEqual({
      is: 'never',
      difference: { expected: 'no call.missed', actual: 'arrived: call.missed' },
    });
    expect(judge(answered, arrived('hold'))).toEqual({
      is: 'never',
      difference: {
        expected: 'no other events than call.ringing, call.connected, call.hangup',
        actual: 'call.hold; arrived: call.hold',
      },
    });
    expect(judge({ ...answered, others: 'allow' }, arrived('hold', 'ringing', 'connected', 'hangup')).is).toBe('so');
  });

  it('are told apart from attempts: one id is one event', () => {
    const twice = arrived('ringing#r', 'ringing#r', 'connected', 'hangup');
    expect(judge(answered, twice).is).toBe('so');
    expect(judge({ ...answered, repeats: 'fail' }, twice)).toEqual({
      is: 'never',
      difference: { pointer: '/id', expected: 'each event delivered once', actual: 'call.ringing r came 2 times' },
    });
  });

  it('are worth nothing beside a delivery that breaks the contract', () => {
    const [bad, ...rest] = arrived(['ringing', { duration: '3' }], 'connected', 'hangup');
    const flaws = ['/duration: expected seconds, found "3"'];
    expect(judge(answered, bad === undefined ? [] : [{ ...bad, flaws }, ...rest])).toEqual({
      is: 'never',
      difference: {
        pointer: '/duration',
        expected: 'every delivery valid by the contract: expected seconds',
        actual: 'delivery 1, call.ringing: "3"',
      },
    });
  });

  it('give what is captured', () => {
    const step: EventsStep = { ...answered, capture: { call: 'hangup/call_id' } };
    const seen = judge(step, arrived('ringing', 'connected', 'hangup'));
    expect(seen.is === 'so' && [...seen.value]).toEqual([['call', 7]]);
  });
});
