// What every part of one user agent shares: clock, transactions, names, live sessions, and the building of its messages. Knows nothing of what they mean.
import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { Dialog } from './dialog.ts';
import type { Flow } from './flow.ts';
import { Headers } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { requestOf, responseTo } from './serialise.ts';
import type { DialogSession } from './session.ts';
import type { NotifierSubscription } from './subscription.ts';
import { TRANSACTION_LIMITS, TransactionLayer } from './transaction-layer.ts';
import { MAGIC_COOKIE } from './transaction-match.ts';
import type { HeaderList, RequestOptions, ResponseOptions, UserAgentOptions } from './user-agent-api.ts';
import type { Knowledge } from './validate.ts';

/** What the engine answers itself or hands to a session. */
const OWN_METHODS = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'UPDATE', 'PRACK', 'INFO', 'REFER', 'NOTIFY'];
/** Option tags of the engine itself: RFC 3262 and RFC 4028. */
const OWN_EXTENSIONS = ['100rel', 'timer'];
/** Requests whose Contact says where the dialog goes on, or where to be found. */
const WITH_CONTACT = new Set(['INVITE', 'REGISTER', 'REFER', 'SUBSCRIBE', 'NOTIFY', 'UPDATE']);
/** Sessions beyond this: 503 with Retry-After to further INVITEs. */
const MAX_SESSIONS = 100_000;
/** The same for SUBSCRIBE. */
const MAX_SUBSCRIPTIONS = 50_000;

/** How we write ourselves on one flow. */
export interface FlowNames {
  /** A Via that lacks only its branch. */
  readonly via: string;
  readonly contact: string;
  /** The same where a SIPS URI is owed. */
  readonly secureContact: string;
}

export class Core {
  readonly clock: Clock;
  readonly options: UserAgentOptions;
  readonly transactions: TransactionLayer;
  readonly allow: string;
  /** Option tags that work. */
  readonly supported: string;
  readonly #supportedWithoutOffer: string;
  /** What we can do, as the answer to OPTIONS (RFC 3261, 11.2). */
  readonly abilities: HeaderList;
  readonly knowledge: Knowledge;
  readonly knowledgeOfInvite: Knowledge;
  /** By Call-ID and local tag. */
  readonly sessions = new Map<string, DialogSession>();
  readonly maxSessions: number;
  /** By Call-ID and local tag. */
  readonly subscriptions = new Map<string, NotifierSubscription>();
  readonly maxSubscriptions: number;
  readonly eventPackages: readonly string[];
  /** The session timer that we want ourselves, in seconds; 0: none. */
  readonly sessionExpiresS: number;
  closed = false;
  readonly #branches: Random;
  readonly #tags: Random;
  readonly #callIds: Random;
  readonly #pauses: Random;
  readonly #cnonces: Random;
  readonly #names = new WeakMap<Flow, FlowNames>();
  #sessionCount = 0;

  constructor(options: UserAgentOptions) {
    this.options = options;
    this.clock = options.clock;
    const { random, limits } = options;
    this.#branches = random.split('branch');
    this.#tags = random.split('tag');
    this.#callIds = random.split('call-id');
    this.#pauses = random.split('pause');
    this.#cnonces = random.split('cnonce');
    this.eventPackages = options.eventPackages ?? [];
    this.sessionExpiresS = options.sessionExpiresS ?? 0;
    const subscribe = this.eventPackages.length > 0 ? ['SUBSCRIBE'] : [];
    const methods = [...new Set([...OWN_METHODS, ...subscribe, ...(options.methods ?? [])])];
    const extensions = [...new Set([...OWN_EXTENSIONS, ...(options.extensions ?? [])])];
    this.allow = methods.join(', ');
    this.supported = extensions.join(', ');
    this.#supportedWithoutOffer = extensions.filter((tag) => tag !== '100rel').join(', ');
    this.abilities = [
      ['Allow', this.allow],
      ['Accept', 'application/sdp'],
      ['Supported', this.supported],
      ...(subscribe.length === 0 ? [] : [['Allow-Events', this.eventPackages.join(', ')] as const]),
    ];
    this.knowledge = { methods, extensions };
    this.knowledgeOfInvite = {
      methods,
      extensions,
      contentTypes: ['application/sdp'],
      forwards: options.lastHop !== true,
    };
    this.maxSessions = limits?.sessions ?? MAX_SESSIONS;
    this.maxSubscriptions = limits?.subscriptions ?? MAX_SUBSCRIPTIONS;
    const all = { ...TRANSACTION_LIMITS, ...limits };
    this.transactions = new TransactionLayer(options.clock, options.observer, all, options.send);
  }

  newBranch(): string {
    return MAGIC_COOKIE + this.#branches.token(14);
  }

  newTag(): string {
    return this.#tags.token(10);
  }

  newCallId(): string {
    return this.#callIds.token(22);
  }

  newCnonce(): string {
    return this.#cnonces.hex(16);
  }

