// A phone made of sip.js, a SIP stack independent of ours, over WebSocket (RFC 7118). Its media is only described: RTP/AVP without sound.
import {
  type Invitation,
  Inviter,
  type InviterInviteOptions,
  type Notification,
  Registerer,
  type Session,
  type SessionDescriptionHandler,
  type SessionDescriptionHandlerOptions,
  SessionState,
  type URI,
  UserAgent,
} from 'sip.js';
import type { IncomingResponse, OutgoingRequestDelegate } from 'sip.js/lib/core/index.js';
import type { SeededUser } from '../store/seed/people.ts';
import { until, within } from './sockets-stage.ts';

export interface PlainOptions extends SessionDescriptionHandlerOptions {
  /** Offer `sendonly`. */
  readonly hold?: boolean;
}

const OPPOSITE: Readonly<Record<string, string>> = {
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
  sendrecv: 'sendrecv',
};

/** Describes one audio stream of plain RTP, since Node has no WebRTC. */
export class PlainDescription implements SessionDescriptionHandler {
  /** Every description that the peer gave, in order. */
  readonly theirs: string[] = [];
  #version = 0;
  /** Direction of an offer of the peer that awaits our answer. */
  #offered: string | undefined;
  /** An offer of ours awaits the peer's answer. */
  #offering = false;

  close(): void {}

  hasDescription(contentType: string): boolean {
    return contentType === 'application/sdp';
  }

  /** An answer when the peer offered last, else an offer. */
  getDescription(options: PlainOptions = {}): Promise<{ body: string; contentType: string }> {
    this.#offering = this.#offered === undefined;
    const own = options.hold === true ? 'sendonly' : 'sendrecv';
    const direction = this.#offered === undefined ? own : (OPPOSITE[this.#offered] ?? 'sendrecv');
    this.#offered = undefined;
    this.#version += 1;
    const body = [
      'v=0',
      `o=sipjs 4711 ${this.#version} IN IP4 127.0.0.1`,
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 49170 RTP/AVP 8 0 101',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:101 telephone-event/8000',
      `a=${direction}`,
      '',
    ].join('\r\n');
    return Promise.resolve({ body, contentType: 'application/sdp' });
  }

  setDescription(sdp: string): Promise<void> {
    this.theirs.push(sdp);
    const direction = /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(sdp)?.[1] ?? 'sendrecv';
    this.#offered = this.#offering ? undefined : direction;
    this.#offering = false;
    return Promise.resolve();
  }

  sendDtmf(): boolean {
    return false;
  }
}

/** Resolves when the session is in that state. */
export function reached(session: Session, state: SessionState): Promise<true> {
  return until(
    () => (session.state === state ? true : undefined),
    (changed) => {
      session.stateChange.addListener(changed);
      return () => session.stateChange.removeListener(changed);
    },
    `session ${state}, which is ${session.state}`,
  );
}

/** Sends a request and resolves with the status of its final response. */
function finalStatus(send: (delegate: OutgoingRequestDelegate) => Promise<unknown>, what: string): Promise<number> {
  const answered = new Promise<number>((resolve, reject) => {
    const take = ({ message }: IncomingResponse): void => resolve(message.statusCode ?? 0);
    send({ onAccept: take, onReject: take }).catch(reject);
  });
  return within(answered, what);
}

/** How an INVITE of ours was answered. */
export interface CallProgress {
  readonly session: Inviter;
  /** Statuses of provisionals, in order. */
  readonly provisionals: number[];
  /** The first final response's status. */
  readonly final: Promise<number>;
}

export class SipjsPhone {
  readonly #userAgent: UserAgent;
  readonly #registerer: Registerer;
  readonly #domain: string;
  readonly #invitations: Invitation[] = [];
  #onInvitation: () => void = () => {};

