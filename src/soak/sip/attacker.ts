// A phone that means no good: it calls and is called like any other, but much of what it sends is damaged on the way, and it sends more besides. Judges what it hears.

import type { Random } from '../../kernel/random.ts';
import type { Timeline } from '../../kernel/timeline.ts';
import type { FlowListener } from '../../sip/flow.ts';
import { type MemoryFlow, memoryPair } from '../../sip/memory-flow.ts';
import type { SipMessage } from '../../sip/message.ts';
import { parseMessage } from '../../sip/parse.ts';
import { StreamFramer } from '../../sip/stream-framer.ts';
import { createUserAgent } from '../../sip/user-agent.ts';
import type { Session, SessionEvents, UserAgent } from '../../sip/user-agent-api.ts';
import { mutate } from './mutations.ts';

/** Messages that are kept to be damaged later. */
const MAX_REMEMBERED = 300;
/** Of what it sends by itself, so many in a hundred are damaged. */
const DAMAGED_PERCENT = 12;
const LONG_BYTES = 60_000;
/** What is shown of a message. */
const SHOWN = 900;
/** What comes of a bug of ours and never of a message. */
const NONSENSE = /undefined|\bNaN\b|\[object |Infinity/;
const SDP =
  'v=0\r\no=- 7 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n';

export interface AttackerDeps {
  readonly clock: Timeline;
  readonly random: Random;
  readonly listener: FlowListener;
  readonly domain: string;
  readonly host: string;
  /** Datagrams, or a byte stream that the exchange has to cut. */
  readonly transport: 'UDP' | 'TCP';
  readonly account: { readonly ext: string; readonly sip_username: string; readonly sip_password: string };
  /** Whom it calls, and sends others to. */
  readonly targets: readonly [string, ...string[]];
  /** What was really said before: damaged as well. */
  readonly memory: Uint8Array[];
  /** Told of each answer's status, and of what no peer may ever hear. */
  readonly report: { answer(status: number): void; wrong(sentence: string): void };
}

export class Attacker {
  /** Damaged messages that have left. */
  sent = 0;
  readonly #deps: AttackerDeps;
  readonly #flow: MemoryFlow;
  readonly #exchangeEnd: MemoryFlow;
  readonly #agent: UserAgent;
  readonly #framer = new StreamFramer();
  readonly #sessions: Session[] = [];
  /** Vias of the answers to the message that was just thrown. */
  readonly #answered: string[] = [];
  #statuses: number[] = [];
  /** Nothing is damaged now. */
  #honest = false;

  constructor(deps: AttackerDeps) {
    this.#deps = deps;
    const { clock, random, host, transport, account } = deps;
    const [mine, theirs] = memoryPair({
      clock,
      transport,
      reliable: transport === 'TCP',
      ends: [{ address: { host, port: 5060 } }, { address: { host: deps.domain, port: 5060 } }],
    });
    this.#flow = mine;
    this.#exchangeEnd = theirs;
    theirs.listener = {
      received: (_, bytes) => this.#arrive(bytes),
      closed: (_, why) => deps.listener.closed(theirs, why),
    };
    this.#agent = createUserAgent({
      clock,
      random: random.split('agent'),
      product: 'attacker',
      contactUser: account.ext,
      route: () => mine,
      send: (_, bytes) => this.#speak(bytes),
      lastHop: true,
      events: {
        onInvite: (session) => this.#invited(session),
        onRequest: (request) => request.respond(200),
      },
    });
    mine.listener = { received: (_, bytes) => this.#hear(bytes), closed: (_, why) => this.#agent.closed(mine, why) };
  }

  get open(): boolean {
    return this.#flow.open;
  }

  /** Comes as any phone would, and is let in. */
  arrive(): void {
    this.#honest = true;
    this.#alone('REGISTER');
    this.#deps.clock.settle();
    this.#honest = false;
  }

  /** Something that its user would do. */
  act(): void {
    const { random, account, targets, domain } = this.#deps;
    const talking = this.#sessions.filter(({ state }) => state === 'confirmed');
    const session = talking[random.int(Math.max(1, talking.length))];
    const target = random.pick(targets);
    const credentials = { username: account.sip_username, password: account.sip_password };
    if (session === undefined || random.int(4) === 0) {
      const what = random.int(10);
      if (what === 0) return this.#alone('REGISTER');
      if (what === 1) return this.#alone(random.pick(['OPTIONS', 'SUBSCRIBE', 'MESSAGE', 'NOTIFY', 'PUBLISH']));
      const uri = `sip:${target}@${domain}`;
      const call = { uri, from: `<sip:${account.ext}@${domain}>`, to: `<${uri}>`, credentials };
      this.#sessions.push(
        this.#agent.invite({ ...call, body: random.int(5) === 0 ? '' : SDP, events: this.#events() }),
      );
      return;
    }
    this.#within(session, target);
  }

  /** Throws one damaged message, and looks at what comes back. Only when nothing else is under way. */
  attack(): void {
    const { clock, random, memory, report, transport } = this.#deps;
    const original = memory[random.int(memory.length)];
    if (original === undefined || !this.open) return;
    const { name, bytes, owed } = mutate(original, random);
    this.sent += 1;
    this.#answered.length = 0;
    this.#statuses = [];
    this.#flow.send(bytes);
    clock.settle();
    // On a stream what lies about its length swallows its neighbours: nothing can be owed to it.
    if (transport === 'TCP') return;
    if (owed !== undefined && !this.#statuses.includes(owed)) {
      report.wrong(
        `${name}: ${owed} is owed, and ${this.#statuses.join(', ') || 'nothing'} came to ${JSON.stringify(bytes.toString('latin1').slice(0, SHOWN))}`,
      );
    }
    const branch = answerable(bytes);
    if (branch !== undefined && !this.#answered.some((via) => via.includes(branch))) {
      report.wrong(`${name}: no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, SHOWN))}`);
    }
  }

  /** Hangs up, or just goes. */
  leave(): void {
    if (this.#deps.random.int(2) === 0) for (const session of this.#sessions) session.end();
    else this.#flow.close();
  }

  /** Nothing of it is left. */
  close(): void {
    this.#agent.close();
    this.#flow.close();
  }

  #alone(method: string): void {
    const { account, domain } = this.#deps;
    const { sip_username: username, sip_password: password } = account;
    const address = `<sip:${username}@${domain}>`;
    const request = { method, uri: `sip:${domain}`, from: address, to: address, credentials: { username, password } };
    // As from behind an address translator: it is reached by the way that it came.
    const headers = [['Contact', `<sip:${account.ext}@10.0.0.1>`]] as const;
    this.#agent.request({ ...request, headers }, () => {});
  }

  #within(session: Session, target: string): void {
    const { random, domain } = this.#deps;
    const ignore = (): void => {};
    switch (random.int(8)) {
      case 0:
        return session.reinvite(SDP.replace('sendrecv', 'sendonly'), ignore);
      case 1:
        return session.update(random.int(2) === 0 ? undefined : SDP, ignore);
      case 2:
        return session.reinvite(
          undefined,
          (outcome) => outcome.status === 200 && session.state === 'confirmed' && session.ack(SDP),
        );
      case 3:
        return session.request('INFO', { body: 'Signal=5\r\nDuration=160\r\n', contentType: 'application/dtmf-relay' });
      case 4:
        return session.request('REFER', { headers: [['Refer-To', `<sip:${target}@${domain}>`]] });
      case 5:
        return session.request('OPTIONS', {});
      case 6:
        return session.request('INFO', {});
      default:
        return session.end();
    }
  }

  #invited(session: Session): void {
    const { random } = this.#deps;
    session.events = this.#events();
    this.#sessions.push(session);
    const what = random.int(6);
    if (what > 0) session.provisional(180);
    if (what > 2) session.accept(SDP);
    else if (what === 2) session.reject(random.pick([486, 302, 603, 404]));
  }

  #events(): SessionEvents {
    return {
      onAnswered: (session) => {
        if (session.state === 'answered') session.ack(SDP);
      },
      onReinvite: (_, request) => request.respond(200, { body: SDP }),
      onRequest: (_, request) => request.respond(200),
      onEnded: (session) => {
        this.#sessions.splice(this.#sessions.indexOf(session), 1);
      },
    };
  }

  /** What it says by itself, some of it damaged. */
  #speak(bytes: Uint8Array): void {
    const { random, memory } = this.#deps;
    if (memory.length < MAX_REMEMBERED) memory.push(bytes);
    else memory[random.int(MAX_REMEMBERED)] = bytes;
    if (this.#honest || random.int(100) >= DAMAGED_PERCENT) {
      this.#flow.send(bytes);
      return;
    }
    this.sent += 1;
    this.#flow.send(mutate(bytes, random).bytes);
  }

  /** At the exchange: as the wires would give it on. */
  #arrive(bytes: Uint8Array): void {
    const { listener, transport } = this.#deps;
    if (transport === 'UDP') return listener.received(this.#exchangeEnd, bytes);
    for (const message of this.#framer.push(bytes)) listener.received(this.#exchangeEnd, message);
    if (this.#framer.failed !== undefined) this.#flow.close(this.#framer.failed);
  }

  #hear(bytes: Uint8Array): void {
    const { report } = this.#deps;
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return report.wrong(`the exchange said what is no SIP: ${parsed.why}`);
    const { message } = parsed;
    const faulty = faultOf(message, Buffer.from(bytes).toString('latin1'));
    if (faulty !== undefined)
      report.wrong(`${faulty}: ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, SHOWN))}`);
    if (message.kind === 'response') {
      report.answer(message.status);
      this.#statuses.push(message.status);
      this.#answered.push(message.headers.get('Via') ?? '');
    }
    this.#agent.received(this.#flow, bytes);
  }
}

