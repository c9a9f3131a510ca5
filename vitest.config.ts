import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    testTimeout: 20_000,
    // Tests with real phones wait more than they work: two at a time on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
