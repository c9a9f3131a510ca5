// SIP over TLS on real sockets of the loopback interface: who gets in, who does not, and that nobody stays half way.
import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalAuthority } from './authority/local-authority.ts';
import { LineFramer } from './line-framer.rig.ts';
import { MailBox } from './mailbox.ts';
import { type TlsOptions, TlsTransport } from './tls.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const authority = LocalAuthority.make();

async function transport(box: MailBox, more: Partial<TlsOptions> = {}): Promise<TlsTransport> {
  const tls = await TlsTransport.open({
    host: '127.0.0.1',
    port: 0,
    listener: box,
    makeFramer: (onPing) => new LineFramer(onPing),
    identity: () => authority.certificateFor(['127.0.0.1']),
    ...more,
  });
  open.push(() => tls.close());
  return tls;
}

/** Resolves when the handshake is done. */
function phone(port: number, more: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: authority.pem, ...more }, () => resolve(socket));
    socket.once('error', reject);
    open.push(() => socket.destroy());
  });
}

function plain(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connectPlain(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => {});
    open.push(() => socket.destroy());
  });
}

const ended = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));
const heard = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));

describe('SIP over TLS', () => {
  it('takes messages from a phone that trusts the authority, and answers on the same connection', async () => {
    const box = new MailBox();
    const { address } = await transport(box);
    const socket = await phone(address.port);
    expect([socket.authorized, socket.getProtocol()]).toEqual([true, 'TLSv1.3']);
    socket.write('REGISTER\n');
    const { flow, text } = await box.next();
    expect(text).toBe('REGISTER');
    expect(flow).toMatchObject({ transport: 'TLS', reliable: true, external: true, local: address, open: true });
    expect(flow.id).toBe(`tls:127.0.0.1:${socket.localPort}`);
    flow.send(Buffer.from('200\n'));
    expect(await heard(socket)).toBe('200\n');
  });

  it('agrees on sip/2 with a phone that asks for it (ALPN), and refuses one that wants HTTP', async () => {
    const { address } = await transport(new MailBox());
    expect((await phone(address.port, { ALPNProtocols: ['sip/2'] })).alpnProtocol).toBe('sip/2');
    expect((await phone(address.port)).alpnProtocol).toBe(false);
    await expect(phone(address.port, { ALPNProtocols: ['http/1.1'] })).rejects.toThrow(/alert|ALPN|closed|reset/i);
  });

  it('is not believed without the authority, and speaks nothing older than TLS 1.2', async () => {
    const { address } = await transport(new MailBox());
    await expect(phone(address.port, { ca: [] })).rejects.toThrow(/unable to verify|self-signed|unable to get/);
    expect((await phone(address.port, { maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2');
    await expect(phone(address.port, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' })).rejects.toThrow();
  });

  it('lets go of who speaks without TLS, and goes on', async () => {
    const box = new MailBox();
    const { address } = await transport(box);
    const socket = await plain(address.port);
    socket.write('REGISTER sip:pbxsim.test SIP/2.0\r\n\r\n');
    await ended(socket);
    const other = await phone(address.port);
    other.write('OPTIONS\n');
    expect((await box.next()).text).toBe('OPTIONS');
  });

  it('lets go of who begins no handshake in time', async () => {
    const { address } = await transport(new MailBox(), { handshakeMs: 50 });
    await ended(await plain(address.port));
  });

  it('says once that a connection is gone', async () => {
    const box = new MailBox();
    const { address } = await transport(box);
    const socket = await phone(address.port);
    socket.write('REGISTER\n');
    const { flow } = await box.next();
    const end = box.nextEnd();
    socket.end();
    expect(await end).toBe('closed by the peer');
    expect([flow.open, box.ended.length]).toEqual([false, 1]);
  });

  it('takes no more connections than it should', async () => {
    const box = new MailBox();
    const { address } = await transport(box, { maxConnections: 1 });
    const first = await phone(address.port);
    first.write('one\n');
    await box.next();
    const second = await phone(address.port);
    await ended(second);
    first.write('two\n');
    expect((await box.next()).text).toBe('two');
  });

  it('closes with a handshake half done, and frees its port', async () => {
    const tls = await transport(new MailBox());
    const half = await plain(tls.address.port);
    half.write(Buffer.from('1603010200', 'hex'));
    await phone(tls.address.port);
    await tls.close();
    await ended(half);
    const again = await transport(new MailBox(), { port: tls.address.port });
    expect(again.address.port).toBe(tls.address.port);
  });

  it('says in words why it cannot listen', async () => {
    const { address } = await transport(new MailBox());
    await expect(transport(new MailBox(), { port: address.port })).rejects.toThrow(
      `SIP over TLS cannot listen on 127.0.0.1:${address.port}: the port is in use.`,
    );
  });
});
