// Programs that speak and decode: found on the path, asked in turn, and never in the way.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExternalVoices } from './voices.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';
const systemPath = process.env.PATH ?? '';

let folder: string;
let voices: ExternalVoices;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxsim-voices-'));
});

afterEach(() => {
  voices.close();
  rmSync(folder, { recursive: true });
});

/** A program that says what it was told: `$3` is where the file is to be. */
function program(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

function open(): ExternalVoices {
  voices = new ExternalVoices([folder, systemPath].join(delimiter));
  return voices;
}

const spoken = (text: string, language: 'en' | 'de' | 'es' | 'pt' = 'en'): Promise<string | undefined> =>
  new Promise((resolve) => {
    voices.speak(text, language, (wav) => resolve(wav && Buffer.from(wav).toString()));
  });

const leftBehind = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('pbxsim-sound-'));

describe('a text', () => {
  it('is read by the program that there is, which gets it as its input and nothing of it as an argument', async () => {
    program('espeak-ng', 'echo "$1 $2" > "$3"; cat >> "$3"');
    expect(open().speaker).toBe('espeak-ng');
    expect(await spoken('-w /etc/passwd; $(date)')).toBe('--stdin -w\n-w /etc/passwd; $(date)');
  });

  it('is read by a voice of its language', async () => {
    program('espeak-ng', 'echo "$4 $5" > "$3"');
    open();
    expect([await spoken('Auf Wiederhören.', 'de'), await spoken('Adeus.', 'pt')]).toEqual(['-v de\n', '-v pt\n']);
    voices.close();
    rmSync(join(folder, 'espeak-ng'));
    program('say', 'echo "$7 $8" > "$6"');
    voices = new ExternalVoices([folder, '/bin'].join(delimiter));
    expect([voices.speaker, await spoken('Adiós.', 'es'), await spoken('Goodbye.')]).toEqual([
      'say',
      '-v Mónica\n',
      ' \n',
    ]);
  });

  it('is not read where no program is', () => {
    voices = new ExternalVoices(folder);
    expect(voices.speaker).toBeUndefined();
    let told: unknown = 'nothing';
    voices.speak('Hello', 'en', (wav) => {
      told = wav;
    });
    expect(told).toBeUndefined();
  });

  it('is not read by a program that fails, or writes no file', async () => {
    program('espeak-ng', 'exit 3');
    open();
    expect(await spoken('Hello')).toBeUndefined();
    program('espeak-ng', 'exit 0');
    expect(await spoken('Hello')).toBeUndefined();
  });

  it('waits for its turn: two at a time, and so many that wait', async () => {
    program(
      'espeak-ng',
      `cat > "$3"; ls ${folder}/at-work-* 2>/dev/null | wc -l >> ${folder}/counts; touch ${folder}/at-work-$$; sleep 0.05; rm ${folder}/at-work-$$`,
    );
    open();
    const all = await Promise.all(Array.from({ length: 80 }, (_, index) => spoken(`text ${index}`)));
    expect(all.slice(0, 66)).toEqual(Array.from({ length: 66 }, (_, index) => `text ${index}`));
    expect(all.slice(66)).toEqual(Array.from({ length: 14 }, () => undefined));
    const counts = spawnSync('cat', [join(folder, 'counts')])
      .stdout.toString()
      .trim()
      .split('\n')
      .map(Number);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1);
  });

  it('leaves nothing behind, and is told to nobody after the end', async () => {
    program('espeak-ng', 'cat > "$3"');
    open();
    const before = leftBehind().length;
    await spoken('Hello');
    expect(leftBehind().length).toBeLessThanOrEqual(before);
    let told = false;
    voices.speak('Goodbye', 'en', () => {
      told = true;
    });
    voices.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(told).toBe(false);
  });
});

describe.runIf(interop)('a file', () => {
  const decoded = (file: Uint8Array, kind: 'MP3' | 'MP4' | 'AAC'): Promise<Int16Array | undefined> =>
    new Promise((resolve) => open().decode(file, kind, resolve));

  const made = (name: string, ...coded: string[]): Uint8Array => {
    const path = join(folder, name);
    const source = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=16000:duration=2'];
    expect(spawnSync('ffmpeg', [...source, ...coded, path]).status).toBe(0);
    return spawnSync('cat', [path], { maxBuffer: 1 << 24 }).stdout;
  };

  it.each([
    ['MP3', 'a.mp3', ['-c:a', 'libmp3lame']],
    ['MP4', 'a.m4a', ['-c:a', 'aac']],
    ['AAC', 'a.aac', ['-c:a', 'aac']],
  ] as const)('of kind %s becomes samples of a telephone', async (kind, name, coded) => {
    const samples = (await decoded(made(name, ...coded), kind)) ?? new Int16Array(0);
    expect(Math.abs(samples.length - 16_000)).toBeLessThan(2000);
    expect(Math.max(...samples)).toBeGreaterThan(3000);
  });

  it('that is broken is none, and a list of other files is not followed', async () => {
    expect(await decoded(Buffer.from('no sound at all'), 'MP3')).toBeUndefined();
    const list = Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n");
    expect(await decoded(list, 'MP4')).toBeUndefined();
  });
});
