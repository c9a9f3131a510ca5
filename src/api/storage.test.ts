// The Storage module over HTTP: messages, kept answers, faxes and announcements. How a message travels is told in pbx/.
import { beforeEach, describe, expect, it } from 'vitest';
import { Story } from './story.rig.ts';

let story: Story;
beforeEach(() => {
  story = new Story();
});

const OUTSIDE = '+442079460911';
const NEW = '2026-01-01 00:00:00';

describe('SMS', () => {
  it('are sent from the number that the user shows, and queued at first', async () => {
    const { body } = await story.post('/sms', { to: '442079460911', message: 'Ready at noon.' }, 'agent').expect(201);
    expect(body).toEqual({
      data: {
        id: 10_000_021,
        created_at: NEW,
        from: '+442079460103',
        to: OUTSIDE,
        message: 'Ready at noon.',
        result: 'queued',
        type: 'out',
        user_id: 10_000_003,
      },
      links: { self: '/v1.1/pbx/sms/10000021', user: '/v1.1/pbx/users/10000003' },
    });
    story.fits('sms', body.data);
    expect((await story.get('/sms/10000021')).body.data).toEqual(body.data);
    expect((await story.get('/sms')).body.total).toBe(21);
  });

  it('are sent from any number of the account that sends SMS, written with or without plus', async () => {
    const message = { to: OUTSIDE, message: 'Hello' };
    expect((await story.post('/sms', { ...message, from: '442079460108' })).body.data.from).toBe('+442079460108');
    story.stage.store.ddis.update('10000008', { sms_enabled: false });
    await story.refused(['post', '/sms', { ...message, from: '+442079460108' }], 400, [
      'from: +442079460108 sends no SMS',
    ]);
    for (const from of [OUTSIDE, '+442079460201'])
      await story.refused(['post', '/sms', { ...message, from }], 400, [
        `from: there is no number ${from} in this account`,
      ]);
  });

  it("come from the user's own mobile when it is activated, and from nobody else's", async () => {
    const { users } = story.stage.store;
    const message = { to: OUTSIDE, message: 'Hello', from: '+447700900123' };
    users.update(10_000_003, { mobile: '+44 7700 900123' });
    await story.refused(
      ['post', '/sms', message],
      400,
      ['from: your mobile number +447700900123 is not activated'],
      'agent',
    );
    users.update(10_000_003, { mobile_activated: true });
    expect((await story.post('/sms', message, 'agent').expect(201)).body.data.from).toBe('+447700900123');
    await story.refused(
      ['post', '/sms', message],
      400,
      ['from: there is no number +447700900123 in this account'],
      'root',
    );
  });

  it('come from the first number that rings the user when the one that is shown sends none', async () => {
    const { ddis, users } = story.stage.store;
    ddis.update('10000001', { sms_enabled: false });
    const message = { to: OUTSIDE, message: 'Hello' };
    expect((await story.post('/sms', message, 'root')).body.data.from).toBe('+442079460112');
    users.update(10_000_001, { cli: '+442079460110' });
    expect((await story.post('/sms', message, 'root')).body.data.from).toBe('+442079460110');
    users.update(10_000_003, { cli: '' });
    ddis.update('10000003', { sms_enabled: false });
    await story.refused(
      ['post', '/sms', message],
      400,
      ['from: is missing, and you have no number of your own that sends SMS'],
      'agent',
    );
  });

  it.each([
    [{ to: OUTSIDE }, ['message: is missing, expected text (at most ten parts of an SMS; 1 to 1600 characters)']],
    [{ message: 'x' }, ['to: is missing, expected text (E.164, with or without +)']],
    [{ to: '101', message: 'x' }, ['to: expected text (E.164, with or without +), got "101"']],
    [
      { to: OUTSIDE, message: 'x'.repeat(1601) },
      ['message: expected text (at most ten parts of an SMS; 1 to 1600 characters), got 1601 characters'],
    ],
    [{ to: OUTSIDE, message: 5 }, [expect.stringMatching(/^message: expected text .*, got 5$/)]],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/sms', body], 400, errors);
  });

  it('are listed in both directions, filtered and sorted', async () => {
    const inbound = await story.list('/sms', { filter: [{ property: 'type', operator: 'eq', value: 'in' }] });
    expect(inbound.length).toBe(10);
    const [latest] = await story.list('/sms', { sort: '-created_at', limit: 1 });
    expect(latest).toMatchObject({ id: 10_000_020, type: 'in', result: 'received' });
    const types = await story.list('/sms', { group_by: 'type' });
    expect(types.map(({ type }) => type)).toEqual(['out', 'in']);
    expect((await story.get('/sms/dictionaries')).body.total).toBe(20);
  });

  it('are removed all at once, by administrators, and no other account loses one', async () => {
    await story.refused(['delete', '/sms'], 403, undefined, 'agent');
    expect((await story.delete('/sms').expect(202)).body).toEqual({ message: 'Everything was removed.' });
    expect((await story.get('/sms')).body).toEqual({ data: [], total: 0 });
    expect((await story.get('/sms', 'foreigner')).body.total).toBeGreaterThan(0);
  });

  it('of another account do not exist, and restricted users have none', async () => {
    const unknown = (await story.get('/sms/10999999').expect(404)).body;
    expect((await story.get('/sms/20000001').expect(404)).body).toEqual(unknown);
    await story.get('/sms', 'restricted').expect(403);
    await story.refused(['post', '/sms', { to: OUTSIDE, message: 'x' }], 403, undefined, 'restricted');
  });
});

