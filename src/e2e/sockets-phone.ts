// A bare phone of our own SIP engine on a UDP port of its own: registers, calls, is called. Its media is only described.
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import type { SipAddresses } from '../simulator.ts';
import type { Address, FlowListener } from '../sip/flow.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { Ending, Outcome, ServerRequest, Session, UserAgent } from '../sip/user-agent-api.ts';
import type { SeededUser } from '../store/seed/people.ts';
import { systemTime } from '../wires/system-time.ts';
import { UdpTransport } from '../wires/udp.ts';
import { until } from './sockets-stage.ts';

export class BarePhone {
  readonly #user: SeededUser;
  readonly #sip: SipAddresses;
  readonly #agent: UserAgent;
  readonly #clock: Timeline;
  readonly #transport: UdpTransport;
  readonly #invited: Session[] = [];
  readonly #requests: ServerRequest[] = [];
  readonly #listeners = new Set<() => void>();
  #descriptions = 0;

  private constructor(user: SeededUser, sip: SipAddresses, seed: string, open: OpenTransport) {
    this.#user = user;
    this.#sip = sip;
    this.#clock = new Timeline({ mode: 'real', startMs: 0, host: systemTime() });
    this.#agent = createUserAgent({
      clock: this.#clock,
      random: new Random(seed),
      product: 'bare-phone',
      contactUser: user.sip_username,
      lastHop: true,
      route: () => this.#transport.flowTo(sip.udp),
      events: {
        onInvite: (session) => {
          session.events = this.#eventsOf();
          session.provisional(180);
          this.#invited.push(session);
          this.#changed();
        },
        onRequest: (request) => request.respond(200),
      },
    });
    this.#transport = open.transport(this.#agent);
  }

  static async open(user: SeededUser, sip: SipAddresses, seed: string): Promise<BarePhone> {
    let agent: FlowListener | undefined;
    const transport = await UdpTransport.open({
      host: '127.0.0.1',
      port: 0,
      listener: {
        received: (flow, bytes) => agent?.received(flow, bytes),
        closed: (flow, why) => agent?.closed(flow, why),
      },
    });
    return new BarePhone(user, sip, seed, {
      transport: (made) => {
        agent = made;
        return transport;
      },
    });
  }

  get address(): Address {
    return this.#transport.address;
  }

  /** Resolves with the final status. */
  async register(expiresS = 300): Promise<number> {
    const { sip_username: username, sip_password: password } = this.#user;
    const address = `<sip:${username}@${this.#sip.domain}>`;
    const outcome = await new Promise<Outcome>((resolve) =>
      this.#agent.request(
        {
          method: 'REGISTER',
          uri: `sip:${this.#sip.domain}`,
          from: address,
          to: address,
          credentials: { username, password },
          headers: [['Expires', String(expiresS)]],
        },
        resolve,
      ),
    );
    return outcome.status;
  }

  /** Calls, and waits for the answer or the refusal. */
  async call(to: string): Promise<{ readonly session: Session; readonly status: number }> {
    const session = this.dial(to);
    await this.#until(
      () => session.state === 'confirmed' || session.state === 'answered' || isOver(session),
      `answer of ${to}`,
    );
    const ending = endings.get(session);
    return { session, status: ending?.by === 'failure' ? ending.outcome.status : 200 };
  }

  dial(to: string): Session {
    const { sip_username: username, sip_password: password } = this.#user;
    return this.#agent.invite({
      uri: `sip:${to}@${this.#sip.domain}`,
      from: `<sip:${username}@${this.#sip.domain}>`,
      to: `<sip:${to}@${this.#sip.domain}>`,
      credentials: { username, password },
      body: this.description(),
      contentType: 'application/sdp',
      events: this.#eventsOf(),
    });
  }

  /** The next INVITE that came; it rings already. */
  async invited(): Promise<Session> {
    return until(
      () => this.#invited.shift(),
      (changed) => this.#onChange(changed),
      `INVITE at ${this.#user.ext}`,
    );
  }

  answer(session: Session): void {
    session.accept(this.description());
  }

  /** Resolves with the answer's status. */
  async reoffer(session: Session, direction: string): Promise<number> {
    const outcome = await new Promise<Outcome>((resolve) => session.reinvite(this.description(direction), resolve));
    return outcome.status;
  }

  async press(session: Session, digit: string): Promise<number> {
    const body = `Signal=${digit}\r\nDuration=160\r\n`;
    const options = { contentType: 'application/dtmf-relay', body };
    return (await new Promise<Outcome>((resolve) => session.request('INFO', options, resolve))).status;
  }

  async ended(session: Session): Promise<Ending> {
    await this.#until(() => isOver(session), `end of the call at ${this.#user.ext}`);
    return endings.get(session) ?? { by: 'lost', why: 'no ending was told' };
  }

  /** Methods of the requests that came within calls, in order. */
  get heard(): string[] {
    return this.#requests.map(({ request }) => request.method);
  }

  description(direction = 'sendrecv'): string {
    this.#descriptions += 1;
    const origin = `o=- 1 ${this.#descriptions} IN IP4 127.0.0.1`;
    const media = `m=audio ${this.address.port + 1} RTP/AVP 8\r\na=rtpmap:8 PCMA/8000`;
    return `v=0\r\n${origin}\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n${media}\r\na=${direction}\r\n`;
  }

  async close(): Promise<void> {
    this.#agent.close();
    this.#clock.close();
    await this.#transport.close();
  }

  #eventsOf(): Session['events'] {
    return {
      onAnswered: () => this.#changed(),
      onProvisional: () => this.#changed(),
      onAck: () => this.#changed(),
      onReinvite: (_, request) => request.respond(200, { body: this.description() }),
      onRequest: (_, request) => {
        this.#requests.push(request);
        request.respond(200);
        this.#changed();
      },
      onEnded: (session, ending) => {
        endings.set(session, ending);
        this.#changed();
      },
    };
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    await until(
      () => (holds() ? true : undefined),
      (changed) => this.#onChange(changed),
      what,
    );
  }

  #onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

interface OpenTransport {
  readonly transport: (agent: UserAgent) => UdpTransport;
}

const endings = new WeakMap<Session, Ending>();

function isOver(session: Session): boolean {
  return session.state === 'terminated';
}
