// The published schema of scenario files is the one that the harness checks by.
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { publishedSchema } from './document.ts';

const FILE = new URL('../../../scenarios/schema.json', import.meta.url);

describe('scenarios/schema.json', () => {
  it('is what the harness checks by (PBXSIM_UPDATE=1 writes it anew)', () => {
    const text = `${JSON.stringify(publishedSchema(), null, 2)}\n`;
    if (process.env.PBXSIM_UPDATE === '1') writeFileSync(FILE, text);
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(text));
  });

  it('is a JSON Schema that editors can use', () => {
    const validate = new Ajv2020({ strict: false }).compile(publishedSchema());
    const scenario = { id: 'a', title: 'A title', requires: 'Something', spec: ['States'], steps: [{ wait: '1s' }] };
    expect(validate(scenario)).toBe(true);
    expect(validate({ ...scenario, steps: [{ wait: 'soon' }] })).toBe(false);
    expect(validate({ ...scenario, steps: [{ parallel: [[{ wait: '1s' }], [{ is: 'idle', phone: 'anna' }]] }] })).toBe(
      true,
    );
    expect(validate({ ...scenario, steps: [{ parallel: [[{ wait: '1s' }], [{ sleep: '1s' }]] }] })).toBe(false);
    expect(validate({ ...scenario, colour: 'red' })).toBe(false);
    expect(validate({ fragment: 'A part', steps: [{ wait: '1s' }] })).toBe(true);
  });
});
