// The sender that loads its HTTP client late: what is decided at once, and what waits, in order.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { WebhookOutcome } from '../webhooks/sender.ts';
import { LaterHttpsSender } from './https-later.ts';

const request = (url: string, body = '{}') => ({ url, body, headers: {}, timeoutMs: 5000 });

async function receiver(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      bodies.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

it('judges URLs and authorities before anything is loaded', async () => {
  const sender = new LaterHttpsSender({ allowLoopbackHttp: false });
  expect(sender.refusal('https://example.com/hook')).toBeUndefined();
  expect(sender.refusal('http://127.0.0.1:1/')).toBe('must use https (plain http to loopback has to be switched on)');
  expect(() => new LaterHttpsSender({ allowLoopbackHttp: false, ca: 'none' })).toThrow(
    'The file of authorities for webhooks cannot be used: it holds no certificate in PEM.',
  );
  await sender.close();
});

it('sends what came while it loaded, and what came later', async () => {
  const sender = new LaterHttpsSender({ allowLoopbackHttp: true });
  const { url, bodies } = await receiver();
  const post = (body: string) => new Promise<WebhookOutcome>((resolve) => sender.post(request(url, body), resolve));
  const early = await Promise.all([post('one'), post('two')]);
  const late = await post('three');
  expect([...early, late].map((outcome) => outcome.ok && outcome.status)).toEqual([200, 200, 200]);
  expect([...bodies].sort()).toEqual(['one', 'three', 'two']);
  await sender.close();
});

it('fails what is under way when it closes, while it loads too', async () => {
  const sender = new LaterHttpsSender({ allowLoopbackHttp: true });
  const { url } = await receiver();
  const underWay = new Promise<WebhookOutcome>((resolve) => sender.post(request(url), resolve));
  await sender.close();
  expect((await underWay).ok).toBe(false);
});

it('sends nothing after it was closed', async () => {
  const sender = new LaterHttpsSender({ allowLoopbackHttp: true });
  await sender.close();
  const outcomes: WebhookOutcome[] = [];
  sender.post(request('http://127.0.0.1:9/'), (outcome) => outcomes.push(outcome));
  expect(outcomes).toEqual([{ ok: false, error: 'not sent: the sender is closed', ms: 0 }]);
});
