// Callers at groups, queues, menus and rooms, and users at their voicemail. Knows no person.
import { between, called, callLine, callOut, giveUp, PATIENCE_MS, press, type Scene, type Stage } from './stage.ts';
import type { Line } from './town.ts';

/** The keys of a menu that lead somewhere. */
const KEYS = {
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
};
/** Whoever is asked for something answers so soon. */
const THINKS_MS = 2_500;
/** Those who come to a meeting from within. */
const MOST_COLLEAGUES = 3;

export const places = {
  group: (stage) => callLine(stage, stage.town.line('R')),
  queue: (stage) => callLine(stage, stage.town.line('Q')),
  queueGivenUp: (stage) => {
    const line = stage.town.line('Q');
    return line === undefined ? undefined : giveUp(stage, line.e164, between(stage, 500, 8_000));
  },
  /** The caller does not want to wait any longer. */
  queueLeft: (stage) => {
    const line = stage.town.line('Q');
    if (line === undefined || stage.ports.store.queues.get(line.targetId)?.hash_to_exit !== true) return undefined;
    const call = callLine(stage, line);
    if (call !== undefined)
      stage.later(between(stage, 2_000, 15_000), 'caller leaves the queue', () =>
        stage.ports.carrier.act(call.sipCallId, { act: 'digits', digits: '#' }),
      );
    return call;
  },
  menu: (stage) => {
    const line = stage.town.line('I');
    const keys = line === undefined ? [] : keysOf(stage, line);
    return callLine(stage, line, keys[stage.random.int(Math.max(1, keys.length))]);
  },
  /** The caller knows whom it wants. */
  menuExtension: (stage) => {
    const line = stage.town.line('I');
    const dials = line !== undefined && stage.ports.store.ivrs.get(line.targetId)?.ext_dialing === true;
    const desk = dials ? stage.town.freeDesk() : undefined;
    return desk === undefined ? undefined : callLine(stage, line, desk.ext);
  },
  /** The caller presses nothing, or what means nothing. */
  menuUnanswered: (stage) => callLine(stage, stage.town.line('I'), stage.random.pick([undefined, '*'])),
  /** Somebody outside and some users meet in a room. */
  room: (stage) => {
    const { town, ports } = stage;
    const line = town.line('C');
    const room = line === undefined ? undefined : ports.store.conferences.get(line.targetId);
    if (line === undefined || room === undefined) return undefined;
    const stays = 2 * PATIENCE_MS + 2 * stage.talkMs();
    for (let users = stage.random.int(MOST_COLLEAGUES + 1); users > 0; users -= 1)
      stage.later(between(stage, 500, 2 * PATIENCE_MS), 'a user comes to the meeting', () => {
        const call = callOut(stage, town.freeDesk(), String(room.confno), stays);
        if (call !== undefined && room.pin !== '') press(stage, call, THINKS_MS, `${room.pin}#`);
      });
    return called(stage, line.e164, stays, room.pin_pstn === '' ? undefined : `${room.pin_pstn}#`);
  },
  /** A user listens to its messages: keeps the first one, hears the next one, hangs up. */
  mailbox: (stage) => {
    const desk = stage.town.freeDesk();
    const call = callOut(stage, desk, '*97', between(stage, 12_000, 40_000));
    if (desk === undefined || call === undefined) return undefined;
    press(stage, call, THINKS_MS, stage.ports.store.users.get(desk.userId)?.vm_pin ?? '');
    press(stage, call, 4 * THINKS_MS, '2');
    return call;
  },
} as const satisfies Record<string, Scene>;

function keysOf({ ports }: Stage, { targetId }: Line): string[] {
  const menu = ports.store.ivrs.get(targetId);
  if (menu === undefined) return [];
  const isSet = ([name]: [string, string]): boolean => (menu[name as keyof typeof KEYS] ?? '') !== '';
  return Object.entries(KEYS)
    .filter(isSet)
    .map(([, key]) => key);
}