  constructor(user: SeededUser, sip: { readonly ws: string; readonly domain: string }, name = 'Anna Independent') {
    this.#domain = sip.domain;
    this.#userAgent = new UserAgent({
      uri: this.#uri(user.sip_username),
      displayName: name,
      authorizationUsername: user.sip_username,
      authorizationPassword: user.sip_password,
      userAgentString: 'sipjs-test-phone',
      transportOptions: { server: sip.ws },
      logBuiltinEnabled: false,
      gracefulShutdown: false,
      sessionDescriptionHandlerFactory: () => new PlainDescription(),
      delegate: {
        onInvite: (invitation) => {
          this.#invitations.push(invitation);
          this.#onInvitation();
        },
      },
    });
    this.#registerer = new Registerer(this.#userAgent, { expires: 300 });
  }

  async connect(): Promise<void> {
    await within(this.#userAgent.start(), 'WebSocket of the phone');
  }

  /** Resolves with the final status: 200, or 401 when the password was refused. */
  register(): Promise<number> {
    return finalStatus((requestDelegate) => this.#registerer.register({ requestDelegate }), 'answer to REGISTER');
  }

  unregister(): Promise<number> {
    return finalStatus((requestDelegate) => this.#registerer.unregister({ requestDelegate }), 'answer to REGISTER');
  }

  /** Sends an INVITE. */
  async call(to: string, options: InviterInviteOptions = {}): Promise<CallProgress> {
    const session = new Inviter(this.#userAgent, this.#uri(to));
    const provisionals: number[] = [];
    let settle: (status: number) => void = () => {};
    const final = new Promise<number>((resolve) => {
      settle = resolve;
    });
    await session.invite({
      ...options,
      requestDelegate: {
        onProgress: ({ message }) => provisionals.push(message.statusCode ?? 0),
        onAccept: ({ message }) => settle(message.statusCode ?? 0),
        onReject: ({ message }) => settle(message.statusCode ?? 0),
      },
    });
    return { session, provisionals, final: within(final, `final response to INVITE ${to}`) };
  }

  /** The next INVITE that came and nobody took yet. */
  async invitation(): Promise<Invitation> {
    return until(
      () => this.#invitations.shift(),
      (changed) => {
        this.#onInvitation = changed;
        return () => {
          this.#onInvitation = () => {};
        };
      },
      'INVITE at the phone',
    );
  }

  /** Sends a re-INVITE that holds or resumes; resolves with the answer's status. */
  async reinvite(session: Session, hold: boolean): Promise<number> {
    session.sessionDescriptionHandlerOptionsReInvite = { hold } as PlainOptions;
    return finalStatus((requestDelegate) => session.invite({ requestDelegate }), 'answer to a re-INVITE');
  }

  /** Sends REFER; resolves with its status, and with the statuses that NOTIFYs carried when the last one came. */
  async refer(
    session: Session,
    to: string,
  ): Promise<{ readonly status: number; readonly notified: Promise<number[]> }> {
    const statuses: number[] = [];
    let done: () => void = () => {};
    const terminated = new Promise<void>((resolve) => {
      done = resolve;
    });
    const onNotify = (notification: Notification): void => {
      statuses.push(Number(/^SIP\/2\.0 (\d{3})/.exec(notification.request.body)?.[1]));
      const over = /^terminated/.test(notification.request.getHeader('Subscription-State') ?? '');
      void notification.accept().then(() => over && done());
    };
    const status = await finalStatus(
      (requestDelegate) => session.refer(this.#uri(to), { onNotify, requestDelegate }),
      'answer to REFER',
    );
    return { status, notified: within(terminated, 'last NOTIFY of the transfer').then(() => statuses) };
  }

  /** Presses keys, each an INFO of its own; resolves with the answers' statuses. */
  async press(session: Session, digits: string): Promise<number[]> {
    const statuses: number[] = [];
    for (const digit of digits) {
      const content = `Signal=${digit}\r\nDuration=100`;
      const body = { contentDisposition: 'render', contentType: 'application/dtmf-relay', content };
      statuses.push(
        await finalStatus(
          (requestDelegate) => session.info({ requestDelegate, requestOptions: { body } }),
          `answer to INFO ${digit}`,
        ),
      );
    }
    return statuses;
  }

  async hangUp(session: Session): Promise<void> {
    await session.bye();
    await reached(session, SessionState.Terminated);
  }

  /** Gone with its connection. */
  async close(): Promise<void> {
    await within(this.#userAgent.stop(), 'end of the phone');
  }

  #uri(user: string): URI {
    const uri = UserAgent.makeURI(`sip:${user}@${this.#domain}`);
    if (uri === undefined) throw new Error(`no URI can be made of ${user}`);
    return uri;
  }
}

/** What the session's handler of descriptions has heard. */
export function descriptionsOf(session: Session): readonly string[] {
  return (session.sessionDescriptionHandler as PlainDescription | undefined)?.theirs ?? [];
}
