// The exchange on raw sockets: what a peer that speaks SIP by hand gets over UDP, TCP and WebSocket.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fence, RawPeer, requestText, responseTo, WIRES, type Wire } from './sockets-peer.ts';
import { SocketStage } from './sockets-stage.ts';

let stage: SocketStage;
const peers: RawPeer[] = [];

beforeEach(async () => {
  stage = await SocketStage.open();
});

afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
  await stage.close();
});

async function peerOn(wire: Wire): Promise<RawPeer> {
  const peer = await RawPeer.open(wire, stage.sip);
  peers.push(peer);
  return peer;
}

describe.each(WIRES)('over %s', (wire) => {
  it('answers OPTIONS with what it can do', async () => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method: 'OPTIONS', id: 'can' }));
    const answer = await peer.hears(responseTo('can', 'OPTIONS', 200));
    expect(answer).toMatch(
      /^Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, REFER, NOTIFY, SUBSCRIBE, REGISTER\r$/m,
    );
    expect(answer).toMatch(/^Accept: application\/sdp\r$/m);
    expect(answer).toMatch(/^To: <sip:pbxsim\.test>;tag=\S+\r$/m);
    expect(answer).toMatch(/^Content-Length: 0\r$/m);
  });

  it('says where the request came from (RFC 3581)', async () => {
    const peer = await peerOn(wire);
    const text = requestText(peer, { method: 'OPTIONS', id: 'whence' });
    peer.send(text.replace(peer.host, '192.0.2.1:9'));
    const answer = await peer.hears(responseTo('whence', 'OPTIONS', 200));
    const via = /^Via: (.*)\r$/m.exec(answer)?.[1] ?? '';
    expect(via).toMatch(new RegExp(`^SIP/2\\.0/${wire} 192\\.0\\.2\\.1:9;branch=z9hG4bKwhence;`));
    expect(via).toContain(';received=127.0.0.1');
    const port = wire === 'WS' ? '\\d+' : (peer.host.split(':')[1] ?? '');
    expect(via).toMatch(new RegExp(`;rport=${port}(;|$)`));
  });

  it('reads compact names, folded lines and several values on one line', async () => {
    const peer = await peerOn(wire);
    const text = [
      'OPTIONS sip:pbxsim.test SIP/2.0',
      `v: SIP/2.0/${wire} ${peer.host};branch=z9hG4bKshort;rport, SIP/2.0/TCP`,
      ' 192.0.2.7:5061;branch=z9hG4bKbehind',
      'max-forwards: 5',
      'f:  "A. Brown" <sip:a@example.net>',
      '   ;tag=tshort',
      't: <sip:pbxsim.test>',
      'i: short@example.net',
      'CSEQ: 7',
      '  OPTIONS',
      'm: <sip:a@192.0.2.7>',
      'k: timer, 100rel',
      'l: 0',
      '',
      '',
    ].join('\r\n');
    peer.send(text);
    const answer = await peer.hears(responseTo('short', 'OPTIONS', 200));
    expect(answer).toMatch(/^From: "A\. Brown" <sip:a@example\.net>\s*;tag=tshort\r$/m);
    expect(answer.match(/SIP\/2\.0\/(?:UDP|TCP|WS) /g)).toHaveLength(2);
    expect(answer.indexOf('z9hG4bKshort')).toBeLessThan(answer.indexOf('z9hG4bKbehind'));
    expect(answer).toMatch(/^CSeq: 7 OPTIONS\r$/m);
  });

  it.each(['PUBLISH', 'MESSAGE', 'FOO', 'prack'])('has no %s: 405 with Allow', async (method) => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method, id: 'unknown' }));
    const answer = await peer.hears(responseTo('unknown', method, 405));
    expect(answer).toMatch(
      /^Allow: INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, INFO, REFER, NOTIFY, SUBSCRIBE, REGISTER\r$/m,
    );
  });

  it.each(['From', 'To', 'Call-ID', 'CSeq'])('refuses a request without %s, and says so', async (name) => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method: 'OPTIONS', id: 'lacks', without: [name] }));
    expect(await peer.hears(/^SIP\/2\.0 400 /)).toMatch(new RegExp(`^SIP/2\\.0 400 .*${name}`));
    await fence(peer, 'after');
    expect(peer.heard).toHaveLength(2);
  });

  it('drops what has no Via, for there is no way to answer it', async () => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method: 'OPTIONS', id: 'lacks', without: ['Via'] }));
    await stage.entry('sip.discarded', (data) => /Via/.test(String(data.why)));
    await fence(peer, 'after');
    expect(peer.heard).toHaveLength(1);
  });

  it('takes an RFC 2543 request without Max-Forwards', async () => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method: 'OPTIONS', id: 'old', without: ['Max-Forwards'] }));
    await peer.hears(responseTo('old', 'OPTIONS', 200));
  });

  it.each(['CANCEL', 'BYE', 'INFO', 'INVITE'])('knows no dialog for a stray %s: 481', async (method) => {
    const peer = await peerOn(wire);
    const to = method === 'CANCEL' ? '<sip:102@pbxsim.test>' : '<sip:102@pbxsim.test>;tag=nobody';
    peer.send(requestText(peer, { method, id: 'stray', to }));
    await peer.hears(responseTo('stray', method, 481));
  });

  it('keeps silent about a stray ACK and a stray response', async () => {
    const peer = await peerOn(wire);
    peer.send(requestText(peer, { method: 'ACK', id: 'stray', to: '<sip:102@pbxsim.test>;tag=nobody' }));
    const response = requestText(peer, { method: 'INVITE', id: 'stray' }).replace(/^.*\r\n/, 'SIP/2.0 200 OK\r\n');
    peer.send(response);
    await fence(peer, 'after');
    expect(peer.heard).toHaveLength(1);
    expect(stage.simulator.world.exchange.stats).toMatchObject({ sessions: 0, clientTransactions: 0 });
  });

  it('asks an INVITE without credentials for them, and takes its ACK', async () => {
    const peer = await peerOn(wire);
    const from = `<sip:${stage.user(0).sip_username}@pbxsim.test>`;
    const uri = 'sip:102@pbxsim.test';
    peer.send(requestText(peer, { method: 'INVITE', id: 'who', uri, from, headers: [`Contact: <sip:${peer.host}>`] }));
    const answer = await peer.hears(responseTo('who', 'INVITE', 407));
    const trying = await peer.hears(responseTo('who', 'INVITE', 100));
    expect(trying).toMatch(/^To: <sip:pbxsim\.test>\r$/m);
    expect(answer).toMatch(/^Proxy-Authenticate: Digest realm="pbxsim\.test", .*algorithm=MD5/m);
    const to = /^To: (.*)\r$/m.exec(answer)?.[1] ?? '';
    peer.send(requestText(peer, { method: 'ACK', id: 'who', uri, from, to }));
    await fence(peer, 'after');
    expect(peer.heard.filter((text) => text.startsWith('SIP/2.0 407'))).toHaveLength(1);
    expect(stage.simulator.world.exchange.stats).toMatchObject({ sessions: 0, calls: 0 });
  });
});

