// One tab of a real browser for tests: Chromium without a window, driven over its DevTools protocol.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

/** Whether the independent peers are wanted. */
export const interop = process.env.PBXSIM_INTEROP !== 'off';
if (!interop) console.log('PBXSIM_INTEROP=off: the tests with Chromium are left out.');

const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

export class BrowserTab {
  /** URLs of every request that left the page, data: URLs apart. */
  readonly requested: string[] = [];
  /** What the browser complained of: refused by policy, exceptions, failed loads. */
  readonly complaints: string[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('message', (data) => this.#received(JSON.parse(String(data)) as Message));
  }

  static async open(): Promise<BrowserTab> {
    const profile = mkdtempSync(join(tmpdir(), 'pbxsim-browser-'));
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ];
    const where = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1400,1500', 'about:blank'];
    const process = spawn('chromium', [...flags, ...where], { stdio: ['ignore', 'ignore', 'pipe'] });
    const { host } = new URL(await debuggerUrl(process));
    const tabs = (await (await fetch(`http://${host}/json/list`)).json()) as Record<string, string>[];
    const socket = new WebSocket(tabs.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '');
    await once(socket, 'open');
    const tab = new BrowserTab(process, profile, socket);
    for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await tab.#send(`${domain}.enable`);
    return tab;
  }

  async go(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
  }

  /** The value of an expression in the page, once it is neither undefined, null, false nor an exception. */
  async see<T>(expression: string): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const { result } = await this.#send('Runtime.evaluate', { expression, returnByValue: true });
      const { exceptionDetails, result: found } = result as { exceptionDetails?: object; result: { value?: unknown } };
      const { value } = found;
      if (exceptionDetails === undefined && value !== undefined && value !== null && value !== false) return value as T;
      if (performance.now() > deadline) throw new Error(`not seen within ${PATIENCE_MS} ms: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    const ended = once(this.#process, 'exit');
    // Asked to go, it ends its helpers first; killed, they would go on writing into the profile.
    this.#process.kill('SIGTERM');
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method: string, params: object = {}): Promise<Message> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #received({ id, method, params, ...rest }: Message): void {
    if (id !== undefined) this.#waiting.get(id)?.({ id, ...rest });
    if (method === 'Network.requestWillBeSent') {
      const { url } = (params as { request: { url: string } }).request;
      if (!url.startsWith('data:')) this.requested.push(url);
    }
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
    if (method === 'Log.entryAdded') {
      const { level, text } = (params as { entry: { level: string; text: string } }).entry;
      // What a policy refuses is an error; the rest is advice, and about the display.
      if (level === 'error') this.complaints.push(text);
    }
  }
}

async function debuggerUrl({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  if (stderr !== null)
    for await (const chunk of stderr) {
      text += String(chunk);
      const [, url] = /DevTools listening on (\S+)/.exec(text) ?? [];
      if (url !== undefined) {
        stderr.resume();
        return url;
      }
    }
  throw new Error(`Chromium did not start:\n${text}`);
}
