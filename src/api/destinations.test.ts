// Where calls go, over HTTP: ring groups, queues, IVRs and conference rooms, with the numbers and people that belong to them.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ddisOf } from '../store/records/record-book.ts';
import { Story } from './story.rig.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

/** The type and id of what a number leads to. */
async function leads(e164: string): Promise<readonly [type: number, id: number]> {
  const { body } = await story.get(`/ddis/${e164}`).expect(200);
  return [body.data[0].target_type, body.data[0].target_id];
}

describe('ring groups', () => {
  it('are written with words or their numbers, and read as published', async () => {
    const { body } = await story
      .post('/ringgroups', {
        name: 'Night',
        strategy: 'hunt',
        final_dst_type: 'V',
        final_dst_id: 10_000_002,
        moh_id: null,
      })
      .expect(201);
    expect(body).toEqual({
      data: {
        id: 10_000_003,
        name: 'Night',
        number: 702,
        strategy: 2,
        ring_time: 20,
        final_dst_type: 2,
        final_dst_id: 10_000_002,
        moh_id: 0,
        cli_prefix: false,
      },
      links: { self: '/v1.1/pbx/ringgroups/10000003' },
    });
    const { data } = (await story.patch('/ringgroups/10000003', { strategy: 4, final_dst_type: 7, ring_time: 30 }))
      .body;
    expect(data).toMatchObject({ strategy: 4, final_dst_type: 7, ring_time: 30, name: 'Night' });
    for (const value of ['random', 4]) {
      const found = await story.list('/ringgroups', { filter: [{ property: 'strategy', operator: 'eq', value }] });
      expect(found.map(({ id }) => id)).toEqual([10_000_003]);
    }
  });

  it('carry their numbers and users when asked, and only what was asked', async () => {
    const names = [
      'id',
      'final_dst_id',
      'final_dst_type',
      'moh_id',
      'number',
      'ring_time',
      'strategy',
      'cli_prefix',
      'name',
    ];
    const [plain] = await story.list('/ringgroups');
    expect(Object.keys(plain ?? {}).sort()).toEqual(names.toSorted());
    const users = [10_000_002, 10_000_003, 10_000_004];
    const [both] = await story.list('/ringgroups', { include: 'ddis,users' });
    expect(both).toEqual({ ...plain, ddis: ['+442079460109'], users });
    expect(await story.list('/ringgroups', { include: 'users', limit: 1 })).toEqual([{ ...plain, users }]);
    expect(await story.list('/ringgroups', { include: 'ddis', limit: 1 })).toEqual([
      { ...plain, ddis: ['+442079460109'] },
    ]);
    expect(await story.list('/ringgroups', { limit: 1 })).toEqual([plain]);
    await story.refused(['get', '/ringgroups?include=ddis,moh'], 400, [
      'include: expected ddis, users or both with a comma, got "moh"',
    ]);
    await story.refused(['get', '/ringgroups?include='], 400);
    expect((await story.get('/ringgroups/dictionaries')).body).toEqual((await story.get('/ringgroups')).body);
  });

  it('take numbers over and let them go', async () => {
    const { body } = await story.post('/ringgroups', { name: 'Night', ddis: ['442079460108', '+442079460112'] });
    const { id } = body.data;
    expect(await leads('+442079460108')).toEqual([3, id]);
    expect(await leads('+442079460112')).toEqual([3, id]);
    await story.patch(`/ringgroups/${id}`, { ddis: ['+442079460112', '+442079460109'] }).expect(200);
    expect(await leads('+442079460108')).toEqual([0, 0]);
    const groups = await story.list('/ringgroups', { include: 'ddis' });
    expect(groups.map(({ ddis }) => ddis)).toEqual([[], [], ['+442079460109', '+442079460112']]);
    await story.patch(`/ringgroups/${id}`, { name: 'Day' }).expect(200);
    expect(await leads('+442079460112')).toEqual([3, id]);
    await story.patch(`/ringgroups/${id}`, { users: [10_000_007, 10_000_001] }).expect(200);
    const [, , night] = await story.list('/ringgroups', { include: 'users' });
    expect(night?.users).toEqual([10_000_007, 10_000_001]);
  });

  it('leave nothing that leads to them', async () => {
    const { store } = story.stage;
    store.users.update(10_000_003, { final_dst_type: 'R', final_dst_id: 10_000_001 });
    await story.post('/routingrules', { action: 'redirect:R:10000001', direction: 'in' }).expect(201);
    await story.delete('/ringgroups/10000001').expect(204);
    await story.get('/ringgroups/10000001').expect(404);
    expect(await leads('+442079460109')).toEqual([0, 0]);
    expect((await story.get('/queues/10000001')).body.data).toMatchObject({ final_dst_type: 7, final_dst_id: 0 });
    expect((await story.get('/users/10000003')).body.data).toMatchObject({ final_dst_type: 'H', final_dst_id: 0 });
    expect((await story.get('/ivrs/10000001')).body.data).toMatchObject({ one: '', two: 'Q:10000001' });
    expect((await story.get('/routingrules/10000002')).body.data).toMatchObject({ action: 'block', final_dst: false });
    const { body } = await story.post('/ringgroups', { name: 'Heirs' });
    expect(body.data).toMatchObject({ id: 10_000_003, number: 700 });
  });

  it.each([
    [{ name: 'x', users: [20_000_001] }, ['users[0]: there is no user 20000001 in this account']],
    [{ name: 'x', users: [10_000_001, 10_000_001] }, ['users[1]: the user 10000001 is named twice']],
    [{ name: 'x', ddis: ['+442079460201'] }, ['ddis[0]: there is no number "+442079460201" in this account']],
    [{ name: 'x', ddis: ['10000010'] }, ['ddis[0]: there is no number "10000010" in this account']],
    [{ name: 'x', number: 600 }, ['number: the extension 600 is taken']],
    [{ name: 'x', number: 103 }, ['number: the extension 103 is taken']],
    [{ name: 'x', moh_id: 20_000_001 }, ['moh_id: there is no music on hold 20000001 in this account']],
    [
      { name: 'x', strategy: 'all' },
      [expect.stringMatching(/^strategy: expected one of ring_all, hunt, memory_hunt, random, or one of 1, 2, 3, 4/)],
    ],
    [
      { name: 'x', final_dst_type: 'Q', final_dst_id: 20_000_001 },
      ['final_dst_id: there is nothing with the id 20000001 that final_dst_type Q leads to'],
    ],
    [{ name: '' }, [expect.stringMatching(/^name: expected text \(1 to 255 characters\)/)]],
    [
      { name: 'x', final_dst_type: 'V', final_dst_id: 0 },
      ['final_dst_id: there is nothing with the id 0 that final_dst_type V leads to'],
    ],
    [{ name: 'x', ring_time: -1 }, [expect.stringMatching(/^ring_time: expected an integer \(0 to 86400\)/)]],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/ringgroups', body], 400, errors);
    await story.refused(['patch', '/ringgroups/10000002', body], 400, errors);
  });

  it('do not hand calls on to themselves', async () => {
    await story.refused(['patch', '/ringgroups/10000001', { final_dst_type: 'R', final_dst_id: 10_000_001 }], 400, [
      'final_dst_id: calls that nobody answers would come back for ever',
    ]);
  });

  it('of another account do not exist', async () => {
    for (const method of ['get', 'delete'] as const) await story.refused([method, '/ringgroups/20000001'], 404);
    await story.refused(['patch', '/ringgroups/20000001', { name: 'x' }], 404, ['There is no such ring group.']);
    await story.refused(['post', '/ringgroups', { name: 'x' }], 403, undefined, 'restricted');
  });
});

