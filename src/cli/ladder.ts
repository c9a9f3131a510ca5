// pbxsim ladder: asks a running simulator for the ladder of a call. Draws nothing itself.
import { type Answered, HttpClient } from '../wires/http-client.ts';
import { type ControlFlags, controlRoot, messageIn, nobodyThere } from './control-flags.ts';
import { UsageError } from './errors.ts';
import { trustedAuthority } from './trusted.ts';

export interface LadderOptions extends ControlFlags {
  readonly json?: boolean;
}

export async function printLadder(call: string, options: LadderOptions): Promise<void> {
  process.stdout.write(`${(await fetchLadder(call, options)).trimEnd()}\n`);
}

/** The ladder as it is to be printed. Rejects with one sentence that says what is wrong. */
export async function fetchLadder(call: string, { token, json, ...flags }: LadderOptions): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(call))
    throw new UsageError(`${call} is no id of a call: expected a number such as 10000031.`);
  const url = `${controlRoot(flags)}/calls/${call}/ladder?form=${json === true ? 'json' : 'text'}`;
  const { status, text, headers } = await ask(url, token, await trustedAuthority(flags.ca));
  if (status !== 200) throw new Error(messageIn(text) ?? `${url} answered ${status}: is that a control API?`);
  // Whatever answers there may be no control API at all, but a page.
  if (!String(headers['content-type']).startsWith(json === true ? 'application/json' : 'text/plain'))
    throw new Error(`${url} answered ${headers['content-type'] ?? 'no ladder'}: is that a control API?`);
  if (json !== true) return text;
  return JSON.stringify(JSON.parse(text), null, 2);
}

async function ask(
  url: string,
  token: string | undefined,
  ca: string | undefined,
): Promise<Extract<Answered, { readonly ok: true }>> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const http = new HttpClient({ ca });
  try {
    const answer = await http.send({ method: 'GET', url, headers });
    if (!answer.ok) throw nobodyThere(url, answer.error);
    return answer;
  } finally {
    await http.close();
  }
}
