// Makes sure that the programs which the tests use as independent peers are there: Debian packages, installed when we may.
import { execFileSync, spawnSync } from 'node:child_process';

/** Package to a command that it brings. */
const peers: Readonly<Record<string, string>> = {
  'sip-tester': 'sipp',
  'baresip-core': 'baresip',
  tshark: 'tshark',
  ffmpeg: 'ffmpeg',
  chromium: 'chromium',
  'poppler-utils': 'pdfinfo',
};

function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

function missing(): string[] {
  return Object.entries(peers)
    .filter(([, command]) => !isThere(command))
    .map(([name]) => name);
}

function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, stdio: 'ignore' });
}

function main(): number {
  if (process.env.PBXSIM_INTEROP === 'off') {
    console.log('Interop tests are off (PBXSIM_INTEROP=off): no peers needed.');
    return 0;
  }
  const wanted = missing();
  if (wanted.length === 0) return 0;
  const command = `apt-get update && apt-get install -y ${wanted.join(' ')}`;
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    try {
      console.log(`Installing the test peers: ${wanted.join(', ')}`);
      install(wanted);
      if (missing().length === 0) return 0;
    } catch (error) {
      console.error(`apt-get failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.error(
    `The interop tests need: ${wanted.join(', ')}. Install with\n  sudo sh -c '${command}'\nor set PBXSIM_INTEROP=off to leave them out.`,
  );
  return 1;
}

process.exitCode = main();
