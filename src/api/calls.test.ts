// Live calls over REST: reading, placing, changing and ending them, with the exchange's part played by a quiet one.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];

function ask(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, who: Who = 'agent') {
  const call = request(stage.api)
    [method](`/v1.1/pbx${path}`)
    .set('Authorization', keyOf(stage.people[who]))
    .redirects(0);
  return body === undefined ? call : call.send(body);
}

describe('placing a call', () => {
  test('rings the phone of the user who asks and answers 201 with the live call', async () => {
    const answer = await ask('post', '/calls', { to: '+442079460123' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ id: 10_000_001, state: 1, dst: '+442079460123', src_id: '10000003' });
    expect(answer.body.links).toEqual({
      self: '/v1.1/pbx/calls/10000001',
      monitors: '/v1.1/pbx/calls/10000001/monitors',
    });
    expect(answer.headers.location).toBe('/v1.1/pbx/calls/10000001');
    expect(stage.exchange.commands).toEqual([{ customerId: 1, userId: 10_000_003, to: '+442079460123' }]);
    const read = await ask('get', '/calls/10000001');
    expect([read.status, read.body]).toEqual([200, answer.body]);
  });

  test.each([['10000002'], [10_000_002]])('rings the phone of the user that from names (%j)', async (from) => {
    expect((await ask('post', '/calls', { to: '101', from })).status).toBe(201);
    expect(stage.exchange.commands).toEqual([{ customerId: 1, userId: 10_000_002, to: '101' }]);
  });

  test.each(['anonymous', '+442079460101', '442079460101'])('shows %s', async (caller_id) => {
    expect((await ask('post', '/calls', { to: '101', caller_id })).status).toBe(201);
    expect(stage.exchange.commands).toMatchObject([{ callerId: caller_id }]);
  });

  test.each([
    ['no destination', {}, ['to: is missing, expected text (E.164 number (with or without +) or extension)']],
    [
      'a word as destination',
      { to: 'Bob' },
      ['to: expected text (E.164 number (with or without +) or extension), got "Bob"'],
    ],
    [
      'a number as destination',
      { to: 101 },
      ['to: expected text (E.164 number (with or without +) or extension), got 101'],
    ],
    ['an unknown user', { to: '101', from: '10000099' }, ['from: there is no user 10000099']],
    ["another account's user", { to: '101', from: '20000001' }, ['from: there is no user 20000001']],
    ['no user id', { to: '101', from: 'me' }, ['from: expected text (user id), or an integer (at least 1), got "me"']],
    [
      "another account's number",
      { to: '101', caller_id: '+442079460201' },
      ['caller_id: expected anonymous or a number of this account'],
    ],
    [
      'a number that nobody has',
      { to: '101', caller_id: '+4915112345678' },
      ['caller_id: expected anonymous or a number of this account'],
    ],
    [
      'a word as number',
      { to: '101', caller_id: 'me' },
      ['caller_id: expected text (E.164 number or anonymous), got "me"'],
    ],
    ['what the exchange refuses', { to: '+442079460999' }, ['to: nobody has +442079460999']],
    [
      'several things at once',
      { to: '', from: 0 },
      [
        'to: expected text (E.164 number (with or without +) or extension), got ""',
        'from: expected text (user id), or an integer (at least 1), got 0',
      ],
    ],
    ['a list', [], ['body: expected an object, got an array']],
  ])('with %s is 400 that names it, and no call', async (_, body, errors) => {
    const answer = await ask('post', '/calls', body);
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    expect((await ask('get', '/calls')).body).toEqual({ data: [], total: 0 });
  });

  test('members that no table names are ignored', async () => {
    expect((await ask('post', '/calls', { to: '101', colour: 'red', __proto__x: 1 })).status).toBe(201);
  });
});

