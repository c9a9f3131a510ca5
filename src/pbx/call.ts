// One live call: one caller at one destination. Holds facts; its state moves only through the call book (calls.ts).
import type { Sound } from '../media/sound.ts';
import { isOver, type Phase } from './call-states.ts';
import type { Cause } from './causes.ts';
import type { Leg } from './leg.ts';
import type { Party } from './party.ts';
import type { Surrendered } from './reach.ts';
import type { Supervision } from './supervision.ts';
import type { LegToll } from './tolls.ts';

/** How the call came about; `destination` of the CDR and direction of the API follow from it. */
export type CallOrigin = 'call' | 'click-to-call' | 'webcall' | 'leadcall' | 'callmeback';

export interface CallFacts {
  readonly id: number;
  readonly customerId: number;
  readonly direction: 'in' | 'out';
  readonly origin: CallOrigin;
  readonly src: Party;
  readonly dst: Party;
  /** What the called party is shown. */
  readonly clid: string;
  readonly srcHash: string;
  /** The live call that the caller came from: a destination that did not answer; 0 for none. */
  readonly parentId?: number;
  /** The number of the account that somebody outside called, in E.164. */
  readonly ddi?: string;
  /** A member of a ring group is rung for a caller who called the group: the parent. */
  readonly isForGroup?: boolean;
  /** The user who was called and whose calls go on to this destination: whose record it is when neither party is a user. */
  readonly forUserId?: number;
  /** Rate per minute of the number that was dialled at the beginning; 0 for calls that cost nothing. */
  readonly rate: number;
  /** The same for the leg of a caller whom the exchange rang on the public network. */
  readonly srcRate?: number;
  readonly startedAt: number;
}

/** What `PATCH /calls/{id}` hangs on a call besides signalling. */
export interface Annotations {
  labels: readonly unknown[];
  actionUrl: string;
  actionText: string;
}

export class Call {
  readonly id: number;
  readonly customerId: number;
  readonly direction: 'in' | 'out';
  readonly origin: CallOrigin;
  /** Another one, with the parent, when the call rings on for another caller (`CallBook.adopt`). */
  srcHash: string;
  parentId: number;
  readonly startedAt: number;
  readonly ddi: string | undefined;
  readonly isForGroup: boolean;
  readonly forUserId: number | undefined;
  readonly rate: number;
  readonly srcRate: number;
  readonly clid: string;
  src: Party;
  dst: Party;
  phase: Phase = 'NEW';
  connectedAt: number | null = null;
  endedAt: number | null = null;
  cause: Cause | undefined;
  terminatedBy: 'caller' | 'callee' | null = null;
  /** Who transferred it, as the number that the party had. */
  referredBy = '';
  /** The user who transferred it last: whose record it is, and who pays, when the parties that are left are no users. */
  transferredBy: number | null = null;
  /** What it costs besides `rate`: who was called outside since it was transferred (tolls.ts). */
  tolls: readonly LegToll[] = [];
  /** The legs that speak; a leg is undefined before its INVITE. */
  srcLeg: Leg | undefined;
  dstLeg: Leg | undefined;
  /** The parties that hold the call. It is on hold while there is at least one. */
  readonly holders = new Set<Leg>();
  /** What who is held hears, where it is not the standard music. */
  holdMusic: Sound | undefined;
  /** As `monitor_state` words it; the recorder sets it. */
  recording: 'off' | 'recording' | 'paused' = 'off';
  readonly annotations: Annotations = { labels: [], actionUrl: '', actionText: '' };
  /** Ends the signalling of the call, whatever its state; set by whoever conducts it. */
  hangUp: (cause: Cause) => void = () => {};
  /** The legs of the called party that ring now, for orders to its phone. */
  ringing: () => readonly Leg[] = () => [];
  /** The call of the member who answered for a group: there the parties talk, and what is ordered of this call is done. */
  answeredBy: Call | undefined;
  /** As `queue_state` words it; empty for all but calls in a queue. */
  queueState: '' | 'waiting' | 'ringing' | 'connected' = '';
  /** Asked when the called party has hung up: true when the caller goes on elsewhere, and this call was ended for that. */
  calleeGone: ((leg: Leg) => boolean) | undefined;
  /** Its caller is led on to where the user who was called is followed. */
  isForwarded = false;
  /** The web call that this live call belongs to. */
  webcallId: number | null = null;
  /** Where the caller waits or is attended to: what somebody finds there who is to take its place. Undefined once two parties talk. */
  surrender: (() => Surrendered | undefined) | undefined;
  /** Undefined when nobody rings, or waits to be fetched, who could be answered for. */
  pickUp: PickUp | undefined;
  /** Who listens in on it; undefined while nobody does. */
  supervision: Supervision | undefined;
  /** Sends the staying party elsewhere; undefined while the call cannot be transferred. */
  transfer: ((to: string, by: Leg | undefined) => TransferAnswer) | undefined;

  constructor(facts: CallFacts) {
    this.id = facts.id;
    this.customerId = facts.customerId;
    this.direction = facts.direction;
    this.origin = facts.origin;
    this.src = facts.src;
    this.dst = facts.dst;
    this.clid = facts.clid;
    this.srcHash = facts.srcHash;
    this.parentId = facts.parentId ?? 0;
    this.ddi = facts.ddi;
    this.isForGroup = facts.isForGroup ?? false;
    this.forUserId = facts.forUserId;
    this.rate = facts.rate;
    this.srcRate = facts.srcRate ?? 0;
    this.startedAt = facts.startedAt;
  }

  get isOver(): boolean {
    return isOver(this.phase);
  }

  /** From the callee's 200 on. A phone that rang for a group while another one answered never was. */
  get isAnswered(): boolean {
    return this.connectedAt !== null;
  }

  /** Whole seconds from the first INVITE to `now`, or to the end. */
  durationS(nowMs: number): number {
    return Math.floor(((this.endedAt ?? nowMs) - this.startedAt) / 1000);
  }

  /** Whole seconds from the 200 to `now`, or to the end; 0 when it was not answered. */
  billsecS(nowMs: number): number {
    return this.connectedAt === null ? 0 : Math.floor(((this.endedAt ?? nowMs) - this.connectedAt) / 1000);
  }

  legs(): Leg[] {
    return [this.srcLeg, this.dstLeg].filter((leg) => leg !== undefined);
  }

  /** Where the parties of this call talk: at itself, or at the member of a group who answered. */
  get conversation(): Call {
    let at: Call = this;
    while (at.answeredBy !== undefined) at = at.answeredBy;
    return at;
  }

  /** Users of ours that are party to it, or whose caller is led on by it. */
  userIds(): number[] {
    return [this.src.userId, this.dst.userId, this.forUserId ?? null].filter((id) => id !== null);
  }

  /** Which side of the call a leg is, as `terminated_by` words it. */
  sideOf(leg: Leg): 'caller' | 'callee' {
    return leg === this.srcLeg ? 'caller' : 'callee';
  }
}

/** One party's phones ring, or it waits: another leg may answer in place of whom it waits for. */
export interface PickUp {
  readonly caller: () => Leg;
  /** `answer` gives the leg its 200 in one of these codecs; false when it cannot, and then nothing changes. */
  readonly by: (leg: Leg, answer: (codecs: readonly string[]) => boolean) => boolean;
}

/** What came of the wish to transfer. `refused` says why in one sentence. */
export type TransferAnswer = { readonly accepted: true } | { readonly accepted: false; readonly refused: string };
