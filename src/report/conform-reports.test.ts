// Every format tells the same run: what failed and why, what is known, what could not be judged; hostile text stays text.
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { conformBadgeOf } from './conform-badge.ts';
import { conformDifference, differenceText } from './conform-diff.ts';
import { githubAnnotations, githubSummary } from './conform-github.ts';
import { conformHtmlOf } from './conform-html.ts';
import { conformJunitOf } from './conform-junit.ts';
import type { CheckResult, ConformRun, Exchange } from './conform-results.ts';
import { conformSarifOf } from './conform-sarif.ts';
import { curlOf } from './conform-story.ts';
import { conformTapOf } from './conform-tap.ts';

const exchange: Exchange = {
  seq: 7,
  operation: 'GET /users/{id}',
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:1/users/9?q=a b',
    headers: { accept: 'application/json', authorization: 'Basic [user 1]' },
  },
  response: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"data":"</script><b>"}',
    bytes: 23,
  },
  atMs: 10,
  ms: 4,
};

function check(id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult {
  return {
    ...{ id, clause: 'USERS-ID-GET-404', level: 'MUST', requirement: 'an unknown id is 404', spec: 'Errors', verdict },
    ...{ message: '', exchanges: [], ms: 5 },
    ...more,
  };
}

const failed = check('GET /users/{id} 404', 'fail', {
  operation: 'GET /users/{id}',
  message: 'It answers 200 <i>, 100 % "of the time": a|b',
  expected: '404',
  actual: '200',
  exchanges: [7],
});

function run(more: Partial<ConformRun> = {}): ConformRun {
  const checks = more.checks ?? [
    check('GET /users 200', 'pass', { operation: 'GET /users' }),
    failed,
    check('paging/total', 'warn', { level: 'SHOULD', message: 'total counts the page' }),
    check('events/order', 'unevaluable', { message: 'no webhook receiver' }),
    check('codes/state', 'observed', { level: 'UNSPECIFIED', message: 'numbers' }),
  ];
  return {
    ...{ target: { name: 'a & b', apiRoot: 'http://127.0.0.1:1', control: false }, seed: '3', filtered: false },
    ...{ strict: false, startedAt: '2026-01-01T00:00:00Z', planned: checks.map(({ id }) => id), durationMs: 1200 },
    ...{ coverage: [{ of: 'clauses', judged: 3, total: 4, missed: ['X-1'] }], leftovers: [], stale: [] },
    ...{ exchanges: [exchange] },
    ...more,
    checks,
  };
}

describe('JUnit', () => {
  it('has a failure element for the failed check alone, and skips what nobody judged', () => {
    const xml = conformJunitOf(run());
    expect(xml).toContain('<testsuites name="pbxsim conform a &amp; b" tests="5" failures="1" errors="0" skipped="3"');
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml).toContain('<testcase classname="users" name="GET /users/{id} 404 [USERS-ID-GET-404]" time="0.005">');
    expect(xml).toContain('It answers 200 &lt;i&gt;, 100 % &quot;of the time&quot;: a|b; expected 404; actual 200');
    expect(xml).toContain('<skipped message="unevaluable: no webhook receiver"/>');
  });

  it('fails unmet SHOULD clauses of a strict run, and takes known deviations', () => {
    expect(conformJunitOf(run({ strict: true })).match(/<failure /g)).toHaveLength(2);
    const known = run({ checks: [check('a', 'pass'), { ...failed, accepted: { reason: 'agreed' } }] });
    expect(conformJunitOf(known)).not.toContain('<failure ');
  });

  it('has an error for what stood in the way, and for stale deviations', () => {
    const broken = run({ checks: [], planned: [], obstacle: { kind: 'unreachable', lines: ['refused'] } });
    expect(conformJunitOf(broken)).toContain('tests="1" failures="0" errors="1"');
    expect(conformJunitOf(run({ stale: ['a passes now'] }))).toContain('<error message="a passes now');
  });
});

describe('TAP', () => {
  it('counts every check, skips with the reason, and tells failures whole', () => {
    const lines = conformTapOf(run()).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'TAP version 14',
      '1..5',
      'ok 1 - GET /users 200',
      'not ok 2 - GET /users/{id} 404',
    ]);
    expect(lines).toContain('ok 4 - events/order # SKIP unevaluable: no webhook receiver');
    expect(lines).toContain('    expected  404');
  });
});

