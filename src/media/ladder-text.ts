// A ladder drawn with characters, then each message in full; and the same as JSON. Knows nothing of journals.
import { isoText } from '../kernel/time.ts';
import type { Ladder, LadderColumn, LadderRow } from './ladder.ts';

/** Characters from one lifeline to the next, and from the left margin to the first. */
const GAP = 28;
const MARGIN = 16;

export function ladderText(ladder: Ladder): string {
  const { columns, rows } = ladder;
  const width = MARGIN + GAP * (columns.length - 1);
  const lines = rows.map((row) => drawn(row, ladder, width));
  const said = rows.filter(({ message }) => message !== '').map((row) => inFull(row, ladder));
  return visible([heading(ladder), '', titles(columns), ...lines, '', ...said].join('\n'));
}

/** The ladder as the control API gives it: times as ISO 8601, names in its style. */
export function ladderJson({ callId, startedAt, leftOut, rows, ...rest }: Ladder): object {
  return {
    call_id: callId,
    started_at: isoText(startedAt),
    left_out: leftOut,
    ...rest,
    rows: rows.map(({ at, ...row }) => ({ ...row, at: isoText(at) })),
  };
}

function heading({ callId, src, dst, startedAt, cause, leftOut }: Ladder): string {
  const end = cause === '' ? '' : `; ${cause}`;
  const missing = leftOut === 0 ? '' : `\n${leftOut} further entries of this call were not kept.`;
  return `Call ${callId}: ${src} -> ${dst}, ${isoText(startedAt)}${end}${missing}`;
}

function titles(columns: readonly LadderColumn[]): string {
  return columns.reduce(
    (line, { title }, index) => put(line, title.slice(0, GAP - 2), MARGIN + GAP * index),
    ' no      time',
  );
}

function drawn(row: LadderRow, ladder: Ladder, width: number): string {
  const { columns, startedAt } = ladder;
  const at = (id: string): number => MARGIN + GAP * columns.findIndex((column) => column.id === id);
  const margin = `${String(row.no).padStart(3)} ${((row.at - startedAt) / 1000).toFixed(3).padStart(9)}`;
  const lifelines = columns.reduce((line, { id }) => put(line, '|', at(id)), margin);
  const [from, to] = [at(row.from), at(row.to)];
  const line =
    from === to
      ? put(lifelines, ` * ${row.label}`.slice(0, GAP - 1), from + 1)
      : put(lifelines, arrow(row.label, from, to), Math.min(from, to) + 1);
  return row.note === '' ? line.trimEnd() : `${line.padEnd(width + 3)}${row.note}`;
}

/** `--- label -->` between two lifelines; a long label loses its end. */
function arrow(label: string, from: number, to: number): string {
  const length = Math.abs(to - from) - 1;
  const room = length - 6;
  const words = ` ${label.length > room ? `${label.slice(0, room - 2)}..` : label} `;
  const shaft = length - 1 - words.length;
  const before = '-'.repeat(Math.floor(shaft / 2));
  const line = `${before}${words}${'-'.repeat(shaft - before.length)}`;
  return to > from ? `${line}>` : `<${line}`;
}

function put(line: string, text: string, at: number): string {
  return line.slice(0, at).padEnd(at) + text + line.slice(at + text.length);
}

function inFull({ no, from, to, route, message }: LadderRow, { columns }: Ladder): string {
  const title = (id: string): string => columns.find((column) => column.id === id)?.title ?? id;
  const way = route === '' ? '' : ` (${route})`;
  return `== ${no}: ${title(from)} -> ${title(to)}${way}\n${message.replaceAll('\r\n', '\n').trimEnd()}\n`;
}

/** Control characters that a peer sent must not reach anybody's terminal. */
function visible(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
