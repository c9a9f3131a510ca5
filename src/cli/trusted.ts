// Which authority a command trusts for https: besides the usual ones: the one named, else the one that `serve --https` made on this machine.
import { publishedAuthority, StateTrouble, stateDirOf } from '../wires/authority/authority-files.ts';
import { readTextFile } from '../wires/files.ts';
import { certificateTrouble } from '../wires/trust.ts';
import { UsageError } from './errors.ts';

/** PEM. A file that is named must be there and hold certificates; the state directory (the usual one unless named) may have none. */
export async function trustedAuthority(
  file: string | undefined,
  stateDir = process.env.PBXSIM_STATE_DIR,
): Promise<string | undefined> {
  if (file === undefined) return ownAuthority(stateDir);
  const pem = await readTextFile(file, '--ca');
  const trouble = certificateTrouble(pem);
  if (trouble !== undefined) throw new UsageError(`--ca: ${file} cannot be used: ${trouble}.`);
  return pem;
}

function ownAuthority(stateDir: string | undefined): string | undefined {
  try {
    return publishedAuthority(stateDirOf(stateDir, process.env));
  } catch (error) {
    if (error instanceof StateTrouble) return undefined;
    throw error;
  }
}