describe('changing a call', () => {
  /** Lets the phone obey as soon as the request has arrived. */
  async function change(body: object, id = 10_000_001, meanwhile = () => {}) {
    const answer = ask('patch', `/calls/${id}`, body).then((got) => got);
    const before = stage.exchange.commands.length;
    for (let turn = 0; turn < 2000 && stage.exchange.commands.length === before; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    meanwhile();
    stage.clock.advanceTo(stage.clock.now() + 500);
    return answer;
  }

  beforeEach(() => {
    stage.exchange.add(1, [10_000_003], { state: 4, src_id: '10000003', dst: '101' });
  });

  test('answers 301 with the changed call and without Location', async () => {
    const answer = await change({ state: 'ON_HOLD' });
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body.data).toMatchObject({ id: 10_000_001, state: 5 });
    expect((await ask('get', '/calls/10000001')).body.data.state).toBe(5);
  });

  test.each([
    ['the code of a state', { state: 5 }, { state: 'ON_HOLD' }],
    ['a transfer', { dst: '102' }, { dst: '102' }],
    ['an act on the recording', { monitor_state: 'resume' }, { recording: 'resume' }],
    ['the code of recording', { monitor_state: 1 }, { recording: 'start' }],
    ['the code of a pause', { monitor_state: 2 }, { recording: 'pause' }],
    [
      'all at once',
      { dst: '102', state: 'HANGUP', labels: [1, 'x'], action_url: 'https://a.example', action_text: 'Open' },
      {
        dst: '102',
        state: 'HANGUP',
        labels: [1, 'x'],
        actionUrl: 'https://a.example',
        actionText: 'Open',
      },
    ],
  ])('hands the exchange %s', async (_, body, changes) => {
    expect((await change(body)).status).toBe(301);
    expect(stage.exchange.commands).toEqual([{ callId: 10_000_001, byUserId: 10_000_003, changes }]);
  });

  test('that the phone refuses is 400 with its answer', async () => {
    stage.exchange.add(1, [10_000_003], { state: 3 });
    const answer = await change({ state: 'ON_HOLD' }, 10_000_002);
    expect([answer.status, answer.body.message]).toEqual([400, 'state: only an answered call can be held']);
  });

  test('that has ended meanwhile is 404', async () => {
    const answer = await change({ state: 'ON_HOLD' }, 10_000_001, () => stage.exchange.hangUp(10_000_001));
    expect([answer.status, answer.body.message]).toEqual([404, 'There is no such live call.']);
  });

  test.each([
    ['nothing', {}, ['body: expected at least one of dst, state, labels, action_url, action_text, monitor_state']],
    [
      'another state',
      { state: 'RINGING' },
      ['state: expected one of CONNECTED, ON_HOLD, HANGUP, or one of 4, 5, 6, got "RINGING"'],
    ],
    ['labels that are no list', { labels: 'x' }, ['labels: expected an array (at most 100 items), got "x"']],
    [
      'an unknown act',
      { monitor_state: 'stop' },
      ['monitor_state: expected one of start, pause, resume, or one of 1, 2, got "stop"'],
    ],
  ])('by %s is 400 that names it, and no command', async (_, body, errors) => {
    const answer = await ask('patch', '/calls/10000001', body);
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    expect(stage.exchange.commands).toEqual([]);
  });

  test('ends it with DELETE, after which it is not there', async () => {
    const answer = await ask('delete', '/calls/10000001');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await ask('get', '/calls/10000001')).status).toBe(404);
    expect((await ask('delete', '/calls/10000001')).status).toBe(404);
  });
});

describe('reading calls', () => {
  test('lists, filters and pages them', async () => {
    for (const state of [1, 3, 4, 4]) stage.exchange.add(1, [10_000_003], { state, src: '+442079460103' });
    const list = await ask(
      'get',
      `/calls?${new URLSearchParams({ limit: '1', page: '2', filter: '[{"property":"state","operator":"eq","value":"CONNECTED"}]' })}`,
    );
    expect(list.body.total).toBe(2);
    expect(list.body.data.map((call: { id: number }) => call.id)).toEqual([10_000_004]);
  });

  test('gives the recordings of a call in the call', async () => {
    const call = stage.exchange.add(1, [10_000_003], { src: '103' });
    const sample = [...stage.store.monitors.list(1)][0];
    if (sample === undefined) throw new Error('the seed world has no recording');
    stage.store.monitors.clear();
    for (const live_id of [call.id, call.id, 77])
      stage.store.monitors.insert(1, { ...sample, id: stage.store.monitors.nextId(1), live_id });
    const answer = await ask('get', `/calls/${call.id}/monitors?limit=1`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: call.id, src: '103', total: 2, items: [{ live_id: call.id }] });
    expect(answer.body.links).toEqual({
      self: `/v1.1/pbx/calls/${call.id}/monitors`,
      call: `/v1.1/pbx/calls/${call.id}`,
    });
  });

  test("gives a user's calls in the user", async () => {
    stage.exchange.add(1, [10_000_003], { src: 'mine' });
    stage.exchange.add(1, [10_000_002, 10_000_003], { src: 'ours' });
    stage.exchange.add(1, [10_000_002], { src: 'theirs' });
    const { body } = await ask('get', '/users/10000003/calls');
    expect(body.data).toMatchObject({
      id: 10_000_003,
      ext: '103',
      total: 2,
      items: [{ src: 'mine' }, { src: 'ours' }],
    });
    expect(body.links).toEqual({ self: '/v1.1/pbx/users/10000003/calls', user: '/v1.1/pbx/users/10000003' });
  });
});

