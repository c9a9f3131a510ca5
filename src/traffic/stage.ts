// Where scenes play, and what they all do: somebody calls, picks up, gives up. Knows no rate and draws no kind.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the word of behaviours, which are never awaited
import type { Result } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import type { Behaviour } from '../phones/behaviour.ts';
import type { TrafficPorts } from './ports.ts';
import type { Desk, Line, Town } from './town.ts';

/** `talkMs` draws how long people talk. */
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

/** A call that has begun. */
export interface Begun extends Parties {
  readonly sipCallId: string;
}

/** Numbers of the public network whose endings are documented. */
export const MAGIC = {
  busy: '+442079460001',
  noAnswer: '+442079460002',
  unavailable: '+442079460003',
  unknown: '+442079460006',
} as const;

/** Nobody hangs up before the other one has had the chance to. */
export const PATIENCE_MS = 5_000;

export interface DeskLine extends Line {
  readonly desk: Desk;
}

/** A user who is free and has a number of its own. */
export function freeLine({ town }: Stage): DeskLine | undefined {
  const desk = town.freeDesk();
  const line = desk === undefined ? undefined : town.lineOf(desk);
  return desk === undefined || line === undefined ? undefined : { ...line, desk };
}

/** What the user does with its next call. */
export function next({ ports, town }: Stage, desk: Desk, behaviour: Behaviour): void {
  ports.phones.behaveOnce(town.customerId, desk.ext, whole(behaviour));
}

/** Somebody outside calls a user, who does as told. Who called hangs up in the end, whatever the user does. */
export function callIn(
  stage: Stage,
  line: DeskLine | undefined,
  callee: (talkMs: number) => Behaviour,
): Begun | undefined {
  if (line === undefined) return undefined;
  const talkMs = stage.talkMs();
  const behaviour = callee(talkMs);
  next(stage, line.desk, behaviour);
  // Where the user hangs up, the caller is there a little longer.
  return called(stage, line.e164, talkMs + (behaviour.talk_ms === undefined ? 0 : PATIENCE_MS));
}

/** Somebody outside calls a number and talks to whoever answers. */
export function callLine(stage: Stage, line: Line | undefined, digits?: string): Begun | undefined {
  return line === undefined ? undefined : called(stage, line.e164, stage.talkMs() + PATIENCE_MS, digits);
}

/** Somebody outside calls, and hangs up so long after the answer. */
export function called(stage: Stage, to: string, talk_ms: number, digits?: string): Begun | undefined {
  const who = { from: stage.town.caller(), to };
  const behaviour = whole({ on_call: 'answer', talk_ms, ...(digits === undefined ? {} : { digits }) });
  const name = stage.town.nameOf(who.from);
  const caller = { ...who, ...(name === undefined ? {} : { name }) };
  const call = stage.begin(who, () => stage.ports.carrier.call({ ...caller, behaviour }));
  return call && { ...who, ...call };
}

/** Somebody outside calls and loses patience. */
export function giveUp(stage: Stage, to: string, talk_ms: number): Begun | undefined {
  const call = called(stage, to, talk_ms);
  if (call === undefined) return undefined;
  stage.later(talk_ms, 'caller gives up', () => stage.ports.carrier.act(call.sipCallId, { act: 'hangup' }));
  return call;
}

/** A user calls, and hangs up after that time when the other one has not. */
export function callOut(stage: Stage, caller: Desk | undefined, to: string, endAfterMs: number): Begun | undefined {
  if (caller === undefined) return undefined;
  const { phones } = stage.ports;
  const { customerId } = stage.town;
  const who = { from: caller.ext, to };
  const call = stage.begin(who, () => phones.act(customerId, caller.ext, { act: 'call', to }));
  const sipCallId = call?.sipCallId;
  if (sipCallId === undefined) return undefined;
  stage.later(endAfterMs, `user ${caller.ext} hangs up`, () =>
    phones.act(customerId, caller.ext, { act: 'hangup' }, sipCallId),
  );
  return { ...who, sipCallId };
}

/** The user presses keys in its call, so much later. */
export function press(stage: Stage, { from, sipCallId }: Begun, delayMs: number, digits: string): void {
  if (digits === '') return;
  stage.later(delayMs, `user ${from} presses ${digits}`, () =>
    stage.ports.phones.act(stage.town.customerId, from, { act: 'digits', digits }, sipCallId),
  );
}

/** Picks up as people do. */
export function picksUp(stage: Stage): { readonly on_call: 'answer'; readonly after_ms: number } {
  return { on_call: 'answer', after_ms: between(stage, 1_500, 9_000) };
}

/** Whole milliseconds from `least` up to `most`. */
export function between({ random }: Pick<Stage, 'random'>, least: number, most: number): number {
  return least + random.int(most - least);
}

/** A behaviour counts in whole milliseconds. */
function whole(behaviour: Behaviour): Behaviour {
  return behaviour.talk_ms === undefined ? behaviour : { ...behaviour, talk_ms: Math.round(behaviour.talk_ms) };
}
