// HTTPS as its clients meet it: who is let in, what is said to those who are not, and that nobody can hold the door.
import { X509Certificate } from 'node:crypto';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LocalAuthority } from './authority/local-authority.ts';
import { HttpClient } from './http-client.ts';
import { HttpListener } from './http-listener.ts';
import { RENEWAL_MS, tlsDoor } from './tls-door.ts';

const authority = LocalAuthority.make();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(): Promise<HttpListener> {
  const listener = await HttpListener.open({
    host: '127.0.0.1',
    port: 0,
    maxHeaderBytes: 4096,
    identity: () => authority.certificateFor([]),
    handler: (request, response) => void request.resume().on('end', () => response.end(`served ${request.url}`)),
  });
  closing.push(() => listener.close());
  return listener;
}

const portOf = ({ url }: HttpListener): number => Number(new URL(url).port);

/** All that comes until the connection ends. */
function allOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

function plainTo(port: number): Socket {
  return connectPlain(port, '127.0.0.1');
}

function tlsTo(port: number, options: object = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: authority.pem, ...options }, () => resolve(socket));
    socket.on('error', reject);
    closing.push(() => socket.destroy());
  });
}

async function ask(url: string, ca?: string): Promise<string> {
  const client = new HttpClient({ ca });
  closing.push(() => client.close());
  const answer = await client.send({ method: 'POST', url: `${url}/a`, body: 'x'.repeat(300_000) });
  return answer.ok ? answer.text : answer.error;
}

describe('an HTTPS listener', () => {
  it('serves who trusts its authority and is refused by who does not', async () => {
    const listener = await open();
    expect(listener.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(listener.url, authority.pem)).toBe('served /a');
    expect(await ask(listener.url)).toBe('certificate not trusted: its authority is unknown');
    expect(await ask(listener.url, LocalAuthority.make().pem)).toMatch(/^certificate not trusted/);
  });

  it('speaks TLS 1.2 and 1.3 and nothing older', async () => {
    const port = portOf(await open());
    expect((await tlsTo(port)).getProtocol()).toBe('TLSv1.3');
    expect((await tlsTo(port, { maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(tlsTo(port, old)).rejects.toThrow(/protocol version/);
  });

  it.each([
    ['an HTTP request', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['nonsense', 'hello'],
  ])('tells %s that it speaks HTTPS, and serves the next', async (_, text) => {
    const listener = await open();
    const socket = plainTo(portOf(listener));
    socket.write(text);
    const [head = '', body = ''] = (await allOf(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json\r\n/);
    const message = `This port speaks HTTPS: use ${listener.url}.`;
    expect(JSON.parse(body)).toEqual({ message, errors: [message] });
    expect(await ask(listener.url, authority.pem)).toBe('served /a');
  });

  it('takes a handshake that comes byte by byte, and answers a broken one with an alert', async () => {
    const listener = await open();
    const broken = plainTo(portOf(listener));
    broken.write(Buffer.from('16030100050100000100', 'hex'));
    expect((await allOf(broken)).charCodeAt(0)).toBe(21);

    const slow = plainTo(portOf(listener));
    slow.setNoDelay(true);
    const write = slow.write.bind(slow);
    // One byte a write, as the slowest client would.
    slow.write = ((bytes: Uint8Array, ...rest: []) => {
      for (const byte of Buffer.from(bytes).subarray(0, -1)) write(Buffer.from([byte]));
      return write(Buffer.from(bytes).subarray(-1), ...rest);
    }) as typeof slow.write;
    closing.push(() => slow.destroy());
    const secured = await new Promise<TLSSocket>((resolve, reject) => {
      const socket = connect({ socket: slow, ca: authority.pem, servername: 'localhost' }, () => resolve(socket));
      socket.on('error', reject);
    });
    expect(secured.authorized).toBe(true);
  });

  it('has the limits of plain HTTP', async () => {
    const listener = await open();
    const socket = await tlsTo(portOf(listener));
    socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(5000)}\r\n\r\n`);
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 431 .*"The request's headers are larger than 4096 bytes\."/s);
    const other = await tlsTo(portOf(listener));
    other.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await allOf(other)).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('closes at once, whoever is in the middle of something', async () => {
    const listener = await open();
    const [silent, half] = [plainTo(portOf(listener)), plainTo(portOf(listener))];
    half.write(Buffer.from('160301', 'hex'));
    const secured = await tlsTo(portOf(listener));
    secured.write('GET / HTTP/1.1\r\n');
    const gone = Promise.all([silent, half, secured].map(allOf));
    const from = performance.now();
    await listener.close();
    await gone;
    expect(performance.now() - from).toBeLessThan(500);
  });

  it('says in one sentence why it cannot listen', async () => {
    const port = portOf(await open());
    const options = { host: '127.0.0.1', port, maxHeaderBytes: 4096, identity: () => authority.certificateFor([]) };
    await expect(HttpListener.open({ ...options, handler: () => {} })).rejects.toThrow(
      `HTTPS cannot listen on 127.0.0.1:${port}: the port is in use.`,
    );
  });
});

describe('the door', () => {
  async function door(handshakeMs?: number): Promise<number> {
    const { server, close } = tlsDoor({
      options: {},
      handler: (_request, response) => void response.end(),
      identity: () => authority.certificateFor([]),
      refusePlain: (socket) => void socket.write('no'),
      ...(handshakeMs === undefined ? {} : { handshakeMs }),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.close();
      close();
    });
    return (server.address() as { port: number }).port;
  }

  it.each([
    ['says nothing', ''],
    ['begins a handshake and stops', '16030100'],
    ['stops after a hello of which half is missing', '160301020001000100'],
    ['speaks without TLS and stays', '47455420'],
  ])('lets go of a client that %s', async (_, hex) => {
    const socket = plainTo(await door(80));
    const from = performance.now();
    if (hex !== '') socket.write(Buffer.from(hex, 'hex'));
    await allOf(socket);
    const ms = performance.now() - from;
    expect(ms).toBeGreaterThan(60);
    expect(ms).toBeLessThan(2000);
  });

  it('shows a fresh certificate long before the old one expires', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    closing.push(() => vi.useRealTimers());
    const port = await door();
    const serial = async (): Promise<string> => {
      const socket = await tlsTo(port);
      return new X509Certificate(socket.getPeerCertificate().raw).serialNumber;
    };
    const first = await serial();
    expect(await serial()).toBe(first);
    vi.advanceTimersByTime(RENEWAL_MS);
    expect(await serial()).not.toBe(first);
    await expect(
      tlsTo(port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
  });
});
