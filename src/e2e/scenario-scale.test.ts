// Many scenarios in one run, and many events in one scenario: what they leave behind, and a process whose memory they must fit in.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { ScaleFigures } from '../bench/scenario-scale.ts';

const SCALE = join(import.meta.dirname, '..', 'bench', 'scenario-scale.ts');
const HEAP_MIB = 192;
/** A simulator that stays after its scenario costs 1 MiB at least, one that is not even closed more than 4. */
const MAY_GROW_MIB = 16;

it('keeps nothing of what is over: 100 scenarios and 1,500 events in bounded memory', async () => {
  const flags = ['--expose-gc', `--max-old-space-size=${HEAP_MIB}`];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, SCALE, '10', '64', '100', '1500']);
  const figures = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ScaleFigures);
  expect(figures.map(({ passed, failed }) => [passed, failed])).toEqual([
    [10, 0],
    [1, 0],
    [100, 0],
    [1, 0],
  ]);
  const [, before, many, events] = figures.map(({ heapMiB }) => heapMiB ?? Number.NaN);
  expect((many ?? Number.NaN) - (before ?? 0)).toBeLessThan(MAY_GROW_MIB);
  expect((events ?? Number.NaN) - (before ?? 0)).toBeLessThan(MAY_GROW_MIB);
}, 120_000);
