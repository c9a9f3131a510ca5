// Faxes, call-me-backs and chats through the whole simulator: calls on the trunk, records, mails, events.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSimulator, type PbxSimulator } from '../index.ts';

const interop = process.env.PBXSIM_INTEROP !== 'off';

/** What a program of poppler says of a PDF. */
function poppler(command: 'pdfinfo' | 'pdftotext', file: Buffer): string {
  const { status, stdout, stderr } = spawnSync(command, command === 'pdfinfo' ? ['-'] : ['-layout', '-', '-'], {
    input: file,
  });
  expect([status, stderr.toString()]).toEqual([0, '']);
  return stdout.toString();
}

let simulator: PbxSimulator;
beforeEach(async () => {
  simulator = await createSimulator({ http: false });
});
afterEach(() => simulator.close());

async function sim(method: 'get' | 'post' | 'patch', path: string, body?: object) {
  const asked = request(simulator.app)[method](`/_sim${path}`);
  const answer = await (body === undefined ? asked : asked.send(body));
  return { status: answer.status, body: answer.body };
}

async function api(path: string) {
  const answer = await request(simulator.app).get(`/v1.1/pbx${path}`).set('authorization', simulator.authorization());
  return answer.body.data;
}

/** A number that is a fax machine and nothing else: its id, and E.164. */
async function faxNumber(): Promise<string> {
  const { body } = await sim('post', '/records/ddis', {
    ...{ e164: '+12015550150', name: 'Fax', fax_enabled: true, fax_email: 'faxes@company.example', channels: 1 },
  });
  return body.e164;
}

const faxes = async () =>
  (await api('/faxes')).filter(({ created_at }: { created_at: string }) => created_at >= '2026');
const OUTSIDE = '+442079469950';

describe('a fax that is sent', () => {
  it('is queued, calls the number on the trunk, and is sent when all pages are through', async () => {
    const from = await faxNumber();
    const sent = await sim('post', '/faxes', { from, to: OUTSIDE, pages: 3, filename: 'offer.pdf' });
    expect(sent).toMatchObject({ status: 201, body: { call_id: null } });
    expect(await faxes()).toMatchObject([
      { id: sent.body.fax_id, from, to: OUTSIDE, pages: 3, filename: 'offer.pdf', status: 0, type: 1, charge: 0 },
    ]);
    await simulator.clock.advance('1s');
    expect(await faxes()).toMatchObject([{ status: 1 }]);
    const [live] = await api('/calls');
    expect(live).toMatchObject({ src: from, dst: OUTSIDE, context: 'PSTN_CALL', destination: 1 });
    await simulator.clock.advance('101s');
    expect(await faxes()).toMatchObject([{ status: 1 }]);
    await simulator.clock.advance('1s');
    expect(await faxes()).toMatchObject([{ status: 2, pages: 3, charge: 0.0333 }]);
    const [cdr] = await api(
      `/cdrs?filter=${JSON.stringify([{ property: 'live_id', operator: 'eq', value: live.id }])}`,
    );
    expect(cdr).toMatchObject({ src: from, dst: OUTSIDE, type: 'O', billsec: 100, charge: 0.0333 });
    expect(cdr).toMatchObject({ disposition: 'CONNECTED', t_cause: 'Normal clearing' });
    expect(await api('/calls')).toEqual([]);
  });

  it.each([
    ['+442079460001', 'busy', 0],
    ['+442079460003', 'not there', 0],
    ['+442079460007', 'hangs up after two seconds', 0.01],
  ])('to %s fails, for that machine is %s', async (to, _, charge) => {
    const from = await faxNumber();
    await sim('post', '/faxes', { from, to, pages: 1 });
    await simulator.clock.advance('2m');
    expect(await faxes()).toMatchObject([{ to, status: 4, charge }]);
    expect(await api('/calls')).toEqual([]);
  });

  it('waits until a channel of its number is free', async () => {
    const from = await faxNumber();
    for (let fax = 0; fax < 2; fax += 1) await sim('post', '/faxes', { from, to: OUTSIDE, pages: 1 });
    await simulator.clock.advance('10s');
    expect((await faxes()).map(({ status }: { status: number }) => status).sort()).toEqual([0, 1]);
    await simulator.clock.advance('2m');
    expect((await faxes()).map(({ status }: { status: number }) => status)).toEqual([2, 2]);
  });

  it('ends with its call, and is cut off by a restore', async () => {
    const from = await faxNumber();
    await sim('post', '/faxes', { from, to: OUTSIDE, pages: 5 });
    await simulator.clock.advance('20s');
    const snapshot = await simulator.snapshot();
    const [live] = await api('/calls');
    await request(simulator.app)
      .delete(`/v1.1/pbx/calls/${live.id}`)
      .set('authorization', simulator.authorization())
      .expect(204);
    await simulator.clock.advance('1s');
    expect(await faxes()).toMatchObject([{ status: 4 }]);
    await simulator.restore(snapshot);
    expect(await faxes()).toMatchObject([{ status: 4 }]);
  });

  it('leaves from a number that sends faxes, or not at all', async () => {
    const [, voice = ''] = simulator.numbers;
    expect(await sim('post', '/faxes', { from: voice, to: OUTSIDE })).toMatchObject({
      status: 400,
      body: { errors: [`from: ${voice} sends no faxes`] },
    });
    expect(await sim('post', '/faxes', { from: await faxNumber(), to: '0123' })).toMatchObject({ status: 400 });
    expect(await sim('post', '/faxes', { from: voice, to: OUTSIDE, pages: 0 })).toMatchObject({ status: 400 });
  });
});

