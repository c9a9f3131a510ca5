// The four transaction machines as data: state x input -> state and effects (RFC 3261, 17, with the Accepted state of RFC 6026). Knows nothing of messages or clocks.
import type { TimerEffect, TimerInput } from './transaction-timers.ts';

/** What happens to a transaction. `send ...` is its user's wish, the rest comes from the wire and the clock. */
export type ClientInput = 'start' | '1xx' | '2xx' | '3xx-6xx' | 'transport error' | 'abandon' | TimerInput;
export type ServerInput =
  | 'request'
  | 'ACK'
  | 'send 1xx'
  | 'send 2xx'
  | 'send 3xx-6xx'
  | 'transport error'
  | 'abandon'
  | TimerInput;

export type ClientState = 'initial' | 'calling' | 'trying' | 'proceeding' | 'completed' | 'accepted' | 'terminated';
export type ServerState = 'trying' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

export type ClientEffect =
  | TimerEffect
  | 'send request'
  | 'send ACK'
  /** The outcome is known: the flow may be forgotten and the clock let go. */
  | 'finish'
  | 'pass response'
  | 'report timeout'
  | 'report transport';

export type ServerEffect =
  | TimerEffect
  | 'send response'
  | 'resend response'
  | 'finish'
  | 'pass ACK'
  | 'report transport';

export interface Row<State, Effect> {
  readonly to: State;
  readonly effects: readonly Effect[];
}

/** An input without a row is absorbed: state and world stay as they are. */
export type Machine<State extends string, Input extends string, Effect> = Readonly<
  Partial<Record<State, Readonly<Partial<Record<Input, Row<State, Effect>>>>>>
>;

export type ClientMachine = Machine<ClientState, ClientInput, ClientEffect>;
export type ServerMachine = Machine<ServerState, ServerInput, ServerEffect>;

function row<State, Effect>(to: State, ...effects: Effect[]): Row<State, Effect> {
  return { to, effects };
}

const CLIENT_GONE = {
  'transport error': row<ClientState, ClientEffect>('terminated', 'stop timers', 'finish', 'report transport'),
  abandon: row<ClientState, ClientEffect>('terminated', 'stop timers', 'finish'),
};
const CLIENT_DROPPED = {
  'transport error': row<ClientState, ClientEffect>('terminated', 'stop timers'),
  abandon: row<ClientState, ClientEffect>('terminated', 'stop timers'),
};

/** RFC 3261, 17.1.1 and figure 5; RFC 6026, 7.2: a 2xx leaves the transaction in Accepted for timer M, so that forked and repeated 2xx reach the core. */
export const INVITE_CLIENT: ClientMachine = {
  initial: { start: row('calling', 'start B', 'send request', 'start A') },
  calling: {
    'timer A': row('calling', 'send request', 'start A'),
    'timer B': row('terminated', 'stop timers', 'finish', 'report timeout'),
    '1xx': row('proceeding', 'stop timers', 'pass response'),
    '2xx': row('accepted', 'stop timers', 'start M', 'finish', 'pass response'),
    '3xx-6xx': row('completed', 'stop timers', 'send ACK', 'start D', 'finish', 'pass response'),
    ...CLIENT_GONE,
  },
  proceeding: {
    '1xx': row('proceeding', 'pass response'),
    '2xx': row('accepted', 'start M', 'finish', 'pass response'),
    '3xx-6xx': row('completed', 'send ACK', 'start D', 'finish', 'pass response'),
    ...CLIENT_GONE,
  },
  completed: {
    '3xx-6xx': row('completed', 'send ACK'),
    'timer D': row('terminated'),
    ...CLIENT_DROPPED,
  },
  accepted: {
    '2xx': row('accepted', 'pass response'),
    'timer M': row('terminated'),
    ...CLIENT_DROPPED,
  },
};

/** RFC 3261, 17.1.2 and figure 6. */
export const NON_INVITE_CLIENT: ClientMachine = {
  initial: { start: row('trying', 'start F', 'send request', 'start E') },
  trying: {
    'timer E': row('trying', 'send request', 'start E'),
    'timer F': row('terminated', 'stop timers', 'finish', 'report timeout'),
    '1xx': row('proceeding', 'pass response'),
    '2xx': row('completed', 'stop timers', 'start K', 'finish', 'pass response'),
    '3xx-6xx': row('completed', 'stop timers', 'start K', 'finish', 'pass response'),
    ...CLIENT_GONE,
  },
  proceeding: {
    'timer E': row('proceeding', 'send request', 'start E at T2'),
    'timer F': row('terminated', 'stop timers', 'finish', 'report timeout'),
    '1xx': row('proceeding', 'pass response'),
    '2xx': row('completed', 'stop timers', 'start K', 'finish', 'pass response'),
    '3xx-6xx': row('completed', 'stop timers', 'start K', 'finish', 'pass response'),
    ...CLIENT_GONE,
  },
  completed: {
    'timer K': row('terminated'),
    ...CLIENT_DROPPED,
  },
};

const SERVER_GONE = {
  'transport error': row<ServerState, ServerEffect>('terminated', 'stop timers', 'finish', 'report transport'),
  abandon: row<ServerState, ServerEffect>('terminated', 'stop timers', 'finish'),
};
const SERVER_DROPPED = {
  'transport error': row<ServerState, ServerEffect>('terminated', 'stop timers'),
  abandon: row<ServerState, ServerEffect>('terminated', 'stop timers'),
};

/** RFC 3261, 17.2.1 and figure 7; RFC 6026, 7.1: after a 2xx copies of the INVITE are absorbed for timer L, and the core repeats the 2xx itself. Starts in Proceeding. */
export const INVITE_SERVER: ServerMachine = {
  proceeding: {
    request: row('proceeding', 'resend response'),
    'send 1xx': row('proceeding', 'send response'),
    'send 2xx': row('accepted', 'start L', 'send response', 'finish'),
    'send 3xx-6xx': row('completed', 'start H', 'send response', 'start G'),
    ...SERVER_GONE,
  },
  completed: {
    request: row('completed', 'resend response'),
    ACK: row('confirmed', 'stop timers', 'start I', 'finish'),
    'timer G': row('completed', 'resend response', 'start G'),
    'timer H': row('terminated', 'stop timers', 'finish'),
    'transport error': row('terminated', 'stop timers', 'finish'),
    abandon: row('terminated', 'stop timers', 'finish'),
  },
  confirmed: {
    'timer I': row('terminated'),
    ...SERVER_DROPPED,
  },
  accepted: {
    ACK: row('accepted', 'pass ACK'),
    'send 2xx': row('accepted', 'resend response'),
    'timer L': row('terminated'),
    ...SERVER_DROPPED,
  },
};

/** RFC 3261, 17.2.2 and figure 8. Starts in Trying. */
export const NON_INVITE_SERVER: ServerMachine = {
  trying: {
    'send 1xx': row('proceeding', 'send response'),
    'send 2xx': row('completed', 'start J', 'send response', 'finish'),
    'send 3xx-6xx': row('completed', 'start J', 'send response', 'finish'),
    ...SERVER_GONE,
  },
  proceeding: {
    request: row('proceeding', 'resend response'),
    'send 1xx': row('proceeding', 'send response'),
    'send 2xx': row('completed', 'start J', 'send response', 'finish'),
    'send 3xx-6xx': row('completed', 'start J', 'send response', 'finish'),
    ...SERVER_GONE,
  },
  completed: {
    request: row('completed', 'resend response'),
    'timer J': row('terminated'),
    ...SERVER_DROPPED,
  },
};
