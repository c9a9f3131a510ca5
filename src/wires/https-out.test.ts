// Webhooks on their way out, to real servers on loopback. The certificates are fixtures that nobody trusts.
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpOutcome, HttpsSender, type HttpsSenderOptions } from './https-out.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tls/test-only-${name}.pem`, import.meta.url), 'utf8');

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function sender(options: Partial<HttpsSenderOptions> = {}): HttpsSender {
  const made = new HttpsSender({ allowLoopbackHttp: true, ...options });
  open.push(() => made.close());
  return made;
}

function post(from: HttpsSender, url: string, timeoutMs = 5000): Promise<HttpOutcome> {
  const headers = { 'content-type': 'application/json', 'x-test': 'yes' };
  return new Promise((resolve) => {
    from.post({ url, body: '{"event":"call.ringing"}', headers, timeoutMs }, resolve);
  });
}

async function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function http(handler: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createHttp(handler))}`;
}

async function https(certificate: string, handler: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createHttps({ cert: fixture(certificate), key: fixture('server.key') }, handler);
  return `https://${host}:${await listen(server, host)}`;
}

const ok: RequestListener = (request, response) => {
  request.resume();
  response.end('fine');
};

describe('a webhook sent', () => {
  it('arrives as it was written, and its answer comes back', async () => {
    const seen: unknown[] = [];
    const url = await http((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { method, url: path, headers } = request;
        seen.push({ method, path, body, type: headers['content-type'], test: headers['x-test'] });
        response.writeHead(202, { 'x-receipt': '17' }).end('thanks');
      });
    });
    const outcome = await post(sender(), `${url}/hook/a%20b?key=1#part`);
    expect(seen).toEqual([
      {
        method: 'POST',
        path: '/hook/a%20b?key=1',
        body: '{"event":"call.ringing"}',
        type: 'application/json',
        test: 'yes',
      },
    ]);
    expect(outcome).toMatchObject({ ok: true, status: 202, body: 'thanks', headers: { 'x-receipt': '17' } });
    expect(outcome.ms).toBeLessThan(5000);
  });

  it('uses connections again: the one of the last post is free, or the one before', async () => {
    const ports = new Set<number | undefined>();
    const url = await http((request, response) => {
      ports.add(request.socket.remotePort);
      ok(request, response);
    });
    const from = sender();
    for (let index = 0; index < 5; index += 1) await post(from, url);
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('follows no redirect', async () => {
    let visits = 0;
    const url = await http((request, response) => {
      visits += 1;
      request.resume();
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await post(sender(), url)).toMatchObject({ ok: true, status: 307 });
    expect(visits).toBe(1);
  });

  it('takes informational answers for what they are', async () => {
    const url = await http((request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      ok(request, response);
    });
    expect(await post(sender(), url)).toMatchObject({ ok: true, status: 200, body: 'fine' });
  });

  it('keeps 4 KiB of a long answer, reads the rest, and the connections live on', async () => {
    const ports = new Set<number | undefined>();
    const url = await http((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume();
      response.end('x'.repeat(100_000));
    });
    const from = sender();
    for (let index = 0; index < 5; index += 1) {
      expect(await post(from, url)).toMatchObject({ ok: true, body: 'x'.repeat(4096) });
    }
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('does not read an endless answer to its end', async () => {
    let cut: () => void = () => {};
    const wasCut = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const url = await http((request, response) => {
      request.resume();
      response.on('close', cut);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(await post(sender(), url)).toMatchObject({ ok: true, status: 200, body: 'x'.repeat(4096) });
    await wasCut;
  });
});

describe('a webhook that has no answer', () => {
  it('is refused a connection', async () => {
    const server = createTcp();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await post(sender(), `http://127.0.0.1:${port}`)).toMatchObject({
      ok: false,
      error: 'connection refused',
    });
  });

  it('meets a host that keeps silent', async () => {
    const port = await listen(createTcp((socket) => void socket.on('error', () => {})));
    const outcome = await post(sender(), `http://127.0.0.1:${port}`, 30);
    expect(outcome).toMatchObject({ ok: false, error: 'no answer within 0.03 s' });
    expect(outcome.ms).toBeGreaterThanOrEqual(29);
  });

  it('has its status when only the body is late', async () => {
    const url = await http((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': 100 }).write('so far');
    });
    expect(await post(sender(), url, 30)).toMatchObject({ ok: true, status: 200, body: 'so far' });
  });

  it.each([
    ['hangs up', '', 'connection closed before the answer'],
    ['speaks SIP', 'SIP/2.0 200 OK\r\n\r\n', 'the answer is not HTTP'],
    ['talks too much', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'the headers of the answer are too long'],
  ])('meets a host that %s', async (_what, answer, error) => {
    const server = createTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    });
    expect(await post(sender(), `http://127.0.0.1:${await listen(server)}`)).toMatchObject({ ok: false, error });
  });

  it('is not sent where no webhook may go', async () => {
    let visits = 0;
    const url = await http((request, response) => {
      visits += 1;
      ok(request, response);
    });
    expect(await post(sender({ allowLoopbackHttp: false }), url)).toEqual({
      ok: false,
      error: 'not sent: the URL must use https (plain http to loopback has to be switched on)',
      ms: 0,
    });
    expect(await post(sender(), 'https://169.254.169.254/')).toMatchObject({ ok: false });
    expect(visits).toBe(0);
  });

  it('is not sent to a name that leads to a metadata service', async () => {
    const toMetadata = ((_name: string, _options: unknown, done: (...result: unknown[]) => void) =>
      done(null, [{ address: '169.254.169.254', family: 4 }])) as unknown as NonNullable<HttpsSenderOptions['lookup']>;
    expect(await post(sender({ lookup: toMetadata }), 'https://innocent.example/')).toMatchObject({
      ok: false,
      error: 'innocent.example leads to 169.254.169.254, where no webhook is sent',
    });
  });

  it('is not sent any more once its time is over', async () => {
    let visits = 0;
    const url = await http((request, response) => {
      visits += 1;
      ok(request, response);
    });
    const asked: Array<() => void> = [];
    let isLate = true;
    const late = ((_name: string, _options: unknown, done: (...result: unknown[]) => void) => {
      const answer = (): void => done(null, [{ address: '127.0.0.1', family: 4 }]);
      if (isLate) asked.push(answer);
      else answer();
    }) as unknown as NonNullable<HttpsSenderOptions['lookup']>;
    const from = sender({ lookup: late });
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await post(from, named, 20)).toMatchObject({ ok: false, error: 'no answer within 0.02 s' });
    isLate = false;
    for (const answer of asked) answer();
    expect(await post(from, named)).toMatchObject({ ok: true, status: 200 });
    expect(visits).toBe(1);
  });

  it('ends when everything does', async () => {
    const port = await listen(createTcp((socket) => void socket.on('error', () => {})));
    const from = sender();
    const pending = [post(from, `http://127.0.0.1:${port}`), post(from, `http://127.0.0.1:${port}`)];
    await from.close();
    expect(await Promise.all(pending)).toMatchObject([
      { ok: false, error: 'shut down' },
      { ok: false, error: 'shut down' },
    ]);
    expect(await post(from, `http://127.0.0.1:${port}`)).toMatchObject({ ok: false, error: 'shut down' });
  });
});

describe('a webhook over TLS', () => {
  it('is sent to a host whose authority was given', async () => {
    const from = sender({ allowLoopbackHttp: false, ca: fixture('ca') });
    const url = await https('server', ok);
    expect(await post(from, url)).toMatchObject({ ok: true, status: 200, body: 'fine' });
    expect(await post(from, url.replace('127.0.0.1', 'localhost'))).toMatchObject({ ok: true, status: 200 });
  });

  it('is not sent to a host with a certificate of nobody known, of another host, or of the past', async () => {
    const trusting = sender({ ca: fixture('ca') });
    expect(await post(sender(), await https('server', ok))).toMatchObject({
      ok: false,
      error: 'certificate not trusted: its authority is unknown',
    });
    expect(await post(trusting, await https('server', ok, '127.0.0.2'))).toMatchObject({
      ok: false,
      error: 'certificate not trusted: it is for another host',
    });
    expect(await post(trusting, await https('expired', ok))).toMatchObject({
      ok: false,
      error: 'certificate not trusted: it has expired',
    });
  });

  it('is not sent to a host that speaks no TLS', async () => {
    const url = (await http(ok)).replace('http:', 'https:');
    expect(await post(sender(), url)).toMatchObject({
      ok: false,
      error: 'the host does not speak TLS on that port',
    });
  });

  it.each([
    ['not a certificate', 'it holds no certificate in PEM'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'it holds a certificate that cannot be read'],
  ])('wants authorities that can be read, not %j', (ca, why) => {
    expect(() => sender({ ca })).toThrow(`The file of authorities for webhooks cannot be used: ${why}.`);
  });
});
