// What reaches HTTP and is none, or hardly: every answer is JSON, and the next client is served.
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpListener } from './http-listener.ts';

describe('an HTTP listener', () => {
  let listener: HttpListener;

  beforeEach(async () => {
    listener = await HttpListener.open({
      host: '127.0.0.1',
      port: 0,
      maxHeaderBytes: 4096,
      handler: (request, response) => {
        if (request.url === '/endless') response.write('a first piece');
        else response.end(`served ${request.url}`);
      },
    });
  });
  afterEach(() => listener.close());

  const send = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
      socket.write(text);
    });

  it.each([
    ['nonsense', 'hello\r\n\r\n', '400', 'This is not an HTTP request that can be read.'],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(5000)}\r\n\r\n`,
      '431',
      "The request's headers are larger than 4096 bytes.",
    ],
    [
      'CONNECT',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      '405',
      'This is a server, not a proxy: it has no method CONNECT.',
    ],
  ])('refuses %s in JSON', async (_, text, status, message) => {
    const [head = '', body = ''] = (await send(text)).split('\r\n\r\n');
    expect(head.split(' ')[1]).toBe(status);
    expect(JSON.parse(body)).toEqual({ message, errors: [message] });
  });

  it.each([
    ['without a Host', 'GET /a HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['with an expectation that nobody knows', 'GET /a HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n'],
  ])('hands a request %s to its handler', async (_, text) => {
    expect(await send(text)).toContain('served /a');
  });

  it('puts no refusal into the middle of an answer that is being sent', async () => {
    const { port } = new URL(listener.url);
    const socket = connect(Number(port), '127.0.0.1');
    const heard = new Promise<string>((resolve) => {
      let answer = '';
      let isSpoilt = false;
      socket.on('data', (chunk) => {
        answer += chunk;
        if (!isSpoilt) socket.write('this is no request\r\n\r\n');
        isSpoilt = true;
      });
      socket.on('error', () => {}).on('close', () => resolve(answer));
    });
    socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = await heard;
    expect(answer).toContain('a first piece');
    expect(answer).not.toContain('400');
  });

  it('says in one sentence why it cannot listen', async () => {
    const port = Number(new URL(listener.url).port);
    await expect(
      HttpListener.open({ host: '127.0.0.1', port, maxHeaderBytes: 4096, handler: () => {} }),
    ).rejects.toThrow(`HTTP cannot listen on 127.0.0.1:${port}: the port is in use.`);
  });
});
