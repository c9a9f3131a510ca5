// Every way in which a call ends that nobody has answered: why, and by whom; event, journal and CDR say the same.
import { describe, expect, it } from 'vitest';
import { queueing } from './attendants/queue.rig.ts';
import { type By, type Ended, endsOf, type Told } from './endings.rig.ts';
import type { TestCall } from './exchange.rig.ts';
import { makeGroup, watched } from './ring-group.rig.ts';

/** The first user calls the second, whose phone rings. */
function ringing(unreliable = false) {
  const all = watched();
  const phone = unreliable ? all.rig.phone(1, { unreliable }) : all.phones[1];
  if (unreliable) phone.register();
  all.rig.pass(0);
  const call = all.phones[0].dial(all.exts[1]);
  all.rig.pass(0);
  phone.call.ring();
  all.rig.pass(1000);
  return { ...all, call, phone };
}

const reject = (call: TestCall, status: number): void => call.session.reject(status);

describe('a call that the called phone refuses', () => {
  it.each<[number, string, number, By]>([
    [400, 'Interworking, unspecified', 127, null],
    [402, 'Normal, unspecified', 31, null],
    [403, 'Call rejected', 21, null],
    [404, 'Unallocated number', 1, null],
    [405, 'Service or option unavailable', 63, null],
    [406, 'Normal, unspecified', 31, null],
    [408, 'No user responding', 18, null],
    [410, 'Number changed', 22, null],
    [413, 'Normal, unspecified', 31, null],
    [414, 'Normal, unspecified', 31, null],
    [415, 'Service or option not implemented', 79, null],
    [416, 'Normal, unspecified', 31, null],
    [420, 'Normal, unspecified', 31, null],
    [421, 'Normal, unspecified', 31, null],
    [480, 'No user responding', 18, null],
    [481, 'Normal, unspecified', 31, null],
    [482, 'Exchange routing error', 25, null],
    [483, 'Exchange routing error', 25, null],
    [484, 'Invalid number format', 28, null],
    [485, 'Normal, unspecified', 31, null],
    [486, 'User busy', 17, 'callee'],
    [487, 'Originator cancel', 16, null],
    [488, 'Bearer capability not available', 58, null],
    [491, 'Normal, unspecified', 31, null],
    [493, 'Normal, unspecified', 31, null],
    [500, 'Temporary failure', 41, null],
    [501, 'Normal, unspecified', 31, null],
    [502, 'Network out of order', 38, null],
    [503, 'Temporary failure', 41, null],
    [504, 'Recovery on timer expiry', 102, null],
    [505, 'Normal, unspecified', 31, null],
    [513, 'Normal, unspecified', 31, null],
    [580, 'Normal, unspecified', 31, null],
    [600, 'User busy', 17, 'callee'],
    [603, 'Call rejected', 21, 'callee'],
    [604, 'Unallocated number', 1, null],
    [606, 'Bearer capability not available', 58, null],
  ])('with %i: %s', (status, cause, q850, by) => {
    const all = ringing();
    reject(all.phone.call, status);
    all.rig.pass(0);
    expect(endsOf(all)).toEqual([['call.missed', cause, q850, by]]);
    expect(all.call.log.at(-1)).toBe(String(status));
    all.over();
  });

  it('and that was to go out has failed, for the same reasons', () => {
    const all = watched();
    const calling = all.phones[0].dial('+442079460123');
    all.rig.pass(0);
    reject(all.network.call, 486);
    all.rig.pass(0);
    expect(endsOf(all)).toEqual([['call.failed', 'User busy', 17, 'callee']]);
    expect(calling.log.at(-1)).toBe('486');
    all.over();
  });
});

