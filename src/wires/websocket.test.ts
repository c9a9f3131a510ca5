// SIP over WebSocket on real connections of the loopback interface.
import { get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LocalAuthority } from './authority/local-authority.ts';
import { MailBox } from './mailbox.ts';
import { type WebSocketOptions, WebSocketTransport } from './websocket.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function transport(box: MailBox, more: Partial<WebSocketOptions> = {}): Promise<WebSocketTransport> {
  const transport = await WebSocketTransport.open({ host: '127.0.0.1', port: 0, listener: box, ...more });
  open.push(() => transport.close());
  return transport;
}

interface Browser {
  readonly socket: WebSocket;
  readonly next: () => Promise<{ text: string; binary: boolean }>;
  readonly ended: Promise<number>;
}

async function browser(url: string, options: { autoPong?: boolean; ca?: string } = {}): Promise<Browser> {
  const socket = new WebSocket(url, 'sip', options);
  const ended = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  open.push(() => socket.terminate());
  const next = (): Promise<{ text: string; binary: boolean }> =>
    new Promise((resolve) => {
      socket.once('message', (data, binary) => resolve({ text: data.toString(), binary }));
    });
  return { socket, next, ended };
}

/** The status and body with which a connection was refused. */
function refusal(url: string, protocols: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols);
    socket.once('open', () => resolve('accepted'));
    socket.on('error', () => {});
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    });
  });
}

