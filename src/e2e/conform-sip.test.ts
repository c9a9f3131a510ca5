// The judge's checks with phones of its own, SIP user agents that register at the target, and with webhooks that somebody set up by hand.
import { afterEach, expect, it } from 'vitest';
import { leaseSimulator } from '../cli/fresh-simulator.ts';
import type { TargetLease } from '../harness/run/run-plans.ts';
import { HttpClient } from '../wires/http-client.ts';
import { HttpListener } from '../wires/http-listener.ts';
import { authority, judge, receiverIdentity, told } from './conform-stage.ts';

let lease: TargetLease | undefined;
let http: HttpClient | undefined;
afterEach(async () => {
  await http?.close();
  await lease?.close();
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const listener = await HttpListener.open({ host: '127.0.0.1', port: 0, maxHeaderBytes: 1024, handler: () => {} });
  const { port } = new URL(listener.url);
  await listener.close();
  return Number(port);
}

/** What a person does in the administration application: the URL answers while it is being saved. */
async function setUpByHand(client: HttpClient, control: string, port: number, scheme: string): Promise<void> {
  const answering = await HttpListener.open({
    ...{ host: '127.0.0.1', port, maxHeaderBytes: 65_536 },
    ...(scheme === 'https' ? { identity: receiverIdentity } : {}),
    handler: (request, response) => void request.resume().on('end', () => response.writeHead(204).end()),
  });
  const body = { name: 'By hand', url: `${scheme}://127.0.0.1:${port}/hooks`, events: ['call_state_change'] };
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', url: `${control}/webhooks`, headers, body: JSON.stringify(body) };
  expect(await client.send(asked)).toMatchObject({ ok: true, status: 201 });
  await answering.close();
}

it.each(['https', 'http'])(
  'finds a simulator that it knows by SIP, REST and one webhook over %s in order',
  async (scheme) => {
    lease = await leaseSimulator({
      ...{ seed: 1, clock: 'real' },
      ...(scheme === 'https' ? { webhookCa: authority.pem } : {}),
    });
    http = new HttpClient();
    const port = await freePort();
    const { control, ...target } = lease.target;
    await setUpByHand(http, control?.root ?? '', port, scheme);
    // Its own handsets would answer beside the judge's phones.
    for (const ext of [target.users.first?.ext, target.users.second?.ext])
      await http.send({ method: 'DELETE', url: `${control?.root}/phones/${ext}` });
    const webhooks = { how: 'by_hand', listen: { host: '127.0.0.1', port } } as const;
    const only = [
      'call-records/billsec',
      'calls/active',
      'calls/gone',
      'events/hold',
      'events/order',
      'events/field-*',
    ];
    const run = await judge(
      { ...target, webhooks },
      {
        http,
        plain: scheme === 'http',
        only: [...only, 'events/category-ringing', 'events/once'],
      },
    );
    const other = run.checks.filter(({ id, verdict }) => !/^[A-Z]/.test(id) && verdict !== 'pass');
    expect(other.filter(({ verdict }) => verdict !== 'unevaluable').map(told)).toEqual([]);
    // Each category needs a webhook of its own, which only the control API can set up.
    expect(other.map(({ id }) => id)).toEqual(['events/category-ringing']);
    expect(run.messages?.some(({ text }) => /^SIP\/2\.0 200/.test(text))).toBe(true);
    expect(run.deliveries?.map(({ event }) => event)).toContain('call.unhold');
  },
  60_000,
);
