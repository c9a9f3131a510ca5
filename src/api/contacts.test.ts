// Contacts over HTTP: every member is kept, several change or go together or not at all.
import { beforeEach, describe, expect, it } from 'vitest';
import { Story } from './story.rig.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

const kept = (id: number) => story.stage.store.contacts.get(id);

describe('a contact', () => {
  it('is its maker’s, and keeps everything that is written', async () => {
    const shown = {
      ...{ type: 2, dialler_source_id: 7, outcome_id: 8, group_name: 'Leads', first_name: 'Carla', last_name: 'Stone' },
      ...{
        email: 'carla@stone.example',
        company: 'Stone',
        tel: '1',
        tel_1: '2',
        tel_2: '3',
        mobile: '4',
        mobile_1: '5',
      },
      ...{ mobile_2: '6', notes: 'in the morning' },
    };
    const hidden = {
      ...{ speed_dial_phone: '*1', speed_dial_phone_1: '*2', speed_dial_phone_2: '*3', speed_dial_mobile: '*4' },
      ...{ speed_dial_mobile_1: '*5', speed_dial_mobile_2: '*6', labels: ['vip', { id: 3 }], groups: [1, 2] },
      transfer_list: true,
    };
    const { body } = await story.post('/contacts', { ...shown, ...hidden, type: 'lead' }, 'agent').expect(201);
    story.fits('contacts', body.data);
    expect(body.data).toEqual({
      ...shown,
      ...{ id: 10_000_025, user_id: 10_000_003, created_at: '2026-01-01 00:00:00', ext: '', rel_user_id: 0 },
      ...{ global: false, internal: false, last_call_at: null, next_call_at: null, nb_call_attempts: 0 },
    });
    expect(body.links).toEqual({ self: '/v1.1/pbx/contacts/10000025', user: '/v1.1/pbx/users/10000003' });
    expect(kept(10_000_025)).toEqual({ ...body.data, ...hidden });
  });

  it('changes in what is given alone', async () => {
    const before = kept(10_000_001);
    const { body } = await story.patch('/contacts/10000001', { type: 3, mobile: '+442079460951', labels: ['vip'] });
    expect(kept(10_000_001)).toEqual({ ...before, type: 3, mobile: '+442079460951', labels: ['vip'] });
    expect(body.data).not.toHaveProperty('labels');
    const leads = await story.list('/contacts', { filter: [{ property: 'type', operator: 'eq', value: 'lead' }] });
    expect(leads).toEqual([]);
  });

  it('takes nothing that only the system writes', async () => {
    const before = kept(10_000_002);
    const foreign = { id: 9, nb_call_attempts: 'many', created_at: 'never', global: 5, rel_user_id: -1 };
    await story.patch('/contacts/10000002', { notes: 'x', ...foreign }).expect(200);
    expect(kept(10_000_002)).toEqual({ ...before, notes: 'x' });
  });

  it('of nobody in particular is everybody’s', async () => {
    const { body } = await story.post('/contacts', { first_name: 'Door', user_id: null }).expect(201);
    expect(body.data).toMatchObject({ user_id: 0, global: true });
    const path = `/contacts/${body.data.id}`;
    expect((await story.patch(path, { user_id: 10_000_002 })).body.data).toMatchObject({ global: false });
    expect((await story.patch(path, { user_id: 0 })).body.data).toMatchObject({ user_id: 0, global: true });
  });

  it.each([
    [{ notes: 'x' }, ['first_name, last_name, company, email, tel, mobile: expected at least one of these']],
    [
      { first_name: 'x', type: 'friend' },
      [expect.stringMatching(/^type: expected one of contact, lead, company, or one of 1, 2, 3/)],
    ],
    [{ first_name: 'x', user_id: 20_000_001 }, ['user_id: there is no user 20000001 in this account']],
    [{ first_name: 7 }, [expect.stringMatching(/^first_name: expected text .*got 7$/)]],
    [{ first_name: 'x', labels: 'vip' }, [expect.stringMatching(/^labels: expected an array/)]],
    [
      { first_name: 'x', notes: 'n'.repeat(65_536) },
      [expect.stringMatching(/^notes: expected text \(at most 65535 characters\)/)],
    ],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/contacts', body], 400, errors);
    if ('first_name' in body) await story.refused(['patch', '/contacts/10000001', body], 400, errors);
  });

  it('is of a kind that may be written as the digits of its code', async () => {
    const { body } = await story.post('/contacts', { first_name: 'Lee', type: '2' }).expect(201);
    expect(body.data.type).toBe(2);
  });

  it('of another account does not exist; restricted users reach none', async () => {
    const path = '/contacts/20000001';
    await story.refused(['get', path], 404, ['There is no such contact.']);
    await story.refused(['patch', path, { notes: 'x' }], 404, ['There is no such contact.']);
    await story.get('/contacts', 'restricted').expect(403);
    await story.refused(['patch', '/contacts/10000001', { notes: 'x' }], 403, undefined, 'restricted');
    await story.refused(['delete', '/contacts/10000001'], 403, undefined, 'restricted');
  });
});

