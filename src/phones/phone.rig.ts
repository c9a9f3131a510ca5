// A far end for phones under test: a registrar and user agent that tests play by hand, under a clock that moves by hand.
import { Random } from '../kernel/random.ts';
import { Timeline } from '../kernel/timeline.ts';
import { DigestVerifier, digestUsername } from '../sip/digest.ts';
import { bodyText, cseqOf } from '../sip/fields.ts';
import type { Flow, FlowListener } from '../sip/flow.ts';
import { type MemoryFlow, memoryPair } from '../sip/memory-flow.ts';
import type { SipMessage } from '../sip/message.ts';
import { directionOf, parseSdp } from '../sip/sdp.ts';
import { createUserAgent } from '../sip/user-agent.ts';
import type { ServerRequest, Session, SessionEvents, UserAgent } from '../sip/user-agent-api.ts';
import type { Act } from './acts.ts';
import type { Behaviour } from './behaviour.ts';
import { Fleet, type NewPhone, type PhoneView } from './fleet.ts';

export const DOMAIN = 'pbx.example';

/** An offer or answer as an exchange would write it. */
export function sdp(direction = 'sendrecv', formats = '0 8 101', version = 1): string {
  return [
    ...['v=0', `o=- 77 ${version} IN IP4 192.0.2.9`, 's=-', 'c=IN IP4 192.0.2.9', 't=0 0'],
    ...[`m=audio 30000 RTP/AVP ${formats}`, 'a=rtpmap:101 telephone-event/8000', `a=${direction}`, ''],
  ].join('\r\n');
}

/** A phone's facts by its extension. */
export function phone(ext: string, more: Partial<NewPhone> = {}): NewPhone {
  const sipUsername = `1-${ext}`;
  return {
    customerId: 1,
    userId: Number(ext),
    ext,
    sipUsername,
    sipPassword: 'secret',
    displayName: `P ${ext}`,
    ...more,
  };
}

export class PhoneStage {
  readonly startMs = Date.UTC(2026, 0, 1);
  readonly clock = new Timeline({ mode: 'manual', startMs: this.startMs });
  readonly random = new Random(1);
  readonly far: UserAgent;
  /** The far end of each flow, in the order in which they were made. */
  readonly flows: MemoryFlow[] = [];
  /** INVITEs that phones sent, waiting to be answered by the test. */
  readonly invited: Session[] = [];
  /** What the far end hears in its sessions, when a test says nothing else. */
  onRequest: (request: ServerRequest) => void = (request) => request.respond(200);
  /** The lines since the last `take`: `0 phone REGISTER`, `0 far 401 REGISTER`. 100 Trying is left out. */
  #story: string[] = [];
  /** Whole messages, all of them. */
  readonly messages: SipMessage[] = [];
  readonly #verifier: DigestVerifier;

  constructor() {
    this.#verifier = new DigestVerifier({ realm: DOMAIN, clock: this.clock, secret: 'nonces' });
    this.far = createUserAgent({
      clock: this.clock,
      random: this.random.split('far'),
      product: 'far',
      contactUser: 'far',
      route: () => this.flows[0],
      methods: ['REGISTER'],
      observer: {
        observed: (direction, flow, message) => this.#note(direction, flow, message),
        discarded: (_flow, _bytes, why) => this.#story.push(`discarded: ${why}`),
      },
      events: {
        onInvite: (session) => {
          session.events = this.events;
          this.invited.push(session);
        },
        onRequest: (request) => this.#register(request),
      },
    });
  }

  /** Given to phones as their way to the exchange. */
  readonly connect = (listener: FlowListener): Flow => {
    const port = 5060 + this.flows.length;
    const [near, far] = memoryPair({
      clock: this.clock,
      ends: [
        { address: { host: '127.0.0.1', port }, listener },
        { address: { host: '192.0.2.9', port }, listener: this.far },
      ],
    });
    this.flows.push(far);
    return near;
  };

  /** What sessions of the far end do by themselves: answer offers in kind. */
  get events(): SessionEvents {
    return {
      onReinvite: (_session, request) => request.respond(200, { body: sdp('recvonly') }),
      onRequest: (_session, request) => this.onRequest(request),
    };
  }

