// Determinism, as two processes show it: one seed, in-memory phones and a manual clock give byte-identical journals.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, 'scripted-day.ts');

async function runInAProcess(seed: number): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(seed)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

describe('one seed', () => {
  it('gives two processes the same journal, byte for byte, and another seed another one', async () => {
    const [first, again, other] = await Promise.all([runInAProcess(7), runInAProcess(7), runInAProcess(8)]);
    const kinds = new Set(
      first
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { kind: string }).kind),
    );
    expect([...kinds]).toEqual(expect.arrayContaining(['sip.in', 'sip.out', 'call.state', 'event', 'rest.request']));
    const names = [...first.matchAll(/"name":"(call\.[a-z]+)"/g)].map((match) => match[1]);
    for (const name of [
      'call.initial',
      'call.ringing',
      'call.connected',
      'call.hangup',
      'call.failed',
      'call.missed',
      'call.hold',
      'call.unhold',
    ])
      expect(names).toContain(name);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});
