// The API on HTTP: a handler that a plain server, Express and supertest can mount. The only file here that sees HTTP messages.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyLimitBytes } from '../contract/limits.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import type { FaultyResponse } from '../faults/api-faults.ts';
import { type Failure, type Result, success } from '../kernel/errors.ts';
import type { EntryFacts } from '../kernel/journal.ts';
import { accessMatrix, mayUse } from './access.ts';
import {
  type Answer,
  answerOf,
  corsHeaders,
  errorAnswer,
  errorJson,
  partOf,
  preflight,
  statusAnswer,
} from './answer.ts';
import { Authenticator } from './authenticate.ts';
import { type Call, handlerOf } from './handlers.ts';
import { PageWriter } from './page-json.ts';
import { checkMediaType, parseJson, tooLarge } from './read-body.ts';
import { recordRequest, recordResponse } from './record.ts';
import type { ApiDeps, Caller, Outcome } from './request.ts';
import { Routes, readTarget, type Target } from './routes.ts';
import { Validator } from './validate.ts';

/** Answers what lies below `/v1.1` and `/v1.2`; the rest goes to `next`, or is 404 when there is none. */
export type ApiHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

/** The `maxHeaderSize` that a server needs: a path of 5000 ids, or the longest filter with every character encoded. */
export const HEADER_LIMIT_BYTES = 256 * 1024;

/** One request on its way to its answer. */
interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly target: Target;
  operation: Operation | null;
  caller: Caller | undefined;
  body: unknown;
  readonly defer: ApiDeps['defer'];
}

/** What a client may go on sending after its body was found too large, so that it comes to read the answer. */
const DISCARDED_BYTES = 16 * bodyLimitBytes;

const methods = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const nowhere: Target = { root: '', path: '', query: new URLSearchParams() };

/** The API of one simulator. It listens nowhere itself. */
export function createApi(deps: ApiDeps): ApiHandler {
  const api = new Api(deps);
  return (req, res, next) => api.handle(req, res, next);
}

class Api {
  readonly #deps: ApiDeps;
  readonly #routes = new Routes(operations);
  readonly #validator = new Validator();
  readonly #pages = new PageWriter();
  readonly #authenticator: Authenticator;

  constructor(deps: ApiDeps) {
    this.#deps = deps;
    this.#authenticator = new Authenticator(deps);
  }

  handle(req: IncomingMessage, res: ServerResponse, next?: () => void): void {
    const target = readTarget(req.url ?? '/');
    if (target === undefined && next !== undefined) return next();
    const asked = { operation: null, caller: undefined, body: undefined };
    const visit: Visit = { req, res, target: target ?? nowhere, ...asked, defer: this.#deps.defer };
    try {
      this.#serve(visit);
    } catch (error) {
      this.#fail(visit, error);
    }
  }

  /** Match, authenticate, authorise, read, validate, handle, answer. */
  #serve(visit: Visit): void {
    const { req, target } = visit;
    const method = req.method ?? 'GET';
    const route = this.#routes.find(method, target);
    if (method === 'OPTIONS')
      return this.#answer(visit, preflight(route.kind === 'other methods' ? route.allow : methods));
    if (route.kind === 'unknown') return this.#refuse(visit, noSuchPath(method, target));
    if (route.kind === 'other methods') return this.#answer(visit, wrongMethod(method, route.allow));
    const { operation, params } = route;
    visit.operation = operation;
    if (operation.auth === 'basic') {
      const caller = this.#authenticator.authenticate(req.headers.authorization);
      if (!caller.ok) return this.#refuse(visit, caller.failure);
      visit.caller = caller.value;
      if (!mayUse(caller.value.rank, operation)) return this.#refuse(visit, mayNot(caller.value, operation));
    }
    const call = handlerOf(operation);
    if (operation.body === undefined) return this.#run(visit, call, params);
    readBody(
      req,
      (body) => {
        if (body.ok) visit.body = body.value;
        const valid = body.ok ? this.#validator.check(operation, body.value) : body;
        if (!valid.ok) return this.#refuse(visit, valid.failure);
        this.#run(visit, call, params);
      },
      (error) => this.#fail(visit, error),
    );
  }

