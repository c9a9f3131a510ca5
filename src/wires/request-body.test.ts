// The body of a request: whole to the limit and not beyond, whoever goes away.
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type RequestBody, readBody } from './request-body.ts';

/** What is read of those parts with a limit of 8 bytes; undefined where the sender goes away instead of ending. */
async function read(parts: readonly string[], end: 'ends' | 'goes away' = 'ends'): Promise<RequestBody | undefined> {
  const request = new PassThrough();
  let got: RequestBody | undefined;
  readBody(request as unknown as IncomingMessage, 8, (body) => {
    got = body;
  });
  const closed = new Promise((resolve) => request.on('close', resolve));
  for (const part of parts) request.write(part);
  if (end === 'ends') request.end();
  else request.destroy(new Error('aborted'));
  await closed;
  return got;
}

it.each([
  [['abcd', 'efgh'], { text: 'abcdefgh', bytes: 8 }],
  [[], { text: '', bytes: 0 }],
  [['äöüß'], { text: 'äöüß', bytes: 8 }],
  [['abcd', 'efghi'], { text: undefined, bytes: 9 }],
  [['abcdefghij', 'k'], { text: undefined, bytes: 11 }],
] as const)('of the parts %j is %j', async (parts, body) => {
  expect(await read(parts)).toEqual(body);
});

it('is nothing when the sender goes away', async () => {
  expect(await read(['abc'], 'goes away')).toBeUndefined();
});
