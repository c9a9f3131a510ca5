// Files named on the command line.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineFile, makeFolder, readTextFile } from './files.ts';
import { LedgerFile } from './ledger-file.ts';
import { checkWritable, writeReport } from './scenario-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a folder to make', () => {
  it('is made with those above it, and may be there already', () => {
    const deep = join(folder, 'a', 'b', 'c');
    for (let times = 0; times < 2; times += 1) makeFolder(deep, 0o700);
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
    expect(statSync(deep).isDirectory()).toBe(true);
  });

  it('is refused in words where none can be, rather than tried for ever', () => {
    expect(() => makeFolder('/proc/pbxsim/deep/er')).toThrow('no folder can be made in /proc');
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
  });
});

describe('a place for a report', () => {
  it('is tried without a trace', async () => {
    await checkWritable(join(folder, 'a', 'b', 'report.html'), '--report');
    expect(readdirSync(folder)).toEqual([]);
    await writeReport(join(folder, 'a', 'b', 'report.html'), 'all is well', '--report');
    await checkWritable(join(folder, 'a', 'b', 'report.html'), '--report');
    expect(readFileSync(join(folder, 'a', 'b', 'report.html'), 'utf8')).toBe('all is well');
  });

  it.each([
    ['before', checkWritable],
    ['afterwards', (path: string, flag: string) => writeReport(path, '', flag)],
  ])('is refused %s where no folder can be made', async (_, use) => {
    await expect(use('/proc/x/y.html', '--report')).rejects.toThrow(
      '--report: /proc/x/y.html cannot be written: no folder can be made in /proc.',
    );
  });

  it('is refused to a ledger in the same words', () => {
    expect(() => new LedgerFile('/proc/x/ledger.jsonl').append('one')).toThrow(
      'ledger: /proc/x/ledger.jsonl cannot be written: no folder can be made in /proc.',
    );
  });
});

describe('a file to read', () => {
  it('is its text, however long', async () => {
    const text = 'Zürich '.repeat(50_000);
    writeFileSync(join(folder, 'text'), text);
    expect(await readTextFile(join(folder, 'text'), '--webhook-ca')).toBe(text);
  });

  it('or the reason why not, naming flag and file', async () => {
    const missing = join(folder, 'missing');
    await expect(readTextFile(missing, '--webhook-ca')).rejects.toThrow(
      `--webhook-ca: ${missing} cannot be read: there is no such file or folder.`,
    );
    await expect(readTextFile(folder, '--webhook-ca')).rejects.toThrow(
      `--webhook-ca: ${folder} cannot be read: it is a folder.`,
    );
    const binary = join(folder, 'binary');
    writeFileSync(binary, Uint8Array.of(0xff, 0xfe));
    await expect(readTextFile(binary, '--seed-file')).rejects.toThrow(`--seed-file: ${binary} is no text in UTF-8.`);
    truncateSync(binary, 17_000_000);
    await expect(readTextFile(binary, '--seed-file')).rejects.toThrow(
      `--seed-file: ${binary} is longer than 16777216 bytes.`,
    );
  });
});

describe('a file of lines', () => {
  it('has every line when it is closed, after those that were there', async () => {
    const path = join(folder, 'journal');
    writeFileSync(path, 'old\n');
    const file = await LineFile.open(path, '--journal');
    const lines = Array.from({ length: 5000 }, (_, index) => `{"seq":${index},"who":"Zoë"}`);
    for (const line of lines) file.write(line);
    await file.close();
    await file.close();
    file.write('too late');
    expect(readFileSync(path, 'utf8')).toBe(`old\n${lines.join('\n')}\n`);
    expect(file.trouble).toBeUndefined();
  });

  it('can be read along: lines do not wait for long', async () => {
    const path = join(folder, 'journal');
    const file = await LineFile.open(path, '--journal');
    file.write('one');
    await expect.poll(() => readFileSync(path, 'utf8')).toBe('one\n');
    await file.close();
  });

  it('says why it cannot be opened', async () => {
    const path = join(folder, 'no', 'journal');
    await expect(LineFile.open(path, '--journal')).rejects.toThrow(
      `--journal: ${path} cannot be written: there is no such file or folder.`,
    );
  });

  it('does not throw when the disk is full, and says so', async () => {
    const file = await LineFile.open('/dev/full', '--journal');
    file.write('lost');
    await file.close();
    expect(file.trouble?.message).toBe('--journal: /dev/full cannot be written: the disk is full.');
  });
});