  #run(visit: Visit, call: Call, params: Readonly<Record<string, string>>): void {
    const { operation, caller, body, target } = visit;
    if (operation === null) return;
    const { root, path, query } = target;
    const request = this.#recordRequest(visit);
    const finish = (outcome: Outcome): void => {
      const callId = outcome.ok ? outcome.value.callId : undefined;
      const whole = answerOf(operation, outcome, this.#pages);
      this.#send(visit, request, partOf(whole, askedRange(visit.req)), callId);
    };
    const outcome = this.#deps.journal.within(request, () =>
      call({ operation, root, path, params, query, body }, caller, this.#deps),
    );
    if (outcome instanceof Promise) outcome.then(finish).catch((error: unknown) => this.#fail(visit, error));
    else finish(outcome);
  }

  #refuse(visit: Visit, refusal: Failure): void {
    this.#answer(visit, errorAnswer(refusal));
  }

  #answer(visit: Visit, answer: Answer): void {
    this.#send(visit, this.#recordRequest(visit), answer, undefined);
  }

  #recordRequest(visit: Visit): number {
    const { req, target, operation, caller, body } = visit;
    return recordRequest(this.#deps.journal, {
      method: req.method ?? 'GET',
      path: target.root + target.path,
      query: target.query,
      operation: operation?.id ?? null,
      caller,
      body,
    });
  }

  #send(visit: Visit, request: number, answer: Answer, callId: number | undefined): void {
    const { operation, caller } = visit;
    const asked = { operation: operation?.id ?? null, caller };
    const response = recordResponse(this.#deps.journal, request, asked, answer.status, callId);
    const entry = { cause: response, customerId: caller?.customerId ?? null, callId: callId ?? null };
    const { outgoing } = this.#deps;
    if (outgoing === undefined || outgoing.isClear) return this.#deliver(visit, answer, entry);
    outgoing.leave(() => {
      try {
        this.#deliver(visit, answer, entry);
      } catch (error) {
        this.#fail(visit, error);
      }
    });
  }

  #deliver(visit: Visit, answer: Answer, entry: EntryFacts): void {
    const { faults } = this.#deps;
    const { method = 'GET' } = visit.req;
    // A browser's OPTIONS asks nothing of the API: rules that count responses do not see it.
    if (faults === undefined || faults.idle || method === 'OPTIONS') return send(visit, answer);
    faults.meet({ operation: visit.operation?.id ?? null, method }, faultyResponse(visit, answer), entry);
  }

  /** Our own mistake: the journal gets the whole error, the client a reference to it. */
  #fail(visit: Visit, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const reference = this.#deps.journal.append('rest.failure', {
      customerId: visit.caller?.customerId ?? null,
      data: { operation: visit.operation?.id ?? null, error: text },
    });
    const message = `The simulator made a mistake; journal entry ${reference} tells more.`;
    if (!visit.res.headersSent) send(visit, { status: 500, json: errorJson(message, [message]) });
  }
}

/** Reads the body within its limit and calls one of the two, once; neither when the client goes away. */
function readBody(req: IncomingMessage, done: (body: Result<unknown>) => void, failed: (error: unknown) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const end = (body: () => Result<unknown>): void => {
    isDone = true;
    try {
      done(body());
    } catch (error) {
      failed(error);
    }
  };
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > bodyLimitBytes + DISCARDED_BYTES) req.destroy();
    if (isDone) return;
    chunks.push(chunk);
    if (size > bodyLimitBytes) end(() => tooLarge);
  };
  const whole = (): void => {
    if (!isDone) end(() => parseBody(req, chunks));
  };
  req.on('data', take).on('end', whole).on('error', ignore);
  if (Number(req.headers['content-length'] ?? 0) > bodyLimitBytes) end(() => tooLarge);
}

