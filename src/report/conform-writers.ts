// The formats of reports of a conformance run, by the name that `--report FORMAT:FILE` gives them. Pure.
import { conformBadgeOf } from './conform-badge.ts';
import { githubAnnotations, githubSummary } from './conform-github.ts';
import { conformHtmlOf } from './conform-html.ts';
import { conformJsonOf } from './conform-json.ts';
import { conformJunitOf } from './conform-junit.ts';
import type { ConformRun } from './conform-results.ts';
import { conformSarifOf } from './conform-sarif.ts';
import { conformTapOf } from './conform-tap.ts';
import { conformTextOf } from './conform-text.ts';

/** What becomes of a run once it is over. A new format is added here. */
export const conformWriters: Readonly<Record<string, (run: ConformRun) => string>> = {
  json: conformJsonOf,
  text: conformTextOf,
  html: conformHtmlOf,
  junit: conformJunitOf,
  sarif: conformSarifOf,
  tap: conformTapOf,
  badge: conformBadgeOf,
  /** Workflow commands: print them. */
  github: githubAnnotations,
  /** Markdown for the summary of a build. */
  summary: githubSummary,
};
