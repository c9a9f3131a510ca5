// A seeded part of what `npm run soak` asks of a million call records.
import { expect, test } from 'vitest';
import { askHistory } from './history.ts';

test('every filter, order, group and page of a long history is answered as by who looks through all of it', async () => {
  const { questions, wrong } = await askHistory({ records: 20_000, questions: 300, seed: 7, withinMs: 45_000 });
  expect(wrong).toEqual([]);
  expect(questions).toBeGreaterThan(100);
}, 60_000);