describe('over UDP', () => {
  it('answers a repeated request with the same bytes', async () => {
    const peer = await peerOn('UDP');
    const text = requestText(peer, { method: 'OPTIONS', id: 'again' });
    peer.send(text);
    peer.send(text);
    await fence(peer, 'after');
    const [first, second] = peer.heard;
    expect(first).toMatch(responseTo('again', 'OPTIONS', 200));
    expect(second).toBe(first);
  });

  it('refuses a datagram that is shorter than its Content-Length, and ignores what is longer', async () => {
    const peer = await peerOn('UDP');
    const text = requestText(peer, { method: 'OPTIONS', id: 'cut', body: 'hello' });
    peer.send(text.replace('\r\n\r\nhello', '\r\nContent-Type: text/plain\r\n\r\nhell'));
    await peer.hears(responseTo('cut', 'OPTIONS', 400));
    peer.send(`${requestText(peer, { method: 'OPTIONS', id: 'more' })}and then some`);
    await peer.hears(responseTo('more', 'OPTIONS', 200));
  });

  it('takes keep-alives for what they are', async () => {
    const peer = await peerOn('UDP');
    const before = stage.now;
    for (const text of ['\r\n\r\n', '\0\0\0\0', '']) peer.send(text);
    await fence(peer, 'after');
    expect(peer.heard).toHaveLength(1);
    expect(stage.simulator.journal.query({ after: before, kind: 'sip.discarded' })).toEqual([]);
  });
});

describe('over TCP', () => {
  it('finds the messages in the stream, however it is cut', async () => {
    const peer = await peerOn('TCP');
    const text = ['one', 'two', 'three'].map((id) => requestText(peer, { method: 'OPTIONS', id })).join('');
    peer.send(text);
    for (const id of ['one', 'two', 'three']) await peer.hears(responseTo(id, 'OPTIONS', 200));
    const bytes = Buffer.from(requestText(peer, { method: 'OPTIONS', id: 'slow' }));
    for (const byte of bytes) peer.send(Uint8Array.of(byte));
    await peer.hears(responseTo('slow', 'OPTIONS', 200));
  });

  it('answers a ping between messages with a pong (RFC 5626, 4.4.1)', async () => {
    const peer = await peerOn('TCP');
    peer.send('\r\n\r\n');
    expect(await peer.hears(/^\r\n$/)).toBe('\r\n');
    await fence(peer, 'after');
  });

  it('closes a stream in which no message can be found', async () => {
    const peer = await peerOn('TCP');
    peer.send(`OPTIONS sip:pbxsim.test SIP/2.0\r\n${`X-Long: ${'x'.repeat(1000)}\r\n`.repeat(100)}`);
    await peer.hasBeenClosed();
    await fence(await peerOn('TCP'), 'another');
  });

  it('answers over the connection that the request came on', async () => {
    const [one, two] = [await peerOn('TCP'), await peerOn('TCP')];
    one.send(requestText(one, { method: 'OPTIONS', id: 'mine' }).replace(one.host, two.host));
    await one.hears(responseTo('mine', 'OPTIONS', 200));
    expect(two.heard).toEqual([]);
  });
});

describe('over WebSocket', () => {
  it('wants the subprotocol sip', async () => {
    const response = await fetch(stage.sip.ws.replace('ws:', 'http:'));
    expect(response.status).toBe(426);
    expect(response.headers.get('upgrade')).toBe('websocket');
    await response.text();
  });

  it('closes a connection that sends a message beyond the limit', async () => {
    const peer = await peerOn('WS');
    peer.send(requestText(peer, { method: 'OPTIONS', id: 'huge', headers: [`X-Huge: ${'x'.repeat(70_000)}`] }));
    await peer.hasBeenClosed();
    await fence(await peerOn('WS'), 'another');
  });
});
