// Bad input on real sockets while calls are up: nothing that arrives stops the exchange or another's call.
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import type { Session } from '../sip/user-agent-api.ts';
import { fence, RawPeer, requestText, WIRES, type Wire } from './sockets-peer.ts';
import { BarePhone } from './sockets-phone.ts';
import { SocketStage } from './sockets-stage.ts';

const torture = new URL('../../fixtures/sip/torture/', import.meta.url);
const tortureMessages = readdirSync(torture)
  .filter((name) => name.endsWith('.dat'))
  .map((name) => readFileSync(new URL(name, torture)));

let stage: SocketStage;
let phone: BarePhone;
let session: Session;
let callId: number;
const peers: RawPeer[] = [];

beforeEach(async () => {
  stage = await SocketStage.open();
  await stage.behave('102', { on_call: 'answer', after_ms: 0 });
  phone = await BarePhone.open(stage.user(0), stage.sip, 'victim');
  expect(await phone.register()).toBe(200);
  const before = stage.now;
  const { session: answered, status } = await phone.call('102');
  expect(status).toBe(200);
  session = answered;
  callId = await stage.callBegun(before);
  await stage.inState(callId, 'CONNECTED');
});

/** The call that was up all the while still works in both directions, and ends as calls end. */
afterEach(async () => {
  expect(await stage.read(`/calls/${callId}`)).toMatchObject({ state: 4, src: '101', dst: '102' });
  expect(await phone.reoffer(session, 'sendonly')).toBe(200);
  expect(await phone.reoffer(session, 'sendrecv')).toBe(200);
  await stage.act('102', 'digits', { digits: '9' });
  await stage.entry('event', (data, entry) => entry.callId === callId && data.name === 'call.dtmf');
  session.end();
  await phone.ended(session);
  await stage.callOver(callId);
  expect(stage.eventNames(callId).filter((name) => name !== 'call.dtmf')).toEqual([
    'call.initial',
    'call.ringing',
    'call.connected',
    'call.hold',
    'call.unhold',
    'call.hangup',
  ]);
  // Two differently damaged copies of one INVITE are two requests, each refused for its own fault; their responses look alike.
  const serious = stage.simulator.world.violations.filter(
    (found) => !/^INVITE .* was answered 4\d\d and 4\d\d$/.test(found),
  );
  expect(serious).toEqual([]);
  expect(stage.simulator.world.exchange.stats).toMatchObject({ calls: 0, mediaSessions: 0 });
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
  await phone.close();
  await stage.close();
});

async function peerOn(wire: Wire): Promise<RawPeer> {
  const peer = await RawPeer.open(wire, stage.sip);
  peers.push(peer);
  return peer;
}

/** Sends each on a connection that is made anew whenever the exchange has closed it, and waits until all were dealt with. */
async function pelt(wire: Wire, messages: Iterable<Uint8Array>): Promise<void> {
  let peer = await peerOn(wire);
  let count = 0;
  for (const message of messages) {
    if (peer.closed) peer = await peerOn(wire);
    peer.send(message);
    count += 1;
    // What arrives at the exchange faster than it reads would be lost to a full buffer, and test nothing.
    if (wire === 'UDP' && count % 200 === 0) await fence(peer, `pace${count}`);
    else if (wire !== 'UDP' && count % 20 === 0) await new Promise(setImmediate);
  }
  await fence(await peerOn(wire), 'afterwards');
}

/** Real messages with bytes changed, lost, doubled and swapped. */
function* damaged(random: Random, count: number, peer: { wire: Wire; host: string }): Iterable<Uint8Array> {
  const ok = [
    ...tortureMessages,
    ...['INVITE', 'REGISTER', 'BYE', 'ACK', 'CANCEL', 'OPTIONS', 'REFER', 'NOTIFY', 'INFO'].map((method) =>
      Buffer.from(requestText(peer, { method, id: 'damaged', to: '<sip:102@pbxsim.test>', body: 'v=0\r\n' })),
    ),
  ];
  for (let made = 0; made < count; made += 1) {
    const bytes = Buffer.from(ok[random.int(ok.length)] ?? []);
    for (let changes = random.int(8); changes >= 0; changes -= 1) bytes[random.int(bytes.length)] = random.int(256);
    const cut = random.int(3);
    yield cut === 0 ? bytes.subarray(0, random.int(bytes.length)) : cut === 1 ? Buffer.concat([bytes, bytes]) : bytes;
  }
}

