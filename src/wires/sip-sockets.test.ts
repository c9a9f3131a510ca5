// The ports of SIP together: where they are beside each other, and that one which is taken opens none.
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalAuthority } from './authority/local-authority.ts';
import { LineFramer } from './line-framer.rig.ts';
import { MailBox } from './mailbox.ts';
import { type SipSocketOptions, SipSockets } from './sip-sockets.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const authority = LocalAuthority.make();
const identity = () => authority.certificateFor([]);
/** Of few who would use it; all that is listened on is beside it. */
const PORT = 27_060;

async function sockets(more: Partial<SipSocketOptions> = {}): Promise<SipSockets> {
  const makeFramer = (onPing: () => void) => new LineFramer(onPing);
  const options = { host: '127.0.0.1', port: PORT, listener: new MailBox(), makeFramer, identity: undefined };
  const opened = await SipSockets.open({ ...options, ...more });
  open.push(() => opened.close());
  return opened;
}

async function occupied(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(resolve)));
}

describe('the ports of SIP', () => {
  it('are one number for UDP and TCP, and others at fixed distances from it', async () => {
    expect((await sockets({ identity })).addresses).toEqual({
      udp: { host: '127.0.0.1', port: 27_060 },
      tcp: { host: '127.0.0.1', port: 27_060 },
      tls: { host: '127.0.0.1', port: 27_061 },
      ws: 'ws://127.0.0.1:27066',
      wss: 'wss://127.0.0.1:27067',
    });
  });

  it('are without TLS where nobody vouches', async () => {
    expect(Object.keys((await sockets({ port: 0 })).addresses)).toEqual(['udp', 'tcp', 'ws']);
  });

  it('open together or not at all', async () => {
    await occupied(PORT + 7);
    await expect(sockets({ identity })).rejects.toThrow('SIP over secure WebSocket cannot listen on 127.0.0.1:27067');
    // Nothing stayed open: without TLS there is room.
    await sockets();
  });

  it('connect to peers over UDP and TCP; over TLS and WebSocket peers come by themselves', async () => {
    const { addresses, connect } = await sockets({ port: 0, identity }).then((all) => ({
      addresses: all.addresses,
      connect: all.connect.bind(all),
    }));
    expect(connect('UDP', addresses.udp)?.transport).toBe('UDP');
    expect(connect('TCP', addresses.tcp)?.transport).toBe('TCP');
    for (const transport of ['TLS', 'WS', 'WSS', 'MEM'] as const)
      expect(connect(transport, addresses.udp)).toBeUndefined();
  });
});
