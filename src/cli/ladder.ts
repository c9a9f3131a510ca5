// pbxsim ladder: asks a running simulator for the ladder of a call. Draws nothing itself.
import { type ControlFlags, controlRoot, messageIn, nobodyThere } from './control-flags.ts';
import { UsageError } from './errors.ts';

export interface LadderOptions extends ControlFlags {
  readonly json?: boolean;
}

/** Real ms until a simulator that does not answer counts as one that is not there. */
const PATIENCE_MS = 10_000;

export async function printLadder(call: string, options: LadderOptions): Promise<void> {
  process.stdout.write(`${(await fetchLadder(call, options)).trimEnd()}\n`);
}

/** The ladder as it is to be printed. Rejects with one sentence that says what is wrong. */
export async function fetchLadder(call: string, { token, json, ...flags }: LadderOptions): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(call))
    throw new UsageError(`${call} is no id of a call: expected a number such as 10000031.`);
  const url = `${controlRoot(flags)}/calls/${call}/ladder?form=${json === true ? 'json' : 'text'}`;
  const response = await ask(url, token);
  const text = await response.text();
  if (!response.ok) throw new Error(messageIn(text) ?? `${url} answered ${response.status}: is that a control API?`);
  if (json !== true) return text;
  return JSON.stringify(JSON.parse(text), null, 2);
}

async function ask(url: string, token: string | undefined): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = (cause as { code?: unknown }).code;
    const why = typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause);
    throw nobodyThere(url, why);
  }
}
