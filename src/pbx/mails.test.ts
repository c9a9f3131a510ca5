// What users are mailed, as stories: missed calls and voice messages.
import { describe, expect, it } from 'vitest';
import { makeGroup, watched } from './ring-group.rig.ts';

function office(settings: Parameters<ReturnType<typeof watched>['set']>[1] = {}) {
  const all = watched();
  const { rig, phones, exts, set } = all;
  const user = set(1, { email_missed: 'Y', email: 'second@company.example', ring_time: '5', ...settings });
  if (user === undefined) throw new Error('there is a second user');
  const addresses = () => rig.mails.map(({ kind, to }) => `${kind} ${to}`);
  /** The second user is called by the first, and does not answer. */
  const miss = (number = exts[1]) => {
    const call = phones[0].dial(number);
    rig.pass(0);
    phones[1].calls.at(-1)?.ring();
    rig.pass(30_000);
    return call;
  };
  return { ...all, addresses, miss };
}

describe('a missed call', () => {
  it('is mailed to a user who wants that', () => {
    const { rig, exts, miss, cdrs, over } = office();
    miss();
    expect(rig.mails).toEqual([
      {
        kind: 'missed_call',
        to: 'second@company.example',
        subject: `Missed call from ${cdrs()[0]?.clid}`,
        from: exts[0],
        call_id: cdrs()[0]?.live_id,
      },
    ]);
    over();
  });

  it.each([
    ['N', []],
    ['', []],
    ['Y', ['missed_call second@company.example']],
    ['on', ['missed_call second@company.example']],
    ['desk@company.example', ['missed_call desk@company.example']],
    ['a@x.example, b@x.example,a@x.example', ['missed_call a@x.example', 'missed_call b@x.example']],
  ])('goes where email_missed says: %j', (email_missed, expected) => {
    const { miss, addresses } = office({ email_missed });
    miss();
    expect(addresses()).toEqual(expected);
  });

  it('is none when it was answered, picked up, or taken by a colleague of the group', () => {
    const { rig, phones, ids, exts, set, addresses, over } = office();
    phones[0].dial(exts[1]);
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    phones[1].call.hangUp();
    rig.pass(0);
    makeGroup({ rig }, { users: [ids[1], ids[2]] });
    set(2, { email_missed: 'Y' });
    phones[0].dial('790');
    rig.pass(0);
    phones[2].call.answer();
    rig.pass(0);
    phones[2].call.hangUp();
    over();
    expect(addresses()).toEqual([]);
  });

  it('for a group is mailed to members who log such calls', () => {
    const missed = (log_missed_calls: boolean): string[] => {
      const { rig, ids, miss, addresses } = office({ log_missed_calls });
      makeGroup({ rig }, { users: [ids[1]], ringTimeS: 5 });
      miss('790');
      return addresses();
    };
    expect(missed(true)).toEqual(['missed_call second@company.example']);
    expect(missed(false)).toEqual([]);
  });

  it('of a user who is followed is mailed when nobody took it elsewhere, once', () => {
    const forwarded = (answers: boolean): string[] => {
      const all = office({ fm: true, fm_init_ring_time: 2, fm_ring_time: '5', fm_targets: ['+442079460123'] });
      all.phones[0].dial(all.exts[1]);
      all.rig.pass(2000);
      if (answers) all.network.call.answer();
      all.rig.pass(30_000);
      return all.addresses();
    };
    expect(forwarded(true)).toEqual([]);
    expect(forwarded(false)).toEqual(['missed_call second@company.example']);
  });

  it('of a user whose phone is offline is not mailed while nun rings', () => {
    const { rig, phones, exts, network, addresses } = office({ nun: '+442079460123' });
    phones[1].register(0);
    rig.pass(0);
    phones[0].dial(exts[1]);
    rig.pass(0);
    network.call.answer();
    rig.pass(0);
    expect(addresses()).toEqual([]);
  });

  it('of an outbound call is none', () => {
    const { rig, phones, network, set, addresses } = office();
    set(0, { email_missed: 'Y' });
    phones[0].dial('+442079460123');
    rig.pass(0);
    network.call.session.reject(486);
    rig.pass(0);
    expect(addresses()).toEqual([]);
  });
});

describe('a voice message', () => {
  const left = (settings: Parameters<typeof office>[0] = {}) => {
    const all = office({ email_missed: 'N', vm_to_email: true, final_dst_type: 'V', ring_time: '2', ...settings });
    all.rig.store.users.update(all.ids[1], { final_dst_id: all.ids[1] });
    const call = all.phones[0].dial(all.exts[1]);
    all.rig.pass(30_000);
    call.hangUp();
    all.rig.pass(0);
    const [message] = [...all.rig.store.voicemessages.list(all.rig.customer.customerId)];
    return { ...all, message };
  };

  it('is mailed to the addresses of the user, with what is known of it', () => {
    const { rig, exts, message } = left({ vm_emails: ['a@x.example', 'b@x.example', 'a@x.example'] });
    const subject = `Voice message from ${message?.callerid}`;
    const facts = { call_id: message?.live_id, voicemessage_id: message?.id, duration: message?.duration };
    expect(rig.mails).toEqual(
      ['a@x.example', 'b@x.example'].map((to) => ({ kind: 'voicemail', to, subject, from: exts[0], ...facts })),
    );
    expect(message?.duration).toBeGreaterThan(5);
  });

  it('goes to the user where there are no addresses, with the words where the user wants them', () => {
    const { rig, message } = left({ vm_emails: [], vm_tts: 'Y' });
    expect(rig.mails).toMatchObject([{ to: 'second@company.example', text: message?.transcript }]);
    expect(message?.transcript).not.toBe('');
  });

  it('is not mailed to a user who does not want that', () => {
    expect(left({ vm_to_email: false }).rig.mails).toEqual([]);
  });
});