  /** The far end calls the phone on the flow. */
  call(flow = 0, body: string | undefined = sdp(), uri = `sip:101@${DOMAIN}`): Session {
    const parts = { uri, from: `"Ann" <sip:102@${DOMAIN}>`, to: `<${uri}>`, events: this.events };
    const way = this.flows[flow];
    const session = this.far.invite({
      ...parts,
      ...(way === undefined ? {} : { flow: way }),
      ...(body === undefined ? {} : { body }),
    });
    this.clock.settle();
    return session;
  }

  /** Moves the clock by so many ms. */
  pass(ms: number): void {
    this.clock.advanceTo(this.clock.now() + ms);
  }

  /** What went over the wire since the last time. */
  take(): string[] {
    this.clock.settle();
    const story = this.#story;
    this.#story = [];
    return story;
  }

  /** The newest message whose summary begins so. */
  last(summary: string): SipMessage {
    const found = this.messages.findLast((message) => summaryOf(message).startsWith(summary));
    if (found === undefined) throw new Error(`nobody sent ${summary}`);
    return found;
  }

  #note(direction: 'in' | 'out', flow: Flow, message: SipMessage): void {
    const who = direction === 'in' ? 'phone' : 'far';
    const which = this.flows.length > 1 ? this.flows.findIndex(({ id }) => id === flow.id) : '';
    this.messages.push(message);
    if (message.kind === 'response' && message.status === 100) return;
    this.#story.push(`${this.clock.now() - this.startMs} ${who}${which} ${summaryOf(message)}`);
  }

  #register(request: ServerRequest): void {
    const { method, headers, uri } = request.request;
    if (method !== 'REGISTER') {
      request.respond(405);
      return;
    }
    const authorization = headers.get('Authorization');
    const username = authorization === undefined ? undefined : digestUsername(authorization);
    const password = username?.startsWith('1-') === true ? 'secret' : undefined;
    const outcome = this.#verifier.verify({ authorization, method, uri, password });
    if (outcome.ok) {
      const contact = `${headers.get('Contact') ?? ''};expires=${headers.get('Expires') ?? '0'}`;
      request.respond(200, { headers: [['Contact', contact]] });
      return;
    }
    const challenges = this.#verifier.challenge({ stale: outcome.reason === 'stale' });
    request.respond(401, { headers: challenges.map((value) => ['WWW-Authenticate', value] as const) });
  }
}

/** A stage with a fleet, and the one phone at 101 that most stories are about. */
export class Desk {
  readonly stage = new PhoneStage();
  readonly fleet: Fleet;

  constructor() {
    const { clock, random, connect } = this.stage;
    this.fleet = new Fleet({ clock, random, domain: DOMAIN, connect });
  }

  /** Puts a registered phone at 101. */
  put(behaviour?: Behaviour): void {
    this.fleet.add(phone('101', behaviour === undefined ? {} : { behaviour }));
    this.stage.take();
  }

  /** What its user does: `done`, or the kind and words of the refusal. */
  act(what: Act): string {
    const result = this.fleet.act(1, '101', what);
    this.stage.clock.settle();
    return result.ok ? 'done' : `${result.failure.kind}: ${result.failure.message}`;
  }

  get view(): PhoneView {
    const found = this.fleet.view(1, '101');
    if (found === undefined) throw new Error('no phone at 101');
    return found;
  }

  /** Puts the phone there with a call to it that has been answered by hand. */
  connected(): Session {
    this.put({ on_call: 'ring' });
    const session = this.stage.call();
    this.act({ act: 'answer' });
    this.stage.take();
    return session;
  }
}

/** `INVITE`, `180 INVITE`; with the direction of an SDP, the key of an INFO, the event of a NOTIFY. */
function summaryOf(message: SipMessage): string {
  const body = bodyText(message);
  const session = parseSdp(body);
  const audio = session?.media[0];
  const direction = session !== undefined && audio !== undefined ? ` ${directionOf(audio, session)}` : '';
  if (message.kind === 'response') return `${message.status} ${cseqOf(message)?.method ?? '?'}${direction}`;
  const key = /^Signal=(.)/.exec(body)?.[1];
  const event = message.method === 'NOTIFY' ? ` ${message.headers.get('Event') ?? ''}` : '';
  return `${message.method}${direction}${event}${key === undefined ? '' : ` ${key}`}`;
}
