// Checks of what a story shows: the story is played once, each check looks at it. Knows no clause.
import type { Bench, Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CallFacts } from './call-story.ts';

export type Story = (bench: Bench) => Promise<CallFacts>;
export type Judge = (facts: CallFacts, bench: Bench) => Finding;

/** A check of what a story shows; `id` as `area/what`. */
export function ofStory(story: Story, id: string, clause: string, judge: Judge, more: Partial<Check> = {}): Check {
  return {
    ...{ id, clause, effects: ['dial'], needs: ['second user', 'phones', 'webhooks'], lane: 'alone' },
    ...more,
    run: async (bench) => judge(await story(bench), bench),
  };
}

/** People outside are played by the control API. */
export const OUTSIDE_NEEDS: Partial<Check> = {
  effects: ['dial', 'spend'],
  needs: ['second user', 'phones', 'webhooks', 'control'],
};
