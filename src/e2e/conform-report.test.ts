// The HTML report of a conformance run in a real browser: it filters, shows a timeline and the bytes of a request, and asks nobody for
// anything. JUnit and the badge are read by the same browser's XML parser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformBadgeOf } from '../report/conform-badge.ts';
import { conformHtmlOf } from '../report/conform-html.ts';
import { conformJunitOf } from '../report/conform-junit.ts';
import type { CheckResult, ConformRun } from '../report/conform-results.ts';
import { BrowserTab, interop } from './browser.ts';

const HOSTILE = '</script><img src=x onerror="document.title=\'broken\'">]]>\u0001&';

function run(): ConformRun {
  const checks = Array.from({ length: 60 }, (_, index): CheckResult => {
    const bad = index % 20 === 0;
    return {
      ...{
        id: `GET /users/{id} ${index}`,
        clause: `USERS-${index}`,
        level: 'MUST',
        requirement: HOSTILE,
        spec: 'Errors',
      },
      ...{ verdict: bad ? 'fail' : 'pass', operation: index < 30 ? 'GET /users/{id}' : 'GET /calls', ms: 2 },
      ...{ message: bad ? HOSTILE : '', exchanges: [index + 1] },
      ...(index === 1 ? { deliveries: [1], messages: [1] } : {}),
    };
  });
  return {
    ...{ target: { name: HOSTILE, apiRoot: 'http://127.0.0.1:1', control: true }, seed: '1', filtered: false },
    ...{ strict: false, startedAt: '2026-01-01T00:00:00Z', planned: checks.map(({ id }) => id), durationMs: 900 },
    ...{ coverage: [{ of: 'clauses', judged: 60, total: 61, missed: ['X'] }], leftovers: [], stale: [], checks },
    exchanges: checks.map((_, index) => ({
      seq: index + 1,
      request: { method: 'POST', url: `http://127.0.0.1:1/users/${index}`, headers: { a: 'b' }, body: HOSTILE },
      response: { status: index % 20 === 0 ? 500 : 200, headers: {}, body: `${HOSTILE} body ${index}`, bytes: 9 },
      ...{ atMs: index * 10, ms: 8 },
    })),
    deliveries: [
      {
        ...{ seq: 1, webhook: 'all', event: 'call.initial', path: '/hooks/all', headers: { a: 'b' }, body: HOSTILE },
        ...{ answer: '204', flaws: ['/state: expected a word'], isTest: false, atMs: 15 },
      },
    ],
    messages: [{ seq: 1, phone: 'callee', direction: 'received', line: 'INVITE', text: `INVITE ${HOSTILE}`, atMs: 14 }],
  };
}

