// Which events of a call may follow which, by what the states mean. Pure; knows no payload and no schema.
import { type CallEventName, callEventNames, type EventName, terminalEvents } from '../../contract/events.ts';

/** What may come directly after an event when every event of the call is received; START is before the first. */
const FOLLOWERS: Readonly<Record<CallEventName | 'START', readonly CallEventName[]>> = {
  START: ['call.initial', 'call.missed', 'call.failed'],
  'call.initial': ['call.ringing', 'call.connected', 'call.missed', 'call.failed'],
  'call.ringing': ['call.connected', 'call.missed', 'call.failed'],
  'call.connected': ['call.hold', 'call.hangup'],
  'call.hold': ['call.unhold', 'call.hangup'],
  'call.unhold': ['call.hold', 'call.hangup'],
  'call.missed': [],
  'call.failed': [],
  'call.hangup': [],
};

/** How far a call has come with an event: what is late does not take it back. */
const STAGE: Readonly<Record<CallEventName, number>> = {
  'call.initial': 0,
  'call.ringing': 1,
  'call.connected': 2,
  'call.hold': 2,
  'call.unhold': 2,
  'call.missed': 3,
  'call.failed': 3,
  'call.hangup': 3,
};

/** Two parties talk, or could. */
const ANSWERED: readonly CallEventName[] = ['call.connected', 'call.hold', 'call.unhold'];

export function isCallEvent(name: string): name is CallEventName {
  return callEventNames.some((one) => one === name);
}

export function isTerminal(name: string): boolean {
  return terminalEvents.some((one) => one === name);
}

/** What else an event says of its call. */
export interface Saying {
  /** That the call was never connected. */
  readonly unanswered?: boolean;
  /** That its caller is in a queue: the exchange answered it for the music, so keys are heard before an agent is. */
  readonly inQueue?: boolean;
}

/** The events of one call as they come. */
export class CallSequence {
  readonly #received: ReadonlySet<EventName>;
  /** Undefined: the call was there before anybody listened, and nothing has come of it yet. */
  #last: CallEventName | 'START' | undefined;

  /** `received`: the events that the receiver has asked for. `whole`: the call began after it started to listen. */
  constructor(received: ReadonlySet<EventName>, whole: boolean) {
    this.#received = received;
    this.#last = whole ? 'START' : undefined;
  }

  /** Why the event may not come now; undefined when it may. */
  take(name: CallEventName | 'call.dtmf', { unanswered = false, inQueue = false }: Saying = {}): string | undefined {
    const before = this.#last;
    // Another member of the group has answered: such a call ends where it could have been missed.
    if (name === 'call.hangup' && unanswered && before !== undefined) {
      const fits = before === 'START' ? !this.#received.has('call.initial') : this.#mayFollow(before, 'call.missed');
      if (!isTerminal(before)) this.#last = name;
      return fits ? undefined : after(name, before);
    }
    if (name === 'call.dtmf') return this.#mayPress(before, inQueue) ? undefined : after(name, before);
    const fits = before === undefined || this.#mayFollow(before, name);
    if (before === undefined || before === 'START' || STAGE[name] >= STAGE[before]) {
      if (before === undefined || !isTerminal(before)) this.#last = name;
    }
    return fits ? undefined : after(name, before);
  }

  /** Whether `name` comes after `before` directly, or after events that are not received. */
  #mayFollow(before: CallEventName | 'START', name: CallEventName): boolean {
    const seen = new Set<CallEventName>();
    const ahead = [...FOLLOWERS[before]];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (next === name) return true;
      if (seen.has(next) || this.#received.has(next)) continue;
      seen.add(next);
      ahead.push(...FOLLOWERS[next]);
    }
    return false;
  }

  #mayPress(before: CallEventName | 'START' | undefined, inQueue: boolean): boolean {
    const heard: readonly CallEventName[] = inQueue ? ['call.initial', 'call.ringing', ...ANSWERED] : ANSWERED;
    if (before === undefined || heard.some((name) => name === before)) return true;
    return heard.some((name) => !this.#received.has(name) && this.#mayFollow(before, name));
  }
}

function after(name: string, before: string | undefined): string {
  if (before === 'START') return `${name} without an earlier event of the call`;
  return isTerminal(before ?? '') ? `${name} after ${before}, which ends the call` : `${name} after ${before}`;
}
