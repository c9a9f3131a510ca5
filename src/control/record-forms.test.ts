// What the administration takes and refuses: pages, either form of a member, plausible values, records that are sent back.
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../kernel/random.ts';
import { seedWorld } from '../store/seed/world.ts';
import { storedResources } from '../store/store.ts';
import { createStage, START } from './control.rig.ts';
import { createControl } from './control.ts';

const records = '/_sim/records';
let stage: ReturnType<typeof createStage>;
let api: ReturnType<typeof request>;

beforeEach(() => {
  stage = createStage(globalThis);
  stage.store.customers.clear();
  seedWorld(stage.store, { random: new Random(1), nowMs: START, domain: 'pbx.test', history: 1200 });
  api = request(createControl(stage.deps));
});

async function errorsOf(method: 'post' | 'patch', path: string, body: object): Promise<string[]> {
  return (await api[method](`${records}/${path}`).send(body).expect(400)).body.errors;
}

const idsOf = (body: { data: Array<{ id: number }> }) => body.data.map(({ id }) => id);

describe('the records of a kind', () => {
  it('come in pages, a thousand at a time when nobody says otherwise', async () => {
    const usual = (await api.get(`${records}/cdrs`).expect(200)).body;
    expect([usual.data.length, usual.total]).toEqual([1000, 1200]);
    const third = (await api.get(`${records}/cdrs?page=3&limit=5`).expect(200)).body;
    expect([idsOf(third), third.total]).toEqual([[10_000_011, 10_000_012, 10_000_013, 10_000_014, 10_000_015], 1200]);
    const last = (await api.get(`${records}/users?page=2&limit=5`).expect(200)).body;
    expect(last).toMatchObject({ data: [{ ext: '106' }, { ext: '107', role: 'two_factor' }], total: 7 });
    expect((await api.get(`${records}/users?page=9`).expect(200)).body).toEqual({ data: [], total: 7 });
  });

  it('are filtered and sorted as in the API', async () => {
    const filter = JSON.stringify([{ property: 'ext', operator: 'gt', value: '105' }]);
    const { body } = await api.get(`${records}/users`).query({ filter, sort: '-ext', limit: 2 }).expect(200);
    expect(body).toMatchObject({ data: [{ ext: '107' }, { ext: '106' }], total: 2 });
    expect((await api.get(`${records}/users?filter=x`).expect(400)).body.errors[0]).toMatch(/^filter: /);
  });

  it.each([
    ['limit=0', 'limit: expected an integer (default: 1000; 1 to 5000)'],
    ['limit=5001', 'limit: expected an integer (default: 1000; 1 to 5000)'],
    ['page=0', 'page: expected an integer (default: 1; at least 1)'],
    ['pages=2', 'pages: unknown, expected one of customer_id, page, limit, filter, sort'],
  ])('%s is no page', async (query, problem) => {
    expect((await api.get(`${records}/cdrs?${query}`).expect(400)).body.errors).toEqual([problem]);
  });
});

describe('a setting that nobody needs', () => {
  const user = async () => {
    const { body } = await api.get(`${records}/users`).expect(200);
    return `users/${body.data[0].id}`;
  };

  it.each([
    ['vm_pin', '4321', ''],
    ['mobile', '+447700900123', ''],
    ['nun', '+447700900123', ''],
    ['fm_targets', ['+447700900123'], []],
    ['vm_emails', ['ada@a.example'], []],
    ['location_id', '12', ''],
    ['pickup_group_id', undefined, 0],
    ['api_key', 'own-key', null],
  ])('%s is set, and taken away again, by null or by being empty', async (name, some, none) => {
    const path = `${records}/${await user()}`;
    for (const empty of [null, none]) {
      if (some !== undefined)
        expect(
          (
            await api
              .patch(path)
              .send({ [name]: some })
              .expect(200)
          ).body[name],
        ).toEqual(some);
      expect(
        (
          await api
            .patch(path)
            .send({ [name]: empty })
            .expect(200)
        ).body[name],
      ).toEqual(none);
      expect((await api.get(path).expect(200)).body[name]).toEqual(none);
    }
  });

  it('is not one that a record cannot do without', async () => {
    expect(await errorsOf('patch', await user(), { ext: null })).toEqual(['ext: expected text (2 to 10 digits)']);
    expect(await errorsOf('patch', await user(), { dnd: null })).toEqual(['dnd: expected true or false']);
    expect(await errorsOf('patch', await user(), { vm_pin: '123' })).toEqual([
      'vm_pin: expected text (4 digits, or empty for none), or an integer (1000 to 9999)',
    ]);
  });
});

