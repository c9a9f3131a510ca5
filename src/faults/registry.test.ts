// Which rule strikes which message, how often, and for how long.
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, Journal } from '../kernel/journal.ts';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { FaultRegistry } from './registry.ts';
import { type FaultDraft, MAX_RULES } from './rule.ts';

const START = Date.UTC(2026, 0, 1);
const failing: FaultDraft = { match: { at: 'api' }, action: { do: 'status', status: 503 } };
const response = { at: 'api', operation: 'listCalls', method: 'GET' } as const;

let clock: Timeline;
let journal: Journal;
let registry: FaultRegistry;
beforeEach(() => {
  clock = new Timeline({ mode: 'manual', startMs: START });
  journal = new Journal(clock);
  registry = registryOf(1);
});

function registryOf(seed: number): FaultRegistry {
  return new FaultRegistry({ clock, journal, random: new Random(seed) });
}

/** Which of so many messages were struck, as a text of 1 and 0. */
function strikes(count: number, among = registry): string {
  return Array.from({ length: count }, () => (among.strike(response) === undefined ? '0' : '1')).join('');
}

describe('without rules', () => {
  it('there is nothing to ask for', () => {
    expect(['api', 'webhook', 'sip'].map((at) => registry.has(at as 'api'))).toEqual([false, false, false]);
    expect([registry.list(), strikes(3)]).toEqual([[], '000']);
  });

  it('rules of one boundary leave the others alone', () => {
    registry.set({ match: { at: 'sip' }, action: { do: 'drop' } });
    expect([registry.has('sip'), registry.has('api'), strikes(1)]).toEqual([true, false, '0']);
  });
});

describe('counting', () => {
  it('fails twice, then succeeds', () => {
    registry.set({ ...failing, times: 2 });
    expect(strikes(5)).toBe('11000');
    expect(registry.list()).toEqual([
      { id: 1, ...failing, times: 2, matched: 5, acted: 2, active: false, expires_at: null },
    ]);
  });

  it('lets the first pass', () => {
    registry.set({ ...failing, after: 2, times: 1 });
    expect(strikes(5)).toBe('00100');
  });

  it('counts only what matches', () => {
    registry.set({ ...failing, match: { at: 'api', operation: 'createCall' }, times: 1 });
    expect(strikes(3)).toBe('000');
    expect(registry.strike({ at: 'api', operation: null, method: 'GET' })).toBeUndefined();
    expect(registry.strike({ at: 'api', operation: 'createCall', method: 'POST' })?.rule).toBe(1);
    expect(registry.list()[0]).toMatchObject({ matched: 1, acted: 1 });
  });

  it('counts nothing to which it cannot be done', () => {
    registry.set({ ...failing, times: 1 });
    expect(registry.strike(response, () => false)).toBeUndefined();
    expect(registry.list()[0]).toMatchObject({ matched: 0, acted: 0 });
  });

  it('gives a message to the first rule that acts; those behind do not see it', () => {
    registry.set({ ...failing, times: 1 });
    registry.set({ match: { at: 'api' }, action: { do: 'reset' }, times: 1 });
    expect([1, 2, 3].map(() => registry.strike(response)?.action.do)).toEqual(['status', 'reset', undefined]);
    expect(registry.list().map(({ matched, acted }) => [matched, acted])).toEqual([
      [3, 1],
      [2, 1],
    ]);
  });
});