describe('queues', () => {
  it('are made with agents, numbers, words and sounds of any form', async () => {
    await story.post('/queuegroups', { name: 'Front office' }).expect(201);
    const { body } = await story
      .post('/queues', {
        ...{
          name: 'Returns',
          moh_id: 10_000_002,
          ivr_id: 10_000_001,
          ddis: ['+442079460112', 10_000_010],
          number: 650,
        },
        ...{
          users: [
            { id: 10_000_003, status: false },
            { id: 10_000_004, status: true },
          ],
          ring_strategy: 'linear',
        },
        ...{ caller_sounds: { intro: 7 }, agent_sounds: ['beep'], language: 'de', monitor: 'O', groups: [10_000_001] },
        ...{ final_dst_type: 'C', final_dst_id: 10_000_001, hash_to_exit: true, max_callers: 3 },
      })
      .expect(201);
    story.fits('queues', body.data);
    expect(body.data).toMatchObject({
      ...{
        id: 10_000_003,
        name: 'Returns',
        number: 650,
        moh: 10_000_002,
        ivr: 10_000_001,
        ring_strategy: 5,
        language: 2,
      },
      ...{ monitor: 3, caller_sounds: '{"intro":7}', final_dst_type: 6, final_dst_id: 10_000_001, max_callers: 3 },
    });
    expect(story.stage.store.queues.get(10_000_003)).toMatchObject({
      users: [
        { id: 10_000_003, status: false },
        { id: 10_000_004, status: true },
      ],
      ...{ agent_sounds: '["beep"]', groups: [10_000_001] },
    });
    expect(await leads('+442079460112')).toEqual([5, 10_000_003]);
    expect(await leads('+442079460110')).toEqual([5, 10_000_003]);
    expect((await story.get('/queues/10000003')).body.data).toEqual(body.data);
  });

  it('are written in the read form as well, and found by either', async () => {
    const written = { name: 'Second', moh: 10_000_001, ring_strategy: 6, language: 1, final_dst_type: 7, monitor: 'A' };
    expect((await story.post('/queues', written).expect(201)).body.data).toMatchObject({ ...written, monitor: 1 });
    const found = await story.list('/queues', { filter: [{ property: 'moh_id', operator: '=', value: 10_000_001 }] });
    expect(found.map(({ name }) => name)).toEqual(['Support', 'Second']);
  });

  it('are in queue groups of the account, by id or by object, until those go', async () => {
    const queueGroup = (await story.post('/queuegroups', { name: 'Front office' }).expect(201)).body.data.id;
    const { body } = await story.post('/queues', { name: 'Returns', groups: [queueGroup] }).expect(201);
    const other = await story.post('/queues', { name: 'Other', groups: [{ id: queueGroup }] }).expect(201);
    const groups = () => [body, other.body].map(({ data }) => story.stage.store.queues.get(data.id)?.groups);
    expect(groups()).toEqual([[queueGroup], [queueGroup]]);
    await story.refused(['post', '/queues', { name: 'x', groups: [queueGroup, 4711] }], 400, [
      'groups[1]: there is no queue group 4711 in this account',
    ]);
    await story.refused(['post', '/queues', { name: 'x', groups: ['Sales'] }], 400);
    await story.delete(`/queuegroups/${queueGroup}`).expect(204);
    expect(groups()).toEqual([[], []]);
  });

  it('log in whom they are told to when nothing is said of the status', async () => {
    const { body } = await story
      .post('/queues', { name: 'Returns', users: [{ id: 10_000_003, extra: 1 }] })
      .expect(201);
    expect(story.stage.store.queues.get(body.data.id)?.users).toEqual([{ id: 10_000_003, status: true }]);
  });

  it.each([
    [{ name: 'x', users: [{ id: 5, status: true }] }, ['users[0]: there is no user 5 in this account']],
    [{ name: 'x', users: [5] }, [expect.stringMatching(/^users\[0\]: expected an object/)]],
    [{ name: 'x', ivr_id: 9 }, ['ivr_id: there is no IVR 9 in this account']],
    [{ name: 'x', post_call_ivr_id: 9 }, ['post_call_ivr_id: there is no IVR 9 in this account']],
    [{ name: 'x', number: 700 }, ['number: the extension 700 is taken']],
    [{ number: 5000 }, [expect.stringMatching(/^name: is missing, expected text/)]],
    [{ name: 'x', monitor: 'Z' }, [expect.stringMatching(/^monitor: expected one of N, A, I, O/)]],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/queues', body], 400, errors);
  });
});

