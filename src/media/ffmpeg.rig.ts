// ffmpeg as an independent listener: what it says of a file, what it hears in it, and files of its own making.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Without it nothing of this may be called. A missing ffmpeg fails the tests unless they are told to do without peers. */
export const interop = process.env.PBXSIM_INTEROP !== 'off';
if (!interop) console.log('PBXSIM_INTEROP=off: the tests with ffmpeg are left out.');

export interface Probed {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Bits per second. */
  readonly bitRate: number;
  /** Seconds. */
  readonly duration: number;
}

/** What ffprobe says of a file. */
export function probe(bytes: Uint8Array): Probed {
  return inFolder((folder) => {
    const path = join(folder, 'sound');
    writeFileSync(path, bytes);
    const shown = ['-show_entries', 'stream=codec_name,sample_rate,channels,bit_rate,duration'];
    const told = run('ffprobe', ['-v', 'error', ...shown, '-of', 'json', path]);
    const { streams } = JSON.parse(told.toString()) as { streams: ReadonlyArray<Record<string, unknown>> };
    const [stream = {}] = streams;
    return {
      codec: String(stream.codec_name),
      sampleRate: Number(stream.sample_rate),
      channels: Number(stream.channels),
      bitRate: Number(stream.bit_rate),
      duration: Number(stream.duration),
    };
  });
}

export const HEARD_RATE = 8000;

/** What one hears: samples between -1 and 1, one channel, 8000 a second. */
export function heard(bytes: Uint8Array): Float32Array {
  const decoded = run(
    'ffmpeg',
    ['-v', 'error', '-i', '-', '-f', 'f32le', '-ac', '1', '-ar', `${HEARD_RATE}`, '-'],
    bytes,
  );
  const samples = new Float32Array(decoded.length / 4);
  for (let at = 0; at < samples.length; at += 1) samples[at] = decoded.readFloatLE(at * 4);
  return samples;
}

/** A file of so many seconds of a tone, coded as the arguments say; `name` tells the container by its ending. */
export function madeByFfmpeg(name: string, seconds: number, ...coded: readonly string[]): Uint8Array {
  return inFolder((folder) => {
    const source = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=16000:duration=${seconds}`];
    const path = join(folder, name);
    run('ffmpeg', ['-v', 'error', ...source, ...coded, path]);
    return Uint8Array.from(readFileSync(path));
  });
}

/** How strong a frequency is in some samples: 1 for a full sine of that frequency, 0 without any. */
export function strength(samples: Float32Array, hertz: number): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, at) => {
    const angle = (2 * Math.PI * hertz * at) / HEARD_RATE;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
  });
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}

/** Root mean square: 0 is silence. */
export function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pbxsim-audio-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, args: readonly string[], input?: Uint8Array): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    maxBuffer: 256 * 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });
  if (error !== undefined) throw new Error(`${command} cannot be run (${error.message}): npm test installs it`);
  if (status !== 0) throw new Error(`${command} failed: ${stderr.toString()}`);
  return stdout;
}
