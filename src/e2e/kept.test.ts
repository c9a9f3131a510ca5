// State in a file, part by part: a simulator dies without a word, the next one on the same file goes on with everything that was answered.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import { chime } from '../pbx/attendants/attendants.rig.ts';
import { KeptStage } from './kept-stage.ts';

let stage: KeptStage;

beforeEach(() => {
  stage = new KeptStage();
});

afterEach(() => stage.close());

describe('records', () => {
  it('are there again, changed ones changed, deleted ones gone, and no id comes twice', async () => {
    const made = await stage.api('post', '/calllabels', { name: 'Urgent', color: '#ff0000' });
    const second = await stage.api('post', '/calllabels', { name: 'Later', color: '#00ff00' });
    await stage.api('patch', `/calllabels/${made.body.data.id}`, { name: 'Very urgent' });
    expect((await stage.api('delete', `/calllabels/${second.body.data.id}`)).status).toBeLessThan(300);
    const before = await stage.get('/calllabels');
    await stage.dieAndComeBack();
    expect(await stage.get('/calllabels')).toEqual(before);
    expect(before.data.map(({ name }) => name)).toEqual(['Sales', 'Support', 'Complaint', 'Follow up', 'Very urgent']);
    const third = await stage.api('post', '/calllabels', { name: 'Third', color: '#0000ff' });
    expect(third.body.data.id).toBe(second.body.data.id + 1);
  });

  it('of the seed are the same, with their history, though nothing else was ever written', async () => {
    const paths = ['/users', '/cdrs?limit=1000', '/ddis', '/queues', '/monitors', '/msdrs', '/sms', '/chats'];
    const before = await Promise.all(paths.map((path) => stage.get(path)));
    await stage.dieAndComeBack();
    expect(await Promise.all(paths.map((path) => stage.get(path)))).toEqual(before);
  });

  it('of an account that was made with a control request are there, and the next account is another one', async () => {
    const made = await stage.sim('post', '/customers', {});
    await stage.dieAndComeBack();
    const { user_id, api_key } = made.users[0];
    expect((await stage.api('get', '/me', undefined, [user_id, api_key])).status).toBe(200);
    expect((await stage.sim('post', '/customers', {})).customer_id).toBe(made.customer_id + 1);
  });
});

describe('an uploaded sound', () => {
  it('is there byte for byte, and callers hear it: the greeting lasts as long as it', async () => {
    const [, owner] = stage.simulator.world.customers[0]?.users ?? [];
    const data = chime(1);
    const made = await stage.api('post', '/vmannouncements', {
      ...{ extension_id: owner?.user_id, description: 'Away', data },
    });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    await stage.sim('patch', `/records/users/${owner?.user_id}`, {
      dnd: true,
      final_dst_type: 'V',
      vm_announcement_id: id,
    });
    await stage.dieAndComeBack();
    expect(stage.simulator.world.store.vmannouncements.get(id)).toMatchObject({ data, audio_type: 'WAV' });
    await stage.sim('post', '/phones/101/acts', { act: 'call', to: owner?.ext });
    await stage.advance('10s');
    const [greeting, tone] = stage.simulator.journal.query({ kind: 'sound.played' }).slice(-2);
    expect([greeting, tone].map((entry) => entry && dataOf(entry).name)).toEqual([
      `upload/vmannouncements/${id}`,
      'tone/beep',
    ]);
    expect((tone?.at ?? 0) - (greeting?.at ?? 0)).toBe(1000);
  });
});

