// Every attribute of the user model has an effect that a test shows, or a choice that says why it has none: the list of both.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choices } from '../contract/choices.ts';
import { type User, UserSchema } from '../contract/resources/customer.ts';
import { watched } from './ring-group.rig.ts';

/** A file below `src/` and the title of a test in it, or the id of a choice. */
type Evidence = readonly [file: string, title: string] | string;

const FOLLOW_ME = 'pbx/follow-me.test.ts';
const CONFIRM = 'pbx/follow-me-confirm.test.ts';
const NUN = 'pbx/network-unavailable.test.ts';
const RECORDING = 'pbx/recording.test.ts';
const CALLER_ID = 'pbx/caller-id.test.ts';
const ONWARD = 'pbx/onward.test.ts';
const HERE = 'pbx/user-attributes.test.ts';

const evidence: { readonly [A in keyof User]: Evidence } = {
  id: [HERE, 'id, ext and names are what calls say of a user'],
  is_initial: 'CHOICE-USER-FACTS',
  email: [
    'pbx/mails.test.ts',
    'goes to the user where there are no addresses, with the words where the user wants them',
  ],
  first_name: [HERE, 'id, ext and names are what calls say of a user'],
  last_name: [HERE, 'id, ext and names are what calls say of a user'],
  roles: ['api/access.test.ts', 'root %s with the roles %j ranks as %s'],
  active: [
    'pbx/directory.test.ts',
    'says of an extension that its user is not active, and of other digits that nobody has them',
  ],
  visited_apps: 'CHOICE-LOCATION',
  is_root: ['api/access.test.ts', 'root %s with the roles %j ranks as %s'],
  two_factor_auth: ['api/auth.test.ts', 'is asked of users whose two_factor_auth is E, not of others'],
  created_at: 'CHOICE-USER-FACTS',
  customer: 'CHOICE-USER-FACTS',
  customer_id_id: 'CHOICE-USER-FACTS',
  mobile_activated: [
    'api/storage.test.ts',
    "come from the user's own mobile when it is activated, and from nobody else's",
  ],
  mobile: ['api/storage.test.ts', "come from the user's own mobile when it is activated, and from nobody else's"],
  ext: [HERE, 'id, ext and names are what calls say of a user'],
  cli: [CALLER_ID, 'show the own number, or the extension of who has none'],
  esc_cli: [CALLER_ID, 'for help (%s) show where one can be called back, free of charge, and never hide'],
  cc: [CALLER_ID, 'go by the dialplan of the user, and stay in the house when the number is of the house'],
  area_code: [CALLER_ID, 'go by the dialplan of the user, and stay in the house when the number is of the house'],
  ring_time: [ONWARD, 'within the ring time hands the caller on, who hears one call ring on; one hash, one end each'],
  final_dst_type: [ONWARD, 'sends callers straight to the final destination'],
  final_dst_id: [ONWARD, 'sends callers straight to the final destination'],
  vm_pin: ['pbx/attendants/mailbox.test.ts', 'is asked for on *97, and opens the box at its fourth digit'],
  vm_to_email: ['pbx/mails.test.ts', 'is not mailed to a user who does not want that'],
  vm_emails: ['pbx/mails.test.ts', 'is mailed to the addresses of the user, with what is known of it'],
  vm_tts: ['pbx/attendants/voicemail.test.ts', 'writes what it knows of a message where its user wants a transcript'],
  vm_new: [
    'pbx/attendants/voicemail.test.ts',
    'hears the greeting and the tone, speaks, hangs up: the message is there, new, and so is its record',
  ],
  vm_old: ['pbx/attendants/voicemail.test.ts', 'that is full takes no more: the caller is told, and that is all'],
  cw: ['pbx/call-waiting.test.ts', 'is busy for a second caller when it has none: 486, a missed call'],
  dnd: [ONWARD, 'is not rung: the caller gets 480, the call is missed'],
  rec_allowed: [RECORDING, 'is refused to a user who may not record, before the answer, and where nothing is recorded'],
  rec_never_internal: [
    RECORDING,
    'never are between extensions of which one does not want it; with the public network they are',
  ],
  fm: [FOLLOW_ME, 'is not when %s'],
  fm_only_direct: [FOLLOW_ME, 'only for calls to itself when it wants that'],
  fm_init_ring_time: [
    FOLLOW_ME,
    'has no phone rung with an initial ring time of 0, nor one that is offline or refuses',
  ],
  fm_announcement_enabled: [
    CONFIRM,
    'is heard before the numbers ring; the caller is answered for it, its call is not',
  ],
  fm_confirm_required: [CONFIRM, 'is asked, while the caller hears that it rings, and has the caller with 1'],
  fm_allowed: [FOLLOW_ME, 'is not when %s'],
  fm_targets: [FOLLOW_ME, 'are extensions, numbers as dialled at home, and SIP URIs; each once, the caller never'],
  fm_ring_time: [FOLLOW_ME, 'ring one after the other with H'],
  fm_strategy: [FOLLOW_ME, 'ring one after the other and go on ringing with M'],
  fm_final_dst_type: [FOLLOW_ME, 'send the caller on to the final destination of follow-me when nobody takes it'],
  fm_final_dst_id: [FOLLOW_ME, 'send the caller on to the final destination of follow-me when nobody takes it'],
  fm_cli: [FOLLOW_ME, 'see with fm_cli %s who calls or who is followed'],
  nun: [NUN, 'is called at that number: a call of its own after the one that was missed'],
  nun_only_direct: [NUN, 'only for calls to itself when it wants that'],
  nun_ring_time: [NUN, 'has it rung for nun_ring_time, and then its final destination'],
  monitor: [RECORDING, 'leave a record of the parties, from the answer to the end, with the id of the call'],
  monitor_transcript: [
    RECORDING,
    'tells in words who spoke when, for users who want that; the same call, the same words',
  ],
  auto_answer_header: [CALLER_ID, 'is on calls to the phone, and not on the one that its user makes ring first'],
  log_missed_calls: ['pbx/mails.test.ts', 'for a group is mailed to members who log such calls'],
  language: ['pbx/tongues.test.ts', 'is that of its voicemail, whoever calls'],
  cnam: [CALLER_ID, 'show the name of the contact with the number, written %s, to users who want that'],
  email_missed: ['pbx/mails.test.ts', 'goes where email_missed says: %j'],
  call_barge_allowed: [
    'pbx/attendants/barge.test.ts',
    'needs call_barge_allowed, and says nothing about extensions without it',
  ],
  transfer_cli: ['pbx/transfer-refusals.test.ts', 'transfer_cli %s shows the one or the other'],
  nb_sip_locations: ['pbx/weather.test.ts', 'ends by the clock, by request, and refuses less than a minute'],
  pickup_group_id: [
    'pbx/pickup.test.ts',
    'is answered by %s: it goes on under its id with another dst, answered once, missed by nobody',
  ],
  location_id: 'CHOICE-LOCATION',
  vm_announcement_id: [
    'pbx/attendants/voicemail.test.ts',
    'greets with the announcement that its user has chosen, as long as that is',
  ],
  fm_announcement_id: [CONFIRM, 'is the uploaded one when the user has chosen one'],
  legacy_api_key: 'CHOICE-LEGACY-KEY',
};