describe('probability', () => {
  it('is the same from the same seed, and another from another', () => {
    const [one, again, other] = [1, 1, 2].map((seed) => {
      const own = registryOf(seed);
      own.set({ ...failing, probability: 0.3 });
      return strikes(1000, own);
    });
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    const struck = one?.replaceAll('0', '').length ?? 0;
    expect(struck).toBeGreaterThan(240);
    expect(struck).toBeLessThan(360);
  });

  it('is drawn by each rule for itself', () => {
    const alone = registryOf(1);
    alone.set({ ...failing, probability: 0.5 });
    const beside = registryOf(1);
    beside.set({ ...failing, probability: 0.5 });
    beside.set({ match: { at: 'sip' }, action: { do: 'drop' }, probability: 0.5 });
    const both = Array.from({ length: 50 }, () => {
      beside.strike({ at: 'sip', method: 'INVITE', direction: 'in' });
      return strikes(1, beside);
    }).join('');
    expect(both).toBe(strikes(50, alone));
  });

  it('of one always acts', () => {
    registry.set({ ...failing, probability: 1 });
    expect(strikes(5)).toBe('11111');
  });
});

describe('life', () => {
  it('ends with the ttl, on the clock', () => {
    registry.set({ ...failing, ttl: '15m' });
    registry.set({ match: { at: 'api' }, action: { do: 'reset' }, ttl: 1000 });
    expect(registry.list().map(({ expires_at }) => expires_at)).toEqual([
      '2026-01-01T00:15:00.000Z',
      '2026-01-01T00:00:01.000Z',
    ]);
    clock.advanceTo(START + 1000);
    expect(registry.list().map(({ id }) => id)).toEqual([1]);
    clock.advanceTo(START + 899_999);
    expect(strikes(1)).toBe('1');
    clock.advanceTo(START + 900_000);
    expect(strikes(1)).toBe('0');
    expect([registry.list(), registry.has('api'), registry.remove(1)]).toEqual([[], false, false]);
  });

  it('ends when a rule is removed, or all are', () => {
    for (let count = 0; count < 3; count += 1) registry.set({ ...failing, times: 1 });
    expect([registry.remove(2), registry.remove(2), registry.remove(9)]).toEqual([true, false, false]);
    expect(registry.list().map(({ id }) => id)).toEqual([1, 3]);
    registry.clear();
    expect([registry.list(), strikes(1)]).toEqual([[], '0']);
    expect(registry.set(failing)).toMatchObject({ ok: true, value: { id: 4 } });
  });

  it('has a limit of rules', () => {
    for (let count = 0; count < MAX_RULES; count += 1) expect(registry.set({ ...failing, ttl: 10 }).ok).toBe(true);
    expect(registry.set(failing)).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
    clock.advanceTo(START + 10);
    expect(registry.set(failing).ok).toBe(true);
  });
});

describe('the journal', () => {
  it('says what was set, what it did and what was removed', () => {
    registry.set({ ...failing, times: 1 });
    const strike = registry.strike(response);
    if (strike !== undefined) registry.note(strike, response, { cause: 17, callId: 3, customerId: 1 }, { seen: 'x' });
    registry.remove(1);
    expect(
      journal.query().map((entry) => [entry.kind, entry.cause, JSON.parse(JSON.stringify(dataOf(entry)))]),
    ).toEqual([
      ['control.fault_set', null, { rule: 1, match: { at: 'api' }, action: { do: 'status', status: 503 }, times: 1 }],
      [
        'fault',
        17,
        { rule: 1, at: 'api', operation: 'listCalls', method: 'GET', action: { do: 'status', status: 503 }, seen: 'x' },
      ],
      ['control.fault_removed', null, { rule: 1 }],
    ]);
  });
});

it('is described to people in one line', () => {
  registry.set({ ...failing, times: 2 });
  const late = { match: { at: 'sip', method: 'INVITE', direction: 'in' }, action: { do: 'delay', ms: 300 } } as const;
  registry.set({ ...late, probability: 0.1 });
  registry.set({ match: { at: 'webhook', event: 'call.hangup' }, action: { do: 'field', pointer: '/state' } });
  strikes(1);
  expect(registry.describeActive()).toEqual([
    '1: api status 503, 1 of 2 times',
    '2: sip in INVITE delay 300 ms, probability 0.1',
    '3: webhook call.hangup field /state',
  ]);
  strikes(1);
  expect(registry.describeActive()).toHaveLength(2);
});
