// Tables as CSV (RFC 4180) that no spreadsheet takes for formulas. Knows no resource.

/** Records that are looked at for one piece: a millisecond or two of work. */
const RECORDS_IN_PIECE = 500;

/** What a spreadsheet computes: these signs, their wide forms, and both after spaces or breaks that it strips. */
const beginsFormula = /^(\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;
/** Numbers in E.164 and other plain numbers compute to nothing but themselves. */
const plainNumber = /^[+-]?\d+(\.\d+)?$/;
/** Some spreadsheets separate by semicolons or tabs and trim spaces: such cells are quoted, too. */
const needsQuotes = /[",;\t\r\n']|^\s|\s$/;

/**
 * A header line with the names of the columns, then a line for each record, in pieces. Lines end with CR LF. A text that
 * a spreadsheet would compute begins with an apostrophe instead (CHOICE-CSV). `isWanted` is a part of the work.
 */
export function* csvOf<T extends object>(
  columns: readonly string[],
  records: Iterable<T>,
  isWanted: (record: T) => boolean = () => true,
): Generator<string, void> {
  let piece = lineOf(columns);
  let looked = 0;
  for (const record of records) {
    if (isWanted(record)) piece += lineOf(columns.map((column) => record[column as keyof T]));
    looked += 1;
    if (looked % RECORDS_IN_PIECE > 0) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
  const text = beginsFormula.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
