// A TCP stream cut into messages, wherever the network cut it before.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamFramer } from './stream-framer.ts';

const OPTIONS = 'OPTIONS sip:a SIP/2.0\r\nContent-Length: 0\r\n\r\n';
const MESSAGE = 'MESSAGE sip:a SIP/2.0\r\nl : 12\r\nSubject: é\r\n\r\nbody\r\n\r\nbody';
const BARE = 'BYE sip:a SIP/2.0\nCall-ID: 1\n\n';

describe('framing', () => {
  it('cuts by Content-Length, in full or compact, absent as 0', () => {
    expect(frames(new StreamFramer(), OPTIONS + MESSAGE + BARE)).toEqual([OPTIONS, MESSAGE, BARE]);
  });

  it('gives the same messages however the chunks are cut', () => {
    const stream = Buffer.from(`\r\n\r\n${OPTIONS}${MESSAGE}\r\n\r\n${BARE}${MESSAGE}`);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 30 }), (cuts) => {
        let pings = 0;
        const framer = new StreamFramer({ onPing: () => (pings += 1) });
        const messages: string[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), stream.length]) {
          messages.push(...frames(framer, stream.subarray(from, cut)));
          from = cut;
        }
        expect(messages).toEqual([OPTIONS, MESSAGE, BARE, MESSAGE]);
        expect(pings).toBe(2);
        expect(framer.failed).toBeUndefined();
      }),
    );
  });

  it('gives each message bytes of its own', () => {
    const chunk = Buffer.from(OPTIONS);
    const [message] = new StreamFramer().push(chunk);
    chunk.fill(0);
    expect(Buffer.from(message ?? []).toString()).toBe(OPTIONS);
  });
});

describe('keep-alive (RFC 5626, 4.4.1)', () => {
  it('is a pair of line ends between messages, once for each pair', () => {
    let pings = 0;
    const framer = new StreamFramer({ onPing: () => (pings += 1) });
    framer.push(Buffer.from('\r\n'));
    expect(pings).toBe(0);
    framer.push(Buffer.from('\r\n'));
    expect(pings).toBe(1);
    framer.push(Buffer.from('\r\n\r\n\r\n\r\n'));
    expect(pings).toBe(3);
    framer.push(Buffer.from(`\r\n${OPTIONS}\r\n`));
    expect(pings).toBe(3);
  });
});

describe('a stream that cannot be cut', () => {
  it.each([
    ['OPTIONS sip:a SIP/2.0\r\nContent-Length: -1\r\n\r\n', 'Content-Length is no number'],
    ['OPTIONS sip:a SIP/2.0\r\nContent-Length: 1\r\nl: 2\r\n\r\nx', 'Content-Length is no number'],
    ['OPTIONS sip:a SIP/2.0\r\nContent-Length: 70000\r\n\r\n', 'a message longer than 65536 bytes'],
    ['x'.repeat(65_537), 'no end of headers within 65536 bytes'],
  ])('%.60j', (text, why) => {
    const framer = new StreamFramer();
    expect(frames(framer, OPTIONS + text)).toEqual([OPTIONS]);
    expect(framer.failed).toBe(why);
    expect(framer.push(Buffer.from(OPTIONS))).toEqual([]);
  });
});

function frames(framer: StreamFramer, chunk: string | Uint8Array): string[] {
  return framer.push(Buffer.from(chunk)).map((bytes) => Buffer.from(bytes).toString());
}