describe('IVRs', () => {
  it('are made and changed, with sounds as an array or as text', async () => {
    const { body } = await story
      .post('/ivrs', { name: 'Holiday', post_sounds: ['bye', 12], language: 'fr', ddis: ['+442079460112'], timeout: 8 })
      .expect(201);
    story.fits('ivrs', body.data);
    expect(body.data).toMatchObject({
      id: 10_000_002,
      number: 801,
      post_sounds: 'bye,12',
      language: 3,
      timeout: 8,
      repeats: 2,
    });
    expect(await leads('+442079460112')).toEqual([4, 10_000_002]);
    const changes = { post_sounds: 'bye', language: 1, random_choice: true, number: 888, ddis: [] };
    const { data } = (await story.patch('/ivrs/10000002', changes).expect(200)).body;
    expect(data).toMatchObject({ post_sounds: 'bye', language: 1, random_choice: true, number: 888, name: 'Holiday' });
    expect(await leads('+442079460112')).toEqual([0, 0]);
  });

  it('do not take what is only read: keys are set by the administration', async () => {
    const { body } = await story
      .patch('/ivrs/10000001', { name: 'Menu', one: 'Q:1', id: 5, sounds: 'other' })
      .expect(200);
    expect(body.data).toMatchObject({ id: 10_000_001, name: 'Menu', one: 'R:10000001', sounds: 'welcome' });
  });

  it('leave nothing that leads to them', async () => {
    await story.post('/queues', { name: 'Q', ivr_id: 10_000_001, post_call_ivr_id: 10_000_001 }).expect(201);
    await story.patch('/ringgroups/10000001', { final_dst_type: 'I', final_dst_id: 10_000_001 }).expect(200);
    await story.delete('/ivrs/10000001').expect(204);
    expect((await story.get('/queues/10000003')).body.data).toMatchObject({ ivr: 0, post_call_ivr_id: 0 });
    expect((await story.get('/ringgroups/10000001')).body.data).toMatchObject({ final_dst_type: 7, final_dst_id: 0 });
    expect(await leads('+442079460110')).toEqual([0, 0]);
  });

  it.each([
    [
      { name: 'x', post_sounds: ['a,b'] },
      [expect.stringMatching(/^post_sounds\[0\]: expected an integer .* or text \(text without a comma\), got "a,b"$/)],
    ],
    [{ name: 'x', number: 101 }, ['number: the extension 101 is taken']],
    [{ name: 'x', language: 'xx' }, [expect.stringMatching(/^language: expected one of en, /)]],
    [{ name: 'x', repeats: 101 }, ['repeats: expected an integer (0 to 100), got 101']],
    [
      { name: 'x', final_dst_type: 'C', final_dst_id: 9 },
      ['final_dst_id: there is nothing with the id 9 that final_dst_type C leads to'],
    ],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['patch', '/ivrs/10000001', body], 400, errors);
  });
});

