// SIP over TCP on real sockets of the loopback interface, with the framer that SIP uses replaced by lines.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LineFramer } from './line-framer.rig.ts';
import { MailBox } from './mailbox.ts';
import { TcpTransport } from './tcp.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function transport(box: MailBox, more: Partial<Parameters<typeof TcpTransport.open>[0]> = {}) {
  const makeFramer = (onPing: () => void) => new LineFramer(onPing);
  const tcp = await TcpTransport.open({ host: '127.0.0.1', port: 0, listener: box, makeFramer, ...more });
  open.push(() => tcp.close());
  return tcp;
}

/** A connected bare socket and what it hears. */
async function caller(port: number): Promise<{ socket: Socket; heard: () => Promise<string>; ended: Promise<void> }> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  open.push(() => socket.destroy());
  const heard = (): Promise<string> =>
    new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
  return { socket, heard, ended };
}

async function server(onSocket: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const listening = createServer(onSocket);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  open.push(() => listening.close());
  const address = listening.address();
  return { server: listening, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

describe('SIP over TCP', () => {
  it('hands over whole messages, however the bytes arrive, and answers on the same connection', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await caller(tcp.address.port);
    bob.socket.write('INVITE\nAC');
    const { flow, text } = await box.next();
    expect(text).toBe('INVITE');
    expect(flow).toMatchObject({
      id: `tcp:127.0.0.1:${bob.socket.localPort}`,
      transport: 'TCP',
      reliable: true,
      external: true,
      open: true,
      local: { host: '127.0.0.1', port: tcp.address.port },
      remote: { host: '127.0.0.1', port: bob.socket.localPort },
    });
    bob.socket.write('K\n');
    expect((await box.next()).text).toBe('ACK');
    const heard = bob.heard();
    flow.send(Buffer.from('100\n'));
    flow.send(Buffer.from('180\n'));
    expect(await heard).toBe('100\n180\n');
  });

  it('answers a keep-alive with one line end', async () => {
    const tcp = await transport(new MailBox());
    const bob = await caller(tcp.address.port);
    const heard = bob.heard();
    bob.socket.write('\n');
    expect(await heard).toBe('\r\n');
  });

  it('connects outward, keeps what is sent meanwhile, and uses that connection again', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await server((socket) => socket.pipe(socket));
    const flow = tcp.connect({ host: '127.0.0.1', port: bob.port });
    flow?.send(Buffer.from('one\n'));
    flow?.send(Buffer.from('two\n'));
    expect(flow?.local).toEqual(tcp.address);
    expect(await box.next()).toEqual({ flow, text: 'one' });
    expect(await box.next()).toEqual({ flow, text: 'two' });
    expect(tcp.connect({ host: 'localhost', port: bob.port })).toBe(flow);
  });

  it('calls back on the connection that a peer has made', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await caller(tcp.address.port);
    bob.socket.write('REGISTER\n');
    const { flow } = await box.next();
    expect(tcp.connect({ host: '127.0.0.1', port: bob.socket.localPort ?? 0 })).toBe(flow);
  });

  it('tells when nobody is there', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const gone = await server(() => {});
    await new Promise((resolve) => gone.server.close(resolve));
    const end = box.nextEnd();
    const flow = tcp.connect({ host: '127.0.0.1', port: gone.port });
    flow?.send(Buffer.from('lost\n'));
    expect(await end).toBe('connection refused');
    expect(flow?.open).toBe(false);
    flow?.send(Buffer.from('lost too\n'));
    expect(box.ended).toEqual(['connection refused']);
  });

  it('tells when the peer hangs up, and makes a new connection the next time', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await server((socket) => socket.end());
    const end = box.nextEnd();
    const flow = tcp.connect({ host: '127.0.0.1', port: bob.port });
    expect(await end).toBe('closed by the peer');
    const next = tcp.connect({ host: '127.0.0.1', port: bob.port });
    expect(next).not.toBe(flow);
    expect(next?.open).toBe(true);
    expect(await box.nextEnd()).toBe('closed by the peer');
  });

  it('closes a stream that cannot be cut into messages, and only that one', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const [mallory, bob] = [await caller(tcp.address.port), await caller(tcp.address.port)];
    const end = box.nextEnd();
    mallory.socket.write('garbage\n');
    await mallory.ended;
    expect(await end).toBe('not a line of ours');
    bob.socket.write('OPTIONS\n');
    expect((await box.next()).text).toBe('OPTIONS');
  });

  it('cuts off a peer that does not read', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await server((socket) => socket.pause());
    const flow = tcp.connect({ host: '127.0.0.1', port: bob.port });
    const end = box.nextEnd();
    for (let sent = 0; sent < 18; sent += 1) flow?.send(Buffer.alloc(60_000));
    expect(flow?.open).toBe(false);
    expect(await end).toBe('the peer reads too slowly: 1080000 bytes wait for it');
  });

  it('closes a connection that brings no message, or half of one', async () => {
    const box = new MailBox();
    const tcp = await transport(box, { limits: { firstMessageMs: 20 } });
    const bob = await caller(tcp.address.port);
    const end = box.nextEnd();
    bob.socket.write('half a mess');
    expect(await end).toBe('no whole message within 0.02 s');
    await bob.ended;
  });

  it('closes a connection that fell silent', async () => {
    const box = new MailBox();
    const tcp = await transport(box, { limits: { idleMs: 20 } });
    const bob = await caller(tcp.address.port);
    const end = box.nextEnd();
    bob.socket.write('REGISTER\n');
    expect(await end).toBe('silent for 0.02 s');
    await bob.ended;
  });

  it('takes no more connections than it may', async () => {
    const box = new MailBox();
    const tcp = await transport(box, { maxConnections: 1 });
    const alice = await caller(tcp.address.port);
    alice.socket.write('OPTIONS\n');
    await box.next();
    const bob = await caller(tcp.address.port);
    await bob.ended;
    expect(tcp.connect({ host: '127.0.0.1', port: 9 })).toBeUndefined();
    const end = box.nextEnd();
    alice.socket.end();
    expect(await end).toBe('closed by the peer');
    const carol = await caller(tcp.address.port);
    carol.socket.write('OPTIONS\n');
    expect((await box.next()).text).toBe('OPTIONS');
  });

  it('has no way to names or another family', async () => {
    const tcp = await transport(new MailBox());
    for (const host of ['phone.example.com', '0.0.0.0', '::1']) {
      expect(tcp.connect({ host, port: 5060 }), host).toBeUndefined();
    }
  });

  it('says farewell before it closes: what was sent arrives', async () => {
    const box = new MailBox();
    const tcp = await transport(box);
    const bob = await caller(tcp.address.port);
    bob.socket.write('INVITE\n');
    const { flow } = await box.next();
    const heard = bob.heard();
    flow.send(Buffer.from('BYE\n'));
    await tcp.close();
    expect(await heard).toBe('BYE\n');
    expect(flow.open).toBe(false);
    expect(box.ended).toEqual(['shut down']);
    expect(tcp.connect({ host: '127.0.0.1', port: 5060 })).toBeUndefined();
  });

  it('says in one sentence that a port is in use', async () => {
    const tcp = await transport(new MailBox());
    await expect(transport(new MailBox(), { port: tcp.address.port })).rejects.toThrow(
      `SIP over TCP cannot listen on 127.0.0.1:${tcp.address.port}: the port is in use.`,
    );
  });
});
