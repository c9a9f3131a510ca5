// The client's end of a WebSocket, against the server's end of ours, and names of hosts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { lookUpHost } from './host-lookup.ts';
import { MailBox } from './mailbox.ts';
import { WebSocketTransport } from './websocket.ts';
import { WebSocketClient } from './websocket-client.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Heard {
  readonly client: WebSocketClient;
  readonly texts: string[];
  readonly ended: Promise<string>;
}

async function connect(url: string, subprotocol = 'sip'): Promise<Heard> {
  const texts: string[] = [];
  let closed: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    closed = resolve;
  });
  const received = (bytes: Uint8Array): void => void texts.push(Buffer.from(bytes).toString());
  const client = await WebSocketClient.open({ url, subprotocol, received, closed });
  open.push(() => client.close());
  return { client, texts, ended };
}

async function server(pingMs = 30_000): Promise<{ box: MailBox; transport: WebSocketTransport }> {
  const box = new MailBox();
  const transport = await WebSocketTransport.open({ host: '127.0.0.1', port: 0, listener: box, limits: { pingMs } });
  open.push(() => transport.close());
  return { box, transport };
}

describe('a client', () => {
  it('sends and receives text, and the server hears it leave', async () => {
    const { box, transport } = await server();
    const { client, texts } = await connect(transport.url);
    client.send('OPTIONS sip:a SIP/2.0\r\n\r\n');
    const { flow, text } = await box.next();
    expect(text).toBe('OPTIONS sip:a SIP/2.0\r\n\r\n');
    const left = box.nextEnd();
    flow.send(Buffer.from('SIP/2.0 200 OK\r\n\r\n'));
    await client.close();
    expect(await left).toBe('closed by the peer');
    expect(texts).toEqual(['SIP/2.0 200 OK\r\n\r\n']);
    client.send('nobody hears this');
    await client.close();
  });

  it('hears that the server is gone', async () => {
    const { transport } = await server();
    const { ended } = await connect(transport.url);
    await transport.close();
    expect(await ended).toBe('the connection was closed by the server');
  });

  it('answers pings until it falls silent', async () => {
    const { box, transport } = await server(20);
    const { client } = await connect(transport.url);
    client.send('hello, server');
    await box.next();
    const end = box.nextEnd();
    client.silence();
    expect(await end).toBe('the last ping had no answer');
  });

  it('says why it has no connection', async () => {
    const { transport } = await server();
    const { url } = transport;
    await expect(connect(url, 'chat')).rejects.toThrow('Unexpected server response: 400');
    await transport.close();
    await expect(connect(url)).rejects.toThrow('connection refused');
    await expect(connect('http://127.0.0.1/')).rejects.toThrow('http://127.0.0.1/ is no URL of a WebSocket');
  });

  it('gives a server up that does not answer', async () => {
    const mute = createServer();
    mute.on('upgrade', () => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    open.push(
      () => mute.closeAllConnections(),
      () => mute.close(),
    );
    const url = `ws://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const nothing = { received: () => {}, closed: () => {} };
    await expect(WebSocketClient.open({ url, subprotocol: 'sip', connectMs: 50, ...nothing })).rejects.toThrow(
      'Opening handshake has timed out',
    );
  });
});

describe('a host', () => {
  it('is its own number, or what the system says of its name', async () => {
    expect(await lookUpHost('192.0.2.7')).toBe('192.0.2.7');
    expect(await lookUpHost('::1')).toBe('::1');
    expect(['127.0.0.1', '::1']).toContain(await lookUpHost('localhost'));
  });

  it('without a number is told by name', async () => {
    await expect(lookUpHost('no-such-host.invalid')).rejects.toThrow(/^no-such-host\.invalid: /);
  });
});
