// The mailbox behind *97 as stories: who gets in, what is heard, and what keys do to messages.
import { describe, expect, it } from 'vitest';
import { attended } from './attendants.rig.ts';

/** The first user's box with these messages; its PIN is 4711, or there is none. */
function withBox(pin: '4711' | '', ...left: Parameters<ReturnType<typeof attended>['leave']>[1][]) {
  const all = attended();
  all.set(0, { vm_pin: pin });
  const ids = all.leave(0, ...left);
  const call = all.phones[0].dial('*97');
  all.rig.pass(0);
  const folders = () => all.messages().map(({ folder, is_new }) => `${folder}${is_new ? ' new' : ''}`);
  return { ...all, call, folders, left: ids };
}

describe('the PIN', () => {
  it('is asked for on *97, and opens the box at its fourth digit', () => {
    const { rig, call, live, sounds, press, cdrs, exts, over } = withBox('4711', [10]);
    expect(live()).toMatchObject([{ state: 4, context: 'VOICEMAIL', dst: exts[0], src: exts[0] }]);
    rig.pass(3000);
    press(call, '4711');
    expect(sounds.slice(0, 2)).toEqual(['prompt/enter-pin 0', 'prompt/new-messages/1 3.3']);
    call.hangUp();
    rig.pass(0);
    expect(cdrs()).toMatchObject([{ context: 'VOICEMAIL', disposition: 'CONNECTED', type: 'I' }]);
    over();
  });

  it('may be keyed in while it is asked for, and taken back with the star', () => {
    const { call, sounds, press, over, rig } = withBox('4711');
    press(call, '99*4711');
    expect(sounds).toEqual(['prompt/enter-pin 0', '- 0', 'prompt/no-messages 0.6']);
    rig.pass(4000);
    over();
  });

  it('that is wrong three times ends the call, whoever calls', () => {
    const { rig, call, sounds, press, over } = withBox('4711', [10]);
    for (const wrong of ['0000', '47#', '#']) {
      press(call, wrong);
      rig.pass(3000);
    }
    rig.pass(3000);
    expect(sounds.filter((sound) => !sound.startsWith('-')).map((sound) => sound.split(' ')[0])).toEqual([
      ...['prompt/enter-pin', 'prompt/wrong-pin', 'prompt/enter-pin', 'prompt/wrong-pin'],
      ...['prompt/enter-pin', 'prompt/wrong-pin', 'prompt/goodbye'],
    ]);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('that never comes is a wrong one: whoever fell asleep is gone after a while', () => {
    const { rig, call, over } = withBox('4711', [10]);
    rig.pass(3 * (3000 + 10_000 + 2000) + 1000);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('is not asked for where there is none', () => {
    const { rig, sounds, call, over } = withBox('');
    rig.pass(5000);
    expect(sounds).toEqual(['prompt/no-messages 0', 'prompt/goodbye 2']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('opens the box from anywhere: the star in the greeting leads there', () => {
    const { rig, ids, phones, exts, set, leave, sounds, press, told, over } = attended();
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1], vm_pin: '4711' });
    leave(1, [10]);
    const call = phones[0].dial(exts[1]);
    rig.pass(1000);
    press(call, '*4711');
    rig.pass(2000);
    expect(sounds.filter((sound) => !sound.startsWith('-'))).toEqual([
      ...['prompt/voicemail-greeting 0', 'prompt/enter-pin 1', 'prompt/new-messages/1 1.4'],
    ]);
    expect(told().slice(-3)).toEqual([`hangup ${exts[1]}`, `initial ${exts[1]}`, `connected ${exts[1]}`]);
    call.hangUp();
    over();
  });

  it('is right for nobody else where there is none', () => {
    const { rig, ids, phones, exts, set, press, sounds, over } = attended();
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1], vm_pin: '' });
    const call = phones[0].dial(exts[1]);
    rig.pass(1000);
    press(call, '*#');
    rig.pass(3000);
    press(call, '#');
    rig.pass(3000);
    press(call, '#');
    rig.pass(5000);
    expect(sounds.at(-1)).toMatch(/goodbye/);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });
});

describe('the messages', () => {
  it('are counted, and play one after the other: the new ones first, each kind the oldest first', () => {
    const { rig, call, left, sounds, press, folders, counts, over } = withBox('', [10, 'old'], [4], [6], [3, 'saved']);
    rig.pass(2500 + 2500);
    expect(sounds).toEqual(['prompt/new-messages/2 0', 'prompt/old-messages/2 2.5', `voicemessage/${left[1]} 5`]);
    rig.pass(4000);
    expect(folders()).toEqual(['1', '1', '0 new', '2']);
    expect(counts(0)).toEqual([1, 3]);
    press(call, '###');
    expect(sounds.filter((sound) => sound.startsWith('voice')).map((sound) => sound.split(' ')[0])).toEqual(
      [left[1], left[2], left[0], left[3]].map((id) => `voicemessage/${id}`),
    );
    expect(folders()).toEqual(['1', '1', '1', '2']);
    press(call, '#');
    rig.pass(5000);
    expect(sounds.slice(-2).map((sound) => sound.split(' ')[0])).toEqual(['prompt/end-of-messages', 'prompt/goodbye']);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('stay new when the caller hangs up in the middle', () => {
    const { rig, call, folders, counts, over } = withBox('', [10]);
    rig.pass(2500 + 9000);
    call.hangUp();
    rig.pass(0);
    expect(folders()).toEqual(['0 new']);
    expect(counts(0)).toEqual([1, 0]);
    over();
  });

  it('are repeated with 1, saved with 2, deleted with 3, also while they play', () => {
    const { rig, call, left, sounds, press, folders, counts, over } = withBox('', [10], [20], [30]);
    rig.pass(2500 + 3000);
    press(call, '1');
    rig.pass(2000);
    press(call, '2');
    rig.pass(3000);
    press(call, '3');
    rig.pass(1600);
    expect(sounds).toEqual([
      ...['prompt/new-messages/3 0', `voicemessage/${left[0]} 2.5`, `voicemessage/${left[0]} 5.5`],
      ...['prompt/message-saved 7.6', `voicemessage/${left[1]} 9.1`],
      ...['prompt/message-deleted 10.7', `voicemessage/${left[2]} 12.2`],
    ]);
    expect(folders()).toEqual(['2', '0 new']);
    expect(counts(0)).toEqual([1, 1]);
    press(call, '*');
    rig.pass(2000);
    expect(sounds.at(-1)).toMatch(/goodbye/);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('come with a menu that is said three times, five seconds apart', () => {
    const { rig, call, sounds, over } = withBox('', [10]);
    rig.pass(2500 + 10_000 + 3 * 12_000 + 1000);
    expect(sounds.slice(2)).toEqual([
      ...['prompt/mailbox-menu 12.5', 'prompt/mailbox-menu 24.5', 'prompt/mailbox-menu 36.5', 'prompt/goodbye 48.5'],
    ]);
    expect(call.ending).toMatchObject({ by: 'remote-bye' });
    over();
  });

  it('are not touched by a key that means nothing: the menu is said', () => {
    const { rig, call, sounds, press, folders, over } = withBox('', [10]);
    rig.pass(4000);
    press(call, '7');
    rig.pass(3000);
    expect(sounds.slice(2)).toEqual(['prompt/invalid 4', 'prompt/mailbox-menu 6']);
    expect(folders()).toEqual(['0 new']);
    call.hangUp();
    over();
  });

  it('that somebody removes meanwhile are passed over', () => {
    const { rig, call, left, sounds, press, over } = withBox('', [10], [20], [30]);
    rig.pass(4000);
    rig.store.voicemessages.delete(left[0] ?? 0);
    rig.store.voicemessages.delete(left[1] ?? 0);
    press(call, '2');
    rig.pass(2000);
    expect(sounds.at(-1)).toBe(`voicemessage/${left[2]} 5.5`);
    call.hangUp();
    over();
  });

  it('are heard by their owner as the caller left them', () => {
    const { rig, ids, phones, exts, set, sounds, over } = attended();
    set(1, { dnd: true, final_dst_type: 'V', final_dst_id: ids[1], vm_pin: '' });
    const left = phones[0].dial(exts[1]);
    rig.pass(5400 + 8000);
    left.hangUp();
    const heard = phones[1].dial('*97');
    rig.pass(2500);
    expect(sounds.slice(2)).toEqual(['prompt/new-messages/1 13.4', 'voicemessage/10000001 15.9']);
    rig.pass(8000);
    expect(sounds.at(-1)).toBe('prompt/mailbox-menu 23.9');
    heard.hangUp();
    over();
  });
});
