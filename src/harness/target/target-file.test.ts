// biome-ignore-all lint/suspicious/noTemplateCurlyInString: target files write ${env.NAME}
// Target files: what they may say, and where a mistake is.
import { describe, expect, it } from 'vitest';
import { problemText } from '../language/problem.ts';
import { addressOf } from './target.ts';
import { readTargetFile } from './target-file.ts';

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

  it('writes addresses as people do', () => {
    expect(addressOf('pbx.example:5060')).toEqual({ host: 'pbx.example', port: 5060 });
    expect(addressOf('[2001:db8::1]:5060')).toEqual({ host: '2001:db8::1', port: 5060 });
  });
});