describe('conference rooms', () => {
  it('get an extension and a number for outsiders', async () => {
    const { body } = await story
      .post('/conferences', { name: 'Team', pin: '2580', pin_pstn: '', ddis: ['+442079460112'], monitor: true })
      .expect(201);
    expect(body.data).toEqual({
      ...{ id: 10_000_003, name: 'Team', pin: '2580', pin_pstn: '', confno: 902, confno_pstn: 100_902 },
      ...{ ann_join_leave: false, monitor: true },
    });
    expect(await leads('+442079460112')).toEqual([6, 10_000_003]);
    const { data } = (await story.patch('/conferences/10000003', { pin: '1', ann_join_leave: true })).body;
    expect(data).toEqual({ ...body.data, pin: '1', ann_join_leave: true });
    await story.delete('/conferences/10000003').expect(204);
    expect(await leads('+442079460112')).toEqual([0, 0]);
    await story.refused(['get', '/conferences/10000003'], 404, ['There is no such conference.']);
  });

  it.each([
    [{ name: 'x', pin: 'abcd' }, [expect.stringMatching(/^pin: expected text/)]],
    [{ name: 'x', ddis: ['+15550100'] }, ['ddis[0]: there is no number "+15550100" in this account']],
    [{ name: 'x', monitor: 'yes' }, ['monitor: expected true or false, got "yes"']],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/conferences', body], 400, errors);
    await story.refused(['patch', '/conferences/10000001', body], 400, errors);
  });
});

