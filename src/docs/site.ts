// /openapi.json, /docs/ and what lies below it, over HTTP: known names only, nothing from elsewhere. Knows neither disk nor simulator.

import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { openApiDocument } from '../contract/openapi.ts';
import { type Asset, assets } from './assets.ts';
import { choicesPage } from './choices-page.ts';

/** Reads a file of the page; rejects when it is not there. */
export type ReadAsset = (asset: Asset) => Promise<Uint8Array>;

/** What is sent for a name: kept, for neither page nor contract changes while the process lives. */
interface Content {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** Documents that are kept, one for each address under which the simulator is asked. */
const DOCUMENTS_KEPT = 8;
const nowhere = 'There is no such page. The reference is at /docs/.';
/** Names and ports only: what a Host header may hold. */
const HOST = /^[A-Za-z0-9.:[\]_-]{1,255}$/;

/**
 * The page runs the scripts of its own origin and nothing else, sends requests to the simulator alone, and is shown in
 * no frame. Styles may stand in the markup because Swagger UI writes them there.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders: OutgoingHttpHeaders = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Asked about each time, answered by 304: a newer simulator on the same port shows its own page.
  'cache-control': 'no-cache',
};
const documentHeaders: OutgoingHttpHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' };

export class DocsSite {
  readonly #read: ReadAsset;
  readonly #byName: ReadonlyMap<string, Asset> = new Map(assets.map((asset) => [asset.name, asset]));
  readonly #contents = new Map<string, Promise<Content>>();
  readonly #documents = new Map<string, Content>();

  constructor(read: ReadAsset) {
    this.#read = read;
  }

  /** Answers a request for `/openapi.json`, `/docs` or what lies below it. `scheme` is how it came. */
  async handle(request: IncomingMessage, response: ServerResponse, scheme: 'http' | 'https'): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const [path = ''] = url.split('?', 1);
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD are answered here.');
    if (path === '/openapi.json') {
      const { host = '' } = headers;
      const address = HOST.test(host) ? `${scheme}://${host}` : '';
      return send(request, response, this.#document(address), documentHeaders);
    }
    if (path === '/docs') return redirect(response);
    if (!path.startsWith('/docs/')) return refuse(response, 404, nowhere);
    try {
      const content = await this.#content(path.slice('/docs/'.length));
      if (content === undefined) return refuse(response, 404, nowhere);
      send(request, response, content, pageHeaders);
    } catch {
      refuse(
        response,
        404,
        'The files of the reference are not part of this installation. The document is /openapi.json.',
      );
    }
  }

  #document(address: string): Content {
    const kept = this.#documents.get(address);
    if (kept !== undefined) return kept;
    if (this.#documents.size >= DOCUMENTS_KEPT) this.#documents.clear();
    const document = openApiDocument({ serverUrl: address, choicesUrl: `${address}/docs/choices` });
    const made = contentOf('application/json', Buffer.from(JSON.stringify(document)));
    this.#documents.set(address, made);
    return made;
  }

  /** The content of a name below /docs/; undefined when there is none. Names are looked up, never made into paths. */
  #content(name: string): Promise<Content | undefined> {
    const kept = this.#contents.get(name);
    if (kept !== undefined) return kept;
    const made = this.#made(name);
    if (made === undefined) return Promise.resolve(undefined);
    this.#contents.set(name, made);
    // A file that was not there may be there later.
    made.catch(() => this.#contents.delete(name));
    return made;
  }

  #made(name: string): Promise<Content> | undefined {
    if (name === 'choices') return Promise.resolve(contentOf('text/html; charset=utf-8', Buffer.from(choicesPage())));
    const asset = this.#byName.get(name === '' ? 'index.html' : name);
    return asset === undefined ? undefined : this.#read(asset).then((bytes) => contentOf(asset.mediaType, bytes));
  }
}

function contentOf(mediaType: string, bytes: Uint8Array): Content {
  return { mediaType, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}

/** RFC 9110, 13.1.2: 304 when the client has it already. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: Content,
  headers: OutgoingHttpHeaders,
): void {
  const { mediaType, bytes, etag } = content;
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) {
    response.writeHead(304, { ...headers, etag }).end();
    return;
  }
  response.writeHead(200, { ...headers, etag, 'content-type': mediaType, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** To the folder, for the page names its files beside itself; relative, for the handler may be mounted below another path. */
function redirect(response: ServerResponse): void {
  response.writeHead(301, { location: 'docs/', 'content-length': 0 }).end();
}

function refuse(response: ServerResponse, status: 404 | 405, message: string): void {
  const body = JSON.stringify({ message, errors: [message] });
  response.writeHead(status, {
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'access-control-allow-origin': '*',
  });
  response.end(body);
}
