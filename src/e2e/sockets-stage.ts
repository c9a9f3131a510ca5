// A simulator on real sockets for tests: requests to it, what its journal and its webhooks say, and waiting for them with a deadline.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, type JournalEntry } from '../kernel/journal.ts';
import { Simulator, type SimulatorOptions, type SipAddresses } from '../simulator.ts';
import type { SeededUser } from '../store/seed/people.ts';
import type { LocalAuthority } from '../wires/authority/local-authority.ts';
import { Driver } from './scripted-day.ts';

/** How long a test waits for what must happen, in real ms, unless it says otherwise. */
export const DEADLINE_MS = 5000;

export type Facts = Record<string, unknown>;

/** Resolves with what `find` finds: asked now, and again whenever `changed` calls. Rejects at the deadline, saying what was missing. */
export function until<T>(
  find: () => T | undefined,
  onChange: (changed: () => void) => () => void,
  what: string,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => {
      stop();
      reject(new Error(`${what}: not within ${deadlineMs} ms`));
    }, deadlineMs);
    const look = (): void => {
      const found = find();
      if (found === undefined) return;
      clearTimeout(alarm);
      stop();
      resolve(found);
    };
    const stop = onChange(look);
    look();
  });
}

/** Fails what takes too long. */
export function within<T>(promise: Promise<T>, what: string, deadlineMs = DEADLINE_MS): Promise<T> {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error(`${what}: not within ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(alarm));
}

/** Receives webhooks over HTTP on loopback and keeps their bodies in order of arrival. */
export class WebhookInbox {
  readonly bodies: Facts[] = [];
  readonly #server: Server;
  readonly #listeners = new Set<() => void>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.bodies.push(JSON.parse(Buffer.concat(chunks).toString()) as Facts);
        response.writeHead(204).end();
        for (const listener of this.#listeners) listener();
      });
    });
  }

  static async open(): Promise<WebhookInbox> {
    const inbox = new WebhookInbox();
    await new Promise<void>((resolve) => inbox.#server.listen(0, '127.0.0.1', resolve));
    return inbox;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** All bodies of a call, once one with that event name is among them. */
  ofCall(callId: number, until_: string): Promise<Facts[]> {
    const mine = (): Facts[] => this.bodies.filter((body) => body.call_id === callId);
    return until(
      () => (mine().some((body) => body.event_name === until_) ? mine() : undefined),
      (changed) => {
        this.#listeners.add(changed);
        return () => this.#listeners.delete(changed);
      },
      `webhook ${until_} of call ${callId}`,
    );
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export class SocketStage {
  readonly simulator: Simulator;
  readonly sip: SipAddresses;
  readonly root: string;

  private constructor(simulator: Simulator, sip: SipAddresses, root: string) {
    this.simulator = simulator;
    this.sip = sip;
    this.root = root;
  }

  /** A simulator that listens on free ports of loopback, with an authority over TLS, too. Invariants are checked as it runs. */
  static async open(options: SimulatorOptions = {}, authority?: LocalAuthority): Promise<SocketStage> {
    const simulator = new Simulator({ clock: 'real', checkInvariants: true, ...options });
    const sip = await simulator.listenSip(0, authority);
    return new SocketStage(simulator, sip, await simulator.listenHttp(0));
  }

  /** Users of the first customer. */
  user(index: number): SeededUser {
    const user = this.simulator.world.customers[0]?.users[index];
    if (user === undefined) throw new Error(`the seed world has no user ${index}`);
    return user;
  }

  /** As the first user, under `/v1.1/pbx`. */
  async api(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: Facts }> {
    return new Driver(this.root, this.user(0)).send(method, `/v1.1/pbx${path}`, body);
  }

  async control(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Facts }> {
    return new Driver(this.root, this.user(0)).send(method, `/_sim${path}`, body);
  }

  /** `data` of an answer that must be 200. */
  async read(path: string): Promise<Facts> {
    const answer = await this.api('GET', path);
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}`);
    return answer.body.data as Facts;
  }

  /** The only CDR with that live id. */
  async cdr(callId: number): Promise<Facts> {
    const filter = encodeURIComponent(JSON.stringify([{ property: 'live_id', operator: 'eq', value: callId }]));
    const answer = await this.api('GET', `/cdrs?filter=${filter}`);
    const [first, ...more] = answer.body.data as Facts[];
    if (first === undefined || more.length > 0) throw new Error(`not one CDR of call ${callId}: ${more.length + 1}`);
    return first;
  }

  /** Has the simulated phone at an extension do that. */
  async act(ext: string, act: string, members: Facts = {}): Promise<Facts> {
    const answer = await this.control('POST', `/phones/${ext}/acts`, { act, ...members });
    if (answer.status !== 200) throw new Error(`act ${act} at ${ext}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async behave(ext: string, behaviour: string | Facts): Promise<void> {
    const answer = await this.control('PATCH', `/phones/${ext}`, { behaviour });
    if (answer.status !== 200) throw new Error(`behaviour of ${ext}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** The first journal entry that matches: one that is there already, or one that comes in time. */
  entry(kind: string, match: (data: Facts, entry: JournalEntry) => boolean, after = 0): Promise<JournalEntry> {
    const { journal } = this.simulator;
    return until(
      () => journal.query({ kind, after }).find((entry) => match(dataOf(entry) as Facts, entry)),
      (changed) =>
        journal.subscribe((entry) => {
          // The entry may still get its call, within this turn.
          if (entry.kind.startsWith(kind)) queueMicrotask(changed);
        }),
      `journal entry ${kind}`,
    );
  }

  /** Waits for the call to be in that state: its journal entry says when. Resolves with the live call as REST shows it. */
  async inState(callId: number, state: string): Promise<Facts> {
    await this.entry('call.state', (data, entry) => entry.callId === callId && data.to === state);
    return this.read(`/calls/${callId}`);
  }

  /** Waits for a call to begin after `after`, and gives its id. */
  async callBegun(after: number): Promise<number> {
    const entry = await this.entry('call.state', (data) => data.to === 'INITIAL', after);
    return entry.callId ?? 0;
  }

  /** The names of a call's events in the journal's order. */
  eventNames(callId: number): string[] {
    return this.simulator.journal
      .query({ kind: 'event', callId })
      .map((entry) => String((dataOf(entry) as Facts).name));
  }

  get now(): number {
    return this.simulator.journal.last;
  }

  /** A webhook of every event of the first customer. */
  async hear(inbox: WebhookInbox): Promise<void> {
    const answer = await this.control('POST', '/webhooks', {
      name: 'everything',
      url: inbox.url,
      events: ['call_state_change', 'dtmf', 'sms_received'],
      active: true,
    });
    if (answer.status !== 201) throw new Error(`webhook: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Waits until that call has left its CDR. */
  async callOver(callId: number): Promise<void> {
    await this.entry('call.closed', (_, entry) => entry.callId === callId);
  }

  async close(): Promise<void> {
    await this.simulator.close();
  }
}
