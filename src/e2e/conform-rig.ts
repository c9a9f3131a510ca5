// pbxsim as its user runs it, in a process of its own, beside a simulator of the test: for tests of the conformance commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', 'cli', 'main.ts');

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** `folder`: where it works and keeps its state. */
export function startPbxsim(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, PBXSIM_STATE_DIR: join(folder, 'state'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })));
  return { child, ended };
}

export function pbxsim(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return startPbxsim(folder, args, env).ended;
}
