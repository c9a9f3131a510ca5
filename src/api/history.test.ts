// History as its readers know it: call records with notes, recordings, media sessions, voice messages, chats; and what is removed.
import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Cdr, VoiceMessage } from '../contract/resources/history.ts';
import { createStage, keyOf, type Stage } from './api.rig.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});

type Who = keyof Stage['people'];
const ROOT = 10_000_001;
const RESTRICTED = 10_000_006;

function ask(method: string, path: string, who: Who = 'admin', body?: unknown) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
  const call = request(stage.api)[verb](`/v1.1/pbx${path}`).set('Authorization', keyOf(stage.people[who]));
  return body === undefined ? call : call.send(body as object);
}

function firstCdr(): Cdr {
  const [cdr] = stage.store.cdrs.list(1);
  if (cdr === undefined) throw new Error('the seed world has call records');
  return cdr;
}

/** A call record like the first, with these members. */
function addCdr(members: Partial<Cdr>): Cdr {
  return stage.store.cdrs.insert(1, { ...firstCdr(), ...members, id: stage.store.cdrs.nextId(1) });
}

describe('PATCH /cdrs', () => {
  test('adds info, a note and labels to several calls', async () => {
    const [one, other] = [addCdr({ info: '' }), addCdr({ info: '' })];
    const answer = await ask('PATCH', '/cdrs', 'agent', [
      { id: one.id, info: 'Order 4711', notes: 'Call back on Friday', labels: ['Sales', 3] },
      { id: other.id, notes: 'Wrong number' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      total: 2,
      data: [
        { id: one.id, info: 'Order 4711' },
        { id: other.id, info: '' },
      ],
    });
    await ask('PATCH', '/cdrs', 'root', [{ id: one.id, notes: 'Done' }]);
    const notes = await ask('GET', `/cdrs/${one.id}/notes`);
    expect(notes.body).toMatchObject({
      total: 2,
      data: [
        {
          cdr_id: one.id,
          user_id: stage.people.agent.user_id,
          text: 'Call back on Friday',
          created_at: '2026-01-01 00:00:00',
        },
        { cdr_id: one.id, user_id: ROOT, text: 'Done' },
      ],
    });
    expect((await ask('GET', `/cdrs/${one.id}/notes?limit=1&page=2`)).body.data).toMatchObject([{ text: 'Done' }]);
    expect(stage.store.cdrlabels.get(one.id)?.labels).toEqual(['Sales', 3]);
    await ask('PATCH', '/cdrs', 'agent', [{ id: one.id, labels: [] }]);
    expect(stage.store.cdrlabels.get(one.id)).toBeUndefined();
  });

  test('leaves the facts of the call as they are', async () => {
    const cdr = firstCdr();
    await ask('PATCH', '/cdrs', 'agent', [{ id: cdr.id, info: 'x', billsec: 1, charge: 0, user_id: 5 }]);
    expect(stage.store.cdrs.get(cdr.id)).toEqual({ ...cdr, info: 'x' });
  });

  test.each([
    [{ id: 999, info: 'x' }, 404, '[1].id: There is no such call detail record, got 999'],
    [{ id: 20_000_001, info: 'x' }, 404, '[1].id: There is no such call detail record, got 20000001'],
    [{ id: 10_000_002, info: 5 }, 400, '[1].info: expected'],
    [{ id: 10_000_002, labels: 'x' }, 400, '[1].labels: expected'],
    [{ info: 'x' }, 400, '[1].id: is missing'],
    [{ id: 10_000_001, info: 'y' }, 400, '[1].id: 10000001 comes twice'],
  ])('all or nothing: %j answers %i', async (second, status, reason) => {
    const cdr = firstCdr();
    const notes = stage.store.cdrnotes.count(1);
    const answer = await ask('PATCH', '/cdrs', 'admin', [{ id: cdr.id, info: 'x', notes: 'y', labels: ['z'] }, second]);
    expect([answer.status, answer.body.errors.join()]).toEqual([status, expect.stringContaining(reason)]);
    expect(stage.store.cdrs.get(cdr.id)).toEqual(cdr);
    expect([stage.store.cdrnotes.count(1), stage.store.cdrlabels.count(1)]).toEqual([notes, 0]);
  });
});

describe('call records', () => {
  test('DELETE /cdrs removes records, notes and labels of the account; recordings stay', async () => {
    const { store } = stage;
    await ask('PATCH', '/cdrs', 'admin', [{ id: firstCdr().id, notes: 'x', labels: ['y'] }]);
    const [recordings, others] = [store.monitors.count(1), store.cdrs.count(2)];
    expect((await ask('DELETE', '/cdrs')).status).toBe(204);
    expect([store.cdrs.count(1), store.cdrnotes.count(1), store.cdrlabels.count(1)]).toEqual([0, 0, 0]);
    expect([store.monitors.count(1), store.cdrs.count(2)]).toEqual([recordings, others]);
    expect((await ask('GET', '/cdrs')).body).toEqual({ data: [], total: 0 });
    expect((await ask('GET', '/cdrs/calltracking')).body).toEqual({ data: [], total: 0 });
    expect((await ask('DELETE', '/cdrs', 'agent')).status).toBe(403);
  });

  test('of tracked calls are those that call tracking knows', async () => {
    const { body } = await ask('GET', '/cdrs/calltracking?sort=-id');
    const ids = [...stage.store.trackedcalls.list(1)].map(({ cdr_id }) => cdr_id).sort((one, other) => other - one);
    expect(ids.length).toBeGreaterThan(0);
    expect(body.data.map(({ id }: Cdr) => id)).toEqual(ids);
  });

  test.each([
    ['cdrs', 'live_id'],
    ['msdrs', 'media_session_id'],
    ['mediasessions', 'call_id'],
  ] as const)('the dictionary of %s has what the collection has', async (name, property) => {
    const dictionary = await ask('GET', `/${name}/dictionaries?limit=3&page=2`);
    expect(dictionary.body).toEqual((await ask('GET', `/${name}?limit=3&page=2`)).body);
    expect(dictionary.body.data[0][property]).toBeTruthy();
  });

  test('of a contact are those with any of its numbers, however they are written', async () => {
    const contact = await ask('POST', '/contacts', 'admin', {
      first_name: 'Bo',
      tel: '020 7946 0871',
      mobile: '+44 (0)20 7946-0872',
      mobile_2: '0044 20 7946 0873',
    });
    const { id } = contact.body.data;
    const nobody = { src: '999', dst: '998', src_id: '', dst_id: '' };
    const wanted = [
      addCdr({ ...nobody, src: '+442079460871' }),
      addCdr({ ...nobody, dst: '+442079460872' }),
      addCdr({ ...nobody, dst: '442079460873' }),
      addCdr({ ...nobody, dst_id: `contact:${id}` }),
    ];
    addCdr({ ...nobody, src: '+442079460874' });
    const { body } = await ask('GET', `/contacts/${id}/cdrs`);
    expect(body.data).toMatchObject({ id, first_name: 'Bo', total: 4 });
    expect(body.data.items).toEqual(wanted);
    expect(body.links).toEqual({ self: `/v1.1/pbx/contacts/${id}/cdrs`, contact: `/v1.1/pbx/contacts/${id}` });
    expect((await ask('GET', `/contacts/${id}/cdrs?limit=1&page=4`)).body.data.items).toEqual([wanted[3]]);
    expect((await ask('GET', `/contacts/${id}/cdrs`, 'foreigner')).status).toBe(404);
  });
});

describe('recordings', () => {
  test('are sent in parts to players that seek', async () => {
    const [short] = [...stage.store.monitors.list(1)].sort((one, other) => one.size - other.size);
    const size = short?.size ?? 0;
    const part = (range: string) =>
      request(stage.api)
        .get(`/v1.1/pbx/monitors/${short?.id}.mp3`)
        .set('Authorization', keyOf(stage.people.admin))
        .set('Range', range);
    const whole = await ask('GET', `/monitors/${short?.id}.mp3`);
    expect([whole.status, whole.headers['accept-ranges'], whole.headers['content-range']]).toEqual([
      ...[200, 'bytes', undefined],
    ]);
    const first = await part('bytes=0-9');
    expect([first.status, first.headers['content-range'], first.headers['content-length']]).toEqual([
      ...[206, `bytes 0-9/${size}`, '10'],
    ]);
    expect(first.body).toEqual(whole.body.subarray(0, 10));
    expect((await part('bytes=-4')).body).toEqual(whole.body.subarray(size - 4));
    expect((await part('bytes=0-9').set('If-Range', '"x"')).status).toBe(200);
    const none = await part(`bytes=${size}-`);
    expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    const message = `The file has ${size} bytes, and none of those that Range asks for.`;
    expect(none.body).toEqual({ message, errors: [message] });
  });

  test('are MP3 files of the length that the record says', async () => {
    const [short] = [...stage.store.monitors.list(1)].sort((one, other) => one.size - other.size);
    const answer = await ask('GET', `/monitors/${short?.id}.mp3`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="monitor-${short?.id}.mp3"`);
    expect(answer.body).toHaveLength(short?.size ?? 0);
    expect([...answer.body.subarray(0, 2)]).toEqual([0xff, 0xe3]);
    expect((await ask('GET', `/monitors/${short?.id}.mp3`, 'foreigner')).status).toBe(404);
    expect((await ask('GET', '/monitors/20000001.mp3')).body).toEqual((await ask('GET', '/monitors/999.mp3')).body);
  });

  test('go one by one, several, or all; one unknown id among several removes none', async () => {
    const { store } = stage;
    const [one, two, three] = [...store.monitors.list(1)].map(({ id }) => id);
    const count = store.monitors.count(1);
    const refused = await ask('DELETE', `/monitors/${one},20000001`);
    expect([refused.status, refused.body.errors]).toEqual([404, ['ids[1]: There is no such recording, got 20000001']]);
    expect(store.monitors.count(1)).toBe(count);
    expect((await ask('DELETE', `/monitors/${one}`)).status).toBe(204);
    expect((await ask('DELETE', `/monitors/${two},${three}`)).status).toBe(204);
    expect(store.monitors.count(1)).toBe(count - 3);
    const all = await ask('DELETE', '/monitors');
    expect([all.status, all.body]).toEqual([202, { message: 'Everything was removed.' }]);
    expect((await ask('GET', '/monitors')).body.total).toBe(0);
    expect(store.monitors.count(2)).toBeGreaterThan(0);
  });
});

describe('media session records', () => {
  test('are listed and read, also by who was there', async () => {
    const [msdr] = stage.store.msdrs.list(1);
    expect((await ask('GET', `/msdrs/${msdr?.id}`)).body.data).toEqual(msdr);
    expect((await ask('GET', '/msdrs')).body.total).toBe(stage.store.msdrs.count(1));
    const own = await ask('GET', '/msdrs?limit=5000', 'restricted');
    for (const one of own.body.data) expect(one.user_id).toBe(RESTRICTED);
    const foreign = [...stage.store.msdrs.list(1)].find(({ user_id }) => user_id !== RESTRICTED);
    expect((await ask('GET', `/msdrs/${foreign?.id}`, 'restricted')).status).toBe(403);
  });
});

describe('voice messages', () => {
  function counts(userId: number): [number, number] {
    const { vm_new = -1, vm_old = -1 } = stage.store.users.get(userId) ?? {};
    return [vm_new, vm_old];
  }

  function message(isNew: boolean): VoiceMessage {
    const found = [...stage.store.voicemessages.list(1)].find(({ is_new }) => is_new === isNew);
    if (found === undefined) throw new Error('the seed world has new and old messages');
    return found;
  }

  test.each([
    ['old', 1, false],
    [2, 2, false],
    ['inbox', 0, true],
    [0, 0, true],
  ])('move to the folder %s, and the box is counted anew', async (folder, read, isNew) => {
    const { id, extension_id: owner } = message(!isNew);
    const [before, old] = counts(owner);
    const answer = await ask('PATCH', '/voicemessages', 'admin', [{ id, folder }]);
    expect(answer.body).toMatchObject({ total: 1, data: [{ id, folder: read, is_new: isNew }] });
    const by = isNew ? 1 : -1;
    expect(counts(owner)).toEqual([before + by, old - by]);
    const user = await ask('GET', `/users/${owner}`);
    expect(user.body.data).toMatchObject({ vm_new: before + by, vm_old: old - by });
  });

  test.each([
    ['bin', 400, '[1].folder: expected'],
    [7, 400, '[1].folder: expected'],
  ])('stay where they are when one folder is unknown: %s', async (folder, status, reason) => {
    const [one, other] = [message(true), message(false)];
    const answer = await ask('PATCH', '/voicemessages', 'admin', [
      { id: one.id, folder: 'old' },
      { id: other.id, folder },
    ]);
    expect([answer.status, answer.body.errors[0]]).toEqual([status, expect.stringContaining(reason)]);
    expect(stage.store.voicemessages.get(one.id)).toEqual(one);
  });

  test('a restricted user moves its own and nobody else’s', async () => {
    const { voicemessages } = stage.store;
    const [like] = voicemessages.list(1);
    if (like === undefined) throw new Error('the seed world has messages');
    const add = (owner: number): number =>
      voicemessages.insert(1, { ...like, id: voicemessages.nextId(1), extension_id: owner, folder: 0, is_new: true })
        .id;
    const [own, other] = [add(RESTRICTED), add(ROOT)];
    const refused = await ask('PATCH', '/voicemessages', 'restricted', [
      { id: own, folder: 'old' },
      { id: other, folder: 'old' },
    ]);
    expect([refused.status, refused.body.errors[0]]).toEqual([
      403,
      expect.stringMatching(new RegExp(`^\\[1\\]\\.id: .*, got ${other}$`)),
    ]);
    expect([own, other].map((id) => voicemessages.get(id)?.folder)).toEqual([0, 0]);
    const moved = await ask('PATCH', '/voicemessages', 'restricted', [{ id: own, folder: 'saved', duration: 1 }]);
    expect(moved.body.data).toMatchObject([{ id: own, folder: 2, is_new: false, duration: like.duration }]);
  });

  test('are heard', async () => {
    const [short] = [...stage.store.voicemessages.list(1)].sort((one, other) => one.duration - other.duration);
    const answer = await ask('GET', `/voicemessages/${short?.id}.mp3`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    // 32 kbit/s in frames of 72 ms, and two frames more.
    expect(answer.body.length).toBe((Math.ceil(((short?.duration ?? 0) * 8000) / 576) + 2) * 288);
  });

  test('go, and their boxes are counted', async () => {
    const { id, extension_id: owner } = message(true);
    const [before, old] = counts(owner);
    expect((await ask('DELETE', `/voicemessages/${id}`)).status).toBe(204);
    expect(counts(owner)).toEqual([before - 1, old]);
    expect((await ask('GET', `/voicemessages/${id}.mp3`)).status).toBe(404);
    expect((await ask('DELETE', '/voicemessages')).status).toBe(202);
    expect((await ask('GET', '/voicemessages')).body.total).toBe(0);
    for (const { vm_new, vm_old } of stage.store.users.list(1)) expect([vm_new, vm_old]).toEqual([0, 0]);
    expect(stage.store.voicemessages.count(2)).toBeGreaterThan(0);
  });
});

describe('chats', () => {
  test('are read; their messages can be removed', async () => {
    const { store } = stage;
    const [chat] = (await ask('GET', '/chats')).body.data;
    expect((await ask('GET', `/chats/${chat.id}`)).body.data).toEqual(chat);
    const [one, two] = [...store.chatmsgs.list(1)].map(({ id }) => id);
    expect((await ask('DELETE', `/chatmsgs/${one},${two}`)).status).toBe(204);
    expect(store.chatmsgs.get(one ?? 0)).toBeUndefined();
    expect((await ask('DELETE', `/chatmsgs/${one}`)).status).toBe(404);
    expect((await ask('DELETE', '/chatmsgs/20000001')).status).toBe(404);
    expect((await ask('DELETE', '/chatmsgs')).status).toBe(204);
    expect((await ask('GET', `/users/${ROOT}/chatmsgs`)).body.data.total).toBe(0);
    expect([store.chatmsgs.count(1), store.chats.count(1)]).toEqual([0, 5]);
    expect(store.chatmsgs.count(2)).toBeGreaterThan(0);
  });

  test('statements can be removed, there are none', async () => {
    expect((await ask('DELETE', '/statements')).status).toBe(204);
    expect((await ask('DELETE', '/statements', 'agent')).status).toBe(403);
  });
});
