// Lines of text on sheets of paper, as PDF (ISO 32000-1). Knows nothing of what is written on them.

/** A4, in points of 1/72 inch. */
const [WIDTH, HEIGHT] = [595, 842];
const MARGIN = 56;
const LEADING = 16;
const SIZE = 11;
/** Lines that fit on a sheet; further ones are left out. */
const MAX_LINES = Math.floor((HEIGHT - 2 * MARGIN) / LEADING);
const MAX_CHARACTERS = 84;

/** One sheet for each list of lines, in Courier; what Latin-1 has not is a question mark. The same lines make the same bytes. */
export function pdfOf(title: string, sheets: ReadonlyArray<readonly string[]>): Uint8Array {
  const FIRST_SHEET = 5;
  const kids = sheets.map((_, at) => `${FIRST_SHEET + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${sheets.length} >>`,
    // ISO 32000-1, 9.6.2.2: one of the fonts that every reader has.
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    `<< /Title ${written(title)} /Producer (pbxsim) >>`,
    ...sheets.flatMap((lines, at) => {
      const content = contentOf(lines);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${FIRST_SHEET + 2 * at + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return fileOf(objects);
}

// ISO 32000-1, 7.5: header, body, table of where each object begins (20 bytes a row), trailer. One character is one byte.
function fileOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const places: string[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(`${String(text.length).padStart(10, '0')} 00000 n \n`);
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Uint8Array.from(Buffer.from(`${text}${table}${trailer}`, 'latin1'));
}

// ISO 32000-1, 9.4: lines of text, from the top down.
function contentOf(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => `${written(line.slice(0, MAX_CHARACTERS))} Tj T*`);
  return ['BT', `/F1 ${SIZE} Tf`, `${LEADING} TL`, `${MARGIN} ${HEIGHT - MARGIN} Td`, ...shown, 'ET'].join('\n');
}

// ISO 32000-1, 7.3.4.2.
function written(text: string): string {
  const latin = text.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?');
  return `(${latin.replace(/[\\()]/g, '\\$&')})`;
}
