// The receiver of POSTs: bodies whole and in order, limits, and answers that leave before it closes.
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_POST_BYTES, type Post, PostReceiver } from './post-receiver.ts';

let receiver: PostReceiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

async function open(onPost: (post: Post) => Promise<void>): Promise<string> {
  receiver = await PostReceiver.open(0, onPost);
  return receiver.url;
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
}

describe('the receiver of posts', () => {
  it('hands bodies over one after the other, and answers each when it is done', async () => {
    const got: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await open(async ({ text = '', contentType, bytes }) => {
      got.push(`${text} ${contentType} ${bytes}`);
      if (text === 'one') await held;
      got.push(`${text} done`);
    });
    const first = post(url, 'one');
    while (got.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = post(url, 'two');
    release();
    expect([(await first).status, (await second).status]).toEqual([204, 204]);
    expect(got).toEqual(['one application/json 3', 'one done', 'two application/json 3', 'two done']);
  });

  it('keeps no body that is too long, and says how long it was', async () => {
    const got: Post[] = [];
    const url = await open(async (one) => void got.push(one));
    expect((await post(url, 'x'.repeat(MAX_POST_BYTES + 1))).status).toBe(204);
    expect((await post(url, 'x'.repeat(MAX_POST_BYTES))).status).toBe(204);
    expect(got.map(({ text, bytes }) => [text?.length, bytes])).toEqual([
      [undefined, 1_048_577],
      [1_048_576, 1_048_576],
    ]);
  });

  it('takes POSTs to its path alone', async () => {
    const got: Post[] = [];
    const url = await open(async (one) => void got.push(one));
    expect((await fetch(url)).status).toBe(405);
    expect((await post(`${url}/other`, '{}')).status).toBe(404);
    expect(got).toEqual([]);
  });

  it('closes when a sender has gone away in the middle', async () => {
    const url = await open(async () => {});
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    expect((await post(url, '{}')).status).toBe(204);
  });
});
