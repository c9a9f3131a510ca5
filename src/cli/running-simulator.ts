// A simulator that runs already, as a command reaches it. Knows no command.
import { ControlClient } from '../harness/run/control-client.ts';
import { HttpClient } from '../wires/http-client.ts';
import { type ControlFlags, controlRoot, messageIn, nobodyThere } from './control-flags.ts';
import { trustedAuthority } from './trusted.ts';

/** Makes sure that a control API answers, then lets `use` have it. Rejects with one sentence that says what is wrong. */
export async function withControl<T>(flags: ControlFlags, use: (control: ControlClient) => Promise<T>): Promise<T> {
  const root = controlRoot(flags);
  const { token } = flags;
  const http = new HttpClient({ ca: await trustedAuthority(flags.ca, flags.stateDir) });
  try {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await http.send({ method: 'GET', url: `${root}/clock`, headers });
    if (!answer.ok) throw nobodyThere(root, answer.error);
    if (answer.status !== 200) throw new Error(refusalOf(root, answer.status, answer.text));
    const control = new ControlClient(http, { root, ...(token === undefined ? {} : { token }) });
    // A page, or another API, may answer 200 as well: what is no clock is told here, in words.
    await control.clock();
    return await use(control);
  } finally {
    await http.close();
  }
}

function refusalOf(root: string, status: number, text: string): string {
  const reason = [400, 401, 403].includes(status) ? messageIn(text) : undefined;
  return reason ?? `${root} answered ${status}: is that a control API?`;
}
