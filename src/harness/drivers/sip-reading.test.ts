// What is read from SIP messages that phones exchange.
import { describe, expect, it } from 'vitest';
import { headerOf, readSipMessage, userIn } from './sip-reading.ts';

const invite = (sdp: readonly string[]): string =>
  [
    'INVITE sip:102@pbx.example SIP/2.0',
    'From: "Anna" <sip:1-101@pbx.example>;tag=a1',
    'To: <sip:102@pbx.example>',
    'Call-ID: c1@phone.example',
    'CSeq: 7 INVITE',
    'Content-Type: application/sdp',
    '',
    ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', ...sdp, ''].join('\r\n'),
  ].join('\r\n');

describe('a SIP message at a phone', () => {
  it('is a request with its method, Call-ID and direction of sound', () => {
    const text = invite(['c=IN IP4 192.0.2.1', 't=0 0', 'm=audio 4000 RTP/AVP 0', 'a=sendonly']);
    expect(readSipMessage(text, 'sent')).toEqual({
      direction: 'sent',
      method: 'INVITE',
      sipCallId: 'c1@phone.example',
      sdp: 'sendonly',
      text,
    });
  });

  it('is a response with its status and the method of its CSeq', () => {
    const text = 'SIP/2.0 486 Busy Here\r\ni: c2\r\nCSeq: 7 INVITE\r\n\r\n';
    expect(readSipMessage(text, 'received')).toEqual({
      direction: 'received',
      method: 'INVITE',
      status: 486,
      sipCallId: 'c2',
      text,
    });
  });

  it.each([
    ['sendrecv without a word', ['c=IN IP4 192.0.2.1', 't=0 0', 'm=audio 4000 RTP/AVP 0'], 'sendrecv'],
    ['the session’s word', ['c=IN IP4 192.0.2.1', 't=0 0', 'a=inactive', 'm=audio 4000 RTP/AVP 0'], 'inactive'],
    [
      'the stream’s word over the session’s',
      ['c=IN IP4 192.0.2.1', 't=0 0', 'a=sendrecv', 'm=audio 4000 RTP/AVP 0', 'a=recvonly'],
      'recvonly',
    ],
    ['held by an address of zeros', ['c=IN IP4 0.0.0.0', 't=0 0', 'm=audio 4000 RTP/AVP 0'], 'sendonly'],
    [
      'the audio’s word, not the video’s',
      ['c=IN IP4 192.0.2.1', 't=0 0', 'm=video 0 RTP/AVP 31', 'a=inactive', 'm=audio 4000 RTP/AVP 0', 'a=sendonly'],
      'sendonly',
    ],
  ])('takes %s', (_what, sdp, direction) => {
    expect(readSipMessage(invite(sdp), 'received')?.sdp).toBe(direction);
  });

  it('is nothing when it does not begin as SIP does', () => {
    expect(readSipMessage('GET / HTTP/1.1\r\n\r\n', 'received')).toBeUndefined();
  });

  it('names its parties', () => {
    const text = invite(['t=0 0']);
    expect([userIn(text, 'From'), userIn(text, 'To')]).toEqual(['1-101', '102']);
    expect(headerOf(text, 'cseq')).toBe('7 INVITE');
    expect(headerOf(text, 'o=-')).toBeUndefined();
  });
});