describe('who is logged in', () => {
  const login = async () => {
    const { email, password, user_id } = stage.root;
    const { body } = await stage.api('post', '/login', { email, password });
    return [user_id, String(body.user_token)] as const;
  };

  it('stays so, and who logged out is told so', async () => {
    const [stays, leaves] = [await login(), await login()];
    await stage.api('post', '/logout', undefined, leaves);
    await stage.dieAndComeBack();
    expect((await stage.api('get', '/me', undefined, stays)).status).toBe(200);
    const refused = await stage.api('get', '/me', undefined, leaves);
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain('destroyed by POST /logout');
    expect((await login())[1]).not.toBe(stays[1]);
  });

  it('has 15 minutes from the last request on, which may have been before', async () => {
    const token = await login();
    await stage.advance('14m');
    expect((await stage.api('get', '/me', undefined, token)).status).toBe(200);
    await stage.dieAndComeBack();
    await stage.advance('14m');
    expect((await stage.api('get', '/me', undefined, token)).status).toBe(200);
    await stage.advance('15m');
    expect((await stage.api('get', '/me', undefined, token)).status).toBe(401);
  });

  it('may come in with the code of an email that is still in the outbox', async () => {
    const twoFactor = stage.simulator.world.customers[0]?.users.find(({ role }) => role === 'two_factor');
    const { email = '', password = '' } = twoFactor ?? {};
    const { body } = await stage.api('post', '/login', { email, password });
    await stage.dieAndComeBack();
    const { data } = await stage.sim('get', '/outbox');
    const answer = await stage.api('post', '/login2fa', { nonce: body.nonce, code: data.at(-1).code });
    expect(answer.status).toBe(200);
    await stage.dieAndComeBack();
    const again = await stage.api('post', '/login2fa', { nonce: body.nonce, code: data.at(-1).code });
    expect(again.status).toBe(400);
  });

  it('may use a token for a new password once, across the end', async () => {
    const { email } = stage.root;
    await stage.api('post', '/password', { email });
    await stage.dieAndComeBack();
    const { data } = await stage.sim('get', '/outbox');
    const token = data.at(-1).token;
    const changed = await stage.api('post', '/reset', { token, password: 'Another-1-Password' });
    expect(changed.status, changed.text).toBe(200);
    await stage.dieAndComeBack();
    const login = await stage.api('post', '/login', { email, password: 'Another-1-Password' });
    expect(login.body.user_token).toMatch(/^\w{40}$/);
  });
});

describe('the rest of the world', () => {
  it('is as it was: faults with their counts, scripted numbers, phones as they behave', async () => {
    await stage.sim('post', '/faults', {
      match: { at: 'api', operation: 'listCallLabels' },
      action: { do: 'status', status: 503 },
      times: 2,
    });
    expect((await stage.api('get', '/calllabels')).status).toBe(503);
    await stage.sim('put', '/trunk/+442079460500', { behaviour: { on_call: 'busy' } });
    await stage.sim('patch', '/phones/103', { behaviour: { on_call: 'decline' } });
    await stage.sim('post', '/phones/104/acts', { act: 'unregister' });
    const parts = ['/faults', '/trunk', '/phones', '/outbox'];
    const before = await Promise.all(parts.map((path) => stage.sim('get', path)));
    await stage.dieAndComeBack();
    expect(await Promise.all(parts.map((path) => stage.sim('get', path)))).toEqual(before);
    expect((await stage.api('get', '/calllabels')).status).toBe(503);
    expect((await stage.api('get', '/calllabels')).status).toBe(200);
  });

  it('goes on at the time that it was', async () => {
    await stage.advance('36h');
    const { now } = await stage.sim('get', '/clock');
    await stage.die();
    const { startMs } = startOf(now);
    stage.start({ startMs });
    expect((await stage.sim('get', '/clock')).now).toBe(now);
    expect(now).toBe('2026-01-02T12:00:00.000Z');
  });

  it('begins anew after a reset, in the file too', async () => {
    await stage.api('post', '/calllabels', { name: 'Urgent', color: '#ff0000' });
    await stage.sim('post', '/reset');
    await stage.dieAndComeBack();
    const { data } = await stage.get('/calllabels');
    expect(data.map(({ name }) => name)).toEqual(['Sales', 'Support', 'Complaint', 'Follow up']);
  });

  it('goes back to a snapshot that another process has taken', async () => {
    await stage.api('post', '/calllabels', { name: 'Then', color: '#ff0000' });
    const users = await stage.get('/users');
    const { id } = await stage.sim('post', '/snapshots');
    await stage.api('post', '/calllabels', { name: 'Since', color: '#00ff00' });
    await stage.dieAndComeBack();
    expect((await stage.sim('get', '/snapshots')).data).toEqual([{ id, at: '2026-01-01T00:00:00.000Z' }]);
    await stage.sim('post', `/snapshots/${id}/restore`);
    const names = async () => (await stage.get('/calllabels')).data.map(({ name }) => name);
    expect(await names()).toEqual(['Sales', 'Support', 'Complaint', 'Follow up', 'Then']);
    expect(await stage.get('/users')).toEqual(users);
    await stage.dieAndComeBack();
    expect(await names()).toEqual(['Sales', 'Support', 'Complaint', 'Follow up', 'Then']);
    await stage.sim('delete', `/snapshots/${id}`);
    await stage.dieAndComeBack();
    expect((await stage.sim('get', '/snapshots')).data).toEqual([]);
  });

  it('tells nobody of what could not be written', async () => {
    stage.file.close();
    const answer = await Promise.race([
      stage.api('post', '/calllabels', { name: 'Lost', color: '#ff0000' }),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 300)),
    ]);
    expect(answer).toBeUndefined();
    expect(stage.troubles).toHaveLength(1);
  });
});

function startOf(now: string): { readonly startMs: number } {
  return { startMs: Date.parse(now) };
}
