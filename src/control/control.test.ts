// The control API as its users see it: shapes, statuses, errors, and who is let in.
import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStage } from './control.rig.ts';
import { createControl } from './control.ts';
import { controlDocument } from './openapi.ts';

let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  api = request(createControl(stage.deps));
});

describe('the document', () => {
  it('is valid OpenAPI 3.1 by an independent validator, and served', async () => {
    const response = await api.get('/_sim/openapi.json').expect(200);
    const result = await new Validator().validate(response.body);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(response.body).toEqual(JSON.parse(JSON.stringify(controlDocument())));
  });

  it('lists exactly the paths of this release', () => {
    const { paths } = controlDocument() as { paths: Record<string, object> };
    expect(Object.entries(paths).map(([path, methods]) => `${path} ${Object.keys(methods).join(' ')}`)).toEqual([
      '/clock get post',
      '/phones get post',
      '/phones/{ext} get patch delete',
      '/phones/{ext}/acts post',
      '/calls post',
      '/trunk get',
      '/trunk/{number} put delete',
      '/trunk/{number}/acts post',
      '/webhooks get post',
      '/webhooks/{id} get patch delete',
      '/webhooks/{id}/deliveries get',
      '/webhooks/{id}/deliveries/{delivery}/replay post',
      '/faults get post delete',
      '/faults/{id} delete',
      '/journal get',
      '/journal/stream get',
      '/wait get',
      '/calls/{call_id}/ladder get',
      '/records get',
      '/records/{resource} get post',
      '/records/{resource}/{id} get patch delete',
      '/customers get post',
      '/customers/{id} delete',
      '/queues/{id} get',
      '/queues/{id}/agents/{user_id} put',
      '/outbox get',
      '/outbox/{id}/attachment get',
      '/sms post',
      '/states get',
      '/reset post',
      '/faxes post',
      '/widgets/{id} get',
      '/widgets/{id}/requests post',
      '/chats post',
      '/chats/{id}/messages post',
      '/chats/{id}/close post',
      '/traffic get put',
      '/snapshots get post',
      '/snapshots/{id}/restore post',
      '/snapshots/{id} delete',
    ]);
  });
});

describe('errors are JSON with a message and a list', () => {
  it('404 for what is not there, now or yet', async () => {
    for (const path of ['/_sim/nothing', '/_sim/exports', '/_sim']) {
      const { body } = await api.get(path).expect(404);
      expect(body).toEqual({ message: `There is no ${path}.`, errors: [`There is no ${path}.`] });
    }
  });

  it('405 says which methods there are', async () => {
    const { body, headers } = await api.delete('/_sim/clock').expect(405);
    expect(headers.allow).toBe('GET, POST');
    expect(body).toEqual({ message: 'This path takes GET, POST.', errors: ['This path takes GET, POST.'] });
  });

  it('415 for a body that is not JSON', async () => {
    await api.post('/_sim/clock').type('text/plain').send('{"advance":"1s"}').expect(415);
    await api.post('/_sim/clock').type('form').send({ advance: '1s' }).expect(415);
    await api
      .post('/_sim/clock')
      .set('content-type', 'application/json; charset=utf-8')
      .send('{"advance":"1s"}')
      .expect(200);
  });

  it('400 for a body that cannot be read, and for one that is missing', async () => {
    const broken = await api.post('/_sim/clock').type('json').send('{"advance":').expect(400);
    expect(broken.body.message).toBe('The body is not JSON.');
    const none = await api.post('/_sim/clock').expect(400);
    expect(none.body.errors).toEqual(['body: expected one of advance, to']);
  });

  it('413 for one of more than a mebibyte', async () => {
    const { body } = await api
      .post('/_sim/sms')
      .send({ text: 'x'.repeat(1_048_577) })
      .expect(413);
    expect(body.errors).toEqual(['The body is larger than 1048576 bytes.']);
  });

  it('400 names every member that is wrong, and what was expected', async () => {
    const { body } = await api
      .post('/_sim/webhooks')
      .send({ nam: 'x', url: '', events: ['rining'] })
      .expect(400);
    expect(body).toEqual({
      message: 'The body is not valid.',
      errors: [
        'nam: unknown, expected one of name, url, events, active, customer_id',
        'url: expected text (1 to 2048 characters)',
        'events.0: expected one of missed, ringing, connected, ended, call_state_change, sms_received, dtmf',
      ],
    });
    const missing = await api.post('/_sim/sms').send({ from: '+15550100', text: 'hi' }).expect(400);
    expect(missing.body.errors).toEqual(['to: missing, expected text (a public number, with or without +)']);
    const query = await api.get('/_sim/journal?limit=many').expect(400);
    expect(query.body.errors).toEqual(['limit: expected an integer (1 to 10000)']);
  });
});