/** A client that goes away while it sends needs no answer. */
function ignore(): void {}

function parseBody(req: IncomingMessage, chunks: readonly Buffer[]): Result<unknown> {
  const [first, ...rest] = chunks;
  if (first === undefined) return success(undefined);
  const readable = checkMediaType(req.headers['content-type'], req.headers['content-encoding']);
  return readable.ok ? parseJson(rest.length === 0 ? first : Buffer.concat(chunks)) : readable;
}

function send(visit: Visit, answer: Answer): void {
  const { req, res, defer } = sendHead(visit, answer);
  const { pieces } = answer.file ?? {};
  if (req.method === 'HEAD') res.end();
  else if (pieces === undefined) res.end(answer.json ?? answer.file?.content);
  else sendPieces(res, pieces, defer);
}

/** One piece at a time, as fast as the client reads; others have their turn between two. */
function sendPieces(res: ServerResponse, pieces: Iterable<string>, defer: ApiDeps['defer']): void {
  const rest = pieces[Symbol.iterator]();
  const next = (): void => {
    if (res.destroyed) return;
    try {
      const piece = rest.next();
      if (piece.done === true) res.end();
      else if (piece.value === '' || res.write(piece.value)) defer(next);
      else res.once('drain', next);
    } catch (error) {
      // What has left cannot be taken back: the client sees an answer that was cut off.
      res.destroy(error instanceof Error ? error : undefined);
    }
  };
  next();
}

function sendHead(visit: Visit, answer: Answer): Visit {
  const { status, headers = [] } = answer;
  const cors = corsHeaders(visit.req.headers.origin);
  visit.res.writeHead(status, [...contentHeaders(answer), ...headers, ...cors]);
  return visit;
}

function contentHeaders({ json, file }: Answer): readonly string[] {
  const content = json ?? file?.content;
  if (content === undefined) return [];
  const type = ['Content-Type', file?.mediaType ?? 'application/json; charset=utf-8'];
  return file?.pieces !== undefined ? type : [...type, 'Content-Length', String(Buffer.byteLength(content))];
}

/** The ways to answer that a fault may choose from. */
function faultyResponse(visit: Visit, answer: Answer): FaultyResponse {
  const { req, res } = visit;
  const content = req.method === 'HEAD' ? undefined : (answer.json ?? answer.file?.content);
  return {
    json: content === undefined ? undefined : answer.json,
    hasBody: content !== undefined,
    send: (changed) => send(visit, changed === undefined ? answer : { ...answer, json: changed }),
    refuse: (status, message) => send(visit, statusAnswer(status, message)),
    cutShort: () => {
      const body = Buffer.from(answer.file?.pieces === undefined ? (content ?? '') : [...answer.file.pieces].join(''));
      sendHead(visit, answer);
      res.write(body.subarray(0, body.length / 2), () => req.socket.destroy());
    },
    reset: () => req.socket.resetAndDestroy(),
  };
}

/** Only GET has ranges, and no answer carries what If-Range would compare (RFC 9110, 13.1.5 and 14.2). */
function askedRange({ method, headers }: IncomingMessage): string | undefined {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined;
}

function noSuchPath(method: string, { root, path }: Target): Failure {
  if (root === '/v1.1' || root === '' || path === '')
    return failed('not_found', 'There is no such path. Paths begin with /v1.1/pbx or /v1.2/pbx.');
  const named = path.length > 60 ? `${path.slice(0, 57)}...` : path;
  return failed('not_found', `There is no ${method} ${named} below ${root}.`);
}

function wrongMethod(method: string, allow: string): Answer {
  const message = `This path has no method ${method}; it has ${allow}.`;
  return { status: 405, json: errorJson(message, [message]), headers: ['Allow', allow] };
}

function mayNot({ rank }: Caller, { method, path }: Operation): Failure {
  return failed('forbidden', `The role ${accessMatrix[rank].title} may not use ${method} ${path}.`);
}

function failed(kind: Failure['kind'], message: string): Failure {
  return { kind, message, details: [message] };
}
