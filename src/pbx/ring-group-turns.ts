// In which order a ring group's members are rung: the strategies (CHOICE-RING-STRATEGIES). Pure but for the chance it is given.
import { ringGroupStrategyCodes, wordOf } from '../contract/codes.ts';
import type { Random } from '../kernel/random.ts';

export interface Turns<T> {
  /** Who is rung when the ring time of those before is over. */
  readonly next: T[][];
  /** Those before ring on. */
  readonly growing: boolean;
}

/** `strategy` is its code; an unknown one rings all. */
export function turnsOf<T>(strategy: number, members: readonly T[], chance: Random): Turns<T> {
  switch (wordOf(ringGroupStrategyCodes, strategy)) {
    case 'hunt':
      return { next: oneByOne(members), growing: false };
    case 'memory_hunt':
      return { next: oneByOne(members), growing: true };
    case 'random':
      return { next: oneByOne(shuffled(members, chance)), growing: false };
    default:
      return { next: [[...members]], growing: false };
  }
}

function oneByOne<T>(members: readonly T[]): T[][] {
  return members.map((member) => [member]);
}

/** Every order is as likely as every other (Fisher and Yates). */
function shuffled<T>(members: readonly T[], chance: Random): T[] {
  const left = [...members];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(chance.int(left.length), 1));
  return order;
}
