// Couriers at a receiver over real HTTP: what they hand on is what was delivered, the sender is answered all the same.
import { afterEach, expect, it } from 'vitest';
import { type Courier, Inbox } from '../run/inbox.ts';
import { forWebhook, ofEvents } from './couriers.ts';

let inbox: Inbox | undefined;
afterEach(() => inbox?.close());

/** Posts these events to `one`, beside which there is `other`; returns what each of both got. */
async function delivered(courier: Courier | undefined, ...events: readonly object[]): Promise<string[]> {
  inbox = await Inbox.open({ host: '127.0.0.1', port: 0, shared: false, courier }, () => {});
  const [url] = [inbox.url('one', ['missed']), inbox.url('other', ['missed'])];
  for (const name of ['one', 'other']) inbox.arm(name);
  for (const event of events) {
    const { status } = await fetch(url ?? '', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) },
    });
    expect(status).toBe(204);
  }
  return inbox.deliveries.map(({ webhook, order, event }) => `${webhook} ${order} ${event}`);
}

const ringing = { id: 'a', event_name: 'call.ringing' };
const missed = { id: 'b', event_name: 'call.missed' };

it('hands everything on when there is none', async () => {
  expect(await delivered(undefined, ringing, missed)).toEqual(['one 1 call.ringing', 'one 2 call.missed']);
});

it('drops, repeats and changes events', async () => {
  const { courier } = ofEvents('m', [], ({ event_name: name, ...event }) =>
    name === 'call.ringing'
      ? []
      : [
          { ...event, event_name: 'call.missed' },
          { ...event, event_name: 'call.failed' },
        ],
  );
  expect(await delivered(courier?.(), ringing, missed)).toEqual(['one 1 call.missed', 'one 2 call.failed']);
});

it('keeps one back until another has come', async () => {
  let kept = (): void => {};
  const late: Courier = (post, handOn) => {
    if (post.text.includes('call.ringing')) {
      kept = () => handOn(post);
      return;
    }
    handOn(post);
    kept();
  };
  expect(await delivered(late, ringing, missed)).toEqual(['one 1 call.missed', 'one 2 call.ringing']);
});

it('hands one on to another webhook of the receiver', async () => {
  const leaking: Courier = (post, handOn) => {
    handOn(post);
    handOn(forWebhook(post, 'other'));
  };
  expect(await delivered(leaking, missed)).toEqual(['one 1 call.missed', 'other 2 call.missed']);
});

it('leaves tests of URLs alone', async () => {
  const { courier } = ofEvents('m', [], () => []);
  expect(await delivered(courier?.(), { event_name: 'webhook.test' })).toEqual(['one 1 webhook.test']);
});
