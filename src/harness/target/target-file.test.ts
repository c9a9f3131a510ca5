// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// Target files: what they may say, and where a mistake is.
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { problemText } from '../language/problem.ts';
import { addressOf } from './target.ts';
import { publishedTargetSchema, readTargetFile } from './target-file.ts';

const problemsOf = (lines: readonly string[], environment: Readonly<Record<string, string>> = {}): string[] => {
  const reading = readTargetFile('target.yaml', lines.join('\n'), environment);
  return reading.ok ? [] : reading.problems.map(problemText);
};

describe('a target file', () => {
  it('says where the system is and who its users are; secrets come from the environment', () => {
    const lines = [
      'api_root: https://pbx.example/v1.1/pbx',
      'users:',
      '  first: {id: 7, key: "${env.KEY}", ext: "101"}',
    ];
    expect(readTargetFile('target.yaml', lines.join('\n'), { KEY: 's3cret' })).toEqual({
      ok: true,
      document: { api_root: 'https://pbx.example/v1.1/pbx', users: { first: { id: 7, key: 's3cret', ext: '101' } } },
    });
    expect(problemsOf(lines)).toEqual(['target.yaml:3:23: users/first/key: expected the variable env.KEY to be set']);
  });

  it('is told its mistakes with their places', () => {
    expect(
      problemsOf(['api_root: pbx.example', 'users:', '  frist: {id: 7}', '  second: {id: seven, ext: 102}']),
    ).toEqual([
      'target.yaml:1:11: api_root: expected an http: or https: URL, found "pbx.example"',
      'target.yaml:3:3: users: expected a member first: a user with its id and key',
      'target.yaml:3:3: users/frist: unknown: frist, expected one of first, second, third, restricted, two_factor, other_customer; did you mean first?',
      'target.yaml:4:16: users/second/id: expected integer from 1, found "seven"',
      'target.yaml:4:28: users/second/ext: expected an extension, in quotes, found 102',
    ]);
  });

  it('says what the system has not, what is set already, and what may be done', () => {
    const head = ['api_root: https://pbx.example/v1.1/pbx', 'users: {first: {id: 7, key: k}}'];
    expect(
      problemsOf([
        ...head,
        'capabilities: {transfer: false, recordings: true}',
        'presets: {call_states: {CONNECTED: talking, ON_HOLD: 12}, records: [{configure: users, id: 7, set: {ring_time: 5}}]}',
        'allow: [read, dial]',
      ]),
    ).toEqual([]);
    expect(
      problemsOf([
        ...head,
        'capabilities: {transfers: false}',
        'presets: {call_states: {TALKING: 4}}',
        'allow: [read, delete]',
      ]),
    ).toEqual([
      'target.yaml:3:16: capabilities/transfers: unknown: transfers, expected one of webhooks, hold, transfer, digits, texts, recordings, outside, configure; did you mean transfer?',
      expect.stringMatching(/^target\.yaml:4:\d+: presets\/call_states\/TALKING: expected a name like /),
      'target.yaml:5:15: allow/1: expected one of read, write, dial, spend, wait, destroy, found "delete"',
    ]);
  });

  it('has a published schema (PBXSIM_UPDATE=1 writes it anew)', () => {
    const file = new URL('../../../scenarios/target.schema.json', import.meta.url);
    const text = `${JSON.stringify(publishedTargetSchema(), null, 2)}\n`;
    if (process.env.PBXSIM_UPDATE === '1') writeFileSync(file, text);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(text));
    const least = { api_root: 'https://pbx.example/v1.1/pbx', users: { first: { id: 7 } } };
    expect(validate(least)).toBe(true);
    expect(validate({ ...least, allow: ['everything'] })).toBe(false);
  });

  it('writes addresses as people do', () => {
    expect(addressOf('pbx.example:5060')).toEqual({ host: 'pbx.example', port: 5060 });
    expect(addressOf('[2001:db8::1]:5060')).toEqual({ host: '2001:db8::1', port: 5060 });
  });
});
