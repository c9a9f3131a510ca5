// What a conformance run comes to: verdict and exit status for each thing that can be so, never a success for nothing.
import { describe, expect, it } from 'vitest';
import type { CheckResult, CheckVerdict, ConformEvent, ConformRun } from './conform-results.ts';
import { obstructedRun, RunCollector } from './conform-run.ts';
import { conformVerdictOf } from './conform-verdict.ts';

function check(id: string, verdict: CheckVerdict, more: Partial<CheckResult> = {}): CheckResult {
  return {
    ...{ id, clause: 'PING-GET-200', level: 'MUST', requirement: 'it answers', spec: 'Endpoints', verdict },
    ...{ message: '', exchanges: [], ms: 1 },
    ...more,
  };
}

function run(checks: readonly CheckResult[], more: Partial<ConformRun> = {}): ConformRun {
  return {
    ...{ target: { name: 'a', apiRoot: 'a', control: false }, seed: '1', filtered: false, strict: false },
    ...{ startedAt: '2026-01-01T00:00:00Z', planned: checks.map(({ id }) => id), durationMs: 1, coverage: [] },
    ...{ leftovers: [], stale: [], checks, exchanges: [] },
    ...more,
  };
}

const of = (...given: Parameters<typeof run>) => {
  const { verdict, status } = conformVerdictOf(run(...given));
  return [verdict, status];
};

describe('a run', () => {
  it('conforms when checks passed and none failed', () => {
    expect(of([check('a', 'pass'), check('b', 'observed'), check('c', 'unsupported')])).toEqual(['conformant', 0]);
    expect(conformVerdictOf(run([check('a', 'pass'), check('b', 'pass')])).words).toBe('conformant: 2 pass');
  });

  it('is partial when only some checks were chosen', () => {
    expect(of([check('a', 'pass')], { filtered: true })).toEqual(['partial', 0]);
  });

  it('fails by one MUST, and by a SHOULD when it is strict', () => {
    expect(of([check('a', 'pass'), check('b', 'fail')])).toEqual(['non-conformant', 1]);
    expect(of([check('a', 'pass'), check('b', 'warn')])).toEqual(['conformant', 0]);
    expect(of([check('a', 'pass'), check('b', 'warn')], { strict: true })).toEqual(['non-conformant', 1]);
  });

  it('is incomplete while something could not be judged', () => {
    expect(of([check('a', 'pass'), check('b', 'unevaluable')])).toEqual(['incomplete', 3]);
    expect(of([check('a', 'pass'), check('b', 'blocked')], { filtered: true })).toEqual(['incomplete', 3]);
  });

  it('is no success when nothing was checked, or nothing passed', () => {
    expect(of([])).toEqual(['invalid', 2]);
    expect(of([check('a', 'observed'), check('b', 'unsupported')])).toEqual(['incomplete', 3]);
  });

  it('is the fault of the harness when what was planned and what was reported differ', () => {
    expect(of([check('a', 'pass')], { planned: ['a', 'b'] })).toEqual(['invalid', 6]);
    expect(of([check('a', 'pass'), check('a', 'pass')], { planned: ['a'] })).toEqual(['invalid', 6]);
    expect(of([check('a', 'pass'), check('b', 'error')])).toEqual(['invalid', 6]);
  });

  it('conforms with deviations that are known, and fails on those that no longer are', () => {
    const known = check('b', 'fail', { accepted: { reason: 'agreed' } });
    expect(of([check('a', 'pass'), known])).toEqual(['conformant with deviations', 0]);
    expect(of([check('a', 'pass'), known, check('c', 'blocked', { accepted: { reason: 'agreed' } })])[1]).toBe(0);
    expect(of([check('a', 'pass')], { stale: ['b: it passes now'] })).toEqual(['non-conformant', 4]);
    const otherwise = ['b: it fails in another way'];
    expect(of([check('a', 'pass'), check('b', 'fail')], { stale: otherwise })[1]).toBe(4);
    expect(of([check('a', 'fail'), check('b', 'fail')], { stale: otherwise })[1]).toBe(1);
  });

  it('that never began says what stood in the way', () => {
    const status = (kind: 'invalid' | 'unreachable' | 'harness') =>
      conformVerdictOf(obstructedRun('a', { kind, lines: ['why'] })).status;
    expect([status('invalid'), status('unreachable'), status('harness')]).toEqual([2, 5, 6]);
  });
});

it('a run is put together from its stream, in the order of the plan; a stream without an end is no run', () => {
  const collector = new RunCollector();
  const { checks, exchanges, ...rest } = run([check('a', 'pass'), check('b', 'pass')]);
  const { durationMs, coverage, leftovers, stale, ...head } = rest;
  const events: ConformEvent[] = [
    { event: 'run started', ...head },
    { event: 'check ended', result: check('b', 'pass') },
    { event: 'check ended', result: check('a', 'pass') },
  ];
  for (const event of events) collector.take(event);
  expect(conformVerdictOf(collector.run).status).toBe(6);
  collector.take({ event: 'run ended', durationMs, coverage, leftovers, stale });
  expect(collector.run).toEqual({ ...rest, checks, exchanges });
});
