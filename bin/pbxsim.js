#!/usr/bin/env node
// The one executable: sees to the right Node, then runs the command line.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REQUIRED_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) {
  const main = join(root, 'dist', 'cli', 'main.js');
  if (!existsSync(main)) {
    console.error('pbxsim is not built yet: run "npm ci" (or "npm run build") in its folder.');
    process.exit(2);
  }
  endWithLauncher();
  // Keeps compiled code between starts, in the folder for temporary files: a fifth of the start (NODE_DISABLE_COMPILE_CACHE=1: off).
  module.enableCompileCache();
  await import(main);
} else {
  runOnPinnedNode();
}

/** What an older Node has handed over to ends with it, even if that one was killed outright and could pass nothing on. */
function endWithLauncher() {
  if (process.env.PBXSIM_HANDED_OVER === undefined) return;
  delete process.env.PBXSIM_HANDED_OVER;
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A command ends when its work is done, not when nobody is left to hear of it.
  process.channel?.unref();
}

/** Hands over to the Node that the package pins, passing signals on and keeping its exit status. */
function runOnPinnedNode() {
  const candidates = [join(root, 'node_modules', 'node', 'bin', 'node'), join(root, '..', 'node', 'bin', 'node')];
  const pinned = candidates.find((path) => existsSync(path));
  if (pinned === undefined) {
    console.error(
      `pbxsim needs Node ${REQUIRED_MAJOR} or newer, and this is ${process.version}. Run it with a newer Node, or install the package "node@${REQUIRED_MAJOR}" beside it.`,
    );
    process.exit(2);
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PBXSIM_HANDED_OVER: '1' },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`pbxsim could not start ${pinned}: ${error.message}`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