describe('who is let in', () => {
  it.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080', 'pbx.localhost'])(
    'a request to %s',
    async (host) => {
      await api.get('/_sim/clock').set('host', host).expect(200);
    },
  );

  it.each(['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', '192.168.0.7', '169.254.169.254'])(
    'no request to %s: the name may have been bound anew',
    async (host) => {
      await api.get('/_sim/clock').set('host', host).expect(403);
    },
  );

  it('a page of this server, but of no other; and nobody is told that pages of others may come', async () => {
    await api.post('/_sim/reset').set('host', 'localhost:80').set('origin', 'http://localhost:80').expect(200);
    const { headers } = await api.post('/_sim/reset').set('origin', 'https://evil.example').expect(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    await api.options('/_sim/reset').expect(405);
    expect(stage.resets).toEqual(['reset']);
  });

  it('on another address only with the token', async () => {
    const guarded = createStage(globalThis, { server: { host: '192.168.0.7', token: 's3cret' } });
    const remote = request(createControl(guarded.deps));
    const refused = await remote.get('/_sim/clock').set('host', '192.168.0.7:8080').expect(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="pbxsim control"');
    await remote.get('/_sim/clock').set('host', '192.168.0.7').set('authorization', 'Bearer wrong').expect(401);
    await remote.get('/_sim/clock').set('host', '192.168.0.7').set('authorization', 'Bearer s3cret').expect(200);
    await remote.get('/_sim/clock').set('host', 'evil.example').set('authorization', 'Bearer s3cret').expect(403);
    const open = request(createControl(createStage(globalThis, { server: { host: '0.0.0.0' } }).deps));
    await open.get('/_sim/clock').set('host', '10.0.0.1').expect(401);
  });
});

describe('phones', () => {
  beforeEach(async () => {
    await api.post('/_sim/records/users').send({ ext: '101', email: 'ada@a.example', first_name: 'Ada' }).expect(201);
  });

  it('are added to an extension, seen, changed and removed', async () => {
    const added = await api.post('/_sim/phones').send({ ext: '101', behaviour: 'busy' }).expect(201);
    expect(added.body).toEqual({
      ext: '101',
      customer_id: 1,
      user_id: 10000001,
      registered: true,
      stepped_back: false,
      behaviour: { on_call: 'busy' },
      calls: [],
    });
    expect(stage.phones.added[0]).toMatchObject({ sipUsername: '1-101', displayName: 'Ada' });
    const changed = await api
      .patch('/_sim/phones/101')
      .send({ behaviour: { on_call: 'answer', after_ms: 3000 } })
      .expect(200);
    expect(changed.body.behaviour).toEqual({ on_call: 'answer', after_ms: 3000 });
    const list = await api.get('/_sim/phones').expect(200);
    expect(list.body).toMatchObject({ data: [{ ext: '101' }], total: 1 });
    expect((await api.get('/_sim/phones?customer_id=2').expect(200)).body).toEqual({ data: [], total: 0 });
    await api.get('/_sim/phones/101?customer_id=2').expect(404);
    await api.post('/_sim/phones').send({ ext: '101', behaviour: 'ring' }).expect(409);
    await api.delete('/_sim/phones/101').expect(204);
    await api.delete('/_sim/phones/101').expect(404);
  });

  it('need a user at the extension and a behaviour that there is', async () => {
    const nobody = await api.post('/_sim/phones').send({ ext: '999', behaviour: 'busy' }).expect(400);
    expect(nobody.body.errors).toEqual(['ext: no user of the customer has extension 999']);
    const odd = await api
      .post('/_sim/phones')
      .send({ ext: '101', behaviour: { on_call: 'sing' } })
      .expect(400);
    expect(odd.body.errors[0]).toMatch(/^behaviour\.on_call: expected one of answer, busy/);
    await api.patch('/_sim/phones/999').send({ behaviour: 'busy' }).expect(404);
  });

  it('the act call answers with the call', async () => {
    stage.phones.nextSipCallId = 'abc@phone';
    stage.dialogs.set('abc@phone', 10000007);
    await api.post('/_sim/phones').send({ ext: '101', behaviour: 'busy' });
    const { body } = await api.post('/_sim/phones/101/acts').send({ act: 'call', to: '102' }).expect(200);
    expect(body).toEqual({ call_id: 10000007 });
    expect(stage.phones.acts).toEqual([{ ext: '101', act: { act: 'call', to: '102' } }]);
  });

  it('a call that came to nothing is 409 with the answer of the exchange', async () => {
    await api.post('/_sim/phones').send({ ext: '101', behaviour: 'busy' });
    const act = stage.deps.phones.act.bind(stage.deps.phones);
    stage.phones.act = (...args) => {
      const data = (status: number, line: string) => ({
        sip_call_id: 'dialog-1',
        status,
        text: `SIP/2.0 ${line}\r\n\r\n`,
      });
      stage.journal.append('sip.out', { data: data(407, '407 Proxy Authentication Required') });
      stage.journal.append('sip.out', { data: data(404, '404 Not Found') });
      return act(...args);
    };
    const { body } = await api.post('/_sim/phones/101/acts').send({ act: 'call', to: '999' }).expect(409);
    expect(body.message).toBe('The INVITE made no call: 404 Not Found.');
  });

  it('an act that is impossible now is 409, an unknown one 400, an unknown phone 404', async () => {
    await api.post('/_sim/phones').send({ ext: '101', behaviour: 'busy' });
    await api.post('/_sim/phones/101/acts').send({ act: 'answer' }).expect(409);
    const { body } = await api.post('/_sim/phones/101/acts').send({ act: 'dance' }).expect(400);
    expect(body.errors[0]).toMatch(/^act: expected one of call, answer, reject/);
    await api.post('/_sim/phones/999/acts').send({ act: 'hangup' }).expect(404);
    await api.post('/_sim/phones/101/acts').send({ act: 'register' }).expect(200, {});
  });
});

describe('the public network', () => {
  it('calls in', async () => {
    stage.dialogs.set('trunk-1', 10000003);
    const wish = { from: '+442079460999', to: '+442079460101', behaviour: { on_call: 'answer', talk_ms: 5000 } };
    const { body } = await api.post('/_sim/calls').send(wish).expect(201);
    expect(body).toEqual({ call_id: 10000003 });
    expect(stage.carrier.called).toEqual([wish]);
    await api.post('/_sim/trunk/+442079460999/acts').send({ act: 'hangup' }).expect(200, { call_id: 10000003 });
  });

  it('calls a number that nobody has: 404', async () => {
    const { body } = await api.post('/_sim/calls').send({ from: '+442079460999', to: '+442079460199' }).expect(404);
    expect(body.message).toBe('The INVITE made no call: it has no answer yet.');
  });

  it('calls a number that leads nowhere now: 409', async () => {
    const call = stage.carrier.call.bind(stage.carrier);
    stage.carrier.call = (...args) => {
      const data = { sip_call_id: 'trunk-1', status: 480, text: 'SIP/2.0 480 Temporarily Unavailable\r\n\r\n' };
      stage.journal.append('sip.out', { data });
      return call(...args);
    };
    const { body } = await api.post('/_sim/calls').send({ from: '+442079460999', to: '+442079460199' }).expect(409);
    expect(body.message).toBe('The INVITE made no call: 480 Temporarily Unavailable.');
  });

  it('answers outbound calls as scripted, number by number', async () => {
    await api
      .put('/_sim/trunk/+15550100')
      .send({ behaviour: 'busy' })
      .expect(200, { number: '+15550100', behaviour: { on_call: 'busy' } });
    await api.put('/_sim/trunk/+15550101').send({ behaviour: 'sleepy' }).expect(400);
    expect((await api.get('/_sim/trunk')).body).toEqual({
      data: [{ number: '+15550100', behaviour: { on_call: 'busy' } }],
      total: 1,
    });
    await api.delete('/_sim/trunk/+15550100').expect(204);
    await api.delete('/_sim/trunk/+15550100').expect(404);
  });

  it('sends text messages', async () => {
    const sms = { from: '+15550100', to: '+442079460101', text: 'hello' };
    await api.post('/_sim/sms').send(sms).expect(201, { customer_id: 1, user_id: 10000001 });
    await api
      .post('/_sim/sms')
      .send({ ...sms, to: '+442079460155' })
      .expect(404);
  });
});

it('the outbox shows what would have been mailed', async () => {
  stage.mails.push({ id: 1, at: Date.UTC(2026, 0, 1), kind: '2fa', to: 'ada@a.example', code: '123456' });
  expect((await api.get('/_sim/outbox').expect(200)).body).toEqual({
    data: [{ id: 1, at: '2026-01-01T00:00:00.000Z', kind: '2fa', to: 'ada@a.example', code: '123456' }],
    total: 1,
  });
});

it('the outbox has a PDF for a fax, and nothing for what has no attachment', async () => {
  const fax = { kind: 'fax', to: 'a@a.example', from: '+442079469950', number: '+12015550150', fax_id: 7, pages: 2 };
  stage.mails.push(
    { id: 3, at: Date.UTC(2026, 0, 1), ...fax, kind: 'fax', filename: 'fax-7.pdf' },
    { id: 4, at: Date.UTC(2026, 0, 1), kind: '2fa', to: 'ada@a.example', code: '123456' },
  );
  const { body } = await api.get('/_sim/outbox').expect(200);
  expect(body.data).toMatchObject([{ id: 3, attachment: '/_sim/outbox/3/attachment' }, { id: 4 }]);
  expect(body.data[1]).not.toHaveProperty('attachment');
  const answer = await api.get('/_sim/outbox/3/attachment').expect(200);
  expect(answer.type).toBe('application/pdf');
  expect(answer.headers['content-disposition']).toBe('attachment; filename=fax-7.pdf');
  expect(answer.body.subarray(0, 8).toString()).toBe('%PDF-1.4');
  expect(answer.body.toString('latin1').match(/\/Type \/Page /g)).toHaveLength(2);
  for (const [path, message] of [
    ['/_sim/outbox/4/attachment', 'Nothing is attached to mail 4.'],
    ['/_sim/outbox/9/attachment', 'There is no mail 9.'],
    ['/_sim/outbox/x/attachment', 'There is no mail x.'],
  ] as const)
    expect((await api.get(path).expect(404)).body.message).toBe(message);
});

it('the call state table is published', async () => {
  const { body } = await api.get('/_sim/states').expect(200);
  expect(body).toEqual({
    data: [
      {
        from: 'NEW',
        input: 'invited',
        to: 'INITIAL',
        event: 'call.initial',
        signalling: 'first INVITE sent to an endpoint',
      },
    ],
    total: 1,
  });
});

it('requests that change something are in the journal, as the cause of what follows', async () => {
  await api.get('/_sim/clock');
  await api.post('/_sim/records/users').send({ ext: '101', email: 'ada@a.example', password: 'hidden' }).expect(201);
  expect(stage.journal.query().map(({ kind, cause, data }) => ({ kind, cause, data }))).toEqual([
    { kind: 'control.request', cause: null, data: { operation: 'createRecord', path: '/_sim/records/users' } },
    {
      kind: 'record.created',
      cause: 1,
      data: { resource: 'users', id: '10000001', members: ['ext', 'email', 'password'] },
    },
  ]);
});
