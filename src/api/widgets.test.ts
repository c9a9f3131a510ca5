// Call-me-back widgets and report schedules over HTTP: written in one form, read in another, refused in words.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];

function ask(method: string, path: string, who: Who = 'admin', body?: unknown) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const call = request(stage.api)[verb](`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who]));
  return body === undefined ? call : call.send(body as object);
}

async function newId(path: string, body: object): Promise<number> {
  const answer = await ask('POST', path, 'admin', body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.data.id;
}

describe('a widget setting', () => {
  test('is written in words and names, and read in numbers', async () => {
    const button = await newId('/callmeback/buttons', { name: 'Call us', data_online: '<b>', data_offline: '-' });
    const setting = {
      button_id: button,
      name: 'Shop',
      position: 'top_left',
      floating_icon: true,
      culture: 'de-DE',
      allowed_countries: ['DE', 'AT'],
      show_to_allowed_countries_only: true,
      welcome_screen_msg: 'Hallo',
      privacy_policy_url: 'https://shop.example/',
      ddi_e164: 442_079_460_101,
      max_call_rate: 0.25,
    };
    const made = await ask('POST', '/callmeback/settings', 'admin', setting);
    const { id } = made.body.data;
    expect(made.headers.location).toBe(`/v1.1/pbx/callmeback/settings/${id}`);
    expect(made.body.data).toEqual({
      id,
      created_at: '2026-01-01 00:00:00',
      call_me_back_button: button,
      name: 'Shop',
      title: '',
      position: 4,
      floating_icon: true,
      culture: 3,
      allowed_countries: 'DE,AT',
      show_to_allowed_countries_only: true,
      welcome_screen_msg: 'Hallo',
      privacy_policy_url: 'https://shop.example/',
      ddi: 442_079_460_101,
      max_call_rate: 0.25,
    });
    const changed = await ask('PATCH', `/callmeback/settings/${id}`, 'agent', {
      position: 1,
      ddi_e164: '+442079460102',
      id: 7,
    });
    expect(changed.body.data).toMatchObject({ id, position: 1, ddi: 442_079_460_102, name: 'Shop' });
    expect((await ask('GET', '/callmeback/settings?sort=-id&limit=1')).body.data).toEqual([changed.body.data]);
    expect((await ask('DELETE', `/callmeback/buttons/${button}`)).status).toBe(204);
    expect((await ask('GET', `/callmeback/settings/${id}`)).body.data.call_me_back_button).toBe(0);
    expect((await ask('DELETE', `/callmeback/settings/${id}`)).status).toBe(204);
    expect((await ask('GET', `/callmeback/settings/${id}`)).status).toBe(404);
  });

  test.each([
    [{}, 'name: is missing'],
    [{ name: 'x', button_id: 999 }, 'button_id: there is no call-me-back button 999 in this account'],
    [{ name: 'x', button_id: 20_000_001 }, 'button_id: there is no call-me-back button 20000001 in this account'],
    [{ name: 'x', ddi_e164: 442_079_460_999 }, 'ddi_e164: there is no number 442079460999 in this account'],
    [{ name: 'x', ddi: 1 }, 'ddi: there is no number 1 in this account'],
    [{ name: 'x', ddi: 1, ddi_e164: 442_079_460_999 }, 'ddi_e164: there is no number 442079460999 in this account'],
    [{ name: 'x', ddi_e164: '+442079460201' }, 'ddi_e164: there is no number 442079460201 in this account'],
    [{ name: 'x', position: 'middle' }, 'position: expected'],
    [{ name: 'x', culture: 99 }, 'culture: expected'],
    [{ name: 'x', floating_icon: 'yes' }, 'floating_icon: expected'],
    [{ name: 'x', max_call_rate: -1 }, 'max_call_rate: expected'],
  ])('%j is refused: %s', async (body, reason) => {
    const before = [...stage.store.callmebacksettings.list(1)];
    const answer = await ask('POST', '/callmeback/settings', 'admin', body);
    expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(reason)]);
    expect([...stage.store.callmebacksettings.list(1)]).toEqual(before);
    const [{ id } = { id: 0 }] = before;
    if (Object.keys(body).length === 0) return;
    expect((await ask('PATCH', `/callmeback/settings/${id}`, 'admin', body)).status).toBe(400);
    expect([...stage.store.callmebacksettings.list(1)]).toEqual(before);
  });
});

test('the data of a button is kept and not shown', async () => {
  const id = await newId('/callmeback/buttons', { name: 'Call us', data_online: 'on' });
  const changed = await ask('PATCH', `/callmeback/buttons/${id}`, 'admin', { data_offline: 'off' });
  expect(changed.body.data).toMatchObject({ id, name: 'Call us' });
  expect(Object.keys(changed.body.data)).not.toContain('data_online');
  expect(stage.store.callmebackbuttons.get(id)).toMatchObject({ data_online: 'on', data_offline: 'off' });
  expect((await ask('GET', `/callmeback/buttons/${id}`)).body.data).toEqual(changed.body.data);
});

test.each(['websites', 'settings', 'cdrs', 'visitors'])('/callmeback/%s lists the account’s own', async (part) => {
  const { body } = await ask('GET', `/callmeback/${part}`);
  expect(body.total).toBeGreaterThan(0);
  for (const { id } of body.data) expect(Math.floor(id / 10_000_000)).toBe(1);
  expect((await ask('GET', `/callmeback/${part}`, 'restricted')).status).toBe(403);
});

test.each(['/callmeback/settings', '/callmeback/buttons', '/reportschedules'])(
  'of another account there is nothing below %s',
  async (path) => {
    const absent = await ask('GET', `${path}/999`);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      const answer = await ask(method, `${path}/20000001`, 'root', body);
      expect([method, answer.status, answer.body]).toEqual([method, 404, absent.body]);
    }
    expect((await ask('GET', `${path}/20000001`, 'foreigner')).status).toBe(200);
  },
);

describe('a report schedule', () => {
  const weekly = { type: 'weekly', time_of_day: [7.5], day_of_week: [1, 4] };

  test('is written as an object and read as text, with its next run', async () => {
    const answer = await ask('POST', '/reportschedules', 'admin', {
      report_id: 4,
      name: 'Week',
      description: 'All calls',
      emails: ['a@x.example', 'b@x.example'],
      format: 'csv',
      culture: 'fr-FR',
      start_at: '2026-01-05',
      end_at: '2026-03-01T12:00:00+01:00',
      frequency: weekly,
      timezone: 'Europe/Paris',
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body.data;
    expect(answer.body.data).toEqual({
      id,
      report_id: 4,
      name: 'Week',
      description: 'All calls',
      emails: 'a@x.example,b@x.example',
      format: 2,
      culture: 4,
      status: 1,
      created_at: '2026-01-01 00:00:00',
      start_at: '2026-01-05 00:00:00',
      end_at: '2026-03-01 11:00:00',
      frequency: JSON.stringify(weekly),
      timezone: 'Europe/Paris',
      last_run_at: null,
      next_run_at: '2026-01-05 06:30:00',
    });
    const stopped = await ask('PATCH', `/reportschedules/${id}`, 'agent', {
      status: 'inactive',
      next_run_at: '2030-01-01 00:00:00',
    });
    expect(stopped.body.data).toMatchObject({ status: 0, next_run_at: null });
    const again = await ask('PATCH', `/reportschedules/${id}`, 'agent', { status: 1, frequency: '{"type":"daily"}' });
    expect(again.body.data).toMatchObject({
      status: 1,
      frequency: '{"type":"daily"}',
      next_run_at: '2026-01-05 23:00:00',
    });
    expect((await ask('GET', `/reportschedules/${id}`)).body.data).toEqual(again.body.data);
    expect((await ask('GET', '/reportschedules/dictionaries')).body).toEqual(
      (await ask('GET', '/reportschedules')).body,
    );
    expect((await ask('DELETE', `/reportschedules/${id}`)).status).toBe(204);
    expect((await ask('GET', `/reportschedules/${id}`)).status).toBe(404);
  });

  test.each([
    [{ name: undefined }, 'name: is missing'],
    [{ report_id: 0 }, 'report_id: expected'],
    [
      { frequency: { type: 'weekly', day_of_week: [9] } },
      'frequency.day_of_week[0]: expected a day from 1 Monday to 7 Sunday',
    ],
    [{ frequency: { type: 'daily', time_of_day: [25] } }, 'frequency.time_of_day[0]: expected an hour of the day'],
    [{ frequency: { time_of_day: [7] } }, 'frequency.type: is missing, expected text'],
    [{ frequency: 'weekly' }, 'frequency: expected an object'],
    [{ timezone: 'Europe/Hull' }, 'timezone: expected the name of a time zone'],
    [{ start_at: '2026-02-01', end_at: '2026-01-01' }, 'end_at: expected a moment that is not before start_at'],
    [{ start_at: 'tomorrow' }, 'start_at: expected'],
    [{ start_at: '2026-02-30' }, 'start_at: expected a day that there is'],
    [{ end_at: '2026-13-01 10:00' }, 'end_at: expected a day that there is'],
    [{ emails: ['nobody'] }, 'emails[0]: expected'],
    [{ emails: 'a@x.example, nobody' }, 'emails[1]: expected an email address'],
    [{ format: 'doc' }, 'format: expected'],
    [{ status: 7 }, 'status: expected'],
  ])('%j is refused: %s', async (members, reason) => {
    const before = [...stage.store.reportschedules.list(1)];
    const body = { report_id: 1, name: 'x', ...members };
    const answer = await ask('POST', '/reportschedules', 'admin', body);
    expect([answer.status, answer.body.errors.join()]).toEqual([400, expect.stringContaining(reason)]);
    const [{ id } = { id: 0 }] = before;
    if (!('name' in members)) expect((await ask('PATCH', `/reportschedules/${id}`, 'admin', members)).status).toBe(400);
    expect([...stage.store.reportschedules.list(1)]).toEqual(before);
  });
});
