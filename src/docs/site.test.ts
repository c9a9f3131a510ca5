// The reference over HTTP: what is served, what is not, and that nothing on it comes from elsewhere. Knows no browser.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asset, assets } from './assets.ts';
import { DocsSite } from './site.ts';

const read: string[] = [];
const missing = 'LICENSE.txt';

/** Files that say their own name; one is missing. */
function fakeFile({ name }: Asset): Promise<Uint8Array> {
  read.push(name);
  return name === missing ? Promise.reject(new Error('ENOENT')) : Promise.resolve(Buffer.from(`file ${name}`));
}

let server: Server;
let port: number;

beforeAll(async () => {
  const site = new DocsSite(fakeFile);
  server = createServer((request, response) => void site.handle(request, response, 'http'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });

/** A request written by hand: fetch would tidy its path and its Host. */
function raw(path: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

describe('the reference', () => {
  it('sends /docs to its folder, by a relative path so that it can be mounted anywhere', async () => {
    const response = await get('/docs');
    expect([response.status, response.headers.get('location')]).toEqual([301, 'docs/']);
  });

  it('shows the page at /docs/ and each file by its name and type', async () => {
    const page = await get('/docs/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toBe('file index.html');
    for (const { name, mediaType } of assets.filter((asset) => asset.name !== missing)) {
      const response = await get(`/docs/${name}?v=1`);
      expect([response.status, response.headers.get('content-type')], name).toEqual([200, mediaType]);
      expect(await response.text()).toBe(`file ${name}`);
    }
  });

  it('lets the page run its own scripts alone and talk to this server alone', async () => {
    const { headers } = await get('/docs/');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('answers 304 to who has it already, and reads each file once', async () => {
    const first = await get('/docs/page.js');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/docs/page.js', { headers: { 'if-none-match': known } });
      expect([again.status, await again.text()], known).toEqual([304, '']);
    }
    expect((await get('/docs/page.js', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(read.filter((name) => name === 'page.js')).toHaveLength(1);
  });

  it('answers HEAD with the headers alone, and no other method', async () => {
    const head = await get('/docs/page.css', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '13', '']);
    const post = await get('/docs/', { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    '/docs/unknown',
    '/docs/index.html/',
    '/docs//index.html',
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/..\\package.json',
    '/docs/page.js%00',
    '/docs/__proto__',
    '/docs/constructor',
    '/openapi.json/more',
  ])('has nothing at %s, and looks nowhere for it', async (path) => {
    const before = read.length;
    expect(await raw(path)).toMatch(/^HTTP\/1.1 404 [\s\S]*"message":"There is no such page/);
    expect(read).toHaveLength(before);
  });

  it('says so when its files are not installed, and looks again the next time', async () => {
    const response = await get(`/docs/${missing}`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('not part of this installation');
    await get(`/docs/${missing}`);
    expect(read.filter((name) => name === missing)).toHaveLength(2);
  });
});

describe('the document', () => {
  it('names the server that it was asked of, and links its choices there', async () => {
    const response = await get('/openapi.json');
    const { servers, paths } = (await response.json()) as {
      servers: { url: string }[];
      paths: Record<string, Record<string, { description: string }>>;
    };
    expect(servers[0]?.url).toBe(`http://127.0.0.1:${port}/v1.1/pbx`);
    const link = `[CHOICE-CALL-301](http://127.0.0.1:${port}/docs/choices#CHOICE-CALL-301)`;
    expect(paths['/calls/{id}']?.patch?.description).toContain(link);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is sent with a tag, so that asking again costs nothing', async () => {
    const etag = (await get('/openapi.json')).headers.get('etag') ?? 'none';
    expect((await get('/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('repeats no Host that is no host', async () => {
    const answer = await raw('/openapi.json', 'a"><script>');
    expect(answer).toContain('"servers":[{"url":"/v1.1/pbx"');
    expect(answer).not.toContain('<script>');
  });

  it('has a page of its choices, each with its anchor', async () => {
    const page = await (await get('/docs/choices')).text();
    expect(page).toContain('<article id="CHOICE-CALL-301">');
    expect(page).toContain('GET /me is a list');
    expect(page).not.toMatch(/<script|style=|https?:\/\//);
  });
});
