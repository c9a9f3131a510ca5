// What people do at random: the acts of the property tests, and how likely each is. Performs none.
import fc from 'fast-check';
import type { RecordingAct } from './face.ts';
import type { GroupSettings } from './ring-group.rig.ts';

/** How many numbers there are to call and to lead callers to. */
export const NUMBERS = 19;

/** Whether a user takes calls, several at a time, and wants records of calls to the group that it missed. */
export interface Wishes {
  readonly dnd: boolean;
  readonly waits: boolean;
  readonly logs: boolean;
}

/** Where a user is when its phone does not answer, and which of its calls are recorded. */
export interface Elsewhere {
  readonly follows: boolean;
  readonly strategy: 'A' | 'H' | 'M';
  readonly firstS: number;
  readonly confirms: boolean;
  readonly announces: boolean;
  readonly monitor: 'N' | 'A' | 'I' | 'O';
}

export type Act =
  | { readonly do: 'dial'; readonly who: number; readonly to: number }
  | { readonly do: 'ring' | 'answer' | 'busy' | 'hangup' | 'hold' | 'resume' | 'digit'; readonly who: number }
  | { readonly do: 'refer'; readonly who: number; readonly to: number }
  | { readonly do: 'attend'; readonly who: number; readonly other: number }
  | { readonly do: 'take'; readonly who: number; readonly other: number }
  | { readonly do: 'move'; readonly who: number; readonly to: number }
  | { readonly do: 'click'; readonly who: number; readonly to: number }
  | { readonly do: 'order'; readonly who: number; readonly state: string }
  | { readonly do: 'delete' }
  | ({ readonly do: 'settings'; readonly who: number; readonly next: number } & Wishes)
  | ({ readonly do: 'group'; readonly next: number } & Required<
      Pick<GroupSettings, 'strategy' | 'ringTimeS' | 'prefixed'>
    > & {
        readonly members: readonly number[];
      })
  | ({ readonly do: 'follow'; readonly who: number } & Elsewhere)
  | { readonly do: 'record'; readonly who: number; readonly recording: RecordingAct }
  | { readonly do: 'wait'; readonly ms: number };

const who = fc.nat(3);
/** The numbers that the world has (`RandomWorld`). */
const to = fc.nat(NUMBERS - 1);
export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('dial' as const), who, to }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('ring', 'answer', 'answer', 'busy', 'hangup', 'hold', 'resume', 'digit'),
      who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refer' as const), who, to }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('attend' as const), who, other: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), who, other: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), who, to }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('click' as const), who: fc.nat(2), to }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      who,
      state: fc.constantFrom('CONNECTED', 'ON_HOLD', 'HANGUP'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'delete' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('settings' as const), who: fc.nat(2), next: fc.nat(4) },
      ...{ dnd: fc.boolean(), waits: fc.boolean(), logs: fc.boolean() },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('group' as const), next: fc.nat(4), prefixed: fc.boolean() },
      strategy: fc.constantFrom('ring_all', 'hunt', 'memory_hunt', 'random'),
      ringTimeS: fc.constantFrom(0, 1, 5, 40),
      members: fc.array(fc.nat(3), { maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('follow' as const), who: fc.nat(2), follows: fc.boolean(), firstS: fc.constantFrom(0, 3) },
      ...{ strategy: fc.constantFrom('A', 'H', 'M'), confirms: fc.boolean(), announces: fc.boolean() },
      monitor: fc.constantFrom('N', 'A', 'I', 'O'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('record' as const), who },
      recording: fc.constantFrom('start', 'pause', 'resume'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 3, 10, 600, 5000, 33_000) }),
  },
);
