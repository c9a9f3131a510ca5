// The simulator as its users have it: the real command as a child process, reached by HTTP and SIP only.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READY_WITHIN_MS = 15_000;

export interface ServedUser {
  readonly user_id: number;
  readonly customer_id: number;
  readonly ext: string;
  readonly api_key: string;
  readonly sip_username: string;
  readonly sip_password: string;
}

/** The ready line, as far as the tests use it. */
interface Ready {
  readonly api_root: string;
  readonly control_root: string;
  readonly sip: { readonly udp: string; readonly tcp: string; readonly domain: string };
  readonly users: readonly ServedUser[];
  readonly numbers: readonly string[];
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

export interface Collection<T> {
  readonly data: readonly T[];
  readonly total: number;
}

export class ServedSimulator {
  readonly ready: Ready;
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;

  private constructor(ready: Ready, child: ChildProcess, exited: Promise<number | null>) {
    this.ready = ready;
    this.#child = child;
    this.#exited = exited;
  }

  static async start(...flags: readonly string[]): Promise<ServedSimulator> {
    const args = ['bin/pbxsim.js', 'serve', '--json', '--clock', 'real', '--port', '0', '--sip-port', '0', ...flags];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise<number | null>((resolve) => child.once('exit', (status) => resolve(status)));
    try {
      return new ServedSimulator(await readyLine(child), child, exited);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** A request of the REST API with the user's API key. */
  api<T>(user: ServedUser, method: string, path: string, body?: object): Promise<Answer<T>> {
    const authorization = `Basic ${Buffer.from(`${user.user_id}:${user.api_key}`).toString('base64')}`;
    return ask(`${this.ready.api_root}${path}`, method, { authorization }, body);
  }

  /** The bytes of a file of the REST API. */
  async file(user: ServedUser, path: string): Promise<Uint8Array> {
    const authorization = `Basic ${Buffer.from(`${user.user_id}:${user.api_key}`).toString('base64')}`;
    const response = await fetch(`${this.ready.api_root}${path}`, { headers: { authorization } });
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  control<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    return ask(`${this.ready.control_root}${path}`, method, {}, body);
  }

  /** How the handset of that extension takes calls from now on. */
  async behave(ext: string, behaviour: object): Promise<void> {
    const { status, body } = await this.control('PATCH', `/phones/${ext}`, { behaviour });
    if (status !== 200) throw new Error(`PATCH /_sim/phones/${ext} answered ${status}: ${JSON.stringify(body)}`);
  }

  /** SIGTERM; the exit status. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    const lastCall = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    const status = await this.#exited;
    clearTimeout(lastCall);
    return status;
  }
}

/** Asks over and over until the answer is as wished; the last answer in the error when it never is. */
export async function eventually<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean, withinMs = 5_000): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms; at last ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ask<T>(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Answer<T>> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const typed = body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: typed, ...content });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

function readyLine(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let said = '';
    let complaint = '';
    const tooLate = setTimeout(
      () => reject(new Error(`no ready line in ${READY_WITHIN_MS} ms: ${complaint}`)),
      READY_WITHIN_MS,
    );
    child.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const end = said.indexOf('\n');
      if (end < 0) return;
      clearTimeout(tooLate);
      resolve(JSON.parse(said.slice(0, end)) as Ready);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      complaint += bytes.toString();
    });
    child.once('exit', (status) => {
      clearTimeout(tooLate);
      reject(new Error(`pbxsim ended with status ${status} before it was ready: ${complaint}`));
    });
  });
}
