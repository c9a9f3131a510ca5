// What happens in a living company, kind by kind: who calls whom, who picks up, who gives up. Knows no rate and draws no kind.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of behaviours, which are never awaited
import type { Result } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import type { Behaviour } from '../phones/behaviour.ts';
import type { TrafficPorts } from './ports.ts';
import type { Desk, Line, Town } from './town.ts';

/** Where scenes play. `talkMs` draws how long people talk. */
export interface Stage {
  readonly ports: TrafficPorts;
  readonly town: Town;
  readonly random: Random;
  readonly talkMs: () => number;
  /** Runs `fn` so much later, unless the traffic has stopped. `what` names the timer. */
  readonly later: (delayMs: number, what: string, fn: () => void) => void;
  /** Notes who calls or writes to whom, and lets it happen. Undefined when it cannot. */
  readonly begin: <T>(who: Parties, happen: () => Result<T>) => T | undefined;
}

export interface Parties {
  readonly from: string;
  readonly to: string;
}

/** Begins, and says who does what; undefined when nobody is free for it or there is no such destination. */
export type Scene = (stage: Stage) => Parties | undefined;

/** Nobody hangs up before the other one has had the chance to. */
const PATIENCE_MS = 5_000;

export const scenes = {
  inbound: (stage) => callIn(stage, freeLine(stage), (talk_ms) => ({ ...picksUp(stage), talk_ms, then: 'hangup' })),
  inboundEndedOutside: (stage) => callIn(stage, freeLine(stage), () => picksUp(stage)),
  missed: (stage) => callIn(stage, freeLine(stage), () => ({ on_call: 'ring' })),
  givenUp: (stage) => {
    const line = freeLine(stage);
    if (line === undefined) return undefined;
    stage.ports.phones.behaveOnce(stage.town.customerId, line.desk.ext, { on_call: 'ring' });
    return giveUp(stage, line.e164, between(stage, 3_000, 12_000));
  },
  busy: (stage) => callIn(stage, freeLine(stage), () => ({ on_call: 'busy' })),
  declined: (stage) =>
    callIn(stage, freeLine(stage), () => ({ on_call: 'decline', after_ms: between(stage, 800, 4_000) })),
  hold: held,
  transfer: (stage) => {
    const line = freeLine(stage);
    const to = stage.town.freeDesk(line?.desk);
    if (to === undefined) return undefined;
    return callIn(stage, line, (talk_ms) => ({
      ...picksUp(stage),
      talk_ms: talk_ms / 2,
      then: 'transfer',
      to: to.ext,
    }));
  },
  internal: (stage) => {
    const caller = stage.town.freeDesk();
    const callee = stage.town.freeDesk(caller);
    if (caller === undefined || callee === undefined) return undefined;
    const talk_ms = stage.talkMs();
    const answer = { ...picksUp(stage), talk_ms, then: 'hangup' } as const;
    stage.ports.phones.behaveOnce(stage.town.customerId, callee.ext, answer);
    return callOut(stage, caller, callee.ext, answer.after_ms + talk_ms + PATIENCE_MS);
  },
  outbound: (stage) => callOut(stage, stage.town.freeDesk(), stage.town.outsider(), 2_000 + stage.talkMs()),
  outboundBusy: (stage) => callOut(stage, stage.town.freeDesk(), MAGIC.busy, PATIENCE_MS),
  outboundUnanswered: (stage) => callOut(stage, stage.town.freeDesk(), MAGIC.noAnswer, between(stage, 15_000, 40_000)),
  outboundFailed: (stage) =>
    callOut(stage, stage.town.freeDesk(), stage.random.pick([MAGIC.unavailable, MAGIC.unknown]), PATIENCE_MS),
  group: (stage) => callLine(stage, stage.town.line('R')),
  queue: (stage) => callLine(stage, stage.town.line('Q')),
  queueGivenUp: (stage) => {
    const line = stage.town.line('Q');
    return line === undefined ? undefined : giveUp(stage, line.e164, between(stage, 500, 8_000));
  },
  menu: (stage) => {
    const line = stage.town.line('I');
    const keys = line === undefined ? [] : keysOf(stage, line);
    return callLine(stage, line, keys[stage.random.int(Math.max(1, keys.length))]);
  },
  room: (stage) => {
    const line = stage.town.line('C');
    const room = line === undefined ? undefined : stage.ports.store.conferences.get(line.targetId);
    return callLine(stage, line, room === undefined || room.pin_pstn === '' ? undefined : `${room.pin_pstn}#`);
  },
  mailbox: (stage) => {
    const caller = stage.town.freeDesk();
    return callOut(stage, caller, '*97', between(stage, 10_000, 25_000));
  },
  faxIn: (stage) => {
    const { ports, town, random } = stage;
    const to = town.faxLine();
    if (to === undefined) return undefined;
    const who = { from: town.outsider(), to };
    const behaviour = { on_call: 'answer', talk_ms: faxMs(random) } as const;
    return stage.begin(who, () => ports.carrier.call({ ...who, behaviour, isFax: true })) && who;
  },
  faxOut: (stage) => {
    const { ports, town, random } = stage;
    const from = town.faxLine();
    if (from === undefined) return undefined;
    const who = { from, to: town.outsider() };
    const fax = { ...who, customerId: town.customerId, pages: 1 + random.int(3) };
    return stage.begin(who, () => ports.exchange.sendFax(fax)) && who;
  },
  callMeBack: (stage) => {
    const { ports, town } = stage;
    const [setting] = ports.store.callmebacksettings.list(town.customerId);
    if (setting === undefined) return undefined;
    const who = { from: town.outsider(), to: setting.name };
    const wish = { settingId: setting.id, number: who.from, country: 'GB' };
    const asked = stage.begin(who, () => ports.exchange.widgets.ask(wish));
    if (asked === undefined) return undefined;
    // Whatever becomes of the call, its caller's dialog stays the same.
    const leg = asked.callId === null ? undefined : ports.exchange.liveCall(asked.callId)?.record.src_call_id;
    if (leg !== undefined)
      stage.later(PATIENCE_MS * 2 + stage.talkMs(), 'visitor hangs up', () =>
        ports.carrier.act(leg, { act: 'hangup' }),
      );
    return who;
  },
  chat: (stage) => {
    const { ports, town, random } = stage;
    const operator = town.freeDesk();
    if (operator === undefined) return undefined;
    const { chats } = ports.exchange;
    const who = { from: 'visitor', to: operator.ext };
    const begun = stage.begin(who, () => chats.begin({ customerId: town.customerId, message: random.pick(QUESTIONS) }));
    if (begun === undefined) return undefined;
    stage.later(between(stage, 5_000, 30_000), 'operator answers', () =>
      chats.write(begun.id, 'Good day! Let me see.', operator.userId),
    );
    stage.later(between(stage, 60_000, 300_000), 'chat ends', () => chats.close(begun.id));
    return who;
  },
  smsIn: (stage) => {
    const { ports, town, random } = stage;
    const line = town.line('U');
    if (line === undefined) return undefined;
    const who = { from: town.outsider(), to: line.e164 };
    const text = random.pick(TEXTS);
    return stage.begin(who, () => ports.exchange.receiveSms(who.from, who.to, text)) && who;
  },
  smsOut: (stage) => {
    const { ports, town, random } = stage;
    const line = town.line('U');
    if (line === undefined) return undefined;
    const who = { from: line.e164, to: town.outsider() };
    const sms = { ...who, customerId: town.customerId, userId: line.targetId, text: random.pick(TEXTS) };
    return stage.begin(who, () => ports.exchange.sendSms(sms)) && who;
  },
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;

/** Numbers of the public network whose endings are documented. */
const MAGIC = {
  busy: '+442079460001',
  noAnswer: '+442079460002',
  unavailable: '+442079460003',
  unknown: '+442079460006',
} as const;

const TEXTS = ['See you at ten.', 'Could you call me back?', 'Your parcel has arrived.', 'Thank you!'] as const;

const QUESTIONS = ['Do you deliver on Saturdays?', 'Is it in stock?', 'Where is my order?'] as const;

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

interface DeskLine extends Line {
  readonly desk: Desk;
}

function freeLine({ town }: Stage): DeskLine | undefined {
  const desk = town.freeDesk();
  const line = desk === undefined ? undefined : town.lineOf(desk);
  return desk === undefined || line === undefined ? undefined : { ...line, desk };
}

/** Somebody outside calls a user, who does as told. Who called hangs up in the end, whatever the user does. */
function callIn(stage: Stage, line: DeskLine | undefined, callee: (talkMs: number) => Behaviour): ReturnType<Scene> {
  if (line === undefined) return undefined;
  const talkMs = stage.talkMs();
  const behaviour = whole(callee(talkMs));
  stage.ports.phones.behaveOnce(stage.town.customerId, line.desk.ext, behaviour);
  // Where the user hangs up, the caller is there a little longer.
  return called(stage, line.e164, talkMs + (behaviour.talk_ms === undefined ? 0 : PATIENCE_MS));
}

/** Somebody outside calls a number and talks to whoever answers. */
function callLine(stage: Stage, line: Line | undefined, digits?: string): ReturnType<Scene> {
  return line === undefined ? undefined : called(stage, line.e164, stage.talkMs() + PATIENCE_MS, digits);
}

function called(stage: Stage, to: string, talk_ms: number, digits?: string): ReturnType<Scene> {
  const who = { from: stage.town.outsider(), to };
  const behaviour = whole({ on_call: 'answer', talk_ms, ...(digits === undefined ? {} : { digits }) });
  return stage.begin(who, () => stage.ports.carrier.call({ ...who, behaviour })) && who;
}

/** Somebody outside calls and loses patience. */
function giveUp(stage: Stage, to: string, talk_ms: number): ReturnType<Scene> {
  const { carrier } = stage.ports;
  const who = { from: stage.town.outsider(), to };
  const call = stage.begin(who, () => carrier.call({ ...who, behaviour: { on_call: 'answer', talk_ms } }));
  if (call === undefined) return undefined;
  stage.later(talk_ms, 'caller gives up', () => carrier.act(call.sipCallId, { act: 'hangup' }));
  return who;
}

/** A user calls, and hangs up after that time when the other one has not. */
function callOut(stage: Stage, caller: Desk | undefined, to: string, endAfterMs: number): ReturnType<Scene> {
  if (caller === undefined) return undefined;
  const { phones } = stage.ports;
  const { customerId } = stage.town;
  const who = { from: caller.ext, to };
  const call = stage.begin(who, () => phones.act(customerId, caller.ext, { act: 'call', to }));
  if (call === undefined) return undefined;
  stage.later(endAfterMs, `user ${caller.ext} hangs up`, () =>
    phones.act(customerId, caller.ext, { act: 'hangup' }, call.sipCallId),
  );
  return who;
}

/** The user who answers puts the caller on hold, and comes back. */
function held(stage: Stage): ReturnType<Scene> {
  const line = freeLine(stage);
  if (line === undefined) return undefined;
  const { phones } = stage.ports;
  const { customerId } = stage.town;
  const [before, onHold, after] = [stage.talkMs(), between(stage, 3_000, 15_000), stage.talkMs()];
  const answer = { ...picksUp(stage), talk_ms: before, then: 'hold' } as const;
  phones.behaveOnce(customerId, line.desk.ext, whole(answer));
  const call = called(stage, line.e164, before + onHold + after);
  if (call === undefined) return undefined;
  stage.later(answer.after_ms + before + onHold, `user ${line.desk.ext} resumes`, () =>
    phones.act(customerId, line.desk.ext, { act: 'resume' }, call.from),
  );
  return call;
}

function picksUp(stage: Stage): { readonly on_call: 'answer'; readonly after_ms: number } {
  return { on_call: 'answer', after_ms: between(stage, 1_500, 9_000) };
}

function keysOf({ ports }: Stage, { targetId }: Line): string[] {
  const menu = ports.store.ivrs.get(targetId);
  if (menu === undefined) return [];
  const isSet = ([name]: [string, string]): boolean => (menu[name as keyof typeof KEYS] ?? '') !== '';
  return Object.entries(KEYS)
    .filter(isSet)
    .map(([, key]) => key);
}

/** As long as one to three pages take. */
function faxMs(random: Random): number {
  return 11_000 + (1 + random.int(3)) * 30_000;
}

/** Whole milliseconds from `least` up to `most`. */
function between({ random }: Stage, least: number, most: number): number {
  return least + random.int(most - least);
}

/** A behaviour counts in whole milliseconds. */
function whole(behaviour: Behaviour): Behaviour {
  return behaviour.talk_ms === undefined ? behaviour : { ...behaviour, talk_ms: Math.round(behaviour.talk_ms) };
}
