// Messages out of a TCP stream, however it is chopped.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageCutter } from './message-cutter.ts';

const BYE = 'BYE sip:101@127.0.0.1 SIP/2.0\r\nContent-Length: 0\r\n\r\n';
const INFO = 'INFO sip:101@127.0.0.1 SIP/2.0\r\nl: 12\r\n\r\nSignal=1\r\n\r\n';
const OK = 'SIP/2.0 200 OK\r\nCSeq: 1 BYE\r\n\r\n';

/** What comes out when the stream arrives in chunks of these sizes, the last one repeated. */
function cut(
  stream: string,
  sizes: readonly number[],
): { messages: string[]; pings: number; failed: string | undefined } {
  let pings = 0;
  const cutter = new MessageCutter(() => {
    pings += 1;
  });
  const messages: string[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? stream.length;
    for (const message of cutter.push(Buffer.from(stream.slice(at, at + size))))
      messages.push(Buffer.from(message).toString());
    at += size;
  }
  return { messages, pings, failed: cutter.failed };
}

describe('a stream of messages', () => {
  it('is cut by Content-Length, long or compact, and 0 without', () => {
    expect(cut(BYE + INFO + OK, [10_000]).messages).toEqual([BYE, INFO, OK]);
  });

  it('is cut alike however it is chopped', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        expect(cut(`${BYE}\r\n\r\n${INFO}${OK}`, sizes)).toEqual({
          messages: [BYE, INFO, OK],
          pings: 1,
          failed: undefined,
        });
      }),
    );
  });

  it('may hold pings, and answers to pings of ours', () => {
    expect(cut(`\r\n\r\n${BYE}\r\n${INFO}\r\n\r\n\r\n\r\n`, [10_000])).toMatchObject({
      messages: [BYE, INFO],
      pings: 3,
    });
  });

  it('is given up when a message is absurdly long', () => {
    expect(cut(`BYE sip:a SIP/2.0\r\nContent-Length: 999999999\r\n\r\n${BYE}`, [10_000])).toMatchObject({
      messages: [],
      failed: 'a message longer than 262144 bytes',
    });
    expect(cut('x'.repeat(300_000), [50_000]).failed).toBe('headers longer than 262144 bytes');
  });
});