describe('canned responses', () => {
  it('keep name and text in the shape of an SMS, under either name', async () => {
    const { body } = await story.post('/sms/cannedresponses', { name: 'Late', text: 'We are late.' }, 'agent');
    expect(body.data).toEqual({
      id: 10_000_003,
      created_at: NEW,
      from: 'Late',
      to: '',
      message: 'We are late.',
      result: '',
      type: 'canned',
      user_id: 10_000_003,
    });
    const other = await story.post('/sms/cannedresponses', { from: 'Early', message: 'We are early.' }).expect(201);
    expect(other.body.data).toMatchObject({ from: 'Early', message: 'We are early.', type: 'canned' });
    const path = `/sms/cannedresponses/${body.data.id}`;
    expect((await story.patch(path, { text: 'Sorry.' })).body.data).toEqual({ ...body.data, message: 'Sorry.' });
    expect((await story.patch(path, { from: 'Delay' })).body.data).toMatchObject({ from: 'Delay', message: 'Sorry.' });
    const found = await story.list('/sms/cannedresponses', {
      filter: [{ property: 'name', operator: 'like', value: 'del' }],
    });
    expect(found.map(({ id }) => id)).toEqual([10_000_003]);
    await story.delete(path).expect(204);
    await story.get(path).expect(404);
  });

  it('need both, and are written by nobody else', async () => {
    await story.refused(['post', '/sms/cannedresponses', { name: 'Late' }], 400, [
      'body: expected a text, written or read form: text or message, got an object',
    ]);
    await story.refused(['patch', '/sms/cannedresponses/10000001', {}], 400);
    await story.refused(['patch', '/sms/cannedresponses/20000001', { text: 'x' }], 404);
    await story.refused(['delete', '/sms/cannedresponses/20000001'], 404);
    await story.refused(['patch', '/sms/cannedresponses/10000001', { text: 'x' }], 403, undefined, 'restricted');
  });

  it('are found by id beside the paths of SMS', async () => {
    expect((await story.get('/sms/cannedresponses')).body.total).toBe(2);
    expect((await story.get('/sms/cannedresponses/10000001')).body.data.type).toBe('canned');
  });
});

describe('faxes', () => {
  it('are listed with their codes as numbers, and found by their words', async () => {
    const faxes = await story.list('/faxes');
    expect(faxes.length).toBe(6);
    for (const fax of faxes) story.fits('faxes', fax);
    const received = await story.list('/faxes', { filter: [{ property: 'status', operator: 'eq', value: 3 }] });
    expect(received.length).toBe(3);
    await story.get('/faxes', 'restricted').expect(403);
  });
});

/** 8 kHz, 16-bit mono: eight silent samples. */
const WAV = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1').toString('base64');

