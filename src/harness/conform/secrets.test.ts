// Secrets go by their value, wherever they stand; what was learned on the way, too.
import { expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

const secrets = new Secrets({
  ...{ name: 'one', apiRoot: 'http://one.test', time: 'real', fresh: false },
  users: {
    first: { id: 7, key: 'abcdef123456', password: 'pass word/1', sip: { username: '101', password: 'sip-secret' } },
  },
  control: { root: 'http://one.test/_sim', token: 'control-token' },
});

it('hides keys, passwords and tokens, plain, in Basic and in a URL', () => {
  const basic = Buffer.from('7:abcdef123456').toString('base64');
  const text = `abcdef123456 ${basic} pass word/1 pass%20word%2F1 sip-secret control-token 101`;
  expect(secrets.hide(text)).toBe('[secret] [secret] [secret] [secret] [secret] [secret] 101');
});

it('learns those that answers carry', () => {
  secrets.learn({ data: [{ id: 1, user_token: 'fresh-token', vm_pin: '1234', name: 'Ada' }] });
  expect(secrets.hide('fresh-token 1234 Ada')).toBe('[secret] 1234 Ada');
});

it('reads no deeper than an answer goes', () => {
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(() => secrets.learn(deep)).not.toThrow();
});
