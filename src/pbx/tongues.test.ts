// In which language each place of the exchange speaks to whom, and which music it plays.
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, languageCodes } from '../contract/codes.ts';
import { dataOf } from '../kernel/journal.ts';
import { notesOf, timelineOf } from '../media/score.ts';
import { attended, chime } from './attendants/attendants.rig.ts';
import { LETTERS, makeIvr } from './attendants/ivr.rig.ts';
import { makeQueue } from './attendants/queue.rig.ts';
import { makeGroup } from './ring-group.rig.ts';
import { soundsByName } from './sounds-by-name.ts';

type House = ReturnType<typeof attended>;

let house: House;
beforeEach(() => {
  house = attended();
});

/** What was begun to be said, without the times. */
const said = (): string[] =>
  house.sounds.filter((sound) => !sound.startsWith('-')).map((text) => text.replace(/ [\d.]+$/, ''));

/** The first user calls, and so much time passes. */
function dial(to: string, ms: number): ReturnType<House['phones'][0]['dial']> {
  const call = house.phones[0].dial(to);
  house.rig.pass(ms);
  return call;
}

const moh = (name: string, locked = false): number => {
  const { store, customer } = house.rig;
  const id = store.mohs.nextId(customer.customerId);
  store.mohs.insert(customer.customerId, { id, name, locked });
  return id;
};

describe('the language of a user', () => {
  it('is that of its voicemail, whoever calls', () => {
    house.set(0, { language: 'fr' });
    house.set(1, { language: 'de', dnd: true, final_dst_type: 'V', final_dst_id: house.ids[1] });
    const call = dial(house.exts[1], 7000);
    house.press(call, '#');
    house.rig.pass(5000);
    expect(said()).toEqual([
      ...['prompt:de/voicemail-greeting', 'tone/beep', 'prompt:de/voicemail-saved', 'prompt:de/goodbye'],
    ]);
    house.over();
  });

  it.each([
    ['de-AT', 'prompt:de/'],
    ['pt_BR', 'prompt:pt/'],
    ['en', 'prompt/'],
    ['', 'prompt/'],
    ['tlh', 'prompt/'],
  ])('%j is that of the services that it dials: %s', (language, begins) => {
    house.set(0, { language, vm_pin: '' });
    house.leave(0, [3]);
    for (const code of ['*97', '*43', '*45']) {
      const call = dial(code, 1000);
      call.hangUp();
      house.rig.pass(0);
    }
    expect(said()).toEqual([`${begins}new-messages/1`, `${begins}echo-test`, `${begins}invalid`]);
    house.over();
  });

  it('is that of its follow-me: the announcement, and the question', () => {
    const followMe = { fm: true, fm_announcement_enabled: true, fm_init_ring_time: 0, fm_confirm_required: true };
    house.set(1, { language: 'nl', ...followMe, fm_targets: ['+442079460123'] });
    const call = dial(house.exts[1], 5000);
    house.network.call.answer();
    house.rig.pass(1000);
    expect(said()).toEqual(['prompt:nl/followme-announcement', 'tone/ringback', 'prompt:nl/followme-confirm']);
    call.hangUp();
    house.over();
  });
});

describe('the language of a place', () => {
  const spanish = codeOf(languageCodes, 'es');

  it('is that of an IVR: its prompts, and the texts that it reads', () => {
    house.set(0, { language: 'fr' });
    makeIvr(house, { language: spanish, sounds: 'ivr-menu,Bienvenidos', repeats: 0, final_dst_type: LETTERS.H });
    dial('850', 20_000);
    expect(said()).toEqual(['prompt:es/ivr-menu', 'text:es/Bienvenidos', 'prompt:es/no-input']);
    house.over();
  });

  it('is that of a queue: what its callers hear, and its agents', () => {
    const queue = { language: spanish, pos_ann: true, hash_to_exit: true, agent_sounds: 'connecting' };
    makeQueue(house.rig, queue);
    const call = dial('690', 12_000);
    house.phones[1].call.answer();
    house.rig.pass(1000);
    expect(said()).toEqual([...['prompt:es/position/1', 'prompt:es/queue-exit', 'music', 'prompt:es/connecting']]);
    call.hangUp();
    house.rig.pass(60_000);
  });
});

describe('the music of a queue', () => {
  it('is that of its class while one waits, and standard where the class is locked, gone or somebody else’s', () => {
    const heardWith = (id: number): string | undefined => {
      house.sounds.length = 0;
      const { id: queueId } = makeQueue(house.rig, { agents: [], moh: id });
      const call = dial('690', 6000);
      call.hangUp();
      house.rig.pass(0);
      house.rig.store.queues.delete(queueId);
      return said().at(-1);
    };
    const [piano, standard] = [moh('Piano & strings/2'), moh('Standard', true)];
    house.rig.store.mohs.insert(2, { id: 29_000_001, name: 'Theirs', locked: false });
    expect([piano, standard, 29_000_001, 999, 0].map(heardWith)).toEqual([
      ...['music/Piano & strings/2', 'music', 'music', 'music', 'music'],
    ]);
    house.over();
  });

  it('is heard on hold, too, in the recording of a call between phones in memory', () => {
    makeQueue(house.rig, { moh: moh('Piano') });
    const call = dial('690', 5000);
    house.phones[1].call.answer();
    house.rig.pass(4000);
    house.phones[1].call.reoffer('sendonly');
    house.rig.pass(6000);
    call.hangUp();
    house.rig.pass(0);
    const [entry] = house.rig.journal.query({ kind: 'call.music' });
    expect(entry === undefined ? undefined : dataOf(entry)).toMatchObject({ name: 'music/Piano' });
    const entries = house.rig.journal.query({ callId: entry?.callId ?? 0 });
    const timeline = timelineOf(entries, 0);
    expect(timeline.held).toHaveLength(1);
    const notes = notesOf({ seed: 'any', seconds: 10, voices: ['caller', 'callee'], ...timeline });
    expect(notes.at(-1)).toMatchObject({ fromMs: 4000, toMs: 10_000, sound: { name: 'music/Piano' } });
    house.rig.pass(60_000);
    house.over();
  });
});

it('the music of a ring group is heard by who is held by one of its members', () => {
  const { rig, phones, over } = house;
  const group = makeGroup(house);
  rig.store.ringgroups.update(group.id, { moh_id: moh('Jazz') });
  const call = dial('790', 1000);
  phones[1].call.answer();
  rig.pass(1000);
  const [entry] = rig.journal.query({ kind: 'call.music' });
  expect(entry === undefined ? undefined : dataOf(entry)).toEqual({ name: 'music/Jazz', ms: expect.any(Number) });
  call.hangUp();
  over();
});

describe('a sound of the journal', () => {
  it('is the upload that it names, as long as that is the same', () => {
    const { store, customer } = house.rig;
    const id = store.vmannouncements.nextId(customer.customerId);
    const words = { description: '', extension: house.ids[1], created_at: '', audio_type: 'WAV' as const };
    store.vmannouncements.insert(customer.customerId, { ...words, id, data: chime(2) });
    const sounds = soundsByName(store);
    const name = `upload/vmannouncements/${id}`;
    expect(Math.max(...sounds.named(name, 2000).samples())).toBe(0);
    expect(Math.max(...sounds.named(name, 1000).samples())).toBeGreaterThan(5000);
    expect(Math.max(...sounds.named('upload/vmannouncements/1', 2000).samples())).toBeGreaterThan(5000);
    expect(sounds.named('prompt/goodbye', 1000).samples()).toHaveLength(8000);
  });
});