/** The branch of a request that must be answered: it can be read, it is no ACK, and no copy of another. */
function answerable(bytes: Buffer): string | undefined {
  const parsed = parseMessage(bytes);
  // The answer to a message of nearly the greatest length may be longer than that, and is lost.
  if (!parsed.ok || bytes.length > LONG_BYTES) return undefined;
  if (parsed.message.kind === 'response' || parsed.message.method === 'ACK') return undefined;
  const via = parsed.message.headers.get('Via') ?? '';
  // Only branches that were drawn for this one message: 16 hexadecimal digits. The first one counts.
  const branch = /^[^,]*?;branch=([^;,]*)/.exec(via)?.[1] ?? '';
  return /^z9hG4bK[\da-f]{16}$/.test(branch) ? branch : undefined;
}

function faultOf(message: SipMessage, text: string): string | undefined {
  if (NONSENSE.test(text)) return 'the exchange talks nonsense';
  const { headers, body } = message;
  if (headers.flaw !== undefined) return `the exchange writes headers that are none (${headers.flaw})`;
  if (headers.get('Content-Length') !== String(body.length)) return 'the exchange lies about a length';
  if (message.kind === 'request') return undefined;
  if (message.status === 500 && !headers.has('Retry-After')) return 'the exchange fails';
  if (message.status === 405 && !headers.has('Allow')) return 'the exchange does not say what is allowed';
  if (message.status === 420 && !headers.has('Unsupported')) return 'the exchange does not say what it lacks';
  return undefined;
}
