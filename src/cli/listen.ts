// pbxsim listen: receives webhooks, prints each event as it arrives, says what is wrong with it, and cleans up after itself.
import { categories, type WebhookCategory } from '../contract/events.ts';
import { EventWatch, type Heard } from '../harness/events/event-watch.ts';
import { type ControlClient, ControlTrouble, reasonOf } from '../harness/run/control-client.ts';
import { isoText } from '../kernel/time.ts';
import type { ServerIdentity } from '../wires/authority/local-authority.ts';
import { type Post, PostReceiver } from '../wires/post-receiver.ts';
import { systemTime } from '../wires/system-time.ts';
import type { ControlFlags } from './control-flags.ts';
import { UsageError } from './errors.ts';
import { eventLine, violationLine } from './event-line.ts';
import { withControl } from './running-simulator.ts';

export interface ListenFlags extends ControlFlags {
  readonly port: number;
  /** Category words with commas between. */
  readonly events?: string;
  readonly count?: number;
  /** False: the URL is configured elsewhere. */
  readonly register: boolean;
  /** ms. */
  readonly late: number;
  readonly json?: boolean;
  readonly https?: boolean;
  /** Of the authority for `https`. Default: the user's own. */
  readonly stateDir?: string;
}

/** Where the lines go, and what ends the listening. */
export interface ListenPorts {
  /** For whoever reads the events. */
  readonly print: (line: string) => void;
  /** For people alone. */
  readonly tell: (line: string) => void;
  /** Calls `end` when somebody wants it to end. */
  readonly onEnd: (end: () => void) => void;
}

const ALL = categories.map(({ id }) => id);
/** What most people mean by all: every call event, and the two kinds that are none. */
const USUAL: readonly WebhookCategory[] = ['call_state_change', 'sms_received', 'dtmf'];
const NOT_SWITCHED_ON = 'has to be switched on';

export async function listen(flags: ListenFlags): Promise<void> {
  const violations = await listenWith(flags, {
    print: (line) => process.stdout.write(`${line}\n`),
    tell: (line) => process.stderr.write(`${line}\n`),
    onEnd: (end) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
    },
  });
  process.exitCode = violations > 0 ? 1 : 0;
  // Handlers of signals alone keep nothing going, but an ended listener must not swallow the next Ctrl-C either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
}

/** Listens until it is told to end or has heard enough; resolves with the number of violations. Rejects with one sentence. */
export function listenWith(flags: ListenFlags, ports: ListenPorts): Promise<number> {
  const wanted = categoriesIn(flags.events);
  if (!flags.register) return new Listener({ flags, ports, wanted }).run();
  return withControl(flags, (control) => new Listener({ flags, ports, wanted, control }).run());
}

interface ListenerParts {
  readonly flags: ListenFlags;
  readonly ports: ListenPorts;
  readonly wanted: readonly WebhookCategory[];
  readonly control?: ControlClient;
}

class Listener {
  readonly #parts: ListenerParts;
  readonly #ended: Promise<void>;
  #end: () => void = () => {};
  #watch: EventWatch | undefined;
  /** The sender's clock is this machine's; else it is asked each time. */
  #realTime = true;
  #events = 0;
  #violations = 0;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async run(): Promise<number> {
    const { flags, ports, wanted, control } = this.#parts;
    this.#realTime = control === undefined || (await control.clock()).mode === 'real';
    this.#watch = new EventWatch({
      categories: wanted,
      lateMs: flags.late,
      sinceMs: await this.#now(),
      foreignTest: control === undefined,
    });
    ports.onEnd(this.#end);
    const receiver = await PostReceiver.open(flags.port, (post) => this.#hear(post), await identityFor(flags));
    try {
      const webhook = control === undefined ? undefined : await save(control, receiver.url, wanted);
      this.#announce(receiver.url, webhook);
      await this.#ended;
      if (control !== undefined && webhook !== undefined) await forget(control, webhook);
    } finally {
      await receiver.close();
    }
    ports.tell(`${many(this.#events, 'event')}, ${many(this.#violations, 'violation')}`);
    return this.#violations;
  }

  async #hear({ contentType, text, bytes }: Post): Promise<void> {
    if (this.#isEnough) return;
    const nowMs = await this.#now();
    const heard = this.#watch?.take({ contentType, text, bytes, nowMs });
    if (heard === undefined) return;
    this.#print(heard, nowMs);
    if (heard.isTest) return;
    this.#events += 1;
    this.#violations += heard.violations.length;
    if (this.#isEnough) this.#end();
  }

  get #isEnough(): boolean {
    return this.#parts.flags.count !== undefined && this.#events >= this.#parts.flags.count;
  }

  #print(heard: Heard, nowMs: number | undefined): void {
    const { flags, ports } = this.#parts;
    if (flags.json !== true) {
      ports.print([eventLine(heard), ...heard.violations.map(violationLine)].join('\n'));
      return;
    }
    if (heard.isTest) return;
    const { event, callId, body, violations } = heard;
    const at = nowMs === undefined ? null : isoText(nowMs);
    ports.print(JSON.stringify({ at, event, call_id: callId ?? null, violations, payload: body ?? null }));
  }

  #announce(url: string, webhook: number | undefined): void {
    const { flags, ports, wanted } = this.#parts;
    if (flags.json === true) ports.print(JSON.stringify({ url, webhook_id: webhook ?? null }));
    else if (webhook === undefined) ports.tell(`Listening at ${url}: configure it where the events come from.`);
    else ports.tell(`Listening at ${url} as webhook ${webhook} for ${wanted.join(', ')}.`);
  }

  async #now(): Promise<number | undefined> {
    const { control } = this.#parts;
    if (this.#realTime || control === undefined) return systemTime().now();
    try {
      return (await control.clock()).nowMs;
    } catch (error) {
      if (error instanceof ControlTrouble) return undefined;
      throw error;
    }
  }
}

/** Loaded for HTTPS only. */
async function identityFor({ https, stateDir }: ListenFlags): Promise<(() => ServerIdentity) | undefined> {
  if (https !== true) return undefined;
  const { localAuthority, stateDirOf } = await import('../wires/authority/authority-files.ts');
  const { authority } = localAuthority(stateDirOf(stateDir, process.env));
  return () => authority.certificateFor([]);
}

/** Resolves with the id of the webhook. */
async function save(control: ControlClient, url: string, events: readonly WebhookCategory[]): Promise<number> {
  const saved = await control.ask('POST', '/webhooks', { name: 'pbxsim listen', url, events });
  if (saved.status === 201) return (saved.body as { id: number }).id;
  const reason = reasonOf(saved);
  if (!reason.includes(NOT_SWITCHED_ON)) throw new Error(reason);
  throw new Error(
    `This simulator sends no webhooks to ${url}: start it with pbxsim serve --allow-http-webhooks, or both with --https.`,
  );
}

/** A simulator that has gone took its webhooks with it. */
async function forget(control: ControlClient, webhook: number): Promise<void> {
  try {
    await control.ask('DELETE', `/webhooks/${webhook}`);
  } catch (error) {
    if (!(error instanceof ControlTrouble)) throw error;
  }
}

function categoriesIn(text: string | undefined): readonly WebhookCategory[] {
  if (text === undefined) return USUAL;
  const words = text.split(',').map((word) => word.trim());
  const known = ALL.filter((id) => words.includes(id));
  const stray = words.find((word) => !ALL.some((id) => id === word));
  if (stray === undefined) return known;
  throw new UsageError(`--events ${text}: there is no category ${stray}; there are ${ALL.join(', ')}.`);
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
