// Which flows are remembered and which forgotten.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Flow } from '../sip/flow.ts';
import { FlowMemory } from './flow-memory.ts';

const flowNamed = (id: string): Flow => ({
  id,
  transport: 'UDP',
  reliable: false,
  external: true,
  local: { host: '127.0.0.1', port: 5060 },
  remote: { host: '127.0.0.1', port: 5070 },
  open: true,
  send: () => {},
});

describe('the memory of flows', () => {
  it('forgets the one used least lately when there are too many', () => {
    const memory = new FlowMemory<Flow>(4);
    const first = memory.get('a', () => flowNamed('a'));
    memory.get('b', () => flowNamed('b'));
    expect(memory.get('a', () => flowNamed('another a'))).toBe(first);
    memory.get('c', () => flowNamed('c'));
    memory.get('d', () => flowNamed('d'));
    memory.get('e', () => flowNamed('e'));
    expect(memory.get('a', () => flowNamed('another a')).id).toBe('another a');
  });

  it('never holds more than its capacity and never forgets the latest half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.array(fc.integer({ min: 0, max: 20 })), (capacity, uses) => {
        const memory = new FlowMemory<Flow>(capacity);
        const recent: string[] = [];
        for (const use of uses) {
          const key = String(use);
          let made = false;
          memory.get(key, () => {
            made = true;
            return flowNamed(key);
          });
          if (recent.slice(-Math.floor(capacity / 2)).includes(key)) expect(made).toBe(false);
          const at = recent.indexOf(key);
          if (at >= 0) recent.splice(at, 1);
          recent.push(key);
          expect(memory.size).toBeLessThanOrEqual(capacity);
        }
      }),
    );
  });
});
