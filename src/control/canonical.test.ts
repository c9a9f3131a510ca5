// Two runs over sockets differ in what peers choose and in when; their canonical journals do not.
import { describe, expect, it } from 'vitest';
import { Journal } from '../kernel/journal.ts';
import { canonical } from './canonical.ts';

function invite(port: number, callId: string, branch: string, tag: string, cseq: number): string {
  const sdp = `v=0\r\no=- ${port}77 1 IN IP4 127.0.0.1\r\nm=audio ${port + 2} RTP/AVP 8\r\n`;
  return [
    'INVITE sip:102@127.0.0.1:5060 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${branch};received=127.0.0.1;rport=${port}`,
    `From: <sip:101@pbx.example>;tag=${tag}`,
    'To: <sip:102@pbx.example>',
    `Call-ID: ${callId}`,
    `CSeq: ${cseq} INVITE`,
    `Content-Length: ${sdp.length}`,
    '',
    sdp,
  ].join('\r\n');
}

function run(start: number, port: number, callId: string, branch: string, resent: boolean) {
  let now = start;
  const journal = new Journal({ now: () => now });
  const text = invite(port, callId, branch, `t${port}`, port);
  const data = { flow: `udp:127.0.0.1:${port}`, method: 'INVITE', sip_call_id: callId, text };
  const seq = journal.append('sip.in', { callId: 10000001, customerId: 1, data });
  if (resent) {
    now += 500;
    journal.append('rest.request', { data: {} });
    journal.append('sip.in', { callId: 10000001, customerId: 1, data });
  }
  const state = journal.append('call.state', { callId: 10000001, customerId: 1, cause: seq, data: { to: 'INITIAL' } });
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
  journal.append('event', { callId: 10000001, customerId: 1, cause: state, data: { name: 'call.initial', time } });
  return canonical(journal.query({ callId: 10000001 }));
}

describe('the canonical form', () => {
  it('is the same for two runs with other ports, identifiers, times and a retransmission', () => {
    const one = run(Date.UTC(2026, 0, 1), 40001, 'abc@host', 'z9hG4bKone', false);
    const two = run(Date.UTC(2026, 5, 7), 51234, 'a-much-longer-call-id', 'z9hG4bKother', true);
    expect(two).toEqual(one);
  });

  it('names things in the order in which they appear, and keeps everything else', () => {
    const [message, state, event] = run(0, 40001, 'abc@host', 'z9hG4bKone', false);
    expect(message).toEqual({
      seq: 1,
      kind: 'sip.in',
      call_id: 'call-1',
      customer_id: 1,
      cause: null,
      data: {
        flow: 'flow-1',
        method: 'INVITE',
        sip_call_id: 'dialog-1',
        text: [
          'INVITE sip:102@address-1 SIP/2.0',
          'Via: SIP/2.0/UDP address-2;branch=branch-1;received=address-3;rport=port-2',
          'From: <sip:101@pbx.example>;tag=tag-1',
          'To: <sip:102@pbx.example>',
          'Call-ID: dialog-1',
          'CSeq: cseq-1 INVITE',
          '',
          'v=0\r\no=- session-1 IN IP4 address-3\r\nm=audio port-1 RTP/AVP 8\r\n',
        ].join('\r\n'),
      },
    });
    expect(state).toMatchObject({ seq: 2, cause: 1, data: { to: 'INITIAL' } });
    expect(event).toMatchObject({ seq: 3, cause: 2, data: { name: 'call.initial', time: 'time' } });
  });

  it('tells a difference in signalling', () => {
    const journal = new Journal({ now: () => 0 });
    journal.append('sip.out', { data: { text: 'SIP/2.0 486 Busy Here\r\n', flow: 'f' } });
    journal.append('sip.out', { data: { text: 'SIP/2.0 603 Decline\r\n', flow: 'f' } });
    const [busy, decline] = canonical(journal.query());
    expect(busy?.data).not.toEqual(decline?.data);
  });
});
