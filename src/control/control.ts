// The control API as an Express application that answers under /_sim and passes everything else on. Knows no operation.
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { bodyLimitBytes } from '../contract/limits.ts';
import { type Failure, httpStatuses, type Result } from '../kernel/errors.ts';
import type { ControlDeps } from './deps.ts';
import { admit } from './guard.ts';
import { controlDocument } from './openapi.ts';
import { type ControlRow, FileAnswer, type Input, PlainText } from './row.ts';
import { controlRows } from './rows.ts';
import { checkBody, checkQuery } from './validation.ts';

/** Takes whole paths: mount it at the root, or call it for every request whose path begins with /_sim. */
export function createControl(deps: ControlDeps): Express {
  const router = express.Router();
  router.use(guarded(deps), onlyJson);
  router.use(express.json({ limit: bodyLimitBytes, strict: false, type: () => true }));
  router.get('/openapi.json', (_request, response) => void response.json(controlDocument()));
  for (const row of controlRows) {
    router[methodOf(row)](expressPath(row.path), (request, response) => run(row, request, response, deps));
  }
  for (const [path, methods] of methodsByPath()) {
    router.all(path, (_request, response) => {
      response.setHeader('allow', methods.join(', '));
      sendError(response, 405, `This path takes ${methods.join(', ')}.`);
    });
  }
  router.use((request, response) => sendError(response, 404, `There is no ${request.originalUrl.split('?')[0]}.`));
  router.use(failed(deps));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/_sim', router);
  return app;
}

async function run(row: ControlRow, request: Request, response: Response, deps: ControlDeps): Promise<void> {
  const input = inputOf(row, request, response);
  if (!input.ok) {
    sendFailure(response, input.failure);
    return;
  }
  const outcome = await caused(row, request, deps, () => row.handle(input.value, deps));
  const { outgoing } = deps;
  if (outgoing?.isClear === false) await new Promise<void>((resolve) => outgoing.leave(resolve));
  if (response.destroyed) return;
  if (outcome.ok === 'timed out') sendError(response, 408, 'Nothing matched in time.');
  else if (!outcome.ok) sendFailure(response, outcome.failure);
  else if (row.stream !== undefined) row.stream(input.value, request, response, deps);
  else if (outcome.value instanceof PlainText) response.status(row.success).type('text').send(outcome.value.text);
  else if (outcome.value instanceof FileAnswer) sendFile(response, outcome.value);
  else if (row.success === 204) response.status(204).end();
  else response.status(row.success).json(outcome.value);
}

/** Whatever a request changes has the request as its cause; reading leaves no trace. */
function caused<T>(row: ControlRow, request: Request, { journal }: ControlDeps, fn: () => T): T {
  if (row.method === 'GET') return fn();
  const data = { operation: row.id, path: `/_sim${request.path}` };
  return journal.within(journal.append('control.request', { cause: null, data }), fn);
}

function inputOf(row: ControlRow, request: Request, response: Response): Result<Input> {
  const query = row.query === undefined ? { ok: true as const, value: {} } : checkQuery(row.query, request.query);
  if (!query.ok) return query;
  const isLess = row.body === undefined || (row.mayLackBody === true && request.body === undefined);
  const body = isLess ? { ok: true as const, value: undefined } : checkBody(row.body, request.body);
  if (!body.ok) return body;
  const onGone = (fn: () => void) => {
    response.on('close', () => {
      if (!response.writableEnded) fn();
    });
  };
  return {
    ok: true,
    value: { path: request.params as Record<string, string>, query: query.value, body: body.value, onGone },
  };
}

function guarded(deps: ControlDeps): RequestHandler {
  return (request, response, next) => {
    const admitted = admit(request, deps.server);
    if (admitted.ok) {
      next();
      return;
    }
    if (admitted.failure.kind === 'unauthenticated')
      response.setHeader('www-authenticate', 'Bearer realm="pbxsim control"');
    sendFailure(response, admitted.failure);
  };
}

/** A page of another site can post a form or plain text without asking; JSON it cannot. */
const onlyJson: RequestHandler = (request, response, next) => {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (!hasBody || /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(type ?? '')) {
    next();
    return;
  }
  sendError(response, 415, `The body must be application/json, not ${type ?? 'unnamed'}.`);
};

function failed({ journal }: ControlDeps): ErrorRequestHandler {
  return (error: { status?: unknown; message?: unknown; type?: unknown }, _request, response, _next) => {
    const status = typeof error.status === 'number' && error.status >= 400 && error.status < 500 ? error.status : 500;
    if (status === 500) journal.append('control.broken', { data: { message: String(error.message) } });
    if (response.headersSent) response.destroy();
    else if (status === 413) sendError(response, 413, `The body is larger than ${bodyLimitBytes} bytes.`);
    else if (error.type === 'entity.parse.failed')
      sendError(response, 400, 'The body is not JSON.', `body: ${String(error.message)}`);
    else sendError(response, status, status === 500 ? 'The simulator made a mistake.' : String(error.message));
  };
}

function sendFile(response: Response, { bytes, type, name }: FileAnswer): void {
  response.status(200).attachment(name).type(type).send(Buffer.from(bytes));
}

function sendFailure(response: Response, { kind, message, details }: Failure): void {
  response.status(httpStatuses[kind]).json({ message, errors: details });
}

function sendError(response: Response, status: number, message: string, detail = message): void {
  response.status(status).json({ message, errors: [detail] });
}

function methodOf(row: ControlRow): 'get' | 'post' | 'put' | 'patch' | 'delete' {
  return row.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(): Map<string, string[]> {
  const paths = new Map<string, string[]>([['/openapi.json', ['GET']]]);
  for (const { path, method } of controlRows) {
    const key = expressPath(path);
    paths.set(key, [...(paths.get(key) ?? []), method]);
  }
  return paths;
}