/** Whoever writes tests with rigs names attributes there, too. */
function sourceOf(file: string): string {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const rigs = [...text.matchAll(/from '\.\/([a-z-]+\.rig\.ts)'/g)].map(([, rig]) => rig ?? '');
  const folder = file.slice(0, file.lastIndexOf('/'));
  return [text, ...rigs.map((rig) => readFileSync(new URL(`../${folder}/${rig}`, import.meta.url), 'utf8'))].join('\n');
}

describe('every attribute of a user', () => {
  it('is on the list', () => {
    expect(Object.keys(evidence).toSorted()).toEqual(Object.keys(UserSchema.properties).toSorted());
  });

  it.each(Object.entries(evidence))(
    '%s has an effect that a test shows, or a choice that names it',
    (attribute, proof) => {
      const named = new RegExp(`\\b${attribute}\\b`);
      if (typeof proof === 'string') {
        const choice = choices.find(({ id }) => id === proof);
        expect(`${choice?.topic} ${choice?.unspecified} ${choice?.ours}`).toMatch(named);
        expect(choice?.resources).toContain('users');
        return;
      }
      const [file, title] = proof;
      const source = sourceOf(file);
      const isTitle = [`'${title}'`, `"${title}"`].some((text) => source.includes(text));
      expect(isTitle, `${file} has no test ${title}`).toBe(true);
      expect(source).toMatch(named);
    },
  );

  it('id, ext and names are what calls say of a user', () => {
    const { rig, phones, ids, set, live, over } = watched();
    set(0, { first_name: 'Ada', last_name: 'Byron', ext: '171' });
    set(1, { first_name: 'Grace', last_name: 'Hopper', ext: '172' });
    const call = phones[0].dial('172');
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    expect(live()).toMatchObject([
      {
        src: '171',
        src_id: String(ids[0]),
        src_name: 'Ada Byron',
        dst: '172',
        dst_id: String(ids[1]),
        dst_name: 'Grace Hopper',
      },
    ]);
    call.hangUp();
    over();
  });
});
