// What people and machines are told about a run: exit status, text, JUnit.
import { describe, expect, it } from 'vitest';
import { junitOf } from './junit.ts';
import type { Failure, RunResult, ScenarioResult } from './results.ts';
import { failureText, resultLine, summary } from './text.ts';
import { verdictOf } from './verdict.ts';

const passed: ScenarioResult = {
  id: 'busy',
  title: 'The called phone is busy',
  file: 'scenarios/calls/busy.yaml',
  requires: 'Busy reaches the caller',
  spec: ['Events, Event names', 'RFC 3261, 21.4.24'],
  verdict: 'pass',
  steps: 6,
  durationMs: 1500,
  failures: [],
  replay: 'pbxsim run scenarios/calls/busy.yaml',
};
const failure: Failure = {
  step: { number: '4', title: 'events initial, missed', place: 'scenarios/calls/busy.yaml:19:5' },
  expected: 'missed: 1 call.missed',
  actual: '0; arrived: call.initial & "more"',
  pointer: '/event_name',
  curl: 'curl -i -g "$PBXSIM_API/calls"',
  ladder: 'caller   exchange\n  |--INVITE-->|',
};
const failed: ScenarioResult = { ...passed, verdict: 'fail', failures: [failure] };
const unevaluable: ScenarioResult = { ...passed, verdict: 'unevaluable', reason: 'the target gives no second user' };
const runOf = (...scenarios: ScenarioResult[]): RunResult => ({ target: 'fresh simulator', driver: 'sim', scenarios });

describe('the verdict of a run', () => {
  it.each([
    ['all passed', runOf(passed, passed), 0, '2 passed'],
    ['one failed', runOf(passed, failed), 1, '1 passed, 1 failed'],
    ['one failed, one unevaluable', runOf(failed, unevaluable), 1, '0 passed, 1 failed, 1 unevaluable'],
    ['one unevaluable', runOf(passed, unevaluable), 3, '1 passed, 1 unevaluable'],
    ['one that the target has not', runOf(passed, { ...passed, verdict: 'unsupported' }), 0, '1 passed, 1 unsupported'],
    ['nothing that the target has', runOf({ ...passed, verdict: 'unsupported' }), 3, '0 passed, 1 unsupported'],
    ['one blocked', runOf({ ...passed, verdict: 'blocked' }), 3, '0 passed, 1 blocked'],
    [
      'the harness failed',
      runOf(failed, { ...passed, verdict: 'error' }),
      6,
      '0 passed, 1 failed, 1 broken by the harness itself',
    ],
    ['no scenario', runOf(), 2, 'no scenario was run'],
    [
      'an invalid file',
      { ...runOf(), obstacle: { kind: 'invalid', lines: ['a.yaml:1:1: no'] } } as const,
      2,
      'invalid',
    ],
    [
      'no target',
      { ...runOf(), obstacle: { kind: 'unreachable', lines: ['x'] } } as const,
      5,
      'the target cannot be judged',
    ],
    [
      'a broken harness',
      { ...runOf(passed), obstacle: { kind: 'harness', lines: ['x'] } } as const,
      6,
      'the harness failed; 1 passed',
    ],
  ] as const)('is clear when %s', (_what, run, status, words) => {
    expect(verdictOf(run)).toEqual({ status, words });
  });
});

describe('the text of a run', () => {
  it('has a line for each scenario', () => {
    expect(resultLine(passed)).toBe('✓ busy  The called phone is busy');
    expect(resultLine({ ...passed, driversReason: 'It waits an hour.' })).toBe(
      '✓ busy  The called phone is busy (It waits an hour.)',
    );
    expect(resultLine(unevaluable)).toBe('? busy  The called phone is busy: the target gives no second user');
  });

  it('says of a failure what it was about, what was expected, what came, and how to see it again', () => {
    expect(failureText(failed)).toBe(
      [
        '✗ busy  The called phone is busy',
        '  step      4, events initial, missed (scenarios/calls/busy.yaml:19:5)',
        '  requires  Busy reaches the caller',
        '            Events, Event names; RFC 3261, 21.4.24',
        '  expected  missed: 1 call.missed',
        '  actual    0; arrived: call.initial & "more" at /event_name',
        '  ladder    caller   exchange',
        '              |--INVITE-->|',
        '  ask       curl -i -g "$PBXSIM_API/calls"',
        '  again     pbxsim run scenarios/calls/busy.yaml',
      ].join('\n'),
    );
  });

  it('ends with the verdict', () => {
    expect(summary(runOf(passed, failed))).toBe('1 passed, 1 failed (fresh simulator, phones: sim)');
    expect(summary({ ...runOf(), obstacle: { kind: 'unreachable', lines: ['Nobody is there.'] } })).toBe(
      'Nobody is there.\nthe target cannot be judged (fresh simulator, phones: sim)',
    );
  });
});

describe('JUnit', () => {
  it('has a case for each scenario, with a failure, a skip or an error', () => {
    expect(junitOf(runOf(passed, failed, unevaluable, { ...passed, verdict: 'error', reason: 'x < y' }))).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="pbxsim" tests="4" failures="1" errors="1" skipped="1" time="6.000">',
        '  <testsuite name="scenarios/calls/busy.yaml" tests="4" failures="1" errors="1" skipped="1" time="6.000">',
        '    <testcase classname="scenarios/calls/busy.yaml" name="busy: The called phone is busy" time="1.500"/>',
        '    <testcase classname="scenarios/calls/busy.yaml" name="busy: The called phone is busy" time="1.500">',
        '      <failure message="expected missed: 1 call.missed, actual 0; arrived: call.initial &amp; &quot;more&quot;">' +
          failureText(failed).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('>', '&gt;') +
          '</failure>',
        '    </testcase>',
        '    <testcase classname="scenarios/calls/busy.yaml" name="busy: The called phone is busy" time="1.500">',
        '      <skipped message="unevaluable: the target gives no second user"/>',
        '    </testcase>',
        '    <testcase classname="scenarios/calls/busy.yaml" name="busy: The called phone is busy" time="1.500">',
        '      <error message="x &lt; y"/>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('is an error when nothing was judged, never an empty success', () => {
    expect(junitOf(runOf())).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="pbxsim" tests="1" failures="0" errors="1" skipped="0" time="0.000">',
        '  <testsuite name="pbxsim" tests="1" failures="0" errors="1" skipped="0" time="0.000">',
        '    <testcase classname="pbxsim" name="run" time="0.000">',
        '      <error message="no scenario was run"/>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('holds no character that XML cannot', () => {
    const odd = { ...failed, failures: [{ ...failure, actual: 'a\u0000b\u001bc\ud800' }] };
    expect(junitOf(runOf(odd))).toContain('actual a\ufffdb\ufffdc\ufffd');
  });
});
