// Tokens, nonces and reset tokens at their limits; the stories of logging in are told by the API's tests.
import { beforeEach, expect, test } from 'vitest';
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { Sessions, sameText } from './sessions.ts';

let sessions: Sessions;
beforeEach(() => {
  sessions = new Sessions({ clock: new Timeline({ mode: 'manual', startMs: 0 }), random: new Random(7) });
});

test('a user has twenty open nonces; with one more the oldest ends, and nobody else loses one', () => {
  const foreign = sessions.openNonce(2);
  const [first, second] = Array.from({ length: 21 }, () => sessions.openNonce(1));
  if (first === undefined || second === undefined) throw new Error('no nonces');
  expect(sessions.checkCode(first.nonce, first.code)).toEqual({ kind: 'unknown nonce' });
  expect(sessions.checkCode(second.nonce, second.code)).toEqual({ kind: 'right', userId: 1 });
  expect(sessions.checkCode(foreign.nonce, foreign.code)).toEqual({ kind: 'right', userId: 2 });
});

test('a user has twenty open reset tokens', () => {
  const [first, second] = Array.from({ length: 21 }, () => sessions.openReset(1));
  expect([sessions.useReset(first ?? ''), sessions.useReset(second ?? '')]).toEqual([undefined, 1]);
});

test('a changed password ends tokens, nonces and reset tokens of the user alone', () => {
  const open = (userId: number) => ({
    token: sessions.open(userId),
    proof: sessions.openNonce(userId),
    reset: sessions.openReset(userId),
  });
  const [mine, theirs] = [open(1), open(2)];
  sessions.passwordChanged(1);
  expect([sessions.touch(1, mine.token), sessions.touch(2, theirs.token)]).toEqual(['password changed', 'valid']);
  expect(sessions.checkCode(mine.proof.nonce, mine.proof.code)).toEqual({ kind: 'unknown nonce' });
  expect(sessions.checkCode(theirs.proof.nonce, theirs.proof.code)).toEqual({ kind: 'right', userId: 2 });
  expect([sessions.useReset(mine.reset), sessions.useReset(theirs.reset)]).toEqual([undefined, 2]);
});

test('why a token ended is remembered for the newest hundred', () => {
  const tokens = Array.from({ length: 101 }, () => {
    const token = sessions.open(1);
    sessions.close(1, token);
    return token;
  });
  expect([sessions.touch(1, tokens[0] ?? ''), sessions.touch(1, tokens[1] ?? '')]).toEqual(['unknown', 'logged out']);
});

test('clear forgets everything', () => {
  const token = sessions.open(1);
  const { nonce, code } = sessions.openNonce(1);
  const reset = sessions.openReset(1);
  sessions.clear();
  expect([sessions.touch(1, token), sessions.checkCode(nonce, code).kind, sessions.useReset(reset)]).toEqual([
    'unknown',
    'unknown nonce',
    undefined,
  ]);
});

test.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['ab', 'abc', false],
  ['', 'a', false],
])('%j and %j are the same text: %s', (one, other, same) => {
  expect(sameText(one, other)).toBe(same);
});