describe('voicemail announcements', () => {
  it("are the caller's own unless it is said whose, and keep their sound", async () => {
    const { body } = await story.post('/vmannouncements', { data: WAV, description: 'Away' }, 'agent').expect(201);
    expect(body.data).toEqual({ id: 10_000_002, created_at: NEW, description: 'Away', extension: 10_000_003 });
    expect(story.stage.store.vmannouncements.get(10_000_002)).toMatchObject({ data: WAV, audio_type: 'WAV' });
    const lines = WAV.replace(/.{20}/g, '$&\r\n');
    const other = await story.post('/vmannouncements', { data: lines, extension_id: 10_000_004 }).expect(201);
    expect(other.body.data).toMatchObject({ extension: 10_000_004, description: '' });
    expect(story.stage.store.vmannouncements.get(other.body.data.id)?.data).toBe(WAV);
    expect((await story.get('/vmannouncements')).body.total).toBe(3);
  });

  it('keep what a change does not name', async () => {
    const path = '/vmannouncements/10000001';
    const { data } = story.stage.store.vmannouncements.get(10_000_001) ?? {};
    const { body } = await story.patch(path, { description: 'New words' }).expect(200);
    expect(body.data).toMatchObject({ description: 'New words', extension: 10_000_001 });
    expect(story.stage.store.vmannouncements.get(10_000_001)).toMatchObject({ data, audio_type: 'WAV' });
    await story.patch(path, { data: WAV, extension: 10_000_002 }).expect(200);
    expect(story.stage.store.vmannouncements.get(10_000_001)).toMatchObject({
      ...{ data: WAV, extension: 10_000_002, description: 'New words' },
    });
  });

  it.each([
    [{}, ['data: is missing, expected text (Base64 of an MP3, MP4, WAV or AAC file)']],
    [{ data: '' }, ['data: expected text (Base64 of an MP3, MP4, WAV or AAC file), got ""']],
    [{ data: 'UklG-' }, ['data: expected text (Base64 of an MP3, MP4, WAV or AAC file), got "UklG-"']],
    [{ data: 'UklGR' }, ['data: expected Base64 in whole groups of four characters']],
    [{ data: PNG }, ['data: The file is a PNG image. Expected MP3, MP4, WAV or AAC.']],
    [{ data: WAV.slice(0, 40) }, [expect.stringMatching(/^data: The WAV file .* Expected MP3, MP4, WAV or AAC\.$/)]],
    [{ data: WAV, extension_id: 20_000_001 }, ['extension_id: there is no user 20000001 in this account']],
  ])('%j is refused', async (body, errors) => {
    await story.refused(['post', '/vmannouncements', body], 400, errors);
    if ('data' in body) await story.refused(['patch', '/vmannouncements/10000001', body], 400, errors);
  });

  it('larger than a body may be are 413', async () => {
    await story.refused(['post', '/vmannouncements', { data: 'A'.repeat(1_048_576) }], 413);
  });

  it('are no more than an account may have', async () => {
    const { vmannouncements } = story.stage.store;
    const [seeded] = vmannouncements.list(1);
    if (seeded === undefined) expect.fail('the seed has no announcement');
    for (let count = 1; count < 1000; count += 1)
      vmannouncements.insert(1, { ...seeded, id: vmannouncements.nextId(1), data: 'x' });
    await story.refused(['post', '/vmannouncements', { data: WAV }], 400, [
      'data: the account has 1000 announcements, the most that it may have',
    ]);
    await story.patch('/vmannouncements/10000001', { data: WAV }).expect(200);
    vmannouncements.update(10_000_002, { data: 'x'.repeat(104_857_600) });
    await story.refused(['patch', '/vmannouncements/10000003', { data: WAV }], 400, [
      'data: the announcements of the account would have 104858757 bytes, expected 104857600 at most',
    ]);
  });

  it('leave nobody with one that is gone', async () => {
    const { users } = story.stage.store;
    expect(users.get(10_000_001)?.vm_announcement_id).toBe(10_000_001);
    users.update(10_000_003, { fm_announcement_id: 10_000_001 });
    await story.delete('/vmannouncements/10000001').expect(204);
    expect(users.get(10_000_001)?.vm_announcement_id).toBe(0);
    expect(users.get(10_000_003)?.fm_announcement_id).toBe(0);
    await story.get('/vmannouncements/10000001').expect(404);
  });

  it('of another account do not exist', async () => {
    await story.refused(['patch', '/vmannouncements/20000001', { description: 'x' }], 404);
    await story.refused(['delete', '/vmannouncements/20000001'], 404);
    await story.refused(['post', '/vmannouncements', { data: WAV }], 403, undefined, 'restricted');
  });
});
