// The table of flows and traps names what is there: every scenario, and test files that exist.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(`${root}scenarios/README.md`, 'utf8');
const [scenarios = '', flows = ''] = readme.split('\n## Flows and traps\n');
const rows = [...flows.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)].slice(1);
const shown = rows.flatMap(([, , by = '']) => by.split('; '));

describe('the table of flows and traps', () => {
  it('says of each where it is shown, and by which rule', () => {
    expect(rows.length).toBeGreaterThanOrEqual(55);
    const unclear = rows.filter(([, , by = '', rule = '']) => !/^(`|src\/)/.test(by) || !/^RFC \d{4}, \d/.test(rule));
    expect(unclear.map(([, flow]) => flow)).toEqual([]);
    expect(new Set(rows.map(([, flow]) => flow)).size).toBe(rows.length);
  });

  it('names scenarios that are in the table of scenarios', () => {
    const known = new Set([...scenarios.matchAll(/^\| \[`([a-z-]+)`\]/gm)].map(([, id]) => `\`${id}\``));
    expect(shown.filter((by) => by.startsWith('`') && !known.has(by))).toEqual([]);
  });

  it('names tests that are there', () => {
    const files = shown.filter((by) => by.startsWith('src/'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !existsSync(root + file))).toEqual([]);
  });
});
