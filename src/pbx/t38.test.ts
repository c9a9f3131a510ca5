// Fax machines that would rather send pictures than sound (T.38): they are refused what we do not carry, and the call goes on with sound.
import { describe, expect, it } from 'vitest';
import { bodyText } from '../sip/fields.ts';
import { company, stateOf, talking } from './company.rig.ts';

const head = (version: number) => ['v=0', `o=- 7 ${version} IN IP4 192.0.2.7`, 's=-', 'c=IN IP4 192.0.2.7', 't=0 0'];
const AUDIO = ['m=audio 40000 RTP/AVP 0 8', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:8 PCMA/8000'];
/** As in ITU-T T.38, annex D. */
const IMAGE = [
  'm=image 40002 udptl t38',
  'a=T38FaxVersion:0',
  'a=T38MaxBitRate:14400',
  'a=T38FaxRateManagement:transferredTCF',
  'a=T38FaxMaxBuffer:1024',
  'a=T38FaxMaxDatagram:238',
  'a=T38FaxUdpEC:t38UDPRedundancy',
];
const sdp = (version: number, ...lines: string[]): string => [...head(version), ...lines, ''].join('\r\n');
const mediaLines = (text: string): string[] => text.split('\r\n').filter((line) => line.startsWith('m='));

describe('T.38 in a call that has sound', () => {
  // RFC 3261, 14.2: 488, and the session is what it was.
  it.each([
    ['the picture alone', sdp(2, ...IMAGE)],
    ['the picture instead of the sound', sdp(2, 'm=audio 0 RTP/AVP 0', ...IMAGE)],
    ['a picture over TCP', sdp(2, 'm=image 40002 tcp t38', 'a=T38FaxVersion:0', 'a=setup:actpass')],
    ['a picture over DTLS', sdp(2, 'm=image 40002 UDP/TLS/UDPTL t38', 'a=T38FaxVersion:3')],
  ])('is 488 where the offer is %s; the call goes on, and so does sound', (_, offer) => {
    const { rig, call, callId } = talking();
    const refused = call.reofferRaw(() => offer);
    rig.pass(0);
    expect(refused).toMatchObject([{ status: 488 }]);
    expect(stateOf(rig, callId)).toBe(4);
    const again = call.reofferRaw(() => sdp(3, ...AUDIO));
    rig.pass(0);
    expect(again).toMatchObject([{ status: 200 }]);
    expect(stateOf(rig, callId)).toBe(4);
    expect(rig.eventNames()).not.toContain('call.hangup HANGUP');
    call.hangUp();
    rig.pass(100);
    expect(rig.eventNames().at(-1)).toBe('call.hangup HANGUP');
  });

  it('is 488 in an UPDATE as well', () => {
    const { rig, call, callId } = talking();
    const statuses: number[] = [];
    call.session.update(sdp(2, ...IMAGE), ({ status }) => statuses.push(status));
    rig.pass(0);
    expect(statuses).toEqual([488]);
    expect(stateOf(rig, callId)).toBe(4);
  });

  // RFC 3264, 6 and 8.1: a stream that is added and not taken has port 0 in the answer, in its place.
  it('beside the sound is answered with the sound and port 0', () => {
    const { rig, call, callId } = talking();
    const both = call.reofferRaw(() => sdp(2, ...AUDIO, ...IMAGE));
    rig.pass(0);
    expect(both).toMatchObject([{ status: 200 }]);
    const [outcome] = both;
    const lines = mediaLines(outcome?.response === undefined ? '' : bodyText(outcome.response));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^m=audio [1-9]\d* RTP\/AVP 0/);
    expect(lines[1]).toBe('m=image 0 udptl t38');
    expect(stateOf(rig, callId)).toBe(4);
  });
});

describe('T.38 in the first INVITE', () => {
  it.each([
    ['after the sound', [...AUDIO, ...IMAGE], [/^m=audio [1-9]\d* RTP\/AVP 0/, /^m=image 0 udptl t38$/]],
    ['before the sound', [...IMAGE, ...AUDIO], [/^m=image 0 udptl t38$/, /^m=audio [1-9]\d* RTP\/AVP 0/]],
  ])('%s is left out of the call, in its place', (_, offered, expected) => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1], { body: sdp(1, ...offered) });
    rig.pass(0);
    // The party that is called never hears of the picture.
    expect(mediaLines(bodyText(phones[1].call.session.invite))).toEqual([
      expect.stringMatching(/^m=audio [1-9]\d* RTP\/AVP /),
    ]);
    phones[1].call.answer();
    rig.pass(0);
    const lines = mediaLines(call.answered === undefined ? '' : bodyText(call.answered));
    expect(lines).toHaveLength(2);
    for (const [at, line] of lines.entries()) expect(line).toMatch(expected[at] ?? /never/);
  });

  it('alone is 488 (RFC 3261, 13.3.1.3), and nobody is rung', () => {
    const { rig, phones, exts } = company();
    const call = phones[0].dial(exts[1], { body: sdp(1, ...IMAGE) });
    rig.pass(0);
    expect(call.log).toEqual(['488']);
    expect(phones[1].calls).toHaveLength(0);
  });
});

describe('T.38 at a fax machine of ours', () => {
  it('is 488 in the middle of the fax, which goes on with sound and is received', () => {
    const { rig, network } = company();
    const [ddi] = [...rig.store.ddis.list(rig.customer.customerId)];
    rig.store.ddis.update(ddi?.id ?? '', {
      fax_enabled: true,
      target_type: 0,
      target_id: 0,
      fax_email: 'fax@a.example',
    });
    const before = rig.store.faxes.count(rig.customer.customerId);
    const call = network.dial(ddi?.e164 ?? '', { body: sdp(1, ...AUDIO) });
    rig.pass(4000);
    const refused = call.reofferRaw(() => sdp(2, ...IMAGE));
    rig.pass(0);
    expect(refused).toMatchObject([{ status: 488 }]);
    rig.pass(66_000);
    call.hangUp();
    rig.pass(1000);
    const faxes = [...rig.store.faxes.list(rig.customer.customerId)].slice(before);
    expect(faxes).toMatchObject([{ pages: 2, status: 3 }]);
  });
});
