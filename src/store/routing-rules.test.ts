// What routing rules say: actions, ends, times and order, told by calls that they are about and calls that they are not.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoutingRule } from '../contract/resources/settings.ts';
import { firstMatch, matchRule, parseAction, parseInterval, type RuleCall } from './routing-rules.ts';

const IN = 0;
const OUT = 1;
/** Thursday, 1 January 2026. */
const NEW_YEAR = Date.UTC(2026, 0, 1);
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 0, day, hour, minute);

function rule(members: Partial<RoutingRule>): RoutingRule {
  const empty = { source: '', destination: '', time_interval: '', action: 'block', direction: IN, final_dst: false };
  return { id: 10_000_001, customer: 1, pos: 1, ...empty, ...members };
}

function call(members: Partial<RuleCall> = {}): RuleCall {
  return { direction: 'in', src: '+442079460911', dst: '+442079460101', atMs: NEW_YEAR, ...members };
}

describe('an action', () => {
  it.each([
    ['block', { kind: 'block' }],
    ['redirect:I:10000001', { kind: 'redirect', letter: 'I', id: 10_000_001 }],
    ['redirect:U:7', { kind: 'redirect', letter: 'U', id: 7 }],
  ])('%s', (text, action) => {
    expect(parseAction(text)).toEqual(action);
  });

  it.each([
    '',
    'BLOCK',
    'redirect',
    'redirect:X:1',
    'redirect:H:1',
    'redirect:U:0',
    'redirect:U:',
    'redirect:U:1 ',
    'allow',
  ])('%j is none', (text) => {
    expect(parseAction(text)).toBeUndefined();
  });
});

describe('a rule', () => {
  it('without ends and times is about every call of its direction', () => {
    expect(matchRule(rule({}), call())).toEqual({ kind: 'block' });
    expect(matchRule(rule({}), call({ direction: 'out' }))).toBeUndefined();
    expect(matchRule(rule({ direction: OUT }), call({ direction: 'out' }))).toEqual({ kind: 'block' });
  });

  it('names callers by number with or without plus, by the beginning of one, or as anonymous', () => {
    for (const source of ['+442079460911', '442079460911', '+15550100,+442079460911', '+4420*', '*'])
      expect(matchRule(rule({ source }), call()), source).toEqual({ kind: 'block' });
    for (const source of ['+442079460912', '+44207946091', '4421*', 'anonymous'])
      expect(matchRule(rule({ source }), call()), source).toBeUndefined();
    expect(matchRule(rule({ source: 'anonymous' }), call({ src: 'anonymous' }))).toEqual({ kind: 'block' });
  });

  it('names users by any of their names', () => {
    const src = ['103', '10000003', '+442079460103', 'group:10000002'];
    const calling = call({ direction: 'out', src, dst: '+15550100' });
    for (const source of ['103', '10000003', 'group:10000002', '10000001, 10000003'])
      expect(matchRule(rule({ direction: OUT, source }), calling), source).toEqual({ kind: 'block' });
    expect(matchRule(rule({ direction: OUT, source: 'group:10000001' }), calling)).toBeUndefined();
  });

  it('needs both ends to fit', () => {
    const both = rule({ source: '+442079460911', destination: '+442079460101', action: 'redirect:Q:5' });
    expect(matchRule(both, call())).toEqual({ kind: 'redirect', letter: 'Q', id: 5 });
    expect(matchRule(both, call({ dst: '+442079460102' }))).toBeUndefined();
    expect(matchRule(both, call({ src: '+442079460912' }))).toBeUndefined();
  });

  it('holds in its intervals, which are in UTC', () => {
    const office = rule({ time_interval: 'mon-fri@09:00-17:30' });
    expect(matchRule(office, call({ atMs: at(1, 9) }))).toEqual({ kind: 'block' });
    expect(matchRule(office, call({ atMs: at(1, 17, 29) }))).toEqual({ kind: 'block' });
    expect(matchRule(office, call({ atMs: at(1, 17, 30) }))).toBeUndefined();
    expect(matchRule(office, call({ atMs: at(1, 8, 59) }))).toBeUndefined();
    expect(matchRule(office, call({ atMs: at(3, 12) }))).toBeUndefined();
    const weekend = rule({ time_interval: 'sat-sun,fri@22:00-06:00' });
    expect(matchRule(weekend, call({ atMs: at(3, 23) }))).toEqual({ kind: 'block' });
    expect(matchRule(weekend, call({ atMs: at(2, 21, 59) }))).toBeUndefined();
    expect(matchRule(weekend, call({ atMs: at(2, 22) }))).toEqual({ kind: 'block' });
    const night = rule({ time_interval: 'fri@22:00-06:00' });
    expect(matchRule(night, call({ atMs: at(3, 5, 59) }))).toEqual({ kind: 'block' });
    expect(matchRule(night, call({ atMs: at(3, 6) }))).toBeUndefined();
    expect(matchRule(night, call({ atMs: at(2, 5) }))).toBeUndefined();
  });

  it('with the id of an interval holds always', () => {
    expect(matchRule(rule({ time_interval: '12' }), call({ atMs: at(3, 3) }))).toEqual({ kind: 'block' });
  });

  it.each(['mon', 'fri-mon', 'sun@00:00-00:00', '7'])('takes %s as an interval', (text) => {
    expect(parseInterval(text)).toBeDefined();
  });

  it.each(['', 'day', 'mon-', 'mon@9:00-17:00', 'mon@09:00', 'mon@24:00-25:00', 'Mon', '0'])(
    'takes %j as none',
    (text) => {
      expect(parseInterval(text)).toBeUndefined();
    },
  );
});

describe('several rules', () => {
  it('are asked in their order, and the first that is about the call decides', () => {
    const rules = [
      rule({ id: 1, pos: 3, action: 'redirect:U:1' }),
      rule({ id: 2, pos: 1, source: '+15550100', action: 'redirect:U:2' }),
      rule({ id: 3, pos: 2 }),
    ];
    expect(firstMatch(rules, call())).toEqual({ kind: 'block' });
    expect(firstMatch(rules, call({ src: '+15550100' }))).toEqual({ kind: 'redirect', letter: 'U', id: 2 });
    expect(firstMatch(rules, call({ direction: 'out' }))).toBeUndefined();
    expect(firstMatch([], call())).toBeUndefined();
  });
});

it('any text in a rule is about calls or it is not: nothing is thrown', () => {
  const text = fc.string({ maxLength: 40 });
  fc.assert(
    fc.property(
      text,
      text,
      text,
      text,
      fc.integer({ min: 0, max: 2 ** 45 }),
      (source, destination, time_interval, action, atMs) => {
        const found = matchRule(rule({ source, destination, time_interval, action }), call({ atMs }));
        return found === undefined || found.kind === 'block' || found.id > 0;
      },
    ),
  );
});