describe('a fax that arrives', () => {
  it('is answered by its number, kept when the sender hangs up, and mailed', async () => {
    const to = await faxNumber();
    const { status, body } = await sim('post', '/faxes', { from: OUTSIDE, to, pages: 2 });
    expect(status).toBe(201);
    expect(await api(`/calls/${body.call_id}`)).toMatchObject({ src: OUTSIDE, dst: to, state: 4 });
    await simulator.clock.advance('70s');
    const [fax] = await faxes();
    expect(fax).toMatchObject({ from: OUTSIDE, to, pages: 2, status: 3, type: 0, filename: `fax-${fax.id}.pdf` });
    expect(simulator.outbox).toMatchObject([
      { kind: 'fax', to: 'faxes@company.example', fax_id: fax.id, from: OUTSIDE, filename: fax.filename, pages: 2 },
    ]);
  });

  it.runIf(interop)('is attached to its mail as a PDF that others can read, after a restart too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbxsim-fax-'));
    const kept = { http: false, data: join(folder, 'world.db') };
    await simulator.close();
    simulator = await createSimulator(kept);
    const to = await faxNumber();
    await sim('post', '/faxes', { from: OUTSIDE, to, pages: 2 });
    await simulator.clock.advance('80s');
    const pdf = async (): Promise<Buffer> => {
      const [mail] = (await sim('get', '/outbox')).body.data;
      const answer = await request(simulator.app).get(mail.attachment).expect(200);
      expect(answer.type).toBe('application/pdf');
      return answer.body;
    };
    const before = await pdf();
    expect(poppler('pdfinfo', before)).toMatch(/^Pages:\s+2$/m);
    const [first = '', second] = poppler('pdftotext', before).split('\f');
    for (const fact of [OUTSIDE, to, 'faxes@company.example', 'page 1 of 2']) expect(first).toContain(fact);
    expect(second).toContain('page 2 of 2');
    await simulator.close();
    simulator = await createSimulator(kept);
    expect((await pdf()).equals(before)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('of a caller who hears the machine and hangs up is a failed one', async () => {
    const to = await faxNumber();
    await sim('post', '/calls', { from: OUTSIDE, to, behaviour: { on_call: 'answer', talk_ms: 4000 } });
    await simulator.clock.advance('10s');
    expect(await faxes()).toMatchObject([{ pages: 0, status: 4 }]);
    expect(simulator.outbox).toEqual([]);
  });

  it('reaches the machine where the number is for people too; people reach people', async () => {
    const [number = ''] = simulator.numbers;
    await sim('post', '/calls', { from: OUTSIDE, to: number });
    expect(await api('/calls')).toMatchObject([{ src: OUTSIDE, dst: '101' }]);
    await sim('post', '/faxes', { from: '+442079469951', to: number });
    expect(await api('/calls')).toMatchObject([{ dst: '101' }, { src: '+442079469951', dst: number, state: 4 }]);
  });
});

describe('an SMS', () => {
  it('is mailed to whoever reads those of its number', async () => {
    const [to = ''] = simulator.numbers;
    simulator.trunk.sms({ from: OUTSIDE, to, text: 'Hello' });
    expect(simulator.outbox).toMatchObject([{ kind: 'sms', from: OUTSIDE, text: 'Hello' }]);
  });
});