describe.runIf(interop)('reports in a browser', () => {
  let folder = '';
  let tab: BrowserTab;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pbxsim-report-'));
    tab = await BrowserTab.open();
    const file = join(folder, 'run.html');
    writeFileSync(file, conformHtmlOf(run()));
    await tab.go(pathToFileURL(file).href);
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the verdict, and all checks', async () => {
    expect(await tab.see('document.querySelector("h1").textContent')).toBe('non-conformant');
    expect(await tab.see('document.getElementById("shown").textContent')).toBe('60 shown');
  });

  it('begins each area with what failed', async () => {
    const first = await tab.see<string[]>(
      '[...document.querySelectorAll(".area")].map((area) => area.querySelector(".check").dataset.verdict)',
    );
    expect(first).toEqual(['fail', 'fail']);
  });

  it('filters by words and by verdict', async () => {
    await tab.see('document.querySelector("button.fail").click(), true');
    expect(await tab.see('document.getElementById("shown").textContent')).toBe('3 shown');
    await tab.see(
      '(() => { const w = document.getElementById("words"); w.value = "users-4"; w.dispatchEvent(new Event("input")); return true; })()',
    );
    expect(await tab.see('document.getElementById("shown").textContent')).toBe('1 shown');
    expect(await tab.see('[...document.querySelectorAll(".check")].filter((c) => c.checkVisibility()).length')).toBe(1);
  });

  it('shows the requests of a check when it is opened, and the bytes of one as text', async () => {
    expect(await tab.see('document.querySelectorAll(".check button").length')).toBe(0);
    await tab.see('document.querySelector(".check:not([hidden]) summary").click(), true');
    expect(await tab.see('document.querySelector(".check[open] button[data-seq]").checkVisibility()')).toBe(true);
    expect(await tab.see('document.querySelector(".check[open] .exchanges").innerText')).toMatch(
      /^#41 POST \/users\/40 → 500$/,
    );
    await tab.see('document.querySelector(".check[open] button[data-seq]").click(), true');
    const shown = await tab.see<string>('document.querySelector("dialog[open] div").innerText');
    expect(shown).toContain('Received after 8 ms');
    expect(shown).toContain(`${HOSTILE} body 40`);
    expect(await tab.see('document.querySelector("dialog[open] pre").checkVisibility()')).toBe(true);
  });

  it('shows a timeline of all', async () => {
    await tab.see(
      'document.querySelector("dialog button").click(), document.querySelector("[data-view=timeline]").click(), true',
    );
    expect(await tab.see('document.querySelectorAll("#timeline li").length')).toBe(62);
    expect(await tab.see('document.querySelectorAll("#timeline i.s5").length')).toBe(3);
  });

  it('shows deliveries to webhooks and SIP messages where they belong, with their bytes', async () => {
    const lines = '[...document.querySelectorAll("#timeline li button")].slice(1, 5).map((b) => b.textContent)';
    expect(await tab.see<string[]>(lines)).toEqual([
      expect.stringMatching(/^#2 POST/),
      'SIP 1 callee ← INVITE',
      'webhook 1 all: call.initial → 204',
      expect.stringMatching(/^#3 POST/),
    ]);
    const bytes = async (row: string): Promise<string> => {
      await tab.see(`document.querySelector("#timeline li.${row} button").click(), true`);
      const text = await tab.see<string>('document.querySelector("dialog[open] div").textContent');
      await tab.see('document.querySelector("dialog button").click(), true');
      return text;
    };
    expect(await bytes('sip')).toBe(`ReceivedINVITE ${HOSTILE}`);
    expect(await bytes('webhook')).toContain('/state: expected a word');
    await tab.see('document.querySelector(".check p[data-seqs~=w1]").closest("details").open = true');
    expect(
      await tab.see('document.querySelectorAll(".check button[data-seq=w1], .check button[data-seq=s1]").length'),
    ).toBe(2);
  });

  it('ran nothing of what the target answered, and asked nobody', async () => {
    expect(await tab.see<string>('document.title')).toContain('pbxsim conform');
    expect(tab.requested.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it.each([
    [
      'has not what it takes',
      /DecompressionStream\). Chrome and Edge from 80, Firefox/,
      'delete window.DecompressionStream;',
    ],
    [
      'is damaged',
      /cannot be unpacked \(TypeError.*\): it is not/,
      "document.getElementById('evidence').textContent = 'eJxx';",
    ],
  ])('says what is missing when it %s, and shows the rest', async (_, why, harm) => {
    const file = join(folder, 'harmed.html');
    writeFileSync(file, conformHtmlOf(run()).replace('<script>', `<script>${harm}</script><script>`));
    await tab.go(pathToFileURL(file).href);
    const opened = 'document.querySelector(".check[data-verdict=fail]")';
    await tab.see(
      `location.pathname.endsWith("harmed.html") && document.readyState === "complete" && (${opened}.open = true)`,
    );
    expect(await tab.see(`${opened}.querySelector(".exchanges span").innerText`)).toBe(
      'What was sent and received cannot be shown: the reason is above.',
    );
    expect(await tab.see('document.getElementById("packed").innerText')).toMatch(why);
    await tab.see('document.querySelector("[data-view=timeline]").click(), true');
    expect(await tab.see('document.getElementById("packed").checkVisibility()')).toBe(true);
    expect(await tab.see('document.getElementById("shown").textContent')).toBe('60 shown');
    expect(tab.complaints).toEqual([]);
  });

  it.each([
    ['JUnit', conformJunitOf(run()), 'testcase', 60],
    ['the badge', conformBadgeOf(run()), 'text', 2],
  ])('reads %s as XML', async (_, xml, element, count) => {
    const parsed = `new DOMParser().parseFromString(${JSON.stringify(xml)}, "application/xml")`;
    expect(await tab.see(`${parsed}.getElementsByTagName("parsererror").length === 0`)).toBe(true);
    expect(await tab.see(`${parsed}.getElementsByTagName("${element}").length`)).toBe(count);
  });
});
