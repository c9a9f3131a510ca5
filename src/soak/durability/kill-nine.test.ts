// A seeded part of what `npm run soak` does for longer.
import { expect, it } from 'vitest';
import { killNine } from './kill-nine.ts';

it('survives kill -9 under load: nothing that was acknowledged is missing, nothing that was deleted is back, sounds and packets are the same', async () => {
  const { acknowledged, talks, wrong } = await killNine({ seed: 9, rounds: 4, answers: [250, 700] });
  expect(wrong).toEqual([]);
  expect(acknowledged).toBeGreaterThan(1000);
  expect(talks).toBeGreaterThanOrEqual(4);
}, 90_000);
