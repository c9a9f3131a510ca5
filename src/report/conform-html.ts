// A conformance run as one HTML file: clauses and results, coverage, a timeline of requests, the bytes of each. Needs no network.
import { constants, deflateSync } from 'node:zlib';
import { cut, type Row, rowsOf } from './conform-html-rows.ts';
import { PAGE_SCRIPT } from './conform-html-script.ts';
import { PAGE_STYLE } from './conform-html-style.ts';
import { type CheckResult, type ConformRun, checkVerdicts } from './conform-results.ts';
import { areaOf, shortStoryOf } from './conform-story.ts';
import { conformVerdictOf, countsOf } from './conform-verdict.ts';

export function conformHtmlOf(run: ConformRun): string {
  const rows = rowsOf(run);
  const { verdict, status, words } = conformVerdictOf(run);
  const title = `pbxsim conform: ${run.target.name} is ${verdict}`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${PAGE_STYLE}</style></head><body>`,
    `<header class="${status === 0 ? 'good' : 'bad'}"><h1>${escaped(verdict)}</h1><p>${escaped(words.replace(/^[^:]*: /, ''))}</p>`,
    `<dl>${factsOf(run)
      .map(([label, text]) => `<div><dt>${label}</dt><dd>${escaped(text)}</dd></div>`)
      .join('')}</dl>`,
    `</header>${troubleOf(run)}<p class="trouble" id="packed" hidden></p><noscript><p class="trouble">Filters, the timeline and the bytes of requests need JavaScript.</p></noscript>${coverageOf(run)}`,
    '<nav><button type="button" data-view="checks" aria-pressed="true">Checks</button>',
    '<button type="button" data-view="timeline" aria-pressed="false">Timeline</button></nav>',
    `<main id="checks">${filterOf(run)}${areasOf(run, rows)}</main>`,
    '<main id="timeline" hidden><p class="hint">Requests, deliveries to webhooks and SIP messages at phones, in the order in which they went. A click shows the bytes.</p><ol></ol></main>',
    '<dialog id="exchange"><form method="dialog"><button>Close</button></form><div></div></dialog>',
    `<script type="application/zlib" id="evidence">${packed(rows)}</script>`,
    `<script>${PAGE_SCRIPT}</script></body></html>`,
    '',
  ].join('\n');
}

function factsOf(run: ConformRun): ReadonlyArray<readonly [string, string]> {
  return [
    ['target', run.target.name],
    ['API root', run.target.apiRoot],
    ['control API', run.target.control ? 'given' : 'not given'],
    ['started', run.startedAt],
    ['took', `${(run.durationMs / 1000).toFixed(1)} s, ${run.exchanges.length} requests`],
    ['seed', run.seed],
    ['checks', `${run.checks.length} of ${run.planned.length} planned${run.filtered ? ', a part was chosen' : ''}`],
    ['strict', run.strict ? 'yes: an unmet SHOULD fails the run' : 'no'],
  ];
}

function troubleOf(run: ConformRun): string {
  const lines = [
    ...(run.obstacle?.lines ?? []),
    ...run.stale.map((line) => `Stale deviation: ${line}`),
    ...run.leftovers.map((path) => `Left at the target: ${path}`),
  ];
  return lines.length === 0
    ? ''
    : `<ul class="trouble">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}

function coverageOf({ coverage }: ConformRun): string {
  const bars = coverage.map(({ of, judged, total, missed }) => {
    const told = missed.length === 0 ? 'nothing is missing' : `missing: ${missed.join(', ')}`;
    const meter = `<meter min="0" max="${Math.max(total, 1)}" value="${judged}"></meter>`;
    return `<details><summary>${escaped(of)} ${meter} ${judged} of ${total}</summary><p>${escaped(told)}</p></details>`;
  });
  return `<section class="coverage">${bars.join('')}</section>`;
}

function filterOf(run: ConformRun): string {
  const counts = countsOf(run.checks);
  const buttons = checkVerdicts
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        `<button type="button" class="${verdict}" data-verdict="${verdict}" aria-pressed="false">${verdict} ${counts[verdict]}</button>`,
    );
  return [
    '<div class="filter"><input type="search" id="words" placeholder="Filter by check, clause, operation or message" aria-label="Filter">',
    `${buttons.join('')}<output id="shown"></output></div>`,
  ].join('');
}

/** What failed comes first, with its area: that is what somebody opens the report for. */
function areasOf(run: ConformRun, rows: readonly Row[]): string {
  const known = new Set(rows.map(({ seq }) => seq));
  const areas = Map.groupBy(
    run.checks.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a))),
    areaOf,
  );
  return [...areas]
    .map(([area, results]) => {
      const bad = results.filter(isBad).length;
      const count = bad === 0 ? String(results.length) : `${results.length}, ${bad} failed`;
      return `<section class="area"><h2>${escaped(area)} <small>${count}</small></h2>${results.map((one) => checkOf(one, known)).join('')}</section>`;
    })
    .join('');
}

function isBad({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'error';
}

function checkOf(result: CheckResult, known: ReadonlySet<string>): string {
  const { id, clause, level, requirement, spec, operation, verdict, message, expected, actual, accepted, ms } = result;
  const rows: ReadonlyArray<readonly [string, string | undefined]> = [
    ['requires', requirement],
    ['clause', `${clause} (${level}), ${spec}`],
    ['operation', operation],
    ['message', message === '' ? undefined : message],
    ['expected', expected],
    ['actual', actual],
    ['known deviation', accepted === undefined ? undefined : `${accepted.reason} ${accepted.issue ?? ''}`.trim()],
    ['took', `${ms.toFixed(0)} ms`],
  ];
  const told = rows.flatMap(([label, text]) =>
    text === undefined ? [] : [`<dt>${label}</dt><dd><pre>${escaped(text)}</pre></dd>`],
  );
  const seqs = [
    ...result.exchanges.map(String),
    ...(result.deliveries ?? []).map((seq) => `w${seq}`),
    ...(result.messages ?? []).map((seq) => `s${seq}`),
  ].filter((seq) => known.has(seq));
  return [
    `<details class="check" data-verdict="${verdict}"><summary><b class="${verdict}">${verdict}</b> <code>${escaped(id)}</code>`,
    ` <span class="clause">${escaped(clause)}</span> <span>${escaped(cut(shortStoryOf(result), 200))}</span></summary>`,
    `<dl>${told.join('')}</dl><p class="exchanges" data-seqs="${escaped(seqs.join(' '))}"></p></details>`,
  ].join('');
}

/** The evidence for the script: zlib (RFC 1950) in base64, a tenth of its JSON. Nothing in base64 can end the element that holds it. */
function packed(rows: readonly Row[]): string {
  return deflateSync(JSON.stringify(rows), { level: constants.Z_BEST_COMPRESSION }).toString('base64');
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
