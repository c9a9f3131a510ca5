// Every way in which an answered call ends: why, and by whom; event, journal and CDR say the same, and the MSDRs of its phones.
import { describe, expect, it } from 'vitest';
import { attended } from './attendants/attendants.rig.ts';
import { makeConference } from './attendants/conference.rig.ts';
import { atIvr } from './attendants/ivr.rig.ts';
import { queueing } from './attendants/queue.rig.ts';
import { causesOfMedia, type Ended, endsOf, type Told } from './endings.rig.ts';
import { watched } from './ring-group.rig.ts';

const CLEAR = 'Normal clearing';

/** The first user calls the second, who answers. */
function talking(unreliable = false) {
  const all = watched();
  const phone = all.rig.phone(0, { unreliable, device: 'mobile' });
  phone.register();
  all.rig.pass(0);
  const call = phone.dial(all.exts[1]);
  all.rig.pass(0);
  all.phones[1].call.ring();
  all.phones[1].call.answer();
  all.rig.pass(2000);
  return { ...all, phone, call, callId: all.live()[0]?.id ?? 0 };
}

/** The first user at a place of the exchange. */
function visiting(place: string, prepare: (all: ReturnType<typeof attended>) => void) {
  const all = attended();
  prepare(all);
  const call = all.phones[0].dial(place);
  all.rig.pass(2000);
  return { ...all, call };
}

const answered: ReadonlyArray<
  readonly [title: string, play: () => Ended, ends: readonly Told[], media: readonly string[]]