describe.each(storedResources)('a record of %s', (resource) => {
  it('is taken back as it was read', async () => {
    const path = `${records}/${resource}`;
    const [record] = (await api.get(path).expect(200)).body.data;
    expect(record).toBeDefined();
    expect((await api.patch(`${path}/${record.id}`).send(record).expect(200)).body).toEqual(record);
  });
});

describe('either form', () => {
  it.each([
    ['cdrs', { type: 1, destination: 2, disposition: 8 }, { type: 'O', destination: 'webcall', disposition: 'VM' }],
    ['ddis', { e164: '+442079460999', target_type: 'none', status: 'inactive' }, { target_type: 0, status: 0 }],
    ['faxes', { type: 'out', status: 'sent' }, { type: 1, status: 2 }],
    ['chats', { state: 'closed' }, { state: 2 }],
    ['voicemessages', { folder: 'saved' }, { folder: 2 }],
    ['routingrules', { source: ['anonymous', '4420*'] }, { source: 'anonymous,4420*' }],
  ])('of members of %s', async (resource, written, read) => {
    const { body } = await api.post(`${records}/${resource}`).send(written).expect(201);
    expect(body).toMatchObject(read);
  });

  it('of members of a user', async () => {
    const written = { two_factor_auth: 1, ring_time: 20, fm_ring_time: 5, vm_pin: 4711, location_id: 3 };
    const codes = { monitor: 2, final_dst_type: 3, final_dst_id: 10_000_001, roles: 'ROLE_ADMIN, ROLE_AGENT' };
    const { body } = await api
      .patch(`${records}/users/10000001`)
      .send({ ...written, ...codes })
      .expect(200);
    expect(body).toMatchObject({
      ...{ two_factor_auth: 'E', ring_time: '20', fm_ring_time: '5', vm_pin: '4711', location_id: '3' },
      ...{ monitor: 'I', final_dst_type: 'R', final_dst_id: 10_000_001, roles: ['ROLE_ADMIN', 'ROLE_AGENT'] },
    });
    expect(stage.store.users.get(10_000_001)).toMatchObject({ ring_time: '20', two_factor_auth: 'E' });
  });

  it('a number is led to a ring group by letter', async () => {
    const wish = { target_type: 'R', target_id: 10_000_001 };
    const { body } = await api.patch(`${records}/ddis/10000001`).send(wish).expect(200);
    expect(body).toMatchObject({ target_type: 3, target_id: 10_000_001 });
  });

  it.each([
    ['cdrs', { type: 9 }, 'type: expected one of I, O, M, or one of 0, 1, 2'],
    ['cdrs', { type: 'X' }, 'type: expected one of I, O, M, or one of 0, 1, 2'],
    [
      'faxes',
      { status: 'lost' },
      /^status: expected an integer \(.+\), or one of queued, sending, sent, received, failed$/,
    ],
    [
      'queues',
      { name: 'Q', monitor: 'loud' },
      /^monitor: expected an integer \(0 N, 1 A, 2 I, 3 O\), or one of N, A, I, O, or one of 0, 1, 2, 3$/,
    ],
    ['users', { ext: '201', email: 'a@b.example', ring_time: 'soon' }, /^ring_time: expected /],
    ['users', { ext: '201', email: 'a@b.example', ring_time: -1 }, /^ring_time: expected /],
    ['users', { ext: '201', email: 'a@b.example', ring_time: 1e21 }, /^ring_time: expected /],
    ['monitors', { duration: 1e306 }, /^duration: expected /],
  ])('of %s: %j is none', async (resource, written, problem) => {
    const errors = await errorsOf('post', resource, written);
    expect(errors).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a recording', () => {
  it('is as large as its sound, unless somebody says otherwise', async () => {
    // 10 s at 8000 Hz fill 139 frames of 576 samples; two more go before and after, and each has 288 bytes.
    const { body } = await api.post(`${records}/monitors`).send({ duration: 10 }).expect(201);
    expect(body).toMatchObject({ duration: 10, size: 40_608 });
    const path = `${records}/monitors/${body.id}`;
    const longer = (
      await api
        .patch(path)
        .send({ ...body, duration: 20 })
        .expect(200)
    ).body;
    expect(longer.size).toBe(80_640);
    expect((await api.patch(path).send({ duration: 5, size: 7 }).expect(200)).body.size).toBe(7);
    expect((await api.patch(path).send({ caller: '1' }).expect(200)).body.size).toBe(7);
  });
});

describe('a chat', () => {
  it('is of its account and on its website', async () => {
    for (const customer of [1, 2])
      for (const chat of stage.store.chats.list(customer))
        expect(chat).toMatchObject({ customer_id: customer, website_id: customer * 10_000_000 + 1 });
    const { body } = await api.post(`${records}/chats?customer_id=2`).send({}).expect(201);
    expect(body.customer_id).toBe(2);
    await api.post(`${records}/chats?customer_id=2`).send({ customer_id: 2 }).expect(201);
    expect(await errorsOf('post', 'chats', { customer_id: 2 })).toEqual(['customer_id: cannot be chosen']);
    const path = `chats/${body.id}`;
    expect(await errorsOf('patch', path, { customer_id: 1 })).toEqual(['customer_id: cannot be changed']);
  });

  it('stays as it was when its operator and its website go', async () => {
    const before = stage.store.chats.get(10_000_001);
    const said = [...stage.store.chatmsgs.list(1)];
    await api.delete(`${records}/users/${before?.operator_id}`).expect(204);
    await api.delete(`${records}/callmebackwebsites/${before?.website_id}`).expect(204);
    expect(stage.store.chats.get(10_000_001)).toEqual(before);
    expect([...stage.store.chatmsgs.list(1)]).toEqual(said);
  });
});

describe('what cannot be', () => {
  it.each([
    ['cdrs', 'duration'],
    ['cdrs', 'billsec'],
    ['monitors', 'size'],
    ['monitors', 'duration'],
    ['msdrs', 'duration'],
    ['mediasessions', 'duration'],
    ['voicemessages', 'duration'],
    ['chats', 'duration'],
    ['webcalls', 'from_duration'],
  ])('%s with less than no %s', async (resource, member) => {
    const [problem, ...rest] = await errorsOf('post', resource, { [member]: -1 });
    expect(problem).toMatch(new RegExp(`^${member}: expected an integer \\(.*0 to 2147483647\\)$`));
    expect(rest).toEqual([]);
  });

  it.each([
    ['cdrs', 'user_id', 'user'],
    ['cdrnotes', 'user_id', 'user'],
    ['monitors', 'user_id', 'user'],
    ['msdrs', 'user_id', 'user'],
    ['msdrs', 'media_session_id', 'media session'],
    ['mediasessions', 'user', 'user'],
    ['chats', 'operator_id', 'user'],
    ['chats', 'website_id', 'call-me-back website'],
    ['chatmsgs', 'user_id', 'user'],
    ['chatmsgs', 'chat_id', 'chat'],
    ['trackedcalls', 'cdr_id', 'call detail record'],
    ['voicemessages', 'extension_id', 'user'],
  ])('%s whose %s is of another account', async (resource, member, name) => {
    expect(await errorsOf('post', resource, { [member]: 20_000_001 })).toEqual([
      `${member}: there is no ${name} 20000001 in this account`,
    ]);
  });

  it.each(['usergroups', 'usergrouppolicies', 'queuegroups', 'calllabels'])('%s without a name', async (resource) => {
    expect(await errorsOf('post', resource, {})).toEqual(['name: missing, expected text (1 to 255 characters)']);
    expect(await errorsOf('post', resource, { name: '' })).toEqual(['name: expected text (1 to 255 characters)']);
  });

  it('a contact of whom nothing is known', async () => {
    expect(await errorsOf('post', 'contacts', { notes: 'Who?', tel: '' })).toEqual([
      'body: expected at least one of first_name, last_name, company, email, tel, mobile',
    ]);
  });
});

describe('history', () => {
  it('keeps the user who is gone; a tracked call forgets a record that is gone', async () => {
    const { store } = stage;
    const recorded = [...store.monitors.list(1)].find(({ user_id }) => user_id > 0);
    const ofUser = store.cdrs.find('user_id', recorded?.user_id ?? 0).length;
    await api.delete(`${records}/users/${recorded?.user_id}`).expect(204);
    expect(store.monitors.get(recorded?.id ?? 0)).toEqual(recorded);
    expect(store.cdrs.find('user_id', recorded?.user_id ?? 0).length).toBe(ofUser);
    const [tracked] = store.trackedcalls.list(1);
    await api.delete(`${records}/cdrs/${tracked?.cdr_id}`).expect(204);
    expect(store.trackedcalls.get(tracked?.id ?? '')?.cdr_id).toBe(0);
  });
});

describe('a record that is sent as a new one', () => {
  it('may name its account, and no other', async () => {
    const { body } = await api.get(`${records}/users/10000001`).expect(200);
    const { id, customer, customer_id_id, roles } = body;
    const copy = { ext: '150', email: 'copy@x.example', customer, customer_id_id, roles };
    expect((await api.post(`${records}/users`).send(copy).expect(201)).body).toMatchObject({ customer: 1, ext: '150' });
    expect(await errorsOf('post', 'users', { ...copy, id })).toEqual(['id: cannot be chosen']);
    expect(await errorsOf('post', 'users', { ...copy, customer: 2 })).toEqual(['customer: cannot be chosen']);
  });
});