describe('a call-me-back widget', () => {
  const setting = async () => (await api('/callmeback/settings'))[0];

  it('calls the visitor from its number, and then whoever the number leads to', async () => {
    const webhook = simulator.webhooks.capture();
    const { id, ddi } = await setting();
    const asked = await sim('post', `/widgets/${id}/requests`, { number: OUTSIDE, name: 'Ann', country: 'GB' });
    expect(asked.status).toBe(201);
    const call = `/calls/${asked.body.call_id}`;
    expect(await api(call)).toMatchObject({ src: OUTSIDE, state: 1, destination: 3, src_rate: 0.02 });
    await simulator.clock.advance('2s');
    expect(await api(call)).toMatchObject({ state: 3, dst: '101' });
    await simulator.clock.advance('2s');
    expect(await api(call)).toMatchObject({ state: 4, dst: '101' });
    await simulator.clock.advance('30s');
    await sim('post', `/trunk/${encodeURIComponent(OUTSIDE)}/acts`, { act: 'hangup' });
    await simulator.clock.advance('1s');
    expect(webhook.names).toEqual(['call.initial', 'call.ringing', 'call.connected', 'call.hangup']);
    const [cdr] = await api(
      `/cdrs?filter=${JSON.stringify([{ property: 'live_id', operator: 'eq', value: asked.body.call_id }])}`,
    );
    expect(cdr).toMatchObject({ destination: 'callmeback', src: OUTSIDE, dst: '101', type: 'I', billsec: 30 });
    const last = async (path: string) => (await api(path)).at(-1);
    expect(await last('/callmeback/cdrs')).toMatchObject({ id: asked.body.cdr_id, name: `Ann ${OUTSIDE}`, ddi });
    expect(await last('/callmeback/visitors')).toMatchObject({ id: asked.body.visitor_id, name: `Ann ${OUTSIDE}` });
  });

  it('shows the words for when somebody is there, and else takes the number alone', async () => {
    const { id } = await setting();
    expect(await sim('get', `/widgets/${id}?country=GB`)).toMatchObject({
      body: { shown: true, online: true, text: 'We call you', setting: { title: 'May we call you?' } },
    });
    simulator.phones.act('101', 'unregister');
    expect((await sim('get', `/widgets/${id}?country=GB`)).body).toMatchObject({
      online: false,
      text: 'Leave your number',
    });
    const asked = await sim('post', `/widgets/${id}/requests`, { number: OUTSIDE, country: 'GB' });
    expect(asked).toMatchObject({ status: 201, body: { call_id: null, cdr_id: null } });
    expect((await api('/callmeback/visitors')).at(-1)).toMatchObject({ id: asked.body.visitor_id, name: OUTSIDE });
    expect(await api('/calls')).toEqual([]);
  });

  it('is not shown elsewhere, calls no other country, and spends no more than it may', async () => {
    const { id } = await setting();
    const ask = (body: object) => sim('post', `/widgets/${id}/requests`, body);
    const refusal = async (body: object) => (await ask(body)).body.message;
    expect((await sim('get', `/widgets/${id}?country=FR`)).body.shown).toBe(false);
    expect((await sim('get', `/widgets/${id}`)).body).toMatchObject({ shown: false });
    expect(await refusal({ number: OUTSIDE, country: 'FR' })).toBe(
      'The widget is shown only to visitors from GB, IE, and their country is FR.',
    );
    expect(await refusal({ number: OUTSIDE })).toMatch(/from GB, IE, and their country is missing\.$/);
    expect(await refusal({ number: '+33123456789', country: 'GB' })).toMatch(/only those of GB, IE/);
    await sim('patch', `/records/callmebacksettings/${id}`, { max_call_rate: 0.01 });
    expect(await refusal({ number: OUTSIDE, country: 'GB' })).toMatch(/costs 0.02 a minute, more than the 0.01/);
    expect((await ask({ number: OUTSIDE, country: 'GB' })).status).toBe(409);
    expect((await sim('post', '/widgets/1/requests', { number: OUTSIDE })).status).toBe(404);
  });
});

describe('a chat', () => {
  it('waits, is answered by an operator, and is closed with its duration', async () => {
    const operator = simulator.user('agent');
    const begun = await sim('post', '/chats', { name: 'Ann', message: 'Hello?', country: 'GB' });
    expect(begun).toMatchObject({ status: 201, body: { state: 0 } });
    const { chat_id } = begun.body;
    await simulator.clock.advance('30s');
    const write = (body: object) => sim('post', `/chats/${chat_id}/messages`, body);
    expect(await write({ message: 'Good morning!', operator_id: operator.user_id })).toMatchObject({
      body: { state: 1 },
    });
    await simulator.clock.advance('60s');
    expect((await sim('post', `/chats/${chat_id}/close`)).body).toEqual({ chat_id, state: 2 });
    expect(await api(`/chats/${chat_id}`)).toMatchObject({
      ...{ visitor_name: 'Ann', visitor_country: 'GB', operator_id: operator.user_id, state: 2, duration: 90 },
    });
    const messages = (await sim('get', '/records/chatmsgs?limit=100')).body.data;
    const { first_name } = (await sim('get', `/records/users/${operator.user_id}`)).body;
    expect(messages.filter((one: { chat_id: number }) => one.chat_id === chat_id)).toMatchObject([
      { from: 'Ann', to: '', message: 'Hello?' },
      { from: first_name, to: 'Ann', message: 'Good morning!' },
    ]);
    expect((await write({ message: 'Too late' })).status).toBe(409);
    expect((await sim('post', '/chats/99/close')).status).toBe(404);
    expect((await sim('post', '/chats', { message: 'x', website_id: 7 })).status).toBe(400);
  });
});
