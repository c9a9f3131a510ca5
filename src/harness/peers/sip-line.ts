// A sip.js user agent on one connection: what a phone registers with and calls over. Knows no calls and no acts.
import { type Invitation, Registerer, RegistererState, URI, UserAgent } from 'sip.js';
import type { IncomingResponse, OutgoingRequestDelegate } from 'sip.js/lib/core/index.js';
import type { TimeHost } from '../../kernel/clock.ts';
import { openMediaPort } from './media-port.ts';
import { MediaSession } from './media-session.ts';
import { SipjsTransport } from './sipjs-transport.ts';
import type { Address, OpenWire, Wire } from './wire.ts';

export interface SipLineParts {
  readonly time: TimeHost;
  readonly openWire: OpenWire;
  /** Host part of all addresses. */
  readonly domain: string;
  readonly displayName: string;
  readonly username: string;
  readonly password: string;
  readonly observe: (direction: 'sent' | 'received', text: string) => void;
  readonly ignoresCalls: () => boolean;
  readonly onInvite: (invitation: Invitation) => void;
  /** Registered or no longer so, connected or no longer so. */
  readonly onChange: () => void;
}

const USER_AGENT = 'pbxsim-harness-phone';
/** Asked for; refreshed at nine tenths of what the registrar grants. */
const EXPIRES_S = 300;
const REFRESH_PERCENT = 90;
/** sip.js gives a call up when its user does not answer: a scenario decides that itself. */
const NEVER_ANSWERED_S = 86_400;
/** Longer than any transaction (RFC 3261, 17.1.2.2: timer F is 32 s). */
const REGISTER_PATIENCE_MS = 40_000;
/** How long the last words may take before the connection is closed under them. */
const FAREWELL_MS = 8000;

export class SipLine {
  readonly userAgent: UserAgent;
  readonly #parts: SipLineParts;
  readonly #wire: Wire;
  readonly #media: { close(): Promise<void> };
  readonly #transport: SipjsTransport;
  readonly #registerer: Registerer;
  readonly #whenBroken: Promise<string>;
  #tellBroken: (problem: string) => void = () => {};
  #broken: string | undefined;
  #closed = false;

