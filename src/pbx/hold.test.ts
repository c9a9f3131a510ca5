// Hold and resume in every form, as stories.
import { describe, expect, it } from 'vitest';
import { stateOf, talking } from './company.rig.ts';

const directionLine = (body: Uint8Array | undefined) =>
  /a=(sendrecv|sendonly|recvonly|inactive)/.exec(new TextDecoder().decode(body))?.[1];

describe('hold', () => {
  it.each([
    ['sendonly', 'recvonly'],
    ['inactive', 'inactive'],
  ] as const)('is a re-INVITE %s, answered %s; sendrecv resumes', (offered, answered) => {
    const { rig, call, callId } = talking();
    const held = call.reoffer(offered);
    rig.pass(0);
    expect(held).toMatchObject([{ status: 200 }]);
    expect(directionLine(held[0]?.response?.body)).toBe(answered);
    expect(stateOf(rig, callId)).toBe(5);
    const resumed = call.reoffer('sendrecv');
    rig.pass(0);
    expect(directionLine(resumed[0]?.response?.body)).toBe('sendrecv');
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
  });

  it('is also c=0.0.0.0, the old way', () => {
    const { rig, call, callId } = talking();
    call.reofferRaw(call.sdp().replace(/c=IN IP4 127\.0\.0\.1/, 'c=IN IP4 0.0.0.0'));
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
  });

  it('lasts while either party holds, with one event each way', () => {
    const { rig, call, phones, callId } = talking();
    call.reoffer('sendonly');
    rig.pass(0);
    phones[1].call.reoffer('sendonly');
    rig.pass(0);
    call.reoffer('sendrecv');
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(5);
    phones[1].call.reoffer('sendrecv');
    rig.pass(0);
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames().slice(3)).toEqual(['call.hold ON_HOLD', 'call.unhold CONNECTED']);
  });

  it('refused with 488 keeps the state', () => {
    const { rig, call, callId } = talking();
    const outcome = call.reofferRaw(
      'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 97\r\na=rtpmap:97 iLBC/8000\r\na=sendonly\r\n',
    );
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 488 }]);
    expect(stateOf(rig, callId)).toBe(4);
  });

  it('can end by hanging up', () => {
    const { rig, call } = talking();
    call.reoffer('sendonly');
    rig.pass(0);
    call.hangUp();
    rig.pass(0);
    expect(rig.eventNames().slice(-2)).toEqual(['call.hold ON_HOLD', 'call.hangup HANGUP']);
    expect(rig.events.at(-1)).toMatchObject({ terminatedBy: 'caller' });
  });
});