function* noise(random: Random, count: number): Iterable<Uint8Array> {
  for (let made = 0; made < count; made += 1) {
    yield Uint8Array.from({ length: 1 + random.int(1400) }, () => random.int(256));
  }
}

describe.each(WIRES)('a call goes on while over %s', (wire) => {
  it('come the torture messages of RFC 4475', async () => {
    expect(tortureMessages).toHaveLength(49);
    await pelt(wire, tortureMessages);
  });

  it('comes noise', async () => {
    await pelt(wire, noise(new Random(`noise ${wire}`), 500));
  });

  it('come damaged messages', async () => {
    await pelt(wire, damaged(new Random(`damage ${wire}`), 1000, { wire, host: '127.0.0.1:9' }));
  });

  it('come requests in the dialog of the call from somebody who is not in it', async () => {
    const peer = await peerOn(wire);
    for (const method of ['BYE', 'INFO', 'INVITE', 'REFER', 'UPDATE', 'CANCEL', 'ACK']) {
      const text = requestText(peer, { method, id: `guess${method}`, to: '<sip:102@pbxsim.test>;tag=guess' });
      peer.send(text.replace(`guess${method}@example.net`, session.callId));
    }
    await fence(peer, 'afterwards');
  });
});

describe('a call goes on while', () => {
  it('five thousand datagrams come at once', async () => {
    const peer = await peerOn('UDP');
    for (let sent = 0; sent < 5000; sent += 1) {
      peer.send(
        requestText(peer, {
          method: sent % 2 === 0 ? 'INVITE' : 'REGISTER',
          id: `flood${sent}`,
          to: '<sip:102@pbxsim.test>',
        }),
      );
    }
    await fence(peer, 'afterwards');
    expect(stage.simulator.world.exchange.stats.calls).toBe(1);
  });

  it('connections bring half messages and stay, or go', async () => {
    const half = (peer: RawPeer): string =>
      requestText(peer, { method: 'INVITE', id: 'half', body: 'x'.repeat(500) }).slice(0, -200);
    for (let made = 0; made < 50; made += 1) {
      const peer = await peerOn('TCP');
      peer.send(half(peer));
      if (made % 2 === 0) await peer.close();
    }
    await fence(await peerOn('TCP'), 'afterwards');
  });

  it('messages without an end come: the connection is closed, and what was held is let go', async () => {
    const endless = await peerOn('TCP');
    const line = Buffer.from(`X-More: ${'x'.repeat(8000)}\r\n`);
    endless.send('INVITE sip:102@pbxsim.test SIP/2.0\r\n');
    for (let sent = 0; sent < 40; sent += 1) endless.send(line);
    await endless.hasBeenClosed();
    const boastful = await peerOn('TCP');
    boastful.send(
      requestText(boastful, { method: 'OPTIONS', id: 'boast' }).replace(
        'Content-Length: 0',
        'Content-Length: 999999999',
      ),
    );
    await boastful.hasBeenClosed();
    await fence(await peerOn('TCP'), 'afterwards');
  });

  it('the largest datagrams and frames come', async () => {
    const [udp, ws] = [await peerOn('UDP'), await peerOn('WS')];
    const large = (peer: RawPeer, bytes: number): string =>
      requestText(peer, { method: 'OPTIONS', id: `large${peer.wire}`, headers: [`X-Large: ${'x'.repeat(bytes)}`] });
    udp.send(large(udp, 60_000));
    await udp.hears(/^SIP\/2\.0 200 .*/);
    udp.send(large(udp, 70_000));
    ws.send(large(ws, 60_000));
    await ws.hears(/^SIP\/2\.0 200 .*/);
    ws.send(Buffer.alloc(1_000_000, 'x'));
    await ws.hasBeenClosed();
    await fence(await peerOn('UDP'), 'afterwards');
  });
});
