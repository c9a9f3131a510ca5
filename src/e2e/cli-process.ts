// The command line as its user runs it: bin/pbxsim.js in a process of its own, with what it prints and how it ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Facts, until } from './sockets-stage.ts';

const root = join(import.meta.dirname, '..', '..');
export const binPath = join(root, 'bin', 'pbxsim.js');

/** Where processes of tests keep their authority, unless a test says otherwise. */
const stateDir = join(tmpdir(), 'pbxsim-e2e-state');
/** A command on a loaded machine may be slow to start. */
const START_MS = 15_000;

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs it. Default: the one that runs the tests. */
  readonly node?: string;
}

export interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ReadyLine extends Facts {
  readonly api_root: string;
  readonly control_root: string;
  readonly openapi_url: string;
  readonly sip: { readonly udp: string; readonly tcp: string; readonly ws: string; readonly domain: string } & {
    readonly tls: string;
    readonly wss: string;
  };
  readonly ca_file: string;
  readonly users: ReadonlyArray<Facts & { readonly ext: string; readonly user_id: number; readonly api_key: string }>;
  readonly numbers: readonly string[];
}

export class CliProcess {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #ending: Ending | undefined;

  constructor(args: readonly string[], options: CliOptions = {}) {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PBXSIM_STATE_DIR: stateDir, ...options.env };
    this.#child = spawn(options.node ?? process.execPath, [binPath, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
      this.#changed();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.#changed();
    });
    this.#child.on('close', (status, signal) => {
      this.#ending = { status, signal, stdout: this.stdout, stderr: this.stderr };
      this.#changed();
    });
  }

  /** Resolves with the ready line of `--json`. */
  async ready(): Promise<ReadyLine> {
    const line = await this.#until(
      () => (this.stdout.includes('\n') ? this.stdout : this.#ending === undefined ? undefined : ''),
      'the ready line',
      START_MS,
    );
    if (line === '') throw new Error(`ended with ${this.#ending?.status} instead: ${this.stderr}`);
    return JSON.parse(line) as ReadyLine;
  }

  /** Resolves when the process is gone and all that it printed has been read. */
  ended(deadlineMs = START_MS): Promise<Ending> {
    return this.#until(() => this.#ending, 'the end of the process', deadlineMs);
  }

  /** Sends the signal; resolves with the ending and the real ms that it took. */
  async endBy(signal: NodeJS.Signals): Promise<Ending & { readonly ms: number }> {
    const from = performance.now();
    this.#child.kill(signal);
    const ending = await this.ended();
    return { ...ending, ms: performance.now() - from };
  }

  /** For the end of a test, whatever happened in it. */
  async kill(): Promise<void> {
    if (this.#ending !== undefined) return;
    this.#child.kill('SIGTERM');
    await this.ended(2000).catch(() => this.#child.kill('SIGKILL'));
  }

  #until<T>(find: () => T | undefined, what: string, deadlineMs: number): Promise<T> {
    return until(
      find,
      (changed) => {
        this.#listeners.add(changed);
        return () => this.#listeners.delete(changed);
      },
      what,
      deadlineMs,
    );
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Runs a command to its end. */
export function run(args: readonly string[], options: CliOptions = {}): Promise<Ending> {
  return new CliProcess(args, options).ended();
}

/** The machine's own Node, which may be older than ours: the first on PATH that no package brought. */
export function machineNode(): { readonly path: string; readonly version: string } {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const path = folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath;
  return { path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() };
}
