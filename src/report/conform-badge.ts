// A conformance run as a badge: one picture that says how it went. Pure.
import type { ConformRun, RunVerdict } from './conform-results.ts';
import { conformVerdictOf } from './conform-verdict.ts';

const COLOURS: Readonly<Record<RunVerdict, string>> = {
  conformant: '#2e7d32',
  'conformant with deviations': '#827717',
  partial: '#827717',
  'non-conformant': '#b71c1c',
  incomplete: '#616161',
  invalid: '#616161',
};

/** Of a font of 11 pixels, on the average. */
const CHARACTER_PX = 6.5;

/** An SVG picture, 20 pixels high. */
export function conformBadgeOf(run: ConformRun): string {
  const { verdict } = conformVerdictOf(run);
  const label = 'conformance';
  const left = widthOf(label);
  const right = widthOf(verdict);
  const width = left + right;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${verdict}">`,
    `<title>${label}: ${verdict}</title>`,
    `<rect width="${width}" height="20" rx="3" fill="#424242"/>`,
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${COLOURS[verdict]}"/>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    `<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${verdict}</text>`,
    '</g></svg>',
    '',
  ].join('\n');
}

function widthOf(text: string): number {
  return Math.round(text.length * CHARACTER_PX + 12);
}
