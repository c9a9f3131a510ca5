// SIP over UDP on real sockets of the loopback interface.
import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { MailBox } from './mailbox.ts';
import { UdpTransport } from './udp.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function transport(listener = new MailBox(), maxFlows = 20_000): Promise<UdpTransport> {
  const udp = await UdpTransport.open({ host: '127.0.0.1', port: 0, listener, maxFlows });
  open.push(udp);
  return udp;
}

/** A bare socket that collects what it gets. */
async function phone(): Promise<{ socket: Socket; port: number; heard: string[]; next: () => Promise<string> }> {
  const socket = createSocket('udp4');
  const heard: string[] = [];
  const waiting: Array<(text: string) => void> = [];
  socket.on('message', (bytes) => {
    heard.push(bytes.toString());
    waiting.shift()?.(bytes.toString());
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  open.push({ close: () => new Promise<void>((resolve) => socket.close(() => resolve())) });
  return { socket, port: socket.address().port, heard, next: () => new Promise((resolve) => waiting.push(resolve)) };
}

describe('SIP over UDP', () => {
  it('hands over a datagram with the flow that leads back to its sender', async () => {
    const box = new MailBox();
    const udp = await transport(box);
    const bob = await phone();
    bob.socket.send('OPTIONS sip:pbx SIP/2.0\r\n\r\n', udp.address.port, '127.0.0.1');
    const { flow, text } = await box.next();
    expect(text).toBe('OPTIONS sip:pbx SIP/2.0\r\n\r\n');
    expect(flow).toMatchObject({
      id: `udp:127.0.0.1:${bob.port}`,
      transport: 'UDP',
      reliable: false,
      external: true,
      open: true,
      local: { host: '127.0.0.1', port: udp.address.port },
      remote: { host: '127.0.0.1', port: bob.port },
    });
    const answer = bob.next();
    flow.send(Buffer.from('SIP/2.0 200 OK\r\n\r\n'));
    expect(await answer).toBe('SIP/2.0 200 OK\r\n\r\n');
  });

  it('has one flow for a peer, whoever spoke first', async () => {
    const box = new MailBox();
    const udp = await transport(box);
    const bob = await phone();
    const outward = udp.flowTo({ host: '127.0.0.1', port: bob.port });
    bob.socket.send('hello', udp.address.port, '127.0.0.1');
    const first = await box.next();
    bob.socket.send('again', udp.address.port, '127.0.0.1');
    const second = await box.next();
    expect(first.flow).toBe(outward);
    expect(second.flow).toBe(outward);
    expect(udp.flowTo({ host: 'localhost', port: bob.port })).toBe(outward);
  });

  it('has no way to names, nobody, everybody or another family', async () => {
    const udp = await transport();
    for (const host of ['phone.example.com', '0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '[::1]', '', '[']) {
      expect(udp.flowTo({ host, port: 5060 }), host).toBeUndefined();
    }
    for (const port of [0, -1, 65_536, Number.NaN, 1.5]) {
      expect(udp.flowTo({ host: '127.0.0.1', port }), String(port)).toBeUndefined();
    }
  });

  it('loses what cannot be sent, and goes on', async () => {
    const udp = await transport();
    const bob = await phone();
    const nobody = await phone();
    const gone = udp.flowTo({ host: '127.0.0.1', port: nobody.port });
    await new Promise<void>((resolve) => nobody.socket.close(() => resolve()));
    open.pop();
    gone?.send(Buffer.from('anybody there?'));
    const flow = udp.flowTo({ host: '127.0.0.1', port: bob.port });
    flow?.send(Buffer.alloc(70_000));
    const heard = bob.next();
    flow?.send(Buffer.from('still here'));
    expect(await heard).toBe('still here');
    expect(bob.heard).toEqual(['still here']);
  });

  it('takes the longest datagram there is', async () => {
    const box = new MailBox();
    const udp = await transport(box);
    const bob = await phone();
    bob.socket.send(Buffer.alloc(65_507, 'x'), udp.address.port, '127.0.0.1');
    expect((await box.next()).text.length).toBe(65_507);
  });

  it('does not hand over keep-alives', async () => {
    const box = new MailBox();
    const udp = await transport(box);
    const bob = await phone();
    for (const bytes of ['\r\n\r\n', '\0', '\0\0\0\0', '', 'hello']) {
      bob.socket.send(bytes, udp.address.port, '127.0.0.1');
    }
    expect((await box.next()).text).toBe('hello');
    expect(box.messages.length).toBe(1);
  });

  it('says in one sentence that a port is in use, or an address not ours', async () => {
    const { address } = await transport();
    const again = UdpTransport.open({ host: '127.0.0.1', port: address.port, listener: new MailBox() });
    await expect(again).rejects.toThrow(`SIP over UDP cannot listen on 127.0.0.1:${address.port}: the port is in use.`);
    const elsewhere = UdpTransport.open({ host: '203.0.113.9', port: 5060, listener: new MailBox() });
    await expect(elsewhere).rejects.toThrow(
      'SIP over UDP cannot listen on 203.0.113.9:5060: this machine has no such address.',
    );
  });

  it('is silent once closed, and its port free', async () => {
    const box = new MailBox();
    const udp = await transport(box);
    const flow = udp.flowTo({ host: '127.0.0.1', port: 5060 });
    await udp.close();
    await udp.close();
    expect(flow?.open).toBe(false);
    flow?.send(Buffer.from('nothing'));
    expect(udp.flowTo({ host: '127.0.0.1', port: 5060 })).toBeUndefined();
    open.push(await UdpTransport.open({ host: '127.0.0.1', port: udp.address.port, listener: box }));
    expect(box.ended).toEqual([]);
  });

  it('listens on IPv6 too', async () => {
    const box = new MailBox();
    const udp = await UdpTransport.open({ host: '::1', port: 0, listener: box });
    open.push(udp);
    udp.flowTo({ host: '[::1]', port: udp.address.port })?.send(Buffer.from('hello'));
    expect((await box.next()).flow.id).toBe(`udp:[::1]:${udp.address.port}`);
  });

  it('bound to all addresses, names the one that the peer can reach', async () => {
    const udp = await UdpTransport.open({ host: '0.0.0.0', port: 0, listener: new MailBox() });
    open.push(udp);
    expect(udp.flowTo({ host: '127.0.0.1', port: 5060 })?.local).toEqual({
      host: '127.0.0.1',
      port: udp.address.port,
    });
  });
});
