// A run told in lines comes back as it was, however it was cut; parts of one plan become one run.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, mergedRun, runOfLines } from './conform-lines.ts';
import type { CheckResult, ConformEvent, ConformRun, Exchange } from './conform-results.ts';
import { conformVerdictOf } from './conform-verdict.ts';

const check = (id: string, verdict: CheckResult['verdict'], exchanges: readonly number[] = [1]): CheckResult => ({
  ...{
    id,
    clause: 'A-1',
    level: 'MUST',
    requirement: 'so',
    spec: 'Errors',
    verdict,
    message: 'é\n"',
    exchanges,
    ms: 1,
  },
});

const exchange: Exchange = {
  ...{ seq: 1, request: { method: 'GET', url: 'http://a/', headers: {} }, atMs: 0, ms: 1 },
};

function eventsOf(checks: readonly CheckResult[], missed: readonly string[] = []): ConformEvent[] {
  return [
    {
      ...{ event: 'run started', target: { name: 'a', apiRoot: 'http://a', control: false }, seed: '1' },
      ...{ filtered: false, strict: false, startedAt: '2026-01-01T00:00:00Z', planned: checks.map(({ id }) => id) },
    },
    { event: 'exchange', exchange },
    ...checks.map((result): ConformEvent => ({ event: 'check ended', result })),
    {
      ...{ event: 'run ended', durationMs: 5, leftovers: [], stale: [] },
      coverage: [{ of: 'clauses', judged: 3 - missed.length, total: 3, missed }],
    },
  ];
}

const textOf = (events: readonly ConformEvent[]): string => events.map((event) => `${lineOf(event)}\n`).join('');

function read(text: string): ConformRun {
  const reading = runOfLines(text);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.run;
}

describe('a run in lines', () => {
  it('comes back as it was', () => {
    const run = read(textOf(eventsOf([check('a', 'pass'), check('b', 'observed')])));
    expect(run.checks).toEqual([check('a', 'pass'), check('b', 'observed')]);
    expect(run.exchanges).toEqual([exchange]);
    expect(conformVerdictOf(run).words).toBe('conformant: 1 pass, 1 observed');
  });

  it('is never a success when it was cut anywhere, and never throws', () => {
    const text = textOf(eventsOf([check('a', 'pass'), check('b', 'pass')]));
    const whole = text.trimEnd().length;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole - 1 }), (length) => {
        const reading = runOfLines(text.slice(0, length));
        return !reading.ok || conformVerdictOf(reading.run).status !== 0;
      }),
    );
  });

  it('is refused by the line that is none of it', () => {
    const text = textOf(eventsOf([check('a', 'pass')]));
    const broken = text.replace('"verdict":"pass"', '"verdict":"good"');
    expect(runOfLines(broken)).toEqual({
      ok: false,
      problem: 'line 3: expected an event of a conformance run, as JSON',
    });
    expect(runOfLines('{}\n{}\n')).toMatchObject({ ok: false });
    expect(runOfLines('')).toEqual({ ok: false, problem: 'there is no conformance run in it' });
    expect(runOfLines(text.slice(text.indexOf('\n') + 1))).toMatchObject({ ok: false });
  });
});

describe('parts of a run', () => {
  const one = read(textOf(eventsOf([check('a', 'pass'), check('b', 'pass')], ['x', 'y'])));
  const two = read(textOf(eventsOf([check('a', 'fail'), check('c', 'pass')], ['y', 'z'])));

  it('become one: each check once as the worst that came of it, what nobody judged is missed', () => {
    const merged = mergedRun([one, two]);
    expect(merged?.checks.map(({ id, verdict, exchanges }) => [id, verdict, exchanges])).toEqual([
      ['a', 'fail', [2]],
      ['b', 'pass', [1]],
      ['c', 'pass', [2]],
    ]);
    expect(merged?.coverage).toEqual([{ of: 'clauses', judged: 2, total: 3, missed: ['y'] }]);
    expect(merged && conformVerdictOf(merged).status).toBe(1);
    expect(merged?.exchanges.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('are all of them, or the run is partial', () => {
    const part = (index: number): ConformRun => ({ ...one, shard: { index, of: 2 } });
    expect(conformVerdictOf(part(1)).verdict).toBe('partial');
    const verdicts = [[part(1)], [part(1), part(2)]].map((parts) => {
      const merged = mergedRun(parts);
      return merged && conformVerdictOf(merged).verdict;
    });
    expect(verdicts).toEqual(['partial', 'conformant']);
  });

  it('of different targets or seeds are no parts of one run', () => {
    expect(mergedRun([one, { ...two, seed: '2' }])).toBeUndefined();
    expect(mergedRun([])).toBeUndefined();
  });
});
