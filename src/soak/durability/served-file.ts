// A simulator of its own process that keeps its state in a file: started, asked, killed. Knows nothing of what is asked.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const START_MS = 60_000;

export interface ServedUser {
  readonly user_id: number;
  readonly ext: string;
  readonly sip_username: string;
  readonly sip_password: string;
  readonly email: string;
  readonly password: string;
  readonly api_key: string | null;
  readonly customer_id: number;
  readonly role: string;
}

interface Ready {
  readonly api_root: string;
  readonly control_root: string;
  readonly sip: { readonly udp: string };
  readonly users: readonly ServedUser[];
}

export interface Asked {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
}

export interface Fetched {
  readonly status: number;
  readonly bytes: Buffer;
}

export class ServedFile {
  readonly ready: Ready;
  /** One connection for each that asks at a time. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child;
    this.ready = ready;
  }

  /** Rejects with what the process said when it ends instead. */
  static async start(path: string, flags: readonly string[] = []): Promise<ServedFile> {
    const args = ['serve', '--json', '--port', '0', '--sip-port', '0', '--allow-http-webhooks', '--data', path];
    const child = spawn(process.execPath, [main, ...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(([status]) => {
      throw new Error(`ended with status ${status}: ${said}`);
    });
    const line = once(lines, 'line', { signal: AbortSignal.timeout(START_MS) }).then(([text]) => String(text));
    return new ServedFile(child, JSON.parse(await Promise.race([line, ended])) as Ready);
  }

  /** As this user; `/_sim` paths go to the control API. Rejects when there was no answer. */
  async ask(method: string, path: string, body?: object, as?: readonly [number, string]): Promise<Asked> {
    const { status, bytes } = await this.fetch(method, path, body, as);
    return { status, body: bytes.length === 0 ? {} : JSON.parse(bytes.toString()) };
  }

  /** The same, for answers that are no JSON. */
  fetch(method: string, path: string, body?: object, as?: readonly [number, string]): Promise<Fetched> {
    const { control_root, api_root } = this.ready;
    const url = path.startsWith('/_sim') ? control_root + path.slice('/_sim'.length) : api_root + path;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(as === undefined ? {} : { authorization: `Basic ${Buffer.from(as.join(':')).toString('base64')}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
        response.on('close', () => reject(new Error('the answer was cut off')));
      });
      asked.on('error', reject).end(text);
    });
  }

  /** Resolves when the process is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
    this.#agent.destroy();
  }
}