const unanswered: ReadonlyArray<readonly [title: string, play: () => Ended, ends: readonly Told[]]> = [
  [
    'whose caller gives up',
    () => {
      const all = ringing();
      all.call.hangUp();
      return all;
    },
    [['call.missed', 'Originator cancel', 16, 'caller']],
  ],
  [
    'that is ended by order',
    () => {
      const all = ringing();
      all.rig.exchange.hangUp(all.live()[0]?.id ?? 0);
      return all;
    },
    [['call.missed', 'Normal clearing', 16, null]],
  ],
  [
    'for which the ring time is over',
    () => {
      const all = ringing();
      all.rig.pass(60_000);
      return all;
    },
    [['call.missed', 'No answer', 19, null]],
  ],
  [
    'to a phone that has gone',
    () => {
      const all = watched();
      const gone = all.rig.phone(1, { unreliable: true, device: 'mobile' });
      gone.register();
      all.phones[1].register(0);
      all.rig.pass(0);
      all.set(1, { ring_time: '60' });
      gone.deaf = true;
      all.phones[0].dial(all.exts[1]);
      all.rig.pass(32_000);
      return all;
    },
    [['call.missed', 'No user responding', 18, null]],
  ],
  [
    'to a user without a phone',
    () => {
      const all = watched();
      all.phones[1].register(0);
      all.rig.pass(0);
      all.phones[0].dial(all.exts[1]);
      return all;
    },
    [['call.missed', 'Subscriber absent', 20, null]],
  ],
  [
    'to a user who does not want to be disturbed',
    () => {
      const all = watched();
      all.set(1, { dnd: true });
      all.phones[0].dial(all.exts[1]);
      return all;
    },
    [['call.missed', 'Do not disturb', 21, null]],
  ],
  [
    'when the exchange goes down',
    () => {
      const all = ringing();
      all.rig.exchange.hangUpAll();
      return all;
    },
    [['call.missed', 'Temporary failure', 41, null]],
  ],
  [
    'by a command to a user who declines to call',
    () => {
      const all = watched();
      all.rig.exchange.clickToCall({ customerId: all.rig.customer.customerId, userId: all.ids[0], to: all.exts[1] });
      all.rig.pass(0);
      reject(all.phones[0].call, 603);
      return all;
    },
    [['call.missed', 'Call rejected', 21, 'caller']],
  ],
  [
    'to a ring group of which another member answers',
    () => {
      const all = watched();
      makeGroup(all);
      const calling = all.phones[0].dial('790');
      all.rig.pass(0);
      all.phones[2].call.answer();
      all.rig.pass(1000);
      calling.hangUp();
      return all;
    },
    [
      ['call.hangup', 'Call completed elsewhere', 26, null],
      ['call.hangup', 'Normal clearing', 16, 'caller'],
      ['call.hangup', 'Normal clearing', 16, 'caller'],
    ],
  ],
  [
    'to a ring group whose members are busy',
    () => {
      const all = watched();
      makeGroup(all);
      all.phones[0].dial('790');
      all.rig.pass(0);
      reject(all.phones[1].call, 486);
      reject(all.phones[2].call, 480);
      return all;
    },
    [
      ['call.missed', 'User busy', 17, 'callee'],
      ['call.missed', 'No user responding', 18, null],
      ['call.missed', 'User busy', 17, 'callee'],
    ],
  ],
  [
    'in a queue whose caller hangs up',
    () => {
      const all = queueing();
      all.queue({ agents: [], out: [all.ids[1]] });
      const calling = all.phones[0].dial('690');
      all.rig.pass(2000);
      calling.hangUp();
      return all;
    },
    [['call.missed', 'Originator cancel', 16, 'caller']],
  ],
  [
    'in a queue for too long',
    () => {
      const all = queueing();
      all.queue({ agents: [], out: [all.ids[1]], max_wait_time: 10 });
      all.phones[0].dial('690');
      all.rig.pass(10_000);
      return all;
    },
    [['call.missed', 'No answer', 19, null]],
  ],
  [
    'in a queue that is left by its key',
    () => {
      const all = queueing();
      all.queue({ agents: [], out: [all.ids[1]], hash_to_exit: true });
      const calling = all.phones[0].dial('690');
      all.rig.pass(2000);
      all.press(calling, '#');
      return all;
    },
    [['call.missed', 'Normal clearing', 16, null]],
  ],
];

describe('a call that nobody answers', () => {
  it.each(unanswered)('%s', (_title, play, ends) => {
    const all = play();
    all.rig.pass(0);
    expect(endsOf(all)).toEqual(ends);
    all.over();
  });
});
