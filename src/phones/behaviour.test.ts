// Behaviours as people write them.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of the control API, and a behaviour is never awaited
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterTalk, parseBehaviour } from './behaviour.ts';

const details = (input: unknown): readonly string[] => {
  const result = parseBehaviour(input);
  return result.ok ? [] : result.failure.details;
};

test('a word alone is a behaviour', () => {
  expect(parseBehaviour('busy')).toEqual({ ok: true, value: { on_call: 'busy' } });
});

test('a whole behaviour is kept as it is written', () => {
  const whole = {
    on_call: 'answer',
    after_ms: 3000,
    talk_ms: 5000,
    then: 'transfer',
    to: '+442079460123',
    digits: '12#',
  };
  expect(parseBehaviour(whole)).toEqual({ ok: true, value: whole });
});

test('every wrong member is named, with what was expected', () => {
  expect(
    details({ on_call: 'dance', after_ms: -1, talk_ms: '5', then: 3, digits: 'x', to: '', colour: 'red' }),
  ).toEqual([
    'behaviour.on_call: expected one of answer, busy, decline, unavailable, ring, silent, redirect, early_media',
    'behaviour.after_ms: expected whole milliseconds from 0 to 86400000',
    'behaviour.talk_ms: expected whole milliseconds from 0 to 86400000',
    'behaviour.then: expected one of hangup, hold, transfer',
    'behaviour.digits: expected 1 to 64 of the keys 0-9, *, #, A-D',
    'behaviour.to: expected a number or an extension: digits, * and #, with or without +',
    'behaviour.colour: unknown, expected one of on_call, after_ms, to, talk_ms, then, digits',
  ]);
});

test('redirect and transfer need to know where to', () => {
  expect(details('redirect')).toEqual(['behaviour.to: missing, on_call redirect needs a number or an extension']);
  expect(details({ on_call: 'answer', then: 'transfer' })).toEqual([
    'behaviour.to: missing, then transfer needs a number or an extension',
  ]);
  expect(details({ on_call: 'redirect', to: '102' })).toEqual([]);
});

test.each([null, undefined, 7, true, ['answer']])('%j is no behaviour', (input) => {
  expect(details(input)).toEqual([
    'behaviour: expected an object or one of answer, busy, decline, unavailable, ring, silent, redirect, early_media',
  ]);
});

test('on_call is the one member that cannot be left out', () => {
  expect(details({ after_ms: 100 })).toEqual([
    'behaviour.on_call: missing, expected one of answer, busy, decline, unavailable, ring, silent, redirect, early_media',
  ]);
});

test('names of the prototype are unknown members like others', () => {
  expect(details(JSON.parse('{"on_call":"busy","constructor":1,"__proto__":2}'))).toHaveLength(2);
});

test('talking ends only when it is said: talk_ms alone hangs up, then alone acts at once', () => {
  expect(afterTalk({ on_call: 'answer' })).toBeUndefined();
  expect(afterTalk({ on_call: 'answer', talk_ms: 700 })).toEqual({ talkMs: 700, next: 'hangup' });
  expect(afterTalk({ on_call: 'answer', then: 'hold' })).toEqual({ talkMs: 0, next: 'hold' });
});

test('whatever JSON comes, parsing it never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      const result = parseBehaviour(input);
      if (!result.ok) expect(result.failure.details.length).toBeGreaterThan(0);
    }),
  );
});
