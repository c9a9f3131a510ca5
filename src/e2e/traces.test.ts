// Traces from end to end: a call's ladder beside what was asked and posted, and its capture as tshark reads it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchLadder } from '../cli/ladder.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { pcapOf } from '../media/pcap.ts';
import { BarePhone } from './sockets-phone.ts';
import { SocketStage, WebhookInbox } from './sockets-stage.ts';
import { interop, tshark } from './tshark.ts';

let stage: SocketStage;
let inbox: WebhookInbox;

async function open(clock: 'manual' | 'real'): Promise<void> {
  inbox = await WebhookInbox.open();
  stage = await SocketStage.open({ clock, allowHttpWebhooks: true });
  await stage.hear(inbox);
}

afterEach(async () => {
  await stage.close();
  await inbox.close();
});

async function pass(by: string): Promise<void> {
  expect(await stage.control('POST', '/clock', { advance: by })).toMatchObject({ status: 200, body: { busy: 0 } });
}

interface LadderRow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly note: string;
}

async function ladder(callId: number): Promise<string[]> {
  const { body } = await stage.control('GET', `/calls/${callId}/ladder?form=json`);
  return (body.rows as LadderRow[]).map(({ from, to, label }) => (from === to ? label : `${from} > ${to}: ${label}`));
}

