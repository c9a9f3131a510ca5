// The webhook receiver over real HTTP: everything is kept, told apart, validated; nothing that comes can break it.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LocalAuthority } from '../../wires/authority/local-authority.ts';
import { HttpClient } from '../../wires/http-client.ts';
import { systemTime } from '../../wires/system-time.ts';
import { Inbox, MAX_BODY_BYTES, type RawDelivery } from './inbox.ts';

const { alarm } = systemTime();

let inbox: Inbox | undefined;
afterEach(() => inbox?.close());

async function open(shared = false): Promise<Inbox> {
  inbox = await Inbox.open({ host: '127.0.0.1', port: 0, shared }, () => {});
  return inbox;
}

function post(url: string, body: string, type = 'application/json'): Promise<number> {
  return fetch(url, { method: 'POST', headers: { 'content-type': type }, body }).then(({ status }) => status);
}

const sms = {
  id: 's1',
  event_time: '2026-01-01 08:00:00',
  event_name: 'sms.received',
  customer_id: 1,
  user_id: null,
  from_no: '+442079460911',
  to_no: '+442079460101',
  text: 'hello',
};

describe('the inbox', () => {
  it('keeps every delivery of an armed webhook, in order', async () => {
    const box = await open();
    const url = box.url('texts', ['sms_received']);
    expect(await post(url, '{"event_name": "webhook.test"}')).toBe(204);
    box.arm('texts');
    expect([await post(url, JSON.stringify(sms)), await post(url, JSON.stringify(sms))]).toEqual([204, 204]);
    expect(box.deliveries.map(({ webhook, order, event, id, flaws }) => [webhook, order, event, id, flaws])).toEqual([
      ['texts', 1, 'sms.received', 's1', []],
      ['texts', 2, 'sms.received', 's1', []],
    ]);
    expect(box.handling).toBe(0);
  });

  it.each([
    ['no JSON', '{"event', 'application/json', ['expected a JSON object']],
    ['a list', '[]', 'application/json', ['expected a JSON object']],
    ['another type', JSON.stringify(sms), 'text/plain', ['expected Content-Type application/json, got text/plain']],
    [
      'a wrong member',
      JSON.stringify({ ...sms, user_id: 'ben' }),
      'application/json',
      ['/user_id: expected integer or null, found "ben"'],
    ],
    [
      'local time',
      JSON.stringify({ ...sms, event_time: '2026-01-01T08:00:00+01:00' }),
      'application/json',
      ['/event_time: expected UTC, YYYY-MM-DD HH:MM:SS, found "2026-01-01T08:00:00+01:00"'],
    ],
    [
      'a body without end',
      `"${'x'.repeat(MAX_BODY_BYTES)}"`,
      'application/json',
      [`expected at most ${MAX_BODY_BYTES} bytes, got ${MAX_BODY_BYTES + 2}`, 'expected a JSON object'],
    ],
  ])('notes what breaks the contract: %s', async (_what, body, type, flaws) => {
    const box = await open();
    const url = box.url('texts', ['sms_received']);
    box.arm('texts');
    expect(await post(url, body, type)).toBe(204);
    expect(box.deliveries.map((delivery) => delivery.flaws)).toEqual([flaws]);
  });

  it('takes nothing at other addresses', async () => {
    const box = await open();
    const url = box.url('texts', ['sms_received']);
    expect([await post(`${url}/more`, '{}'), (await fetch(url)).status]).toEqual([404, 404]);
    expect(box.deliveries).toEqual([]);
  });

  it('shares one address set up by hand by what each webhook wants', async () => {
    const box = await open(true);
    const url = box.url('texts', ['sms_received']);
    box.url('missed', ['missed']);
    box.arm('texts');
    box.arm('missed');
    await post(url.replace('/hooks/texts', '/anything'), JSON.stringify(sms));
    await post(url, '{"event_name": "call.unheard_of"}');
    expect(box.deliveries.map(({ webhook, event }) => `${webhook} ${event}`)).toEqual([
      'texts sms.received',
      'texts call.unheard_of',
      'missed call.unheard_of',
    ]);
  });

  it('answers what it is told to, one delivery each, and 204 after that', async () => {
    const heard: RawDelivery[] = [];
    const options = { host: '127.0.0.1', port: 0, shared: false, alarm: (ms: number, fn: () => void) => alarm(ms, fn) };
    inbox = await Inbox.open({ ...options, heard: (one) => void heard.push(one) }, () => {});
    const url = inbox.url('texts', ['sms_received']);
    inbox.arm('texts');
    inbox.program('texts', [
      { status: 500 },
      { status: 302, location: '/elsewhere' },
      'reset',
      { status: 204, afterMs: 30 },
    ]);
    const again = () => fetch(url, { method: 'POST', redirect: 'manual', body: JSON.stringify(sms) });
    expect((await again()).status).toBe(500);
    const redirected = await again();
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/elsewhere']);
    await expect(again()).rejects.toThrow();
    expect((await again()).status).toBe(204);
    expect((await again()).status).toBe(204);
    expect(heard.map(({ answer }) => answer)).toEqual(['500', '302 to /elsewhere', 'reset', '204 after 30 ms', '204']);
    // Attempts at one event, told apart from events by its id.
    expect(new Set(inbox.deliveries.map(({ id }) => id)).size).toBe(1);
  });

  it('never answers when told so, and lets go when it closes', async () => {
    const box = await open();
    const url = box.url('texts', ['sms_received']);
    box.program('texts', ['timeout']);
    const asked = post(url, JSON.stringify(sms));
    await vi.waitFor(() => expect(box.handling).toBe(1));
    await box.close();
    await expect(asked).rejects.toThrow();
  });

  it('speaks HTTPS with an identity', async () => {
    const authority = LocalAuthority.make();
    const identity = authority.certificateFor([]);
    inbox = await Inbox.open({ host: '127.0.0.1', port: 0, shared: false, identity: () => identity }, () => {});
    const url = inbox.url('texts', ['sms_received']);
    inbox.arm('texts');
    const http = new HttpClient({ ca: authority.pem });
    expect(await http.send({ method: 'POST', url, body: JSON.stringify(sms) })).toMatchObject({
      ok: true,
      status: 204,
    });
    await http.close();
    expect([url.startsWith('https://'), inbox.deliveries.length]).toEqual([true, 1]);
  });
});
