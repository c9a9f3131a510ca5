// What a handler is given and what it gives back. Knows no HTTP message and no resource.
import type { Operation } from '../contract/operation.ts';
import type { User } from '../contract/resources/customer.ts';
import type { ApiFaults } from '../faults/api-faults.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Result, success } from '../kernel/errors.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Recordings } from '../media/recordings.ts';
import type { Exchange } from '../pbx/face.ts';
import type { Outgoing } from '../store/keeping.ts';
import type { Outbox } from '../store/outbox.ts';
import type { Page } from '../store/query.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Traces } from '../store/traces.ts';
import type { Rank } from './access.ts';

/** What the API needs of a simulator. */
export interface ApiDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: Store;
  readonly exchange: Pick<
    Exchange,
    | 'liveCalls'
    | 'liveCall'
    | 'clickToCall'
    | 'webCall'
    | 'leadCall'
    | 'changeCall'
    | 'hangUp'
    | 'callIdOfDialog'
    | 'sendSms'
  >;
  readonly journal: Journal;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly traces: Pick<Traces, 'read' | 'callOfDialog'>;
  readonly recordings: Pick<Recordings, 'recording' | 'voiceMessage'>;
  /** Calls on a later turn of the event loop: long answers leave piece by piece. */
  readonly defer: (fn: () => void) => void;
  /** Where answers wait until what they acknowledge is kept. */
  readonly outgoing?: Outgoing;
  /** What may become of responses. */
  readonly faults?: Pick<ApiFaults, 'idle' | 'meet'>;
}

/** Who asks, as the credentials proved. */
export interface Caller {
  readonly user: User;
  readonly customerId: number;
  readonly rank: Rank;
  /** The user token that the request carried; undefined when it carried an API key. */
  readonly token: string | undefined;
}

/** A request of anybody: its path and query fit the operation, its body fits the schema. */
export interface OpenRequest<Body = unknown> {
  readonly operation: Operation;
  /** `/v1.1/pbx`, or as the request had it: links begin with it. */
  readonly root: string;
  /** Below the root, as the request had it, without the query. */
  readonly path: string;
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
}

/** A request of a user who may use the operation. */
export interface ApiRequest<Body = unknown> extends OpenRequest<Body> {
  readonly caller: Caller;
}

/** Related resources by name, each a path: CHOICE-LINKS. */
export type Links = Readonly<Record<string, string>>;

/** A success; the members that the operation's response shape asks for are present. */
export interface Reply {
  readonly record?: object;
  readonly page?: Page<object>;
  readonly links?: Links;
  /** A flat answer. */
  readonly flat?: object;
  /** A file's content; its media type is the operation's. */
  readonly file?: FileContent;
  /** The live call that the request was about, for the journal. */
  readonly callId?: number;
}

export interface FileContent {
  readonly content: string | Uint8Array;
  /** In place of the content: a text that is made while it is sent, each piece some milliseconds of work. */
  readonly pieces?: Iterable<string>;
  /** What a client that saves it calls it. */
  readonly name: string;
}

export type Outcome = Result<Reply>;
export type Handler<Body = unknown> = (request: ApiRequest<Body>, deps: ApiDeps) => Outcome | Promise<Outcome>;
export type OpenHandler<Body = unknown> = (request: OpenRequest<Body>, deps: ApiDeps) => Outcome;

/** `{data: record, links}` */
export function one(record: object, links: Links, callId?: number): Outcome {
  return success(callId === undefined ? { record, links } : { record, links, callId });
}

/** `{data: [...], total}` */
export function many(page: Page<object>): Outcome {
  return success({ page });
}

/** `{data: {...owner, items, total}, links}`: CHOICE-SUB-COLLECTIONS. */
export function manyWithin(owner: object, page: Page<object>, links: Links, callId?: number): Outcome {
  return success({ record: owner, page, links, ...(callId === undefined ? {} : { callId }) });
}

/** A flat object, such as `{message}`. */
export function flat(body: object): Outcome {
  return success({ flat: body });
}

/** A file. */
export function file(content: string | Uint8Array, name: string): Outcome {
  return success({ file: { content, name } });
}

/** A text of any length, as a file. */
export function fileInPieces(pieces: Iterable<string>, name: string): Outcome {
  return success({ file: { content: '', pieces, name } });
}

/** No body. */
export function nothing(callId?: number): Outcome {
  return success(callId === undefined ? {} : { callId });
}
