// What is read at a glance is what the grammar reads, and what is not of the plain form is left to the grammar.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSdp } from './sdp.ts';
import { sheetAtAGlance } from './sdp-glance.ts';

const SIPP = [
  'v=0',
  'o=user1 53655765 2353687637 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 6000 RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
  '',
].join('\r\n');

const number = fc.constantFrom('0', '8', '9', '18', '101', '127', '128', '999');
const attribute = fc.oneof(
  number.map((payload) => `a=rtpmap:${payload} telephone-event/8000`),
  number.map((payload) => `a=rtpmap:${payload} 123/16000`),
  number.map((payload) => `a=fmtp:${payload} 0-16`),
  fc.constantFrom('a=ptime:20', 'a=ptime:30', 'a=sendonly', 'a=inactive', 'a=sendrecv', 'a=rtcp:4001', 'a=rtpmap:0'),
);
const plain = fc
  .record({
    owner: fc.constantFrom('-', 'alice', '007'),
    id: fc.constantFrom('0', '012', '1', '53655765', '12345678901234567890'),
    address: fc.constantFrom('192.0.2.1', '0.0.0.0', 'host.example'),
    port: fc.constantFrom('0', '09', '6000', '65535', '65536', '99999'),
    formats: fc.array(number, { minLength: 1, maxLength: 4 }),
    attributes: fc.array(attribute, { maxLength: 6 }),
    more: fc.constantFrom('', 'b=AS:64\r\n', 'm=video 0 RTP/AVP 31\r\n'),
  })
  .map(
    ({ owner, id, address, port, formats, attributes, more }) =>
      `v=0\r\no=${owner} ${id} ${id} IN IP4 ${address}\r\ns=call\r\nc=IN IP4 ${address}\r\nt=0 0\r\n` +
      `m=audio ${port} RTP/AVP ${formats.join(' ')}\r\n${attributes.map((line) => `${line}\r\n`).join('')}${more}`,
  );

/** The same for the grammar, but nothing for a glance. */
const withOtherLineEnds = (text: string): string => text.replaceAll('\r\n', '\n');

it('reads the descriptions of SIPp at a glance', () => {
  expect(sheetAtAGlance(SIPP)).toEqual({
    origin: { username: 'user1', sessionId: '53655765', sessionVersion: '2353687637', address: '127.0.0.1' },
    connection: { ip: '127.0.0.1' },
    media: [
      {
        ...{ type: 'audio', port: 6000, protocol: 'RTP/AVP', payloads: '0', fmtp: [] },
        rtp: [{ payload: 0, codec: 'PCMU', rate: 8000 }],
      },
    ],
  });
});

it('leaves to the grammar what is of another form', () => {
  expect(sheetAtAGlance(SIPP.replace('c=IN IP4 127.0.0.1\r\n', ''))).toBeUndefined();
  expect(sheetAtAGlance(`${SIPP}a=ssrc:1\r\n`)).toBeUndefined();
  expect(sheetAtAGlance(`${SIPP}a=sendonly`)).toBeUndefined();
  expect(sheetAtAGlance(withOtherLineEnds(SIPP))).toBeUndefined();
  expect(sheetAtAGlance('')).toBeUndefined();
});

it('makes of any description what the grammar makes of it', () => {
  let glances = 0;
  fc.assert(
    fc.property(plain, (text) => {
      if (sheetAtAGlance(text) !== undefined) glances += 1;
      expect(parseSdp(text)).toEqual(parseSdp(withOtherLineEnds(text)));
    }),
    { numRuns: 500 },
  );
  expect(glances).toBeGreaterThan(20);
});
