// The exchange's face: commands in, reads and domain events out. api/ and control/ see this and nothing behind it.

import type { CallMeBack } from '../contract/resources/callmeback.ts';
import type { LiveCall, Webcall } from '../contract/resources/calls.ts';
import type { Chat } from '../contract/resources/history.ts';
import type { Fax, Sms } from '../contract/resources/storage.ts';
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

export interface SendFax {
  readonly customerId: number;
  /** One of the customer's numbers, which sends faxes. */
  readonly from: string;
  /** Whom it is for, in E.164. */
  readonly to: string;
  /** From 1. */
  readonly pages: number;
  /** Default: named after the record. */
  readonly filename?: string;
}

/** Somebody looks at a website that carries the widget of a setting. */
export interface WidgetView {
  readonly settingId: number;
  /** Where the visitor is: an ISO 3166-1 code, as far as it is known. */
  readonly country?: string;
}

/** What the visitor sees: nothing unless `shown`. */
export interface Widget {
  readonly shown: boolean;
  /** Somebody could take the call now. */
  readonly online: boolean;
  /** The words of the button: those for when somebody is there, or those for when nobody is. */
  readonly text: string;
  readonly setting: CallMeBack;
}

export interface AskCallback extends WidgetView {
  /** Where the visitor wants to be called, in E.164. */
  readonly number: string;
  readonly name?: string;
}

export interface Callback {
  /** Null where nobody was there: the number was left. */
  readonly callId: number | null;
  readonly visitor: CallMeBack;
  readonly cdr: CallMeBack | null;
}

export interface WidgetDesk {
  /** What a visitor of a website sees of the widget; `not_found` without such a setting. */
  see(view: WidgetView): Result<Widget>;
  /** The visitor asks to be called: rings the visitor, then whoever the number leads to. `conflict` says why it is not done. */
  ask(wish: AskCallback): Result<Callback>;
}

/** A visitor writes, or is answered. */
export interface ChatVisitor {
  readonly customerId: number;
  readonly websiteId?: number;
  readonly name?: string;
  readonly email?: string;
  readonly country?: string;
  readonly city?: string;
  readonly ip?: string;
  readonly referer?: string;
  readonly userAgent?: string;
  readonly message: string;
}

export interface ChatDesk {
  /** A visitor begins: the chat waits for an operator. */
  begin(visitor: ChatVisitor): Result<Chat>;
  /** The visitor (no operator) or an operator writes. `not_found` without such a chat, `conflict` when it is closed. */
  write(chatId: number, message: string, operatorId?: number): Result<Chat>;
  close(chatId: number): Result<Chat>;
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
  /** Queues a fax; its record goes on to sending, and to sent or failed when the call is over. `invalid` names what is wrong. */
  sendFax(command: SendFax): Result<Fax>;
  readonly widgets: WidgetDesk;
  readonly chats: ChatDesk;
  /** An SMS for one of our numbers; `not_found` when nobody has that number, `invalid` when it takes none. */
  receiveSms(from: string, to: string, text: string): Result<{ customerId: number; userId: number | null }>;
}