  private constructor(parts: SipLineParts, wire: Wire, media: { readonly place: Address; close(): Promise<void> }) {
    this.#parts = parts;
    this.#wire = wire;
    this.#media = media;
    this.userAgent = this.#makeUserAgent(media.place);
    this.#transport = this.userAgent.transport as SipjsTransport;
    this.#registerer = new Registerer(this.userAgent, {
      expires: EXPIRES_S,
      refreshFrequency: REFRESH_PERCENT,
      logConfiguration: false,
    });
    this.#registerer.stateChange.addListener(() => parts.onChange());
    this.#whenBroken = new Promise((resolve) => {
      this.#tellBroken = resolve;
    });
  }

  /** Connected, and not registered. Rejects with an error whose message is fit to be shown. */
  static async open(parts: SipLineParts): Promise<SipLine> {
    let line: SipLine | undefined;
    let early: string | undefined;
    const wire = await parts.openWire({
      received: (text) => line?.received(text),
      closed: (why) => {
        early = why;
        line?.broke(why);
      },
    });
    try {
      line = new SipLine(parts, wire, await openMediaPort(wire.local?.host ?? '127.0.0.1'));
      await line.userAgent.start();
      if (early !== undefined) line.broke(early);
      return line;
    } catch (error) {
      await wire.close();
      throw error;
    }
  }

  /** One message from the wire. */
  received(text: string): void {
    this.#transport.received(text);
  }

  /** The wire is gone. */
  broke(why: string): void {
    if (this.#closed || this.#broken !== undefined) return;
    this.#broken = why;
    this.#transport.broke(why);
    this.#tellBroken(`could not be sent: ${why}`);
    this.#parts.onChange();
  }

  /** The connection is there, as far as this end knows. */
  get isUp(): boolean {
    return this.#broken === undefined && !this.#closed;
  }

  get registered(): boolean {
    return this.isUp && this.#registerer.state === RegistererState.Registered;
  }

  /** Undefined when the registrar agreed, else why not, in words that follow `registration`. */
  register(): Promise<string | undefined> {
    return this.#registrarSays((requestDelegate) => this.#registerer.register({ requestDelegate }));
  }

  unregister(): Promise<string | undefined> {
    return this.#registrarSays((requestDelegate) => this.#registerer.unregister({ requestDelegate }));
  }

  /** The URI of a number or an extension as it is keyed in; undefined when none can be made of it. */
  uriOf(dialled: string): URI | undefined {
    return UserAgent.makeURI(`sip:${dialled.replaceAll('#', '%23')}@${this.#parts.domain}`);
  }

  /** Gone without a word. The socket stays, so that not even the system says that we are gone. */
  vanish(): void {
    this.#broken ??= 'it has vanished';
    this.#transport.vanish();
  }

  /** Waits, for a while, until `last` and all that was sent has been answered; then frees everything. Never rejects. */
  async close(last: Promise<unknown>): Promise<void> {
    if (this.#closed) return;
    if (this.isUp) {
      const said = last
        .then(() => (this.registered ? this.unregister() : undefined))
        .then(() => this.#transport.quiet());
      await this.#atMost(FAREWELL_MS, said);
    }
    this.#closed = true;
    await this.#transport.disconnect();
    // With the connection down sip.js ends all that is left at once, and so stops its timers.
    for (const session of Object.values(this.userAgent._sessions)) session.dispose().catch(() => {});
    // biome-ignore lint/complexity/useLiteralKeys: private, and the only way to stop the timers of a registration that nobody ends
    this.#registerer['clearTimers']();
    await this.userAgent.stop();
    await Promise.all([this.#wire.close(), this.#media.close()]);
  }

  #makeUserAgent(place: Address): UserAgent {
    const { username, domain, displayName, password } = this.#parts;
    const { transport, local } = this.#wire;
    const host = local === undefined ? undefined : bracketed(local.host);
    const userAgent = new UserAgent({
      uri: new URI('sip', username, domain),
      displayName,
      authorizationUsername: username,
      authorizationPassword: password,
      userAgentString: USER_AGENT,
      // RFC 7118, 5.2: `ws` in URIs, over TLS or not.
      contactParams: { transport: transport === 'WSS' ? 'ws' : transport.toLowerCase() },
      ...(host === undefined ? {} : { viaHost: host, forceRport: true }),
      transportConstructor: SipjsTransport,
      transportOptions: {
        wire: this.#wire,
        time: this.#parts.time,
        observe: this.#parts.observe,
        ignoresCalls: this.#parts.ignoresCalls,
      },
      sessionDescriptionHandlerFactory: () => new MediaSession(place),
      sendInitialProvisionalResponse: false,
      noAnswerTimeout: NEVER_ANSWERED_S,
      gracefulShutdown: false,
      logBuiltinEnabled: false,
      logConfiguration: false,
      delegate: { onInvite: (invitation) => this.#parts.onInvite(invitation) },
    });
    if (local !== undefined) {
      userAgent.contact.uri.port = local.port;
      userAgent.userAgentCore.configuration.viaHost = `${host}:${local.port}`;
    }
    return userAgent;
  }

  async #registrarSays(send: (delegate: OutgoingRequestDelegate) => Promise<unknown>): Promise<string | undefined> {
    if (this.#broken !== undefined) return `could not be sent: ${this.#broken}`;
    const { stateChange } = this.#registerer;
    let agreed: (state: RegistererState) => void = () => {};
    const answered = new Promise<string | undefined>((resolve) => {
      // A registrar that wants another Expires (423) gets it, and sip.js tells of that by the state alone.
      agreed = (state) => (state === RegistererState.Registered ? resolve(undefined) : undefined);
      stateChange.addListener(agreed);
      const refused = ({ message }: IncomingResponse): void =>
        resolve(`was answered ${message.statusCode} ${message.reasonPhrase}`);
      send({ onAccept: () => resolve(undefined), onReject: refused, onRedirect: refused }).catch((error: Error) =>
        resolve(`could not be sent: ${error.message}`),
      );
    });
    try {
      return await this.#atMost(REGISTER_PATIENCE_MS, Promise.race([answered, this.#whenBroken]), 'was not answered');
    } finally {
      stateChange.removeListener(agreed);
    }
  }

  #atMost<T>(patienceMs: number, promise: Promise<T>, otherwise?: T): Promise<T | undefined> {
    let cancel: () => void = () => {};
    const late = new Promise<T | undefined>((resolve) => {
      cancel = this.#parts.time.alarm(patienceMs, () => resolve(otherwise));
    });
    return Promise.race([promise, late]).finally(cancel);
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