describe('SIP over WebSocket', () => {
  it('takes one message a frame, text or binary, and answers in text', async () => {
    const box = new MailBox();
    const { address, url } = await transport(box);
    expect(url).toBe(`ws://127.0.0.1:${address.port}`);
    const bob = await browser(`${url}/any/path?at=all`);
    expect(bob.socket.protocol).toBe('sip');
    bob.socket.send('REGISTER sip:pbx SIP/2.0\r\n\r\n');
    const { flow, text } = await box.next();
    expect(text).toBe('REGISTER sip:pbx SIP/2.0\r\n\r\n');
    expect(flow).toMatchObject({ transport: 'WS', reliable: true, external: true, open: true, local: address });
    expect(flow.remote.host).toBe('127.0.0.1');
    bob.socket.send(Buffer.from('OPTIONS sip:pbx SIP/2.0\r\n\r\n'));
    expect(await box.next()).toEqual({ flow, text: 'OPTIONS sip:pbx SIP/2.0\r\n\r\n' });
    const answer = bob.next();
    flow.send(Buffer.from('SIP/2.0 200 Zürich\r\n\r\n'));
    expect(await answer).toEqual({ text: 'SIP/2.0 200 Zürich\r\n\r\n', binary: false });
  });

  it('sends what is no text in a binary frame', async () => {
    const box = new MailBox();
    const bob = await browser((await transport(box)).url);
    bob.socket.send('hello');
    const { flow } = await box.next();
    const answer = bob.next();
    flow.send(Uint8Array.of(0xff, 0xfe));
    expect((await answer).binary).toBe(true);
  });

  it('is a flow of its own for each connection', async () => {
    const box = new MailBox();
    const { url } = await transport(box);
    const [alice, bob] = [await browser(url), await browser(url)];
    alice.socket.send('from alice');
    const first = await box.next();
    bob.socket.send('from bob');
    const second = await box.next();
    expect(first.flow.id).toMatch(/^ws:127\.0\.0\.1:\d+#1$/);
    expect(second.flow.id).toMatch(/^ws:127\.0\.0\.1:\d+#2$/);
    const answer = bob.next();
    first.flow.send(Buffer.from('to alice'));
    second.flow.send(Buffer.from('to bob'));
    expect((await answer).text).toBe('to bob');
  });

  it('refuses whoever does not ask for SIP', async () => {
    const { url } = await transport(new MailBox());
    expect(await refusal(url, [])).toBe('400 The WebSocket subprotocol must be sip.\n');
    expect(await refusal(url, ['chat', 'sips'])).toBe('400 The WebSocket subprotocol must be sip.\n');
  });

  it('tells a plain HTTP request what this port is', async () => {
    const { address } = await transport(new MailBox());
    const status = await new Promise((resolve) => {
      get({ host: '127.0.0.1', port: address.port, path: '/', agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(status).toBe(426);
  });

  it('takes no more connections than it may', async () => {
    const box = new MailBox();
    const { url } = await transport(box, { limits: { maxConnections: 1 } });
    const alice = await browser(url);
    expect(await refusal(url, ['sip'])).toBe('503 There are too many connections.\n');
    const end = box.nextEnd();
    alice.socket.close();
    expect(await end).toBe('closed by the peer');
    const bob = await browser(url);
    bob.socket.send('hello');
    expect((await box.next()).text).toBe('hello');
  });

  it('closes a connection whose frame is too long, and only that one', async () => {
    const box = new MailBox();
    const { url } = await transport(box);
    const [mallory, bob] = [await browser(url), await browser(url)];
    mallory.socket.on('error', () => {});
    const end = box.nextEnd();
    mallory.socket.send('x'.repeat(65_537));
    expect(await mallory.ended).toBe(1009);
    expect(await end).toBe('Max payload size exceeded');
    bob.socket.send('x'.repeat(65_536));
    expect((await box.next()).text.length).toBe(65_536);
  });

  it('answers a pair of line ends with one, and hands over neither', async () => {
    const box = new MailBox();
    const bob = await browser((await transport(box)).url);
    const answer = bob.next();
    bob.socket.send('\r\n');
    bob.socket.send('\r\n\r\n');
    expect(await answer).toEqual({ text: '\r\n', binary: false });
    expect(box.messages).toEqual([]);
  });

  it('keeps those that answer its pings and drops those that do not', async () => {
    const box = new MailBox();
    const { url } = await transport(box, { limits: { pingMs: 15 } });
    const [alive, dead] = [await browser(url), await browser(url, { autoPong: false })];
    const end = box.nextEnd();
    expect(await dead.ended).toBe(1006);
    expect(await end).toBe('the last ping had no answer');
    alive.socket.send('still here');
    expect((await box.next()).text).toBe('still here');
  });

  it('cuts off a peer that does not read', async () => {
    const box = new MailBox();
    const bob = await browser((await transport(box)).url);
    bob.socket.send('hello');
    const { flow } = await box.next();
    bob.socket.pause();
    const end = box.nextEnd();
    for (let sent = 0; sent < 400 && flow.open; sent += 1) flow.send(Buffer.alloc(65_000, 'x'));
    expect(flow.open).toBe(false);
    expect(await end).toMatch(/^the peer reads too slowly: \d+ bytes wait for it$/);
  });

  it('closes with "going away", frees its port and tells the listener', async () => {
    const box = new MailBox();
    const first = await transport(box);
    const bob = await browser(first.url);
    bob.socket.send('hello');
    const { flow } = await box.next();
    await Promise.all([first.close(), first.close()]);
    expect(await bob.ended).toBe(1001);
    expect(box.ended).toEqual(['shut down']);
    expect(flow.open).toBe(false);
    flow.send(Buffer.from('nothing'));
    await transport(box, { port: first.address.port });
    await expect(transport(box, { port: first.address.port })).rejects.toThrow(
      `SIP over WebSocket cannot listen on 127.0.0.1:${first.address.port}: the port is in use.`,
    );
  });
});

describe('SIP over secure WebSocket', () => {
  const authority = LocalAuthority.make();
  const identity = () => authority.certificateFor(['127.0.0.1']);

  it('is the same behind TLS, for who trusts the authority', async () => {
    const box = new MailBox();
    const { address, url } = await transport(box, { identity });
    expect(url).toBe(`wss://127.0.0.1:${address.port}`);
    const bob = await browser(url, { ca: authority.pem });
    bob.socket.send('REGISTER sip:pbx SIP/2.0\r\n\r\n');
    const { flow } = await box.next();
    expect(flow).toMatchObject({ transport: 'WSS', reliable: true, external: true, open: true, local: address });
    expect(flow.id).toMatch(/^wss:127\.0\.0\.1:\d+#1$/);
    const answer = bob.next();
    flow.send(Buffer.from('SIP/2.0 200 OK\r\n\r\n'));
    expect((await answer).text).toBe('SIP/2.0 200 OK\r\n\r\n');
    await expect(browser(url)).rejects.toThrow(/unable to verify|self-signed|unable to get/);
  });

  it('tells who speaks without TLS what it speaks, and closes with handshakes half done', async () => {
    const secure = await transport(new MailBox(), { identity });
    expect(await refusal(secure.url.replace('wss', 'ws'), ['sip'])).toBe('400 This port speaks wss:, not ws:.\n');
    const half = connect(secure.address.port, '127.0.0.1');
    half.on('error', () => {});
    const ended = new Promise<void>((resolve) => half.once('close', () => resolve()));
    await new Promise<void>((resolve) => void half.write(Buffer.from('1603010200', 'hex'), () => resolve()));
    await secure.close();
    await ended;
  });

  it('says in words why it cannot listen', async () => {
    const { address } = await transport(new MailBox(), { identity });
    await expect(transport(new MailBox(), { identity, port: address.port })).rejects.toThrow(
      `SIP over secure WebSocket cannot listen on 127.0.0.1:${address.port}: the port is in use.`,
    );
  });
});
