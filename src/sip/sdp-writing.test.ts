// What we write is what sdp-transform would write, for any description.
import fc from 'fast-check';
import { write } from 'sdp-transform';
import { expect, it } from 'vitest';
import { formatSdp, type MediaDescription, type SessionDescription } from './sdp.ts';

const direction = fc.constantFrom('sendrecv' as const, 'sendonly' as const, 'recvonly' as const, 'inactive' as const);
const address = fc.constantFrom('192.0.2.1', '0.0.0.0', '2001:db8::1', 'host.example');
const codec = fc.record(
  {
    payload: fc.nat(127),
    name: fc.constantFrom('PCMU', 'opus', 'telephone-event'),
    rate: fc.constantFrom(8000, 48_000),
    channels: fc.constantFrom(1, 2),
    fmtp: fc.constantFrom('0-16', 'useinbandfec=1;stereo=0'),
  },
  { requiredKeys: ['payload', 'name', 'rate'] },
);
const media: fc.Arbitrary<MediaDescription> = fc.record(
  {
    type: fc.constantFrom('audio', 'video', 'image'),
    port: fc.constantFrom(0, 4000, 65_535),
    protocol: fc.constantFrom('RTP/AVP', 'udptl'),
    formats: fc.array(fc.constantFrom('0', '8', '101', 't38'), { maxLength: 3 }),
    connection: address,
    direction,
    codecs: fc.array(codec, { maxLength: 3 }),
    ptimeMs: fc.constantFrom(20, 30),
  },
  { requiredKeys: ['type', 'port', 'protocol', 'formats', 'codecs'] },
);
const session: fc.Arbitrary<SessionDescription> = fc.record(
  {
    username: fc.constantFrom('-', 'alice'),
    sessionId: fc.nat().map(String),
    version: fc.nat().map(String),
    address,
    connection: address,
    direction,
    media: fc.array(media, { maxLength: 3 }),
  },
  { requiredKeys: ['username', 'sessionId', 'version', 'address', 'media'] },
);

const ipVer = (ip: string): number => (ip.includes(':') ? 6 : 4);
const line = (ip: string | undefined) => (ip === undefined ? {} : { connection: { version: ipVer(ip), ip } });

function peerWrites({ username, sessionId, version, ...rest }: SessionDescription): string {
  return write({
    version: 0,
    origin: {
      username,
      sessionId,
      sessionVersion: Number(version),
      netType: 'IN',
      ipVer: ipVer(rest.address),
      address: rest.address,
    },
    name: '-',
    ...line(rest.connection),
    timing: { start: 0, stop: 0 },
    ...(rest.direction === undefined ? {} : { direction: rest.direction }),
    media: rest.media.map(({ type, port, protocol, formats, connection, codecs, ptimeMs, direction: way }) => {
      const named = { type, port, protocol, payloads: formats.join(' '), ...line(connection) };
      if (port === 0) return { ...named, rtp: [], fmtp: [] };
      return {
        ...named,
        rtp: codecs.map(({ payload, name, rate, channels }) => ({
          payload,
          codec: name,
          rate,
          ...(channels === undefined ? {} : { encoding: channels }),
        })),
        fmtp: codecs.flatMap(({ payload, fmtp }) => (fmtp === undefined ? [] : [{ payload, config: fmtp }])),
        ...(ptimeMs === undefined ? {} : { ptime: ptimeMs }),
        ...(way === undefined ? {} : { direction: way }),
      };
    }),
  });
}

it('writes what sdp-transform writes', () => {
  fc.assert(
    fc.property(session, (description) => {
      expect(formatSdp(description)).toBe(peerWrites(description));
    }),
  );
});
