// Voicemail as stories: what a caller hears, what is kept of what it says, and where that shows.
import { describe, expect, it } from 'vitest';
import { attended, chime } from './attendants.rig.ts';

/** The second user takes no calls: who calls gets its voicemail, whose greeting (5 s) and tone (0.4 s) come first. */
function withVoicemail() {
  const all = attended();
  all.set(1, { dnd: true, final_dst_type: 'V', final_dst_id: all.ids[1] });
  const call = all.phones[0].dial(all.exts[1]);
  all.rig.pass(0);
  const owner = () => all.rig.store.users.get(all.ids[1]);
  return { ...all, call, owner };
}

describe('a caller at the voicemail', () => {
  it('hears the greeting and the tone, speaks, hangs up: the message is there, new, and so is its record', () => {
    const { rig, ids, exts, call, sounds, told, cdrs, live, messages, owner, over } = withVoicemail();
    expect(live()).toMatchObject([{ state: 4, context: 'VOICEMAIL', dst: exts[1], dst_id: String(ids[1]) }]);
    rig.pass(5400 + 12_300);
    expect(sounds).toEqual(['prompt/voicemail-greeting 0', 'tone/beep 5']);
    expect(messages()).toEqual([]);
    call.hangUp();
    rig.pass(0);
    const [missed, visit] = cdrs();
    expect(missed).toMatchObject({ type: 'M', disposition: 'INITIAL', context: 'USER_LOCAL' });
    expect(visit).toMatchObject({
      ...{ type: 'I', disposition: 'VM', context: 'VOICEMAIL', billsec: 17, t_cause: 'Normal clearing' },
      ...{ parent_live_id: missed?.live_id, dst: exts[1], dst_id: String(ids[1]) },
    });
    expect(messages()).toEqual([
      {
        ...{ id: 10_000_001, duration: 12, extension_id: ids[1], folder: 0, is_new: true, transcript: '' },
        ...{ live_id: visit?.live_id, parent_live_id: missed?.live_id, caller: exts[0], dialled: exts[1] },
        ...{ callerid: visit?.clid, origtime: '2026-01-01 00:00:05' },
      },
    ]);
    expect(owner()).toMatchObject({ vm_new: 1, vm_old: 0 });
    const hungUp = [`hangup ${exts[1]}`];
    expect(told()).toEqual([`missed ${exts[1]}`, `initial ${exts[1]}`, `connected ${exts[1]}`, ...hungUp]);
    over();
  });

  it('ends the message with the hash: it is said to be saved, and the exchange hangs up', () => {
    const { rig, call, sounds, press, messages, over } = withVoicemail();
    rig.pass(5400 + 4000);
    press(call, '#');
    rig.pass(10_000);
    expect(sounds.slice(2)).toEqual(['prompt/voicemail-saved 9.4', 'prompt/goodbye 11.4']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(messages()).toMatchObject([{ duration: 4 }]);
    over();
  });

  it('skips the greeting with the hash', () => {
    const { rig, call, sounds, press, messages, over } = withVoicemail();
    rig.pass(1000);
    press(call, '#');
    rig.pass(2300);
    call.hangUp();
    rig.pass(0);
    expect(sounds).toEqual(['prompt/voicemail-greeting 0', 'tone/beep 1']);
    expect(messages()).toMatchObject([{ duration: 2, origtime: '2026-01-01 00:00:01' }]);
    over();
  });

  it.each([
    ['during the greeting', 3000],
    ['during the tone', 5200],
    ['within a second after the tone', 5400 + 999],
  ])('who hangs up %s leaves no message', (_, ms) => {
    const { rig, call, cdrs, messages, owner, over } = withVoicemail();
    rig.pass(ms);
    call.hangUp();
    rig.pass(0);
    expect(cdrs()[1]).toMatchObject({ disposition: 'VM' });
    expect(messages()).toEqual([]);
    expect(owner()).toMatchObject({ vm_new: 0, vm_old: 0 });
    over();
  });

  it('who presses the hash at once has left nothing, and is not told that it was saved', () => {
    const { rig, call, sounds, press, messages, over } = withVoicemail();
    rig.pass(5400);
    press(call, '#');
    rig.pass(5000);
    expect(sounds.slice(2)).toEqual(['prompt/goodbye 5.4']);
    expect(messages()).toEqual([]);
    over();
  });

  it('is thanked after three minutes', () => {
    const { rig, call, sounds, messages, over } = withVoicemail();
    rig.pass(5400 + 180_000 + 3000);
    expect(sounds.slice(2)).toEqual(['prompt/voicemail-saved 185.4', 'prompt/goodbye 187.4']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(messages()).toMatchObject([{ duration: 180 }]);
    over();
  });

  it('whose call somebody else ends has left its message all the same', () => {
    const { rig, live, messages, over } = withVoicemail();
    rig.pass(5400 + 8000);
    rig.exchange.hangUp(live()[0]?.id ?? 0);
    rig.pass(0);
    expect(messages()).toMatchObject([{ duration: 8 }]);
    over();
  });

  it('whose phone vanishes: what it said until then is there', () => {
    const { rig, phones, messages } = withVoicemail();
    rig.pass(5400 + 8000);
    phones[0].vanish();
    rig.exchange.hangUpAll();
    rig.pass(40_000);
    expect(messages()).toMatchObject([{ duration: 8 }]);
  });

  it('may hold: it is on hold, and the message goes on', () => {
    const { rig, call, live, messages, over } = withVoicemail();
    rig.pass(5400 + 2000);
    call.reoffer('sendonly');
    rig.pass(3000);
    expect(live()).toMatchObject([{ state: 5, context: 'VOICEMAIL' }]);
    call.reoffer('sendrecv');
    rig.pass(1000);
    call.hangUp();
    rig.pass(0);
    expect(messages()).toMatchObject([{ duration: 6 }]);
    over();
  });
});

describe('the box', () => {
  it('greets with the announcement that its user has chosen, as long as that is', () => {
    const { rig, ids, phones, exts, set, sounds, over } = attended();
    const { customerId } = rig.customer;
    const id = rig.store.vmannouncements.nextId(customerId);
    const words = { description: '', extension: ids[1], created_at: '', audio_type: 'WAV' as const };
    rig.store.vmannouncements.insert(customerId, { ...words, id, data: chime(1.5) });
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1], vm_announcement_id: id });
    const call = phones[0].dial(exts[1]);
    rig.pass(3000);
    call.hangUp();
    expect(sounds).toEqual([`upload/vmannouncements/${id} 0`, 'tone/beep 1.5']);
    over();
  });

  it('writes what it knows of a message where its user wants a transcript', () => {
    const { rig, call, set, messages, cdrs, over } = withVoicemail();
    set(1, { vm_tts: 'Y' });
    rig.pass(5400 + 7000);
    call.hangUp();
    rig.pass(0);
    expect(messages()[0]?.transcript).toBe(`Voice message of 7 s from ${cdrs()[1]?.clid}.`);
    over();
  });

  it('that is full takes no more: the caller is told, and that is all', () => {
    const all = attended();
    const { rig, ids, phones, exts, set, sounds, messages, over } = all;
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1], vm_new: 600, vm_old: 400 });
    const call = phones[0].dial(exts[1]);
    rig.pass(3000);
    expect(sounds).toEqual(['prompt/not-available 0']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    expect(messages()).toEqual([]);
    over();
  });

  it('of a user who is removed while somebody speaks takes nothing', () => {
    const { rig, ids, messages, over } = withVoicemail();
    rig.pass(5400 + 3000);
    rig.store.users.delete(ids[1]);
    rig.exchange.forgetUser(ids[1]);
    rig.pass(0);
    expect(messages()).toEqual([]);
    over();
  });

  it('is reached from outside by its number, and says which number was dialled', () => {
    const { rig, ids, network, messages, cdrs, over } = attended();
    const [ddi] = [...rig.store.ddis.list(rig.customer.customerId)];
    rig.store.ddis.update(ddi?.id ?? '', { target_type: 2, target_id: ids[2] });
    const call = network.dial(ddi?.e164 ?? '', { from: '"Ann" <sip:+442079460999@network.example>' });
    rig.pass(5400 + 9000);
    call.hangUp();
    rig.pass(0);
    expect(cdrs()).toMatchObject([
      { disposition: 'VM', context: 'VOICEMAIL', parent_live_id: 0, src: '+442079460999' },
    ]);
    expect(messages()).toMatchObject([
      {
        ...{ caller: '+442079460999', callerid: '"Ann" <+442079460999>', dialled: ddi?.e164, extension_id: ids[2] },
        ...{ duration: 9, parent_live_id: 0 },
      },
    ]);
    over();
  });
});
