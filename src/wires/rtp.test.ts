// RTP ports on real sockets of the loopback interface: who hears whom, and what is left afterwards.
import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import type { Address } from '../sip/flow.ts';
import { type RtpPort, RtpPortPool } from './rtp.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Each test has ports of its own, between those of a simulator and those that the system takes for free ones. */
let nextFirst = 28_000 + (process.pid % 20) * 200;
function pool(ports = 8): RtpPortPool {
  const made = new RtpPortPool({ host: '127.0.0.1', first: nextFirst, last: nextFirst + 2 * ports - 1 });
  nextFirst += 2 * ports;
  open.push(() => made.close());
  return made;
}

interface Phone {
  readonly at: Address;
  say(packet: Buffer, to: Address | undefined): void;
  next(): Promise<Buffer>;
}

async function phone(host = '127.0.0.1'): Promise<Phone> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, host, resolve));
  open.push(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return {
    at: { host, port: socket.address().port },
    say: (packet, to) => socket.send(packet, to?.port, to?.host),
    next: () => new Promise((resolve) => socket.once('message', resolve)),
  };
}

/** RFC 3550, 5.1: version 2, payload type 0, then what is said. */
function rtp(words: string): Buffer {
  return Buffer.concat([Buffer.from('800000010000a00012345678', 'hex'), Buffer.from(words)]);
}

function joined(ports: RtpPortPool): { a: RtpPort; b: RtpPort } {
  const [a, b] = [ports.open(), ports.open()];
  if (a === undefined || b === undefined) throw new Error('the pool of this test has no port');
  a.onPacket = (packet) => b.send(packet);
  b.onPacket = (packet) => a.send(packet);
  return { a, b };
}

describe('RTP ports', () => {
  it('send what they are given to where the party says it listens', async () => {
    const { a, b } = joined(pool());
    const [alice, bob] = [await phone(), await phone()];
    a.setRemote(alice.at);
    b.setRemote(bob.at);
    const heardByBob = bob.next();
    alice.say(rtp('hello bob'), a.address);
    expect(await heardByBob).toEqual(rtp('hello bob'));
    const heardByAlice = alice.next();
    bob.say(rtp('hello alice'), b.address);
    expect(await heardByAlice).toEqual(rtp('hello alice'));
    expect(a.counts).toEqual({ received: 1, sent: 1, refused: 0 });
    expect(b.counts).toEqual({ received: 1, sent: 1, refused: 0 });
  });

  it('answer to where the last packet came from, until signalling says otherwise', async () => {
    const { a, b } = joined(pool());
    const [alice, bob, moved] = [await phone(), await phone(), await phone()];
    a.setRemote(alice.at);
    b.setRemote({ host: '127.0.0.1', port: 9 });
    const first = alice.next();
    bob.say(rtp('I am here'), b.address);
    await first;
    expect(b.remote).toEqual(bob.at);
    const second = bob.next();
    alice.say(rtp('found you'), a.address);
    expect(await second).toEqual(rtp('found you'));
    b.setRemote(moved.at);
    const third = moved.next();
    alice.say(rtp('and again'), a.address);
    expect(await third).toEqual(rtp('and again'));
  });

  it('do not pass on what is no RTP', async () => {
    const { a, b } = joined(pool());
    const [alice, bob] = [await phone(), await phone()];
    b.setRemote(bob.at);
    const heard = bob.next();
    const stun = Buffer.from(`000100002112a442${'00'.repeat(12)}`, 'hex');
    for (const packet of [Buffer.alloc(0), Buffer.from('\r\n'), stun, rtp('x'.repeat(2048)), rtp('sound')]) {
      alice.say(packet, a.address);
    }
    expect(await heard).toEqual(rtp('sound'));
    expect(a.counts).toEqual({ received: 1, sent: 0, refused: 4 });
  });

  it('do not send to names, to everybody, or to each other', () => {
    const { a, b } = joined(pool());
    for (const host of ['phone.example.com', '0.0.0.0', '255.255.255.255', '239.0.0.1', '::1']) {
      a.setRemote({ host, port: 4000 });
      expect(a.remote, host).toBeUndefined();
    }
    a.setRemote(b.address);
    a.setRemote({ host: '127.0.0.1', port: 0 });
    expect(a.remote).toBeUndefined();
  });
});

describe('the pool of RTP ports', () => {
  it('gives out even ports at once, each one once, in turn', () => {
    const ports = new RtpPortPool({ host: '127.0.0.1', first: nextFirst + 1, last: nextFirst + 7 });
    open.push(() => ports.close());
    const base = nextFirst + 2;
    nextFirst += 10;
    const taken = [ports.open(), ports.open(), ports.open()];
    expect(taken.map((port) => port?.address)).toEqual([
      { host: '127.0.0.1', port: base },
      { host: '127.0.0.1', port: base + 2 },
      { host: '127.0.0.1', port: base + 4 },
    ]);
    expect(ports.open()).toBeUndefined();
    taken[2]?.close();
    taken[0]?.close();
    expect(ports.size).toBe(1);
    expect(ports.open()?.address.port).toBe(base);
    expect(ports.open()?.address.port).toBe(base + 4);
  });

  it('passes over a port that another program holds', async () => {
    const first = nextFirst;
    const other = createSocket('udp4');
    await new Promise<void>((resolve) => other.bind(first, '127.0.0.1', resolve));
    open.push(() => new Promise<void>((resolve) => other.close(() => resolve())));
    expect(pool(2).open()?.address.port).toBe(first + 2);
  });

  it('begins anywhere where several share a range', () => {
    const range = { host: '127.0.0.1', first: nextFirst, last: nextFirst + 99 };
    nextFirst += 100;
    const begun = Array.from({ length: 8 }, () => {
      const ports = new RtpPortPool({ ...range, beginAnywhere: true });
      open.push(() => ports.close());
      return ports.open()?.address.port ?? 0;
    });
    expect(begun.every((port) => port >= range.first && port <= range.last && port % 2 === 0)).toBe(true);
    // Nobody's port is taken, so it is not the turn alone that keeps them apart: in order they would be the first eight.
    expect(Math.max(...begun)).toBeGreaterThanOrEqual(range.first + 2 * 8);
  });

  it('leaves nothing behind', async () => {
    const ports = pool();
    const { a, b } = joined(ports);
    const bob = await phone();
    b.setRemote(bob.at);
    b.close();
    b.close();
    bob.say(rtp('still there?'), a.address);
    ports.close();
    expect(ports.size).toBe(0);
    const again = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      again.once('error', reject);
      again.bind(a.address.port, '127.0.0.1', resolve);
    });
    await new Promise<void>((resolve) => again.close(() => resolve()));
  });

  it('has none when the range is empty', () => {
    expect(new RtpPortPool({ host: '127.0.0.1', first: 20_001, last: 20_001 }).open()).toBeUndefined();
  });
});
