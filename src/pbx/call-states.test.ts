// The call state table: literal paths, and a property over every sequence of inputs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallInput, callStateTable, isAnswered, isOver, moveCall, type Phase } from './call-states.ts';

const inputs: readonly CallInput[] = [
  'invited',
  'accepted',
  'ringing',
  'answered',
  'held',
  'resumed',
  'ended',
  'unanswered',
  'elsewhere',
];

function run(sequence: readonly CallInput[], direction: 'in' | 'out'): { phases: Phase[]; events: string[] } {
  let phase: Phase = 'NEW';
  const phases: Phase[] = [phase];
  const events: string[] = [];
  for (const input of sequence) {
    const move = moveCall(phase, input, direction);
    if (move === undefined) continue;
    phase = move.to;
    phases.push(phase);
    if (move.event !== null) events.push(move.event);
  }
  return { phases, events };
}

describe('the call state table', () => {
  it.each([
    [
      'a call to a user',
      'in',
      ['invited', 'ringing', 'answered', 'ended'],
      ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'],
    ],
    ['a missed call', 'in', ['invited', 'ringing', 'unanswered'], ['call.initial', 'call.ringing', 'call.missed']],
    ['a failed outbound call', 'out', ['invited', 'unanswered'], ['call.initial', 'call.failed']],
    [
      'a phone that rang while a colleague answered for the group',
      'in',
      ['invited', 'ringing', 'elsewhere'],
      ['call.initial', 'call.ringing', 'call.hangup'],
    ],
    ['nobody registered', 'in', ['unanswered'], ['call.missed']],
    [
      'click to call',
      'out',
      ['invited', 'accepted', 'invited', 'ringing', 'answered', 'ended'],
      ['call.initial', 'call.ringing', 'call.connected', 'call.hangup'],
    ],
    [
      'hold by both',
      'in',
      ['invited', 'answered', 'held', 'held', 'resumed', 'ended'],
      ['call.initial', 'call.connected', 'call.hold', 'call.unhold', 'call.hangup'],
    ],
  ] as const)('raises for %s', (_, direction, sequence, events) => {
    expect(run(sequence, direction).events).toEqual(events);
  });

  it('has at most one row for a state and an input', () => {
    const keys = callStateTable.map(({ from, input }) => `${from} ${input}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(callStateTable).toHaveLength(23);
  });

  it('ends every call once, after which nothing moves, and never both answers and misses it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...inputs), { maxLength: 30 }),
        fc.constantFrom('in' as const, 'out' as const),
        (sequence, direction) => {
          const { phases, events } = run(sequence, direction);
          const terminal = events.filter((event) => ['call.hangup', 'call.missed', 'call.failed'].includes(event));
          const over = phases.filter(isOver);
          expect(over.length).toBeLessThanOrEqual(1);
          expect(terminal.length).toBe(over.length);
          if (terminal.length === 1) expect(events.at(-1)).toBe(terminal[0]);
          if (phases.some(isAnswered)) expect(events).not.toContain(direction === 'in' ? 'call.missed' : 'call.failed');
          expect(events.filter((event) => event === 'call.initial').length).toBeLessThanOrEqual(1);
          const holds = events.filter((event) => event === 'call.hold').length;
          const unholds = events.filter((event) => event === 'call.unhold').length;
          expect(holds - unholds === 0 || holds - unholds === 1).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