async function file(path: string): Promise<Buffer> {
  const { user_id, api_key } = stage.user(0);
  const authorization = `Basic ${Buffer.from(`${user_id}:${api_key}`).toString('base64')}`;
  const response = await fetch(`${stage.root}/v1.1/pbx${path}`, { headers: { authorization } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('the ladder', () => {
  beforeEach(() => open('manual'));

  it('of a click-to-call has the requests, every SIP message and the POSTs in their order', async () => {
    const placed = await stage.api('POST', '/calls', { to: stage.user(1).ext });
    const { id } = placed.body.data as { id: number };
    await pass('5s');
    await stage.api('DELETE', `/calls/${id}`);
    await pass('0s');
    expect(await ladder(id)).toEqual([
      'rest > exchange: POST /calls',
      'exchange > caller: INVITE (SDP)',
      'INITIAL',
      'exchange > rest: 201',
      'caller > exchange: 100 Trying',
      'caller > exchange: 180 Ringing',
      'exchange > webhook: POST call.initial',
      'caller > exchange: 200 OK (SDP)',
      'exchange > caller: ACK',
      'ACCEPTED',
      'exchange > callee: INVITE (SDP)',
      'callee > exchange: 100 Trying',
      'callee > exchange: 180 Ringing',
      'RINGING',
      'exchange > webhook: POST call.ringing',
      'callee > exchange: 200 OK (SDP)',
      'exchange > callee: ACK',
      'CONNECTED',
      'exchange > caller: INVITE (SDP)',
      'caller > exchange: 100 Trying',
      'caller > exchange: 200 OK (SDP)',
      'exchange > caller: ACK',
      'exchange > webhook: POST call.connected',
      `rest > exchange: DELETE /calls/${id}`,
      'exchange > caller: BYE',
      'exchange > callee: BYE',
      'HANGUP',
      'exchange > rest: 204',
      'caller > exchange: 200 OK (BYE)',
      'callee > exchange: 200 OK (BYE)',
      'exchange > webhook: POST call.hangup',
    ]);
    const cdr = await stage.cdr(id);
    const text = (await file(`/cdrs/${cdr.id}.trace`)).toString();
    expect(text).toMatch(/^Call \d+: 101 -> 102, 2026-01-01T00:00:00\.000Z; Normal clearing\n/);
    expect(text).toContain('"event_name": "call.hangup"');
    expect(await fetchLadder(String(id), { control: `${stage.root}/_sim` })).toBe(text);
    expect(JSON.parse(await fetchLadder(String(id), { control: `${stage.root}/_sim/`, json: true }))).toMatchObject({
      call_id: id,
    });
  });

  it('begins with the order that a simulated phone was given', async () => {
    const { call_id: id } = await stage.act('102', 'call', { to: '101' });
    await pass('5s');
    await stage.act('102', 'hangup');
    const rows = await ladder(Number(id));
    expect(rows.slice(0, 4)).toEqual([
      'rest > exchange: /_sim/phones/102/acts',
      'caller > exchange: INVITE (SDP)',
      'exchange > caller: 100 Trying',
      'exchange > caller: 407 Proxy Authentication Required',
    ]);
    expect(rows.filter((row) => row === 'rest > exchange: /_sim/phones/102/acts')).toHaveLength(2);
    expect(rows.filter((row) => row.startsWith('rest'))).toHaveLength(2);
  });

  it('is refused by the command line in one sentence', async () => {
    const control = `${stage.root}/_sim`;
    await expect(fetchLadder('19999999', { control })).rejects.toThrow(
      'There is no call 19999999: none in progress has that id, and no record of a call that has ended.',
    );
    await expect(fetchLadder('first', { control })).rejects.toThrow('first is no id of a call');
    await expect(fetchLadder('1', { control: 'here' })).rejects.toThrow('--control here is no URL');
    await expect(fetchLadder('1', { control: `${stage.root}/nowhere` })).rejects.toThrow();
    await expect(fetchLadder('1', { control: 'http://127.0.0.1:1/_sim' })).rejects.toThrow(
      /^No simulator answers at http:\/\/127\.0\.0\.1:1 \([\w ]+\)/,
    );
  });

  it('is gone with the world that a reset ends', async () => {
    const { call_id: id } = await stage.act('102', 'call', { to: '101' });
    await stage.control('POST', '/reset');
    expect((await stage.control('GET', `/calls/${id}/ladder`)).status).toBe(404);
  });
});

const readers = interop ? ['tshark'] : [];
describe.each(readers)('%s', () => {
  it('reads the capture of a call between simulated phones: each message with its time', async () => {
    await open('manual');
    const { call_id: id } = await stage.act('102', 'call', { to: '101' });
    await pass('7s');
    await stage.act('102', 'hangup');
    const cdr = await stage.cdr(Number(id));
    const packets = tshark(await file(`/cdrs/${cdr.id}.pcap`), [
      'frame.time_relative',
      'ip.src',
      'ip.dst',
      'sip.Method',
      'sip.Status-Code',
    ]);
    const [P, A, B] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    const at = (time: string) => (line: string) => `${time}.000000000 ${line}`;
    expect(packets.map((line) => line.trimEnd().replace(/ +/g, ' '))).toEqual([
      ...[
        `${A} ${P} INVITE`,
        `${P} ${A} 100`,
        `${P} ${A} 407`,
        `${A} ${P} ACK`,
        `${A} ${P} INVITE`,
        `${P} ${A} 100`,
        `${P} ${B} INVITE`,
        `${B} ${P} 100`,
        `${B} ${P} 180`,
        `${P} ${A} 180`,
      ].map(at('0')),
      ...[`${B} ${P} 200`, `${P} ${B} ACK`, `${P} ${A} 200`, `${A} ${P} ACK`].map(at('2')),
      ...[`${A} ${P} BYE`, `${P} ${A} 200`, `${P} ${B} BYE`, `${B} ${P} 200`].map(at('7')),
    ]);
  });

  it('reads the capture of a phone on a real socket: its own address and ports, both legs apart', async () => {
    await open('real');
    await stage.behave('102', { on_call: 'answer', after_ms: 50 });
    const phone = await BarePhone.open(stage.user(0), stage.sip, 'traced');
    try {
      await phone.register();
      const before = stage.now;
      phone.dial('102');
      const id = await stage.callBegun(before);
      const live = await stage.inState(id, 'CONNECTED');
      await stage.api('DELETE', `/calls/${id}`);
      await stage.callOver(id);
      const cdr = await stage.cdr(id);
      const ports = `${phone.address.port} ${stage.sip.udp.port}`;
      const lines = tshark(await file(`/cdrs/${cdr.id}.pcap`));
      const sent = lines.filter((line) => line.includes(`127.0.0.1 127.0.0.1 ${ports}`));
      expect(sent.map((line) => line.split(' ').at(5))).toEqual(expect.arrayContaining(['INVITE', 'ACK']));
      const msdrs = [...stage.simulator.world.store.msdrs.list(1)].filter(
        ({ call_id }) => call_id === live.src_call_id,
      );
      expect(msdrs).toHaveLength(1);
      const own = tshark(await file(`/msdrs/${msdrs[0]?.id}.pcap`));
      expect(own).toEqual(lines.filter((line) => line.includes('127.0.0.1')));
      expect(own.length).toBeLessThan(lines.length);
    } finally {
      await phone.close();
    }
  });

  it.each([
    ['UDP over IPv4 in fragments', 'UDP', '127.0.0.1:5060', '192.0.2.9:50123'],
    ['UDP over IPv6 in fragments', 'UDP', '[2001:db8::1]:5060', '[2001:db8::9]:50123'],
    ['TCP', 'TCP', '127.0.0.1:5060', '127.0.0.1:50123'],
    ['WebSocket', 'WS', '127.0.0.1:5066', '127.0.0.1:50123'],
    ['memory', 'MEM', 'pbxsim.test:5060', 'phone-1.invalid:5060'],
  ])('reads a message of 6,000 bytes over %s, and its answer', async (_, transport, local, remote) => {
    await open('manual');
    const head = [
      'From: <sip:a@x.test>;tag=1',
      'To: <sip:b@x.test>',
      'Call-ID: big@x.test',
      'CSeq: 1 INVITE',
      'Via: SIP/2.0/UDP x.test;branch=z9hG4bK1',
    ];
    const texts = [
      [
        'INVITE sip:b@x.test SIP/2.0',
        ...head,
        'Max-Forwards: 70',
        `Subject: ${'x'.repeat(5999)}`,
        'Content-Length: 0',
        '',
        '',
      ],
      ['SIP/2.0 486 Busy Here', ...head, 'Content-Length: 0', '', ''],
    ].map((lines) => lines.join('\r\n'));
    const entries = texts.map(
      (text, index): JournalEntry => ({
        seq: index + 1,
        at: 1_767_225_600_001 + index,
        kind: index === 0 ? 'sip.in' : 'sip.out',
        callId: 1,
        customerId: 1,
        cause: null,
        data: { transport, local, remote, text },
      }),
    );
    expect(tshark(pcapOf({ entries }), ['frame.time_epoch', 'sip.Method', 'sip.Status-Code', 'sip.Subject'])).toEqual([
      `1767225600.001000000 INVITE  ${'x'.repeat(5999)}`,
      '1767225600.002000000  486 ',
    ]);
  });
});