describe('pickup groups and music on hold', () => {
  it('are read, with the count of users', async () => {
    expect((await story.get('/pickupgroups')).body).toEqual({
      data: [{ id: 10_000_001, name: 'First floor', users: 7 }],
      total: 1,
    });
    expect((await story.get('/pickupgroups/10000001')).body.data.users).toBe(7);
    expect((await story.get('/mohs/10000002')).body.data).toEqual({ id: 10_000_002, locked: false, name: 'Piano' });
    await story.refused(['get', '/mohs/20000001'], 404);
    await story.refused(['get', '/pickupgroups/x'], 404);
    await story.refused(['get', '/mohs/10000001'], 403, undefined, 'restricted');
  });
});

describe('whatever is made, changed and removed', () => {
  const kinds = ['ringgroups', 'queues', 'ivrs', 'conferences'] as const;
  const letters: Readonly<Record<(typeof kinds)[number], number>> = {
    ringgroups: 3,
    ivrs: 4,
    queues: 5,
    conferences: 6,
  };
  const number = fc.integer({ min: 101, max: 112 }).map((end) => `+442079460${end}`);
  const wish = fc.record({
    act: fc.constantFrom('post', 'patch', 'delete'),
    kind: fc.constantFrom(...kinds),
    which: fc.nat({ max: 3 }),
    ddis: fc.option(fc.array(number, { maxLength: 4 }), { nil: undefined }),
    target: fc.option(fc.tuple(fc.constantFrom('R', 'Q', 'I', 'C'), fc.nat({ max: 3 })), { nil: undefined }),
  });

  it('each number leads to one thing that is there, and lists agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { maxLength: 25 }), async (wishes) => {
        story = new Story();
        for (const { act, kind, which, ddis, target } of wishes) {
          const path = `/${kind}/${10_000_001 + which}`;
          const destination = target && { final_dst_type: target[0], final_dst_id: 10_000_001 + target[1] };
          const body = { name: 'x', ddis, ...(kind === 'conferences' ? {} : destination) };
          const answer =
            act === 'post'
              ? await story.post(`/${kind}`, body)
              : act === 'patch'
                ? await story.patch(path, body)
                : await story.delete(path);
          expect([200, 201, 204, 400, 404, 405]).toContain(answer.status);
          await agree();
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  async function agree(): Promise<void> {
    const { store, clock } = story.stage;
    const ground = { store, customerId: 1, nowMs: clock.now() };
    const listed = new Map<string, string>();
    for (const kind of kinds)
      for (const { id } of store[kind].list(1))
        for (const e164 of ddisOf(ground, kind, id) ?? []) {
          expect(listed.has(e164), `${e164} is listed twice`).toBe(false);
          listed.set(e164, `${letters[kind]} ${id}`);
        }
    for (const { e164, target_type, target_id } of store.ddis.list(1)) {
      if (target_type === 0) expect(target_id).toBe(0);
      else if (target_type === 1) expect(store.users.get(target_id)).toBeDefined();
      else expect(listed.get(e164)).toBe(`${target_type} ${target_id}`);
    }
    const groups = await story.list('/ringgroups', { include: 'ddis' });
    for (const { id, ddis } of groups)
      for (const e164 of ddis as string[]) expect(listed.get(e164)).toBe(`3 ${String(id)}`);
    const codes = { 3: store.ringgroups, 4: store.ivrs, 5: store.queues, 6: store.conferences } as const;
    for (const kind of ['ringgroups', 'queues', 'ivrs'] as const)
      for (const { final_dst_type, final_dst_id } of store[kind].list(1)) {
        const where = codes[final_dst_type as keyof typeof codes];
        if (where !== undefined) expect(where.get(final_dst_id), `${final_dst_type} ${final_dst_id}`).toBeDefined();
      }
  }
});
