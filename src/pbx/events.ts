// Domain events: what the exchange tells the rest of the system. Facts only; webhooks/ words the payloads.

/** The `state` of a call as the specification's events carry it. */
export type CallState = 'INITIAL' | 'ACCEPTED' | 'RINGING' | 'CONNECTED' | 'ON_HOLD' | 'HANGUP' | 'FAILED';

export type CallEventName =
  | 'call.initial'
  | 'call.ringing'
  | 'call.missed'
  | 'call.connected'
  | 'call.failed'
  | 'call.hangup'
  | 'call.hold'
  | 'call.unhold';

/** A number, a name and an id at one end of a call. `id` is the user's, contact's, queue's ... id; null for an unknown outsider. */
export interface EndFacts {
  readonly number: string;
  readonly name: string;
  readonly id: number | null;
}

/** One event of one call. `id` is unique per event and the same in every attempt and at every webhook. */
export interface CallEvent {
  readonly kind: 'call';
  readonly id: string;
  readonly name: CallEventName;
  /** Journal sequence of the event: its order. */
  readonly seq: number;
  /** ms since 1970 on the clock. */
  readonly at: number;
  readonly customerId: number;
  readonly callId: number;
  readonly state: CallState;
  readonly startedAt: number;
  readonly connectedAt: number | null;
  /** `LOCAL_USER` or `QUEUE` as the events write it. */
  readonly context: 'LOCAL_USER' | 'QUEUE';
  readonly direction: 'in' | 'out';
  /** Whole seconds from the first INVITE to the event. */
  readonly durationS: number;
  /** Empty until the call ends. */
  readonly cause: string;
  readonly clid: string;
  readonly src: EndFacts;
  readonly dst: EndFacts;
  /** One value for the whole chain of a caller's attempt. */
  readonly srcHash: string;
  readonly info: string;
  /** Which party ended it; null while it lives and when neither did (the API, shutdown, a lost connection). */
  readonly terminatedBy: 'caller' | 'callee' | null;
}

/** A key pressed during a call: by SIP INFO, or in the sound (RFC 4733). */
export interface DtmfEvent extends Omit<CallEvent, 'kind' | 'name'> {
  readonly kind: 'dtmf';
  readonly digit: string;
  readonly by: 'caller' | 'callee';
}

/** A text message that arrived from the public network. */
export interface SmsEvent {
  readonly kind: 'sms';
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly customerId: number;
  readonly userId: number | null;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export type DomainEvent = CallEvent | DtmfEvent | SmsEvent;