describe('several contacts', () => {
  it('change together, in the order of the request', async () => {
    const changes = [
      { id: 10_000_003, group_name: 'Fair' },
      { id: 10_000_001, labels: ['fair'] },
    ];
    const { body } = await story.patch('/contacts', changes).expect(200);
    expect(body.total).toBe(2);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([10_000_003, 10_000_001]);
    expect(body.data[0].group_name).toBe('Fair');
    expect(kept(10_000_001)?.labels).toEqual(['fair']);
  });

  it('change all or none', async () => {
    const good = { id: 10_000_001, group_name: 'Fair' };
    const errors = ['[1].id: There is no such contact, got 20000001'];
    await story.refused(['patch', '/contacts', [good, { id: 20_000_001, group_name: 'Fair' }]], 404, errors);
    await story.refused(['patch', '/contacts', [good, good]], 400, ['[1].id: 10000001 comes twice']);
    await story.refused(['patch', '/contacts', [good, { id: 10_000_002, group_name: 5 }]], 400, [
      expect.stringMatching(/^\[1\]\.group_name: expected text/),
    ]);
    await story.refused(['patch', '/contacts', []], 400);
    await story.refused(['patch', '/contacts', Array.from({ length: 5001 }, () => good)], 400);
  });

  it('go together or not at all', async () => {
    await story.refused(['delete', '/contacts/10000001,20000001'], 404, [
      'ids[1]: There is no such contact, got 20000001',
    ]);
    await story.refused(['delete', '/contacts/10000001,x'], 404);
    await story.delete('/contacts/10000001,10000002,10000001').expect(204);
    await story.get('/contacts/10000002').expect(404);
    expect((await story.get('/contacts')).body.total).toBe(22);
    const ids = Array.from({ length: 5001 }, () => '1').join(',');
    await story.refused(['delete', `/contacts/${ids}`], 400, ['ids: expected at most 5000, got 5001']);
  });

  it('are found, sorted and grouped by what is published', async () => {
    const groups = await story.list('/contacts', { group_by: 'group_name' });
    expect(groups.map(({ group_name }) => group_name)).toEqual(['Customers', 'Suppliers']);
    const mine = await story.list('/contacts', {
      filter: [
        { property: 'user_id', operator: 'eq', value: 10_000_001 },
        { property: 'global', operator: '=', value: true },
      ],
      sort: '-id',
    });
    expect(mine.length).toBeGreaterThan(0);
    for (const contact of mine) expect(contact).toMatchObject({ user_id: 10_000_001, global: true });
    await story.refused(['get', `/contacts?${new URLSearchParams({ sort: 'labels' })}`], 400);
  });
});