> = [
  [
    'by the caller',
    () => {
      const all = talking();
      all.call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'caller']],
    [CLEAR, CLEAR],
  ],
  [
    'by the callee',
    () => {
      const all = talking();
      all.phones[1].call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'callee']],
    [CLEAR, CLEAR],
  ],
  [
    'by order',
    () => {
      const all = talking();
      all.rig.exchange.hangUp(all.callId);
      return all;
    },
    [['call.hangup', CLEAR, 16, null]],
    [CLEAR, CLEAR],
  ],
  [
    'on hold, by who is held',
    () => {
      const all = talking();
      all.call.reoffer('sendonly');
      all.rig.pass(0);
      all.phones[1].call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'callee']],
    [CLEAR, CLEAR],
  ],
  [
    'when the ACK of the answer is lost',
    () => {
      const all = watched();
      const phone = all.rig.phone(0, { unreliable: true, device: 'mobile' });
      phone.register();
      all.rig.pass(0);
      phone.dial(all.exts[1]);
      all.rig.pass(0);
      phone.mute = (line) => line === 'ACK';
      all.phones[1].call.answer();
      all.rig.pass(32_000);
      return all;
    },
    [['call.hangup', 'Recovery on timer expiry', 102, null]],
    ['Recovery on timer expiry', 'Recovery on timer expiry'],
  ],
  [
    'when the wire to a phone is cut',
    () => {
      const all = talking();
      all.phone.vanish();
      return all;
    },
    [['call.hangup', 'Destination out of order', 27, null]],
    ['Destination out of order', 'Destination out of order'],
  ],
  [
    'when the exchange goes down',
    () => {
      const all = talking();
      all.rig.exchange.hangUpAll();
      return all;
    },
    [['call.hangup', 'Temporary failure', 41, null]],
    ['Temporary failure', 'Temporary failure'],
  ],
  [
    'when no answer to an offer of the exchange comes at all',
    () => {
      const all = watched();
      const call = all.phones[0].dial(all.exts[1], { body: null });
      all.rig.pass(0);
      all.phones[1].call.answer();
      all.rig.pass(0);
      call.session.ack('');
      return all;
    },
    [['call.hangup', 'Bearer capability not available', 58, null]],
    ['Bearer capability not available', 'Bearer capability not available'],
  ],
  [
    'outside, by the other side',
    () => {
      const all = watched();
      all.phones[0].dial('+442079460123');
      all.rig.pass(0);
      all.network.call.answer();
      all.rig.pass(2000);
      all.network.call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'callee']],
    [CLEAR],
  ],
  [
    'at a menu, by the caller',
    () => {
      const all = atIvr();
      all.rig.pass(1000);
      all.call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'caller']],
    [CLEAR],
  ],
  [
    'at a menu, when nothing was chosen',
    () => {
      const all = atIvr();
      all.rig.pass(25_000);
      return all;
    },
    [['call.hangup', CLEAR, 16, null]],
    [CLEAR],
  ],
  [
    'at a menu that leads on: to each its own end',
    () => {
      const all = atIvr(({ ids }) => ({ one: `U:${ids[1]}` }));
      all.rig.pass(1000);
      all.press(all.call, '1');
      all.phones[1].call.session.reject(486);
      return all;
    },
    [
      ['call.hangup', CLEAR, 16, null],
      ['call.missed', 'User busy', 17, 'callee'],
    ],
    // The caller is hung up on because of that.
    ['User busy'],
  ],
  [
    'at a voicemail box, by the caller',
    () => {
      const all = attended();
      all.set(1, { dnd: true, final_dst_type: 'V', final_dst_id: all.ids[1] });
      const call = all.phones[0].dial(all.exts[1]);
      all.rig.pass(9000);
      call.hangUp();
      return all;
    },
    [
      ['call.missed', 'Do not disturb', 21, null],
      ['call.hangup', CLEAR, 16, 'caller'],
    ],
    [CLEAR],
  ],
  [
    'at a voicemail box, with the hash key',
    () => {
      const all = attended();
      all.set(1, { dnd: true, final_dst_type: 'V', final_dst_id: all.ids[1] });
      const call = all.phones[0].dial(all.exts[1]);
      all.rig.pass(9000);
      all.press(call, '#');
      all.rig.pass(10_000);
      return all;
    },
    [
      ['call.missed', 'Do not disturb', 21, null],
      ['call.hangup', CLEAR, 16, null],
    ],
    [CLEAR],
  ],
  [
    'at the mailbox, by the caller',
    () => {
      const all = visiting('*97', () => {});
      all.call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'caller']],
    [CLEAR],
  ],
  [
    'at the echo test, by order',
    () => {
      const all = visiting('*43', () => {});
      all.rig.exchange.hangUp(all.live()[0]?.id ?? 0);
      return all;
    },
    [['call.hangup', CLEAR, 16, null]],
    [CLEAR],
  ],
  [
    'in a conference, by the participant',
    () => {
      const all = visiting('990', ({ rig }) => makeConference(rig));
      all.call.hangUp();
      return all;
    },
    [['call.hangup', CLEAR, 16, 'caller']],
    [CLEAR],
  ],
  [
    'in a conference, for want of its PIN',
    () => {
      const all = visiting('990', ({ rig }) => makeConference(rig, { pin: '4711' }));
      all.press(all.call, '1111#');
      all.rig.pass(10_000);
      all.press(all.call, '2222#');
      all.rig.pass(10_000);
      all.press(all.call, '3333#');
      all.rig.pass(20_000);
      return all;
    },
    [['call.hangup', CLEAR, 16, null]],
    [CLEAR],
  ],
  [
    'of a queue, by the agent',
    () => {
      const all = queueing();
      all.queue({ agents: [all.ids[1]] });
      all.phones[0].dial('690');
      all.rig.pass(0);
      all.phones[1].call.answer();
      all.rig.pass(3000);
      all.phones[1].call.hangUp();
      return all;
    },
    [
      ['call.hangup', CLEAR, 16, 'callee'],
      ['call.hangup', CLEAR, 16, 'callee'],
    ],
    [CLEAR, CLEAR],
  ],
];

describe('an answered call that ends', () => {
  it.each(answered)('%s', (_title, play, ends, media) => {
    const all = play();
    all.rig.pass(0);
    expect(endsOf(all)).toEqual(ends);
    expect(causesOfMedia(all)).toEqual(media);
    all.over();
  });
});
