// The in-memory wire: order, loss, copies, delay, closing.
import { describe, expect, it } from 'vitest';
import { Timeline } from '../kernel/timeline.ts';
import type { FlowListener } from './flow.ts';
import { memoryPair, type WireConditions } from './memory-flow.ts';

function wire(conditions?: WireConditions) {
  const clock = new Timeline({ mode: 'manual', startMs: 0 });
  const heard: string[] = [];
  const listener: FlowListener = {
    received: (flow, bytes) => void heard.push(`${clock.now()} ${flow.local.host} ${Buffer.from(bytes)}`),
    closed: (flow, why) => void heard.push(`${clock.now()} ${flow.local.host} closed: ${why}`),
  };
  const [left, right] = memoryPair({
    clock,
    ends: [
      { address: { host: 'left', port: 1 }, listener, ...(conditions === undefined ? {} : { conditions }) },
      { address: { host: 'right', port: 2 }, listener },
    ],
  });
  return { clock, heard, left, right };
}

describe('a memory wire', () => {
  it('delivers in order, in follow-up tasks, to the other end', () => {
    const { clock, heard, left, right } = wire();
    left.send(Buffer.from('one'));
    right.send(Buffer.from('two'));
    left.send(Buffer.from('three'));
    expect(heard).toEqual([]);
    clock.settle();
    expect(heard).toEqual(['0 right one', '0 left two', '0 right three']);
  });

  it('loses, doubles and delays as it is told', () => {
    const { clock, heard, left } = wire((_, count) => [[], [0, 5], [3]][count - 1] ?? [0]);
    for (const text of ['one', 'two', 'three', 'four']) left.send(Buffer.from(text));
    clock.advanceTo(10);
    expect(heard).toEqual(['0 right two', '0 right four', '3 right three', '5 right two']);
  });

  it('closes at both ends, once, and carries nothing afterwards', () => {
    const { clock, heard, left, right } = wire();
    left.send(Buffer.from('lost'));
    left.close('cable cut');
    right.close('again');
    right.send(Buffer.from('late'));
    clock.settle();
    expect([left.open, right.open]).toEqual([false, false]);
    expect(heard).toEqual(['0 left closed: cable cut', '0 right closed: cable cut']);
  });

  it('knows its ends', () => {
    const { left, right } = wire();
    expect([left.id, right.id]).toEqual(['mem:left:1>right:2', 'mem:right:2>left:1']);
    expect([left.transport, left.reliable, left.external]).toEqual(['MEM', true, false]);
    expect(right.remote).toEqual({ host: 'left', port: 1 });
  });
});