  /** A whole number in [0, below), for the pauses that the RFC wants at random. */
  draw(below: number): number {
    return this.#pauses.int(below);
  }

  nextSessionId(): number {
    this.#sessionCount += 1;
    return this.#sessionCount;
  }

  names(flow: Flow): FlowNames {
    const known = this.#names.get(flow);
    if (known !== undefined) return known;
    const { host, port } = flow.local;
    const at = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
    const place = `${this.options.contactUser}@${at}`;
    const transport = CONTACT_TRANSPORT[flow.transport];
    const names = {
      via: `SIP/2.0/${flow.transport} ${at};rport;branch=`,
      contact: `<sip:${place}${transport}>`,
      // RFC 3261, 26.2.2: SIPS over TLS needs no transport parameter, and "tls" is none for it.
      secureContact: `<sips:${place}${transport === TLS ? '' : transport}>`,
    };
    this.#names.set(flow, names);
    return names;
  }

  /** A request of ours with every header that RFC 3261, 8.1.1 wants. */
  buildRequest(parts: RequestSketch): SipRequest {
    const names = this.names(parts.flow);
    const headers = new Headers().append('Via', names.via + parts.branch);
    headers.append('Max-Forwards', String(parts.maxForwards ?? 70));
    for (const route of parts.routes ?? []) headers.append('Route', route);
    headers.append('From', parts.from).append('To', parts.to).append('Call-ID', parts.callId);
    headers.append('CSeq', `${parts.cseq} ${parts.method}`);
    const { options } = parts;
    if (WITH_CONTACT.has(parts.method) && !namesHeader(options.headers, 'contact'))
      headers.append('Contact', isSecure(parts.uri) ? names.secureContact : names.contact);
    headers.append('User-Agent', this.options.product);
    if (parts.method === 'INVITE' || parts.method === 'UPDATE') this.#advertise(headers, (options.body ?? '') !== '');
    for (const [name, value] of parts.authorization) headers.append(name, value);
    for (const [name, value] of options.headers ?? []) headers.append(name, value);
    const body = options.body ?? '';
    if (body !== '') headers.append('Content-Type', options.contentType ?? 'application/sdp');
    return requestOf({ method: parts.method, uri: parts.uri, headers, body });
  }

  /** The same, along a dialog. */
  buildInDialog(dialog: Dialog, parts: DialogSketch): SipRequest {
    const { uri, routes } = dialog.way();
    const { callId, local: from, remote: to } = dialog;
    return this.buildRequest({ ...parts, uri, routes, callId, from, to });
  }

  /** A response of ours. `flow` is given where it makes or moves a dialog: then with Contact, Allow and Supported. */
  buildResponse(
    request: SipRequest,
    status: number,
    toTag: string,
    options: ResponseOptions = {},
    flow?: Flow,
  ): SipResponse {
    const { reason, body = '' } = options;
    const response = responseTo(request, status, reason === undefined ? { toTag, body } : { toTag, body, reason });
    const { headers } = response;
    if (flow !== undefined && status < 300 && !namesHeader(options.headers, 'contact')) {
      const names = this.names(flow);
      headers.append('Contact', isSecure(request.uri) ? names.secureContact : names.contact);
      headers.append('Allow', this.allow).append('Supported', this.supported);
    }
    // RFC 3261, 21.4.6: written here, so that no owner keeps a list of its own.
    if (status === 405 && !namesHeader(options.headers, 'allow')) headers.append('Allow', this.allow);
    headers.append('Server', this.options.product);
    for (const [name, value] of options.headers ?? []) headers.append(name, value);
    if (body !== '') headers.append('Content-Type', options.contentType ?? 'application/sdp');
    return response;
  }

  // An INVITE without an offer asks for no reliable provisional: it would bring an offer that its PRACK had to answer (RFC 3262, 5).
  #advertise(headers: Headers, offers: boolean): void {
    headers.append('Allow', this.allow);
    headers.append('Supported', offers ? this.supported : this.#supportedWithoutOffer);
  }
}

export interface DialogSketch {
  readonly method: string;
  readonly flow: Flow;
  readonly branch: string;
  readonly cseq: number;
  readonly options: RequestOptions;
  /** Credentials. */
  readonly authorization: HeaderList;
}

export interface RequestSketch extends DialogSketch {
  readonly uri: string;
  readonly routes?: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly maxForwards?: number;
}

const TLS = ';transport=tls';
const CONTACT_TRANSPORT: Readonly<Record<Flow['transport'], string>> = {
  UDP: '',
  MEM: '',
  TCP: ';transport=tcp',
  TLS,
  WS: ';transport=ws',
  WSS: ';transport=ws',
};

// RFC 3261, 12.1.1: who was asked for securely is reached securely.
function isSecure(uri: string): boolean {
  return uri.startsWith('sips:');
}

function namesHeader(headers: HeaderList | undefined, key: string): boolean {
  return headers?.some(([name]) => name.toLowerCase() === key) === true;
}
