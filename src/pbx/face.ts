// The exchange's face: commands in, reads and domain events out. api/ and control/ see this and nothing behind it.

import type { LiveCall, Webcall } from '../contract/resources/calls.ts';
import type { Sms } from '../contract/resources/storage.ts';
import type { Result } from '../kernel/errors.ts';
import type { DomainEvent } from './events.ts';

/** How a command that waits for a phone tells its end. Called exactly once. */
export type Done<T> = (result: Result<T>) => void;

export interface ClickToCall {
  readonly customerId: number;
  /** Whose phone rings first. */
  readonly userId: number;
  /** An extension of the customer or a number, with or without `+`. */
  readonly to: string;
  /** What the called party sees: a number of the customer's, or `anonymous`. */
  readonly callerId?: string;
}

export interface WebCall {
  readonly customerId: number;
  readonly userId: number;
  /** Rings first. */
  readonly from: string;
  /** Rings when `from` has answered. */
  readonly to: string;
}

export interface LeadCall {
  readonly customerId: number;
  readonly userId: number;
  /** The agent's number or extension: rings first. */
  readonly to: string;
  /** The lead: called when the agent has answered. */
  readonly callerId: string;
  /** Read to the agent before the lead is called. */
  readonly spoken?: string;
}

export interface SendSms {
  readonly customerId: number;
  readonly userId: number;
  /** One of the customer's numbers. */
  readonly from: string;
  /** Whom it is for, in E.164. */
  readonly to: string;
  readonly text: string;
}

/** What `PATCH /calls/{id}` may ask of a live call; several at once are done in this order. */
export interface CallChanges {
  readonly labels?: readonly unknown[];
  readonly actionUrl?: string;
  readonly actionText?: string;
  /** Transfers the call. */
  readonly dst?: string;
  /** Answers (and resumes), holds, ends. Other states are refused by the exchange. */
  readonly state?: string;
  readonly recording?: RecordingAct;
}

export type RecordingAct = 'start' | 'pause' | 'resume';

/** A live call with what access control needs. */
export interface LiveCallView {
  readonly customerId: number;
  /** Users of the customer that are party to the call. */
  readonly userIds: readonly number[];
  readonly record: LiveCall;
}

/** Why an agent of a queue is rung or not: logged out, without a phone or unwilling, in a call, at rest after one. */
export type AgentState = 'logged_out' | 'unreachable' | 'ringing' | 'talking' | 'resting' | 'free';

/** A queue as it is now. */
export interface QueueView {
  readonly queue_id: number;
  readonly customer_id: number;
  readonly name: string;
  /** Who waits, first come first. */
  readonly callers: ReadonlyArray<{
    readonly call_id: number;
    readonly position: number;
    readonly waited_s: number;
    readonly from: string;
    /** As `queue_state` of the live call. */
    readonly state: string;
  }>;
  readonly agents: ReadonlyArray<{
    readonly user_id: number;
    readonly ext: string;
    /** Logged in. */
    readonly status: boolean;
    readonly state: AgentState;
    /** Callers of this queue that it took since the start. */
    readonly taken: number;
  }>;
}

export interface QueueDesk {
  /** Undefined when there is no such queue. */
  view(queueId: number): QueueView | undefined;
  /** Logs an agent in or out; false for whoever is no agent of the queue. */
  login(queueId: number, userId: number, isIn: boolean): boolean;
}

/** One row of the call state table, as `GET /_sim/states` shows it. */
export interface StateRow {
  readonly from: string;
  readonly input: string;
  readonly to: string;
  readonly event: string | null;
  readonly signalling: string;
}

export interface Exchange {
  readonly queues: QueueDesk;
  /** The customer's live calls, oldest first. */
  liveCalls(customerId: number): LiveCallView[];
  liveCall(callId: number): LiveCallView | undefined;
  /** Failure kinds: `invalid` (a number nobody has, a user without a registered phone) with `details` naming the member. */
  clickToCall(command: ClickToCall): Result<LiveCall>;
  webCall(command: WebCall): Result<Webcall>;
  leadCall(command: LeadCall): Result<LiveCall>;
  /** `invalid` when the change is impossible in the call's state, or the phone refused or kept silent for 4 s; `forbidden`: no leave to record. */
  changeCall(callId: number, byUserId: number, changes: CallChanges, done: Done<LiveCall>): void;
  /** The live call (perhaps just ended) that an INVITE with this Call-ID made; undefined when it made none. */
  callIdOfDialog(sipCallId: string): number | undefined;
  /** Hangs both legs up. False when there is no such live call. */
  hangUp(callId: number): boolean;
  /** Every row of the call state table. */
  readonly states: readonly StateRow[];
  /** Every domain event, in order. The result ends the subscription. */
  subscribe(listener: (event: DomainEvent) => void): () => void;
  /** Queues an SMS; its record goes on to sent, delivered or failed on the clock. `invalid` when nobody can have `to`. */
  sendSms(command: SendSms): Result<Sms>;
  /** An SMS for one of our numbers; `not_found` when nobody has that number, `invalid` when it takes none. */
  receiveSms(from: string, to: string, text: string): Result<{ customerId: number; userId: number | null }>;
}
