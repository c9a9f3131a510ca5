// One dialog: tags, sequence numbers, remote target and route set, and the requests that go along it (RFC 3261, 12). Knows no timers and no flow.
import { contactsOf } from './fields.ts';
import { splitList } from './header-lists.ts';
import { ownText } from './headers.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import { parseNameAddr } from './name-addr.ts';
import type { Arrival } from './transaction-match.ts';
import { parseUri } from './uri.ts';

/** More hops than this in a Record-Route and the route set is not taken. */
export const MAX_ROUTES = 32;

export interface DialogParts {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To of our requests; each with its tag. */
  readonly local: string;
  readonly remote: string;
  readonly target: string;
  readonly routes: readonly string[];
  readonly localCseq: number;
  readonly remoteCseq: number;
}

export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly local: string;
  readonly remote: string;
  readonly routes: readonly string[];
  /** The URI that the peer wants to be reached at. */
  target: string;
  localCseq: number;
  /** The highest CSeq that the peer used; -1 before its first request (RFC 3261, 12.1.2). */
  remoteCseq: number;

  constructor(parts: DialogParts) {
    this.callId = parts.callId;
    this.localTag = parts.localTag;
    this.remoteTag = parts.remoteTag;
    this.local = parts.local;
    this.remote = parts.remote;
    this.routes = parts.routes;
    this.target = parts.target;
    this.localCseq = parts.localCseq;
    this.remoteCseq = parts.remoteCseq;
  }

  /** RFC 3261, 12.1.1: the side that was called. */
  static ofCallee(invite: SipRequest, arrival: Pick<Arrival, 'callId' | 'fromTag' | 'cseq'>, localTag: string): Dialog {
    const from = invite.headers.get('From') ?? '';
    return new Dialog({
      callId: arrival.callId,
      localTag,
      remoteTag: arrival.fromTag,
      local: `${invite.headers.get('To') ?? ''};tag=${localTag}`,
      remote: from,
      target: contactUri(invite) ?? parseNameAddr(from)?.uri ?? invite.uri,
      routes: routesOf(invite),
      localCseq: 0,
      remoteCseq: arrival.cseq,
    });
  }

  /** RFC 3261, 12.1.2: the side that called, from a response with a To tag. The route set is reversed. */
  static ofCaller(invite: SipRequest, response: SipResponse, tags: DialogTags, cseq: number): Dialog {
    return new Dialog({
      callId: tags.callId,
      localTag: tags.localTag,
      remoteTag: tags.remoteTag,
      local: invite.headers.get('From') ?? '',
      remote: ownText(response.headers.get('To') ?? ''),
      target: contactUri(response) ?? invite.uri,
      routes: routesOf(response).reverse(),
      localCseq: cseq,
      remoteCseq: -1,
    });
  }

  nextCseq(): number {
    this.localCseq += 1;
    return this.localCseq;
  }

  /** RFC 3261, 12.2.1.2 and 12.2.2: a re-INVITE, UPDATE or its 2xx may move the peer. */
  refresh(message: SipMessage): void {
    this.target = contactUri(message) ?? this.target;
  }

  /** Request-URI and Route of the next request (RFC 3261, 12.2.1.1): the remote target, or the first hop when that is a strict router. */
  way(): { readonly uri: string; readonly routes: readonly string[] } {
    const first = this.routes[0];
    if (first === undefined) return { uri: this.target, routes: this.routes };
    const uri = parseNameAddr(first)?.uri ?? this.target;
    if (parseUri(uri)?.params.has('lr') !== false) return { uri: this.target, routes: this.routes };
    return { uri, routes: [...this.routes.slice(1), `<${this.target}>`] };
  }
}

export interface DialogTags {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
}

/** The URI of the first Contact. */
export function contactUri(message: SipMessage): string | undefined {
  const uri = contactsOf(message)?.[0]?.uri;
  return uri === undefined ? undefined : ownText(uri);
}

function routesOf(message: SipMessage): string[] {
  const lines = message.headers.all('Record-Route');
  if (lines.length === 0) return lines;
  const routes = lines.flatMap(splitList).filter((route) => route !== '');
  return routes.length > MAX_ROUTES ? [] : routes;
}