describe('GitHub', () => {
  it('is told errors and warnings as workflow commands of one line', () => {
    expect(githubAnnotations(run()).split('\n')).toEqual([
      '::error title=GET /users/{id} 404::USERS-ID-GET-404 (MUST): It answers 200 <i>, 100 %25 "of the time": a|b; expected 404; actual 200',
      '::warning title=paging/total::USERS-ID-GET-404 (SHOULD): total counts the page',
      '',
    ]);
  });

  it('gets a summary whose tables hold', () => {
    const summary = githubSummary(run());
    expect(summary).toContain('## ❌ non-conformant: 1 pass, 1 fail, 1 warn, 1 observed, 1 unevaluable');
    expect(summary).toContain(
      '| fail | GET /users/{id} 404 | USERS-ID-GET-404 (MUST) | It answers 200 &lt;i>, 100 % "of the time": a\\|b; expected 404; actual 200 |',
    );
  });
});

describe('SARIF', () => {
  it('has a rule for each clause that is not kept and a result for each such check', () => {
    const { version, runs } = JSON.parse(conformSarifOf(run()));
    expect(version).toBe('2.1.0');
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['USERS-ID-GET-404']);
    expect(runs[0].results.map(({ level }: { level: string }) => level)).toEqual(['error', 'warning']);
  });
});

it('the badge says the verdict', () => {
  expect(conformBadgeOf(run())).toContain('>non-conformant</text>');
  expect(conformBadgeOf(run({ checks: [check('a', 'pass')] }))).toContain('>conformant</text>');
});

describe('HTML', () => {
  const html = conformHtmlOf(run());

  it('lets no answer of the target become markup', () => {
    expect(html).toContain('It answers 200 &lt;i&gt;, 100 % &quot;of the time&quot;: a|b');
    expect(html).not.toContain('<b>"}');
    expect(html.match(/<\/script>/g)).toHaveLength(2);
  });

  it('holds what was sent and received packed, in letters that are no markup', () => {
    const [, packed = ''] = /<script type="application\/zlib" id="evidence">([^<]*)<\/script>/.exec(html) ?? [];
    expect(packed).toMatch(/^[\w+/]+={0,2}$/);
    const rows = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString());
    expect(rows.map(({ seq }: { seq: string }) => seq)).toEqual(['7']);
    expect(JSON.stringify(rows)).toContain('</script><b>');
  });

  it('of a thousand requests is a small part of what they were', () => {
    const body = JSON.stringify({ data: Array.from({ length: 20 }, (_, id) => ({ id, name: 'Ada Lovelace' })) });
    const exchanges = Array.from({ length: 1000 }, (_, index) => ({
      ...{ ...exchange, seq: index + 1 },
      response: { status: 200, headers: {}, body: body.replace('Ada', `Ada ${index}`), bytes: body.length },
    }));
    const size = conformHtmlOf(run({ exchanges })).length - conformHtmlOf(run({ exchanges: [] })).length;
    expect(size).toBeLessThan((1000 * body.length) / 10);
  });

  it('asks nothing of the network', () => {
    expect(html).not.toMatch(/(src|href)=/);
  });
});

it('a request can be sent again by curl, without what was secret', () => {
  expect(curlOf(exchange)).toBe(
    "curl -i -H 'accept: application/json' -H 'authorization: Basic [user 1]' 'http://127.0.0.1:1/users/9?q=a b'",
  );
  const posted = { ...exchange, request: { ...exchange.request, method: 'POST', headers: {}, body: "it's" } };
  expect(curlOf(posted)).toBe("curl -i -X POST --data-raw 'it'\\''s' 'http://127.0.0.1:1/users/9?q=a b'");
});

describe('two runs', () => {
  it('differ in what is worse, better, new or gone', () => {
    const before = run({ checks: [check('a', 'pass'), check('b', 'fail'), check('c', 'pass'), check('d', 'pass')] });
    const after = run({ checks: [check('a', 'fail', { message: 'no' }), check('b', 'pass'), check('d', 'pass')] });
    expect(differenceText(conformDifference(before, after)).split('\n')).toEqual([
      'worse (1)',
      '  a [USERS-ID-GET-404]: pass → fail  no',
      '',
      'better (1)',
      '  b [USERS-ID-GET-404]: fail → pass',
      '',
      'other (1)',
      '  c [USERS-ID-GET-404]: pass → absent',
      '',
    ]);
    expect(differenceText(conformDifference(before, before))).toBe('');
  });
});
