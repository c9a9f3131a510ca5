// Numbers over HTTP: read under every spelling, and put into campaigns and out of them.
import { beforeEach, describe, expect, it } from 'vitest';
import { Story } from './story.rig.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

const path = '/calltracking/ddis';
const numbers = async (of = path) => (await story.list(of)).map(({ e164 }) => e164);

describe('a number', () => {
  it.each(['+442079460101', '442079460101', '%2B442079460101', '%2b442079460101'])('is read as %s', async (written) => {
    const { body } = await story.get(`/ddis/${written}`).expect(200);
    expect(body).toMatchObject({ total: 1, data: [{ id: '10000001', e164: '+442079460101', target_id: 10_000_001 }] });
    expect(Object.keys(body)).toEqual(['data', 'total']);
    story.fits('ddis', body.data[0]);
  });

  it('of nobody, or of another account, does not exist', async () => {
    const unknown = (await story.get('/ddis/+442079460999').expect(404)).body;
    expect((await story.get('/ddis/+442079460201').expect(404)).body).toEqual(unknown);
    expect((await story.get('/ddis/abc').expect(404)).body).toEqual(unknown);
    expect((await story.get('/ddis/+442079460201', 'foreigner').expect(200)).body.total).toBe(1);
    await story.get('/ddis/+442079460101', 'restricted').expect(403);
  });

  it('is beside the paths of lists', async () => {
    expect((await story.get('/ddis')).body.total).toBe(12);
    expect((await story.get('/ddis/dictionaries')).body.total).toBe(12);
    expect((await story.get('/ddis/calltracking')).body.total).toBe(1);
    const found = await story.list('/ddis', { filter: [{ property: 'e164', operator: 'eq', value: '442079460103' }] });
    expect(found.map(({ id }) => id)).toEqual(['10000003']);
  });
});

describe('a campaign', () => {
  it('is written with a url and read in the shape of a number', async () => {
    const { body } = await story.post('/calltracking/campaigns', {
      ...{ name: 'Autumn', url: 'https://autumn.example/', rules: [{ if: 1 }], chat_setting_id: 4 },
      ...{ call_me_back_setting_id: 10_000_001, call_tracking_setting_id: 0 },
    });
    story.fits('campaigns', body.data);
    expect(body.data).toMatchObject({ id: '10000002', name: 'Autumn', uri: 'https://autumn.example/', e164: '' });
    expect(story.stage.store.campaigns.get('10000002')).toMatchObject({
      ...{ rules: [{ if: 1 }], chat_setting_id: 4, call_me_back_setting_id: 10_000_001 },
    });
    expect((await story.get('/calltracking/campaigns')).body.total).toBe(2);
    const found = await story.list('/calltracking/campaigns', {
      filter: [{ property: 'url', operator: 'like', value: 'autumn' }],
    });
    expect(found.map(({ id }) => id)).toEqual(['10000002']);
  });

  it.each([
    [{ url: 'https://a.example/' }, [expect.stringMatching(/^name: is missing, expected text/)]],
    [{ name: 'x', rules: 'all' }, [expect.stringMatching(/^rules: expected an array/)]],
    [
      { name: 'x', call_me_back_setting_id: 20_000_001 },
      [expect.stringMatching(/^call_me_back_setting_id: there is no .* 20000001 in this account$/)],
    ],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/calltracking/campaigns', body], 400, errors);
  });
});

describe('tracked numbers', () => {
  it('are those in a campaign, under both paths', async () => {
    expect(await numbers()).toEqual(['+442079460112']);
    const changes = [
      { e164: '442079460110', campaign_id: 10_000_001 },
      { id: 10_000_009, campaign_id: 10_000_001 },
      { e164: '+442079460112', id: '10000012', campaign_id: 0 },
    ];
    const { body } = await story.patch(path, changes).expect(200);
    expect(body.total).toBe(3);
    expect(body.data.map(({ e164 }: { e164: string }) => e164)).toEqual([
      '+442079460110',
      '+442079460109',
      '+442079460112',
    ]);
    for (const number of body.data) story.fits('ddis', number);
    expect(await numbers()).toEqual(['+442079460109', '+442079460110']);
    expect(await numbers('/ddis/calltracking')).toEqual(['+442079460109', '+442079460110']);
    await story.patch(path, [{ e164: '+442079460109', campaign_id: null }]).expect(200);
    expect(await numbers()).toEqual(['+442079460110']);
  });

  it('change all or none', async () => {
    const good = { e164: '+442079460110', campaign_id: 10_000_001 };
    const other = { ...good, e164: '+442079460201' };
    await story.refused(['patch', path, [good, other]], 404, [
      '[1].e164: There is no number +442079460201 in this account.',
    ]);
    await story.refused(['patch', path, [good, { id: 77, campaign_id: 0 }]], 404, [
      '[1].id: There is no number 77 in this account.',
    ]);
    await story.refused(['patch', path, [good, { ...good, id: 10_000_001 }]], 400, [
      '[1].id: 10000001 is not the number +442079460110',
    ]);
    await story.refused(['patch', path, [good, good]], 400, ['[1].id: 10000010 comes twice']);
    await story.refused(['patch', path, [{ ...good, campaign_id: 20_000_001 }]], 400, [
      '[0].campaign_id: there is no call-tracking campaign 20000001 in this account',
    ]);
    await story.refused(['patch', path, [good, { campaign_id: 10_000_001 }]], 400);
    await story.refused(['patch', path, [{ e164: '+442079460110' }]], 400, [
      expect.stringMatching(/^\[0\]\.campaign_id: is missing/),
    ]);
    await story.refused(['patch', path, [good]], 403, undefined, 'restricted');
  });

  it('leave the calls that came over them in the shape of a number', async () => {
    const { body } = await story.get('/calltracking/cdrs').expect(200);
    expect(body.total).toBe(4);
    for (const call of body.data) story.fits('trackedcalls', call);
    expect(body.data[0]).toMatchObject({ name: 'Spring mailing', e164: '+442079460112' });
  });
});
