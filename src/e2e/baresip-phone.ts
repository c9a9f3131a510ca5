// Runs baresip, a softphone that we did not write, as a child process: its account, its commands, what it says happened. Knows no simulator.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toneFile } from '../media/wav.rig.ts';
import { freePort } from './sipp.ts';

const HOST = '127.0.0.1';
const PATIENCE_MS = 8_000;
const LONGER_THAN_ANY_TEST_S = 60;

export interface BaresipAccount {
  readonly username: string;
  readonly password: string;
  /** `host:port` of the registrar. */
  readonly registrar: string;
  /** The tone that it says all the time, in Hz. */
  readonly toneHz: number;
}

/** What the control connection tells: a call's change, or the answer to a command. */
interface Said {
  readonly event?: boolean;
  /** REGISTER_OK, CALL_INCOMING, CALL_ESTABLISHED, CALL_CLOSED ... */
  readonly type?: string;
  readonly param?: string;
  readonly response?: boolean;
  readonly ok?: boolean;
  readonly data?: string;
  readonly token?: string;
}

export class BaresipPhone {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #control: Socket;
  readonly #events: Said[] = [];
  readonly #answers = new Map<string, Said>();
  #output = '';
  #unread = Buffer.alloc(0);
  #commands = 0;

  private constructor(folder: string, child: ChildProcess, control: Socket) {
    this.#folder = folder;
    this.#child = child;
    this.#control = control;
    control.on('data', (bytes) => this.#read(bytes));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.#output = `${this.#output}${bytes}`.slice(-8_000);
      });
  }

  /** A phone that is registered. */
  static async open(account: BaresipAccount): Promise<BaresipPhone> {
    const folder = mkdtempSync(join(tmpdir(), 'pbxsim-baresip-'));
    const control = await freePort();
    const tone = join(folder, 'tone.wav');
    writeFileSync(tone, toneFile(account.toneHz, LONGER_THAN_ANY_TEST_S, 8000));
    writeFileSync(join(folder, 'config'), configuration(await freePort(), control, tone));
    writeFileSync(join(folder, 'accounts'), accountLine(account));
    const child = spawn('baresip', ['-4', '-f', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const phone = new BaresipPhone(folder, child, await connected(control));
      // It registers as soon as it is up, perhaps before the control connection is there to be told.
      await phone.#until('a registration', async () => /OK/.test((await phone.command('reginfo')).data ?? ''));
      return phone;
    } catch (error) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Waits until it has said that so many times, `CALL_ESTABLISHED` say; the parameter of the last one. */
  async says(type: string, times = 1): Promise<string> {
    const heard = () => this.#events.filter((event) => event.type === type);
    await this.#until(`${times} ${type}`, async () => heard().length >= times);
    return heard()[times - 1]?.param ?? '';
  }

  /** How often it has said that. */
  count(type: string): number {
    return this.#events.filter((event) => event.type === type).length;
  }

  /** A command of its own menu, `dial` with a URI say. */
  async command(command: string, params = ''): Promise<Said> {
    this.#commands += 1;
    const token = String(this.#commands);
    const text = JSON.stringify({ command, params, token });
    // One command is a netstring.
    this.#control.write(`${Buffer.byteLength(text)}:${text},`);
    await this.#until(`an answer to ${command}`, async () => this.#answers.has(token));
    const answer = this.#answers.get(token) ?? {};
    if (answer.ok !== true) throw new Error(`baresip refused ${command} ${params}: ${answer.data ?? ''}`);
    return answer;
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#control.destroy();
    this.#child.kill('SIGTERM');
    const lastCall = setTimeout(() => this.#child.kill('SIGKILL'), 3_000);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await gone;
    clearTimeout(lastCall);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const colon = this.#unread.indexOf(':');
      const length = Number(this.#unread.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.#unread.length < colon + 1 + length + 1) return;
      const said = JSON.parse(this.#unread.subarray(colon + 1, colon + 1 + length).toString()) as Said;
      this.#unread = this.#unread.subarray(colon + 1 + length + 1);
      if (said.event === true) this.#events.push(said);
      else if (said.token !== undefined) this.#answers.set(said.token, said);
    }
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (Date.now() > until)
        throw new Error(
          `baresip: no ${what} within ${PATIENCE_MS} ms. It said ${JSON.stringify(this.#events)} and wrote\n${this.#output}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function configuration(sipPort: number, controlPort: number, tone: string): string {
  return [
    `sip_listen ${HOST}:${sipPort}`,
    `audio_source aufile,${tone}`,
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'audio_buffer 20-160',
    'module_path /usr/lib/baresip/modules',
    ...['g711', 'aufile', 'account'].map((name) => `module ${name}.so`),
    ...['menu', 'mwi', 'ctrl_tcp'].map((name) => `module_app ${name}.so`),
    `ctrl_tcp_listen ${HOST}:${controlPort}`,
    '',
  ].join('\n');
}

function accountLine({ username, password, registrar }: BaresipAccount): string {
  return `<sip:${username}@${registrar}>;auth_user=${username};auth_pass=${password};regint=60;mwi=no\n`;
}

/** It takes a moment to listen. */
async function connected(port: number): Promise<Socket> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const socket = await new Promise<Socket | undefined>((resolve) => {
      const attempt = connect(port, HOST);
      attempt.once('connect', () => resolve(attempt));
      attempt.once('error', () => resolve(undefined));
    });
    if (socket !== undefined) return socket;
    if (Date.now() > until) throw new Error(`baresip did not listen on its control port within ${PATIENCE_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
