// The fixture: every test has a simulator of its own, created as the file wishes.
import { describe, expect } from 'vitest';
import type { PbxSimulator } from '../index.ts';
import { simulatorTest } from '../vitest.ts';

const seen: PbxSimulator[] = [];

simulatorTest('gives a simulator', async ({ simulator }) => {
  seen.push(simulator);
  const { callId } = simulator.phones.act('101', { act: 'call', to: '102' });
  await simulator.clock.advance('3s');
  await simulator.waitFor({ event: 'call.connected', callId });
});

simulatorTest('gives another one to the next test, and has closed the first', async ({ simulator }) => {
  const [first] = seen;
  expect(first).not.toBe(simulator);
  expect(simulator.journal.entries({ kind: 'event' })).toEqual([]);
  await expect(fetch(`${first?.url}/_sim/clock`)).rejects.toThrow();
});

describe('with options', () => {
  const inMarch = simulatorTest.extend({ simulatorOptions: { start: '2026-03-01T00:00:00Z', http: false } });

  inMarch('creates it so', ({ simulator }) => {
    expect(simulator.clock.now).toBe(Date.UTC(2026, 2, 1));
    expect(() => simulator.url).toThrow('listens nowhere');
  });
});
