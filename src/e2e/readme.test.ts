// What README.md tells people to paste works: its credentials, extensions, numbers and paths are those of the seed world.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Facts, SocketStage, WebhookInbox } from './sockets-stage.ts';

const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
const demo = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) => code).find(isDemo) ?? '';
const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(demo)?.[1] ?? '';

/** The block that people paste into a second terminal. */
function isDemo(code: string): boolean {
  return code.includes('AUTH=');
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

let stage: SocketStage;
let inbox: WebhookInbox;

beforeAll(async () => {
  inbox = await WebhookInbox.open();
  stage = await SocketStage.open({ clock: 'manual', allowHttpWebhooks: true });
});

afterAll(async () => {
  await stage.close();
  await inbox.close();
});

/** What `ask`, a curl with the demo's credentials, does with such a line. */
async function ask(line: string, callId: string): Promise<Answer> {
  const filled = line.replaceAll('$ID', callId).replaceAll('\\"', '"');
  const body = /-d '([^']*)'/.exec(filled)?.[1];
  const query = /--data-urlencode "(\w+)=(.*)" /.exec(filled);
  const method = /-X (\w+)/.exec(filled)?.[1] ?? (body === undefined ? 'GET' : 'POST');
  const path = /\$API(\/\S*)/.exec(filled)?.[1] ?? '';
  const search = query === null ? '' : `?${query[1]}=${encodeURIComponent(query[2] ?? '')}`;
  const response = await fetch(`${stage.root}${new URL(setting('API')).pathname}${path}${search}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Basic ${btoa(setting('AUTH'))}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

describe('the demo', () => {
  it('has the key of the first user and the port that serve takes', () => {
    const { user_id, api_key } = stage.user(0);
    expect(setting('AUTH')).toBe(`${user_id}:${api_key}`);
    expect(setting('API')).toBe('http://127.0.0.1:8080/v1.1/pbx');
  });

  it('places a call, sees it, holds it, ends it and reads its record', async () => {
    const answers: Answer[] = [];
    let callId = '';
    for (const line of demo.split('\n')) {
      if (/^sleep (\d+)$/.test(line)) await stage.control('POST', '/clock', { advance: `${line.split(' ')[1]}s` });
      else if (line.startsWith('ID='))
        callId = /"data":\[{"id":(\d+)/.exec((await ask('ask $API/calls', '')).text)?.[1] ?? '';
      else if (line.startsWith('ask ')) answers.push(await ask(line, callId));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 301, 204, 200]);
    const bodies = answers.map(({ text }) => (text === '' ? {} : JSON.parse(text)) as { data?: unknown });
    expect(bodies[1]).toMatchObject({ data: [{ id: Number(callId), state: 4, dst: stage.user(1).ext }], total: 1 });
    expect(bodies[2]).toMatchObject({ data: { id: Number(callId), state: 5 } });
    expect(bodies[4]).toMatchObject({ data: [{ live_id: Number(callId), disposition: 'CONNECTED' }], total: 1 });
    const journal = /curl -s "http:\/\/127\.0\.0\.1:8080(\/_sim\/journal\?[^"]*)"/.exec(readme)?.[1] ?? '';
    const told = await stage.control('GET', journal.replace('/_sim', '').replace('$ID', callId));
    expect(told).toMatchObject({ status: 200, body: { data: expect.arrayContaining([expect.anything()]) } });
  });
});

describe('the control API as it is shown', () => {
  const shown = [...readme.matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/_sim\/[^ `]+) ({[^`]*})`/g)];

  it('has examples', () => {
    expect(shown.map(([, method, path]) => `${method} ${path}`)).toEqual([
      'POST /_sim/clock',
      'PATCH /_sim/phones/102',
      'POST /_sim/phones/102/acts',
      'POST /_sim/calls',
      'POST /_sim/webhooks',
      'POST /_sim/faults',
      'PATCH /_sim/records/users/10000001',
      'POST /_sim/records/queues',
    ]);
  });

  it.each(shown.map(([all]) => [all]))('%s', async (example) => {
    const [, method = '', path = '', text = ''] = /`(\w+) \/_sim(\S+) (.*)`/.exec(example) ?? [];
    const number = stage.simulator.world.customers[0]?.numbers[0] ?? '';
    const body = JSON.parse(text.replace('<a number>', number).replace('https://...', inbox.url)) as Facts;
    expect([200, 201]).toContain((await stage.control(method, path, body)).status);
  });
});

describe('the numbers with fixed endings', () => {
  const rows = [...readme.matchAll(/(\+4420794600\d\d) \| ([^|\n]+?) \|/g)].map(([, number = '', words = '']) => ({
    number,
    words,
  }));

  it('are eight', () => {
    expect(rows.map(({ number }) => number).sort()).toEqual(
      ['01', '02', '03', '04', '05', '06', '07', '08'].map((ending) => `+4420794600${ending}`),
    );
  });

  it.each([
    ['+442079460001', '486 busy', 'User busy'],
    ['+442079460002', 'rings, no answer', 'No answer'],
    ['+442079460003', '480 unavailable', 'No user responding'],
    ['+442079460004', '603 declined', 'Call rejected'],
    ['+442079460005', '503 network failure', 'Temporary failure'],
    ['+442079460006', '404 unknown number', 'Unallocated number'],
    ['+442079460007', 'answers, drops after 2 s', 'Normal clearing'],
    ['+442079460008', 'silence', 'No user responding'],
  ])('%s: %s', async (number, words, cause) => {
    expect(rows).toContainEqual({ number, words });
    const placed = await stage.api('POST', '/calls', { to: number });
    const { id } = placed.body.data as { id: number };
    await stage.control('POST', '/clock', { advance: '3m' });
    expect(await stage.cdr(id)).toMatchObject({ dst: number, t_cause: cause, type: 'O' });
  });
});
