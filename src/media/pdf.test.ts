// Sheets of text as PDF, read by the tools of another house (poppler).
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pdfOf } from './pdf.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';

function run(command: string, args: readonly string[], file: Uint8Array): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { input: file });
  if (error !== undefined) throw new Error(`${command} cannot be run (${error.message}): npm test installs it`);
  if (status !== 0 || stderr.length > 0) throw new Error(`${command} failed: ${stderr.toString()}`);
  return stdout.toString();
}

const textOf = (file: Uint8Array): string[] => run('pdftotext', ['-layout', '-', '-'], file).split('\f').slice(0, -1);

describe.runIf(interop)('sheets of text', () => {
  it('are pages of A4 with the lines as they were, brackets and accents too', () => {
    const file = pdfOf('Fax (1)', [['From +44 20 7946 0001', 'a (b) \\ c', 'Žofie wrote: café, 5 £'], ['Page 2']]);
    const info = run('pdfinfo', ['-'], file);
    expect(info).toMatch(/^Title:\s+Fax \(1\)$/m);
    expect(info).toMatch(/^Pages:\s+2$/m);
    expect(info).toMatch(/^Page size:\s+595 x 842 pts \(A4\)$/m);
    expect(info).toMatch(/^PDF version:\s+1\.4$/m);
    expect(textOf(file).map((page) => page.trim().split(/\n\s*/))).toEqual([
      ['From +44 20 7946 0001', 'a (b) \\ c', '?ofie wrote: café, 5 £'],
      ['Page 2'],
    ]);
  });

  it('are read whatever is written on them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 80 }),
        (title, lines) => {
          expect(textOf(pdfOf(title, [lines, lines]))).toHaveLength(2);
        },
      ),
      { numRuns: 20 },
    );
  });
});

it('are the same bytes each time, and begin and end as such a file does', () => {
  const bytes = pdfOf('a', [['b']]);
  expect(pdfOf('a', [['b']])).toEqual(bytes);
  const text = Buffer.from(bytes).toString('latin1');
  expect(text.startsWith('%PDF-1.4\n')).toBe(true);
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(start, start + 5)).toBe('xref\n');
  expect(text.slice(start).match(/^\d{10} \d{5} [nf] $/gm)).toHaveLength(7);
});
