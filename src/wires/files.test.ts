// Files named on the command line.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineFile, readTextFile } from './files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
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
