// The library as a Vitest fixture: each test has a simulator of its own. Knows nothing of what a simulator is.
import { test } from 'vitest';
import { type CreateOptions, createSimulator, type PbxSimulator } from './index.ts';

export interface SimulatorFixtures {
  /** What simulators are created with; change it for a file with `simulatorTest.extend({ simulatorOptions: ... })`. */
  simulatorOptions: CreateOptions;
  /** Created for the test when it asks for it, closed after it. */
  simulator: PbxSimulator;
}

/**
 * Vitest's `test` with a simulator.
 *
 * @example
 * simulatorTest('rings', async ({ simulator }) => {
 *   const { callId } = simulator.phones.act('101', { act: 'call', to: '102' });
 *   await simulator.clock.advance('1s');
 *   await simulator.waitFor({ event: 'call.ringing', callId });
 * });
 */
export const simulatorTest = test.extend<SimulatorFixtures>({
  simulatorOptions: {},
  simulator: async ({ simulatorOptions }, give) => {
    await using simulator = await createSimulator(simulatorOptions);
    await give(simulator);
  },
});
