// Programs of this machine that read texts aloud and decode sound files, where there are any: found on the path, never required. Knows no call.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Programs at work at a time, jobs that wait for them, and how long one may take. */
const AT_A_TIME = 2;
const MOST_WAITING = 64;
const PATIENCE_MS = 5000;
/** Three minutes of sound with 44,100 samples a second: what is longer is none of ours. */
const MOST_BYTES = 16_000_000;

/** How each program is told to write what it reads from its standard input into a WAV file. */
const SPEAKERS: ReadonlyArray<readonly [program: string, args: (path: string, language: Language) => string[]]> = [
  ['espeak-ng', (path, language) => ['--stdin', '-w', path, '-v', language]],
  ['espeak', (path, language) => ['--stdin', '-w', path, '-v', language]],
  ['say', (path, language) => ['-f', '-', ...WAVE, '-o', path, ...voiceOfMac(language)]],
];
const WAVE = ['--file-format=WAVE', '--data-format=LEI16@8000'];
/** Who speaks a language there; for English the one that the machine's user has chosen. */
const MAC_VOICES = {
  ...{ de: 'Anna', fr: 'Thomas', es: 'Mónica', it: 'Alice', nl: 'Xander', pl: 'Zosia', pt: 'Joana' },
} as const;
type Language = 'en' | keyof typeof MAC_VOICES;
const DECODER = 'ffmpeg';
/** The name of each kind's reader: ffmpeg is not to guess, for what it guesses may read other files. */
const READERS = { MP3: 'mp3', MP4: 'mov', AAC: 'aac' } as const;

type Job = (finished: () => void) => void;

export class ExternalVoices {
  readonly #path: string;
  readonly #waiting: Job[] = [];
  readonly #running = new Set<ChildProcess>();
  readonly #found = new Map<string, string | undefined>();
  #atWork = 0;
  #isOpen = true;

  /** `path`: where programs are looked for, as the shell does. */
  constructor(path = process.env.PATH ?? '') {
    this.#path = path;
  }

  /** The program that reads aloud; undefined when there is none. */
  get speaker(): string | undefined {
    return SPEAKERS.map(([program]) => program).find((program) => this.#find(program) !== undefined);
  }

  /** The text as a WAV file, read in that language; undefined when nothing can speak. */
  speak(text: string, language: Language, done: (wav: Uint8Array | undefined) => void): void {
    const { speaker } = this;
    const args = SPEAKERS.find(([program]) => program === speaker)?.[1];
    const program = speaker === undefined ? undefined : this.#find(speaker);
    if (program === undefined || args === undefined) return done(undefined);
    this.#inFolder(done, async (folder) => {
      const file = join(folder, 'spoken.wav');
      await this.#run(program, args(file, language), text);
      return readFile(file);
    });
  }

  /** The samples of a file: 16 bits, one channel, 8000 a second; undefined when it cannot be decoded. */
  decode(file: Uint8Array, kind: keyof typeof READERS, done: (samples: Int16Array | undefined) => void): void {
    const program = this.#find(DECODER);
    if (program === undefined) return done(undefined);
    const told = (bytes: Uint8Array | undefined): void => done(bytes && samplesIn(bytes));
    this.#inFolder(told, async (folder) => {
      const path = join(folder, 'upload');
      await writeFile(path, file);
      const input = ['-protocol_whitelist', 'file,pipe', '-f', READERS[kind], '-i', `file:${path}`];
      const output = ['-vn', '-sn', '-dn', '-t', '180', '-f', 's16le', '-ac', '1', '-ar', '8000', 'pipe:1'];
      return this.#run(program, ['-v', 'error', '-nostdin', ...input, ...output], '');
    });
  }

  /** Ends what is at work; nothing is told any more. */
  close(): void {
    this.#isOpen = false;
    this.#waiting.length = 0;
    for (const child of this.#running) child.kill('SIGKILL');
  }

  /** Lets the work be done in its turn, with a folder of its own that is gone afterwards. */
  #inFolder(done: (bytes: Uint8Array | undefined) => void, work: (folder: string) => Promise<Uint8Array>): void {
    if (!this.#isOpen || this.#waiting.length >= MOST_WAITING) return done(undefined);
    this.#waiting.push((finished) => {
      let folder: string | undefined;
      const job = async (): Promise<Uint8Array> => {
        folder = mkdtempSync(join(tmpdir(), 'pbxsim-sound-'));
        return work(folder);
      };
      void job()
        .catch(() => undefined)
        .then(async (bytes) => {
          if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
          finished();
          if (this.#isOpen) done(bytes);
        });
    });
    this.#next();
  }

  #next(): void {
    while (this.#atWork < AT_A_TIME) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#atWork += 1;
      job(() => {
        this.#atWork -= 1;
        this.#next();
      });
    }
  }

  /** What the program writes to its standard output. Rejects when it fails, takes too long or writes too much. */
  #run(program: string, args: readonly string[], input: string): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const child = spawn(program, [...args], {
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
      });
      this.#running.add(child);
      const parts: Buffer[] = [];
      let bytes = 0;
      child.stdout.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_BYTES) child.kill('SIGKILL');
        else parts.push(part);
      });
      child.on('error', reject);
      child.on('close', (code) => {
        this.#running.delete(child);
        if (code === 0) resolve(Buffer.concat(parts));
        else reject(new Error(`${program} ended with ${code}`));
      });
      // A program that does not read to the end is no trouble of ours.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
    });
  }

  #find(program: string): string | undefined {
    if (!this.#found.has(program)) this.#found.set(program, onPath(program, this.#path));
    return this.#found.get(program);
  }
}

function voiceOfMac(language: Language): string[] {
  return language === 'en' ? [] : ['-v', MAC_VOICES[language]];
}

/** Two bytes each, the lower one first, as every machine has them that runs this. */
function samplesIn(bytes: Uint8Array): Int16Array {
  // A copy begins at an even address, which what a program wrote need not.
  return new Int16Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2))).buffer);
}

function onPath(program: string, path: string): string | undefined {
  const places = path.split(delimiter).filter((folder) => folder !== '');
  return places
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