describe('web calls and lead calls', () => {
  test('a web call rings from, then to', async () => {
    const answer = await ask('post', '/webcalls', { from: '+442079460911', to: '102' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      calldate: '2026-01-01 00:00:00',
      from: '+442079460911',
      to: '102',
      charge: 0,
    });
    expect(stage.exchange.commands).toEqual([{ customerId: 1, userId: 10_000_003, from: '+442079460911', to: '102' }]);
    const list = await ask('get', '/webcalls?sort=-id&limit=1');
    expect(list.body.data).toEqual([answer.body.data]);
  });

  test('a lead call rings the agent, then the lead, and is a live call', async () => {
    const answer = await ask('post', '/leadcalls', { to: '103', caller_id: '+442079460912', tts: '' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ id: 10_000_001, src: '103', dst: '+442079460912' });
    expect(stage.exchange.commands).toEqual([
      { customerId: 1, userId: 10_000_003, to: '103', callerId: '+442079460912' },
    ]);
  });

  test('what is to be said to the agent goes with the call', async () => {
    const told = { to: '103', caller_id: '+442079460912', tts: ' Mr Smith wants to buy. ' };
    expect((await ask('post', '/leadcalls', told)).status).toBe(201);
    expect(stage.exchange.commands).toMatchObject([{ spoken: 'Mr Smith wants to buy.' }]);
  });

  test.each([
    ['/webcalls', { to: '102' }, ['from: is missing, expected text (E.164, with or without +)']],
    ['/webcalls', { from: '101', to: '102' }, ['from: expected text (E.164, with or without +), got "101"']],
    ['/webcalls', { from: '+442079460911', to: '+442079460999' }, ['to: nobody has +442079460999']],
    ['/leadcalls', { to: '103' }, ['caller_id: is missing, expected text (E.164, with or without +)']],
    ['/leadcalls', { to: '+442079460999', caller_id: '+442079460912' }, ['to: nobody has +442079460999']],
  ])('POST %s %j is 400 that names it, and no call', async (path, body, errors) => {
    const before = stage.store.webcalls.count(1);
    const answer = await ask('post', path, body);
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    expect([stage.store.webcalls.count(1), stage.exchange.liveCalls(1)]).toEqual([before, []]);
  });
});

describe('call labels', () => {
  test('are made, read, changed and removed', async () => {
    const made = await ask('post', '/calllabels', { name: 'VIP', color: '#fff' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        data: { id: 10_000_005, name: 'VIP', color: '#fff', created_at: '2026-01-01 00:00:00' },
        links: { self: '/v1.1/pbx/calllabels/10000005' },
      },
    ]);
    const changed = await ask('patch', '/calllabels/10000005', { color: '#000' });
    expect([changed.status, changed.body.data]).toEqual([200, { ...made.body.data, color: '#000' }]);
    expect((await ask('get', '/calllabels/10000005')).body).toEqual(changed.body);
    expect((await ask('get', '/calllabels')).body.total).toBe(5);
    expect((await ask('delete', '/calllabels/10000005')).status).toBe(204);
    expect((await ask('get', '/calllabels/10000005')).status).toBe(404);
  });

  test.each([
    ['post', '/calllabels', {}, ['name: is missing, expected text (1 to 255 characters)']],
    ['post', '/calllabels', { name: '' }, ['name: expected text (1 to 255 characters), got ""']],
    ['patch', '/calllabels/10000001', { color: 7 }, ['color: expected text (at most 64 characters), got 7']],
  ] as const)('%s %s %j is 400 that names it', async (method, path, body, errors) => {
    const before = [...stage.store.calllabels.list(1)];
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    expect([...stage.store.calllabels.list(1)]).toEqual(before);
  });
});
