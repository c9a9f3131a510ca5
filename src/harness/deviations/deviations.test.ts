// Known deviations: read with places of mistakes, accepted while they are as known, stale as soon as they are not, and the edit to make.
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../report/conform-results.ts';
import { DeviationBook, signatureOf } from './deviation-book.ts';
import { type Deviation, readDeviations } from './deviation-file.ts';
import { proposeDeviations } from './deviation-update.ts';

const FILE = `# what our sandbox does otherwise
deviations:
  # the vendor knows
  - check: GET /users/{id} 404
    signature: actual 200
    kind: bug
    reason: unknown ids are answered with the first user
    issue: https://issues.example/7
    expires: '2026-12-31'
  - check: paging/total
    kind: by_design
    reason: total counts the page
    expires: '2026-12-31'
`;

function read(text: string): readonly Deviation[] {
  const reading = readDeviations('known.yaml', text);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.deviations;
}

function result(id: string, verdict: CheckResult['verdict'], actual?: string): CheckResult {
  return {
    ...{ id, clause: 'X-1', level: 'MUST', requirement: 'it is so', spec: 'Errors', verdict, message: '' },
    ...{ exchanges: [], ms: 1, ...(actual === undefined ? {} : { expected: '404', actual }) },
  };
}

const book = (today = '2026-11-21') => new DeviationBook(read(FILE), today);
const notFound = result('GET /users/{id} 404', 'fail', '200');
const total = result('paging/total', 'warn', '20');
const stale = (results: readonly CheckResult[], today?: string, filtered = false) =>
  book(today)
    .stale(results, filtered)
    .map(({ told }) => told);

describe('a file of deviations', () => {
  it('says where it is wrong, and what was expected', () => {
    const reading = readDeviations(
      'known.yaml',
      "deviations:\n  - check: a\n    kind: bgu\n    reason: x\n    expires: '2026-02-30'\n",
    );
    expect(reading).toMatchObject({ ok: false });
    if (!reading.ok)
      expect(reading.problems).toEqual([
        'known.yaml:3:11: deviations/0/kind: expected one of bug, by_design, spec_dispute, found "bgu"',
      ]);
  });

  it('has each check once, and days that there are', () => {
    const twice = `deviations:\n${"  - {check: a, kind: bug, reason: x, expires: '2026-02-30'}\n".repeat(2)}`;
    const reading = readDeviations('known.yaml', twice);
    if (reading.ok) throw new Error('it was taken');
    expect(reading.problems).toEqual([
      'known.yaml:2:47: deviations/0/expires: expected a day of the calendar, found 2026-02-30',
      'known.yaml:3:13: deviations/1/check: expected each check once, a is there already',
      'known.yaml:3:47: deviations/1/expires: expected a day of the calendar, found 2026-02-30',
    ]);
  });
});

describe('a reason', () => {
  const withReason = (reason: string) =>
    `deviations:\n  - {check: a, kind: bug, reason: 'of ours', expires: '2026-12-31'}\n  - {check: b, kind: bug, reason: '${reason}', expires: '2026-12-31'}\n`;

  it.each(['say why this is accepted', '  Say why this is accepted ', ' '])('is not %j', (reason) => {
    const reading = readDeviations('known.yaml', withReason(reason));
    if (reading.ok) throw new Error('it was taken');
    expect(reading.problems).toEqual([
      `known.yaml:3:35: deviations/1/reason: expected a reason of your own for taking the deviation of b, found ${JSON.stringify(reason)}`,
    ]);
    // A second proposal is made of a file in which the reasons of the first are still to be said.
    expect(readDeviations('known.yaml', withReason(reason), { unsaid: 'taken' }).ok).toBe(true);
  });

  it('may speak of the same thing', () => {
    expect(readDeviations('known.yaml', withReason('they could not say why this is accepted')).ok).toBe(true);
  });
});

describe('a known deviation', () => {
  it('is accepted while the check fails as is known, a warning too', () => {
    expect(book().account(notFound).accepted).toEqual({
      reason: 'unknown ids are answered with the first user',
      issue: 'https://issues.example/7',
    });
    expect(book().account(total).accepted).toEqual({ reason: 'total counts the page' });
    expect(stale([notFound, total])).toEqual([]);
  });

  it('is stale when the check passes, fails otherwise, was not judged or is not there', () => {
    const other = result('GET /users/{id} 404', 'fail', '500');
    expect(book().account(other).accepted).toBeUndefined();
    expect(stale([other, result('paging/total', 'unevaluable')])).toEqual([
      'GET /users/{id} 404: it fails in another way; the signature now is "expected 404; actual 500"',
      'paging/total: it was not judged (unevaluable); see to it that it is, or take the entry out',
    ]);
    expect(stale([result('GET /users/{id} 404', 'pass')])).toEqual([
      'GET /users/{id} 404: it passes now; take the entry out',
      'paging/total: there is no such check in this run; take the entry out or correct its id',
    ]);
  });

  it('holds through the day that it names and no longer', () => {
    expect(stale([notFound, total], '2026-12-31')).toEqual([]);
    expect(book('2027-01-01').account(notFound).accepted).toBeUndefined();
    expect(stale([notFound, total], '2027-01-01')).toHaveLength(2);
  });

  it('is left alone by a run that did not choose its check', () => {
    expect(stale([notFound], undefined, true)).toEqual([]);
  });

  it('has a signature that does not change with ids', () => {
    expect(signatureOf({ message: 'user 10000031 was\n shown', actual: '200' })).toBe('user # was shown; actual 200');
  });
});

describe('the proposed edit', () => {
  const options = { expires: '2027-02-01', filtered: false };

  it('takes out what passes, renews signatures, adds failures, keeps comments', () => {
    const results = [
      result('GET /users/{id} 404', 'fail', '500'),
      result('paging/total', 'pass'),
      result('auth/expiry', 'fail', '200'),
    ];
    const { text, changes } = proposeDeviations(FILE, read(FILE), results, options);
    expect(changes).toEqual(['- paging/total', '~ GET /users/{id} 404', '+ auth/expiry']);
    expect(text).toBe(`# what our sandbox does otherwise
deviations:
  # the vendor knows
  - check: GET /users/{id} 404
    signature: expected 404; actual 500
    kind: bug
    reason: unknown ids are answered with the first user
    issue: https://issues.example/7
    expires: '2026-12-31'
  - check: auth/expiry
    signature: expected 404; actual 200
    kind: bug
    reason: say why this is accepted
    expires: 2027-02-01
`);
  });

  it('makes a file where there was none, which settles the run as soon as somebody has said why', () => {
    const { text } = proposeDeviations('', [], [notFound], options);
    expect(readDeviations('known.yaml', text).ok).toBe(false);
    const made = new DeviationBook(read(text.replace('say why this is accepted', 'mended in May')), '2026-11-21');
    expect(made.account(notFound).accepted?.reason).toBe('mended in May');
    expect(made.stale([notFound], false)).toEqual([]);
  });

  it('changes nothing when nothing is to be changed', () => {
    expect(proposeDeviations(FILE, read(FILE), [notFound, total], options)).toEqual({ text: FILE, changes: [] });
  });
});
