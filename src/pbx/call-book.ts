// The call book: every live call, the only place where a call's state moves, and where its events and records come from.
import { eventContextOf } from '../contract/codes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdBlocks } from '../kernel/ids.ts';
import type { Journal, JournalData } from '../kernel/journal.ts';
import type { Random } from '../kernel/random.ts';
import { Call, type CallFacts } from './call.ts';
import { contextOf } from './call-record.ts';
import { type CallInput, moveCall } from './call-states.ts';
import { type Cause, COMPLETED_ELSEWHERE } from './causes.ts';
import type { CallEvent, CallEventName, CallState, DomainEvent, EndFacts } from './events.ts';
import type { Leg } from './leg.ts';
import type { Party } from './party.ts';

export interface CallBookDeps {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly random: Random;
  /** Live ids: one sequence per customer. */
  readonly ids: IdBlocks;
  /** Told once of each call that has ended, before it leaves the book. */
  readonly onEnded: (call: Call, lastState: CallState) => void;
  /** An event in the words of its webhooks, which the journal shows too; asked only when somebody reads the entry. */
  readonly wordsOf?: EventWords;
}

export type EventWords = (event: DomainEvent) => JournalData;

/** More live calls than this are refused with 503: what one process can carry, with room to end them well. */
export const MAX_LIVE_CALLS = 50_000;

/** What the words of an event weigh in a trace, in bytes. */
const WORDS_BYTES = 800;

/** `parent`: the call that the same caller comes from; one hash tells them all. */
export type NewCall = Omit<CallFacts, 'id' | 'srcHash' | 'startedAt' | 'parentId'> & { readonly parent?: Call };

export class CallBook {
  readonly #deps: CallBookDeps;
  readonly #calls = new Map<number, Call>();
  readonly #byCustomer = new Map<number, Set<Call>>();
  readonly #listeners = new Set<(event: DomainEvent) => void>();
  readonly #observers = new Set<(call: Call) => void>();
  readonly #watchers = new Map<Call, Set<() => void>>();
  readonly #eventIds: Random;
  readonly #hashes: Random;

  constructor(deps: CallBookDeps) {
    this.#deps = deps;
    this.#eventIds = deps.random.split('event-id');
    this.#hashes = deps.random.split('src-hash');
  }

  open({ parent, ...facts }: NewCall): Call {
    const call = new Call({
      ...facts,
      id: this.#deps.ids.next(facts.customerId),
      srcHash: parent?.srcHash ?? this.#hashes.hex(32),
      parentId: parent?.id ?? 0,
      startedAt: this.#deps.clock.now(),
    });
    this.#calls.set(call.id, call);
    const own = this.#byCustomer.get(call.customerId);
    if (own === undefined) this.#byCustomer.set(call.customerId, new Set([call]));
    else own.add(call);
    this.#note(call, 'call.opened', {
      origin: call.origin,
      direction: call.direction,
      src: call.src.number,
      dst: call.dst.number,
      ...(call.isForGroup ? { for: 'group' } : {}),
      ...(parent === undefined ? {} : { parent: parent.id }),
    });
    return call;
  }

  /** The phone that this call rings rings on for another caller, who comes from that one; `src`: as it is called there. */
  adopt(call: Call, parent: Call, caller: Leg, src: Party): void {
    call.parentId = parent.id;
    call.srcHash = parent.srcHash;
    call.src = src;
    call.srcLeg = caller;
    this.#note(call, 'call.adopted', { parent: parent.id, src: src.number });
    this.touched(call);
  }

  get(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  /** Oldest first. */
  ofCustomer(customerId: number): Call[] {
    return [...(this.#byCustomer.get(customerId) ?? [])];
  }

  all(): Call[] {
    return [...this.#calls.values()];
  }

  get size(): number {
    return this.#calls.size;
  }

  subscribe(listener: (event: DomainEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `fn` after each change of any call. */
  observe(fn: (call: Call) => void): void {
    this.#observers.add(fn);
  }

  /** Calls `fn` after each change of the call's state, until the result is called or the call has ended. */
  watch(call: Call, fn: () => void): () => void {
    const watchers = this.#watchers.get(call) ?? new Set();
    watchers.add(fn);
    this.#watchers.set(call, watchers);
    return () => watchers.delete(fn);
  }

  /** Moves the call as the state table says; what the table does not know is noted and changes nothing. */
  move(call: Call, input: CallInput): boolean {
    const move = moveCall(call.phase, input, call.direction);
    if (move === undefined) {
      this.#note(call, 'call.ignored', { state: call.phase, input });
      return false;
    }
    const from = call.phase;
    call.phase = move.to;
    if (input === 'answered') call.connectedAt = this.#deps.clock.now();
    const seq = this.#note(call, 'call.state', { from, input, to: move.to });
    this.#deps.journal.within(seq, () => {
      if (move.event !== null) this.#raise(call, move.event);
      this.touched(call);
    });
    return true;
  }

  /** Something else of the call changed that a watcher may wait for. */
  touched(call: Call): void {
    for (const watcher of [...(this.#watchers.get(call) ?? [])]) watcher();
    for (const observer of this.#observers) observer(call);
  }

  /** The one end of a call: terminal state and event, then its records, then it is gone. A second end is ignored. */
  end(call: Call, cause: Cause, terminatedBy: 'caller' | 'callee' | null): void {
    this.#end(call, call.isAnswered ? 'ended' : 'unanswered', cause, terminatedBy);
  }

  /** The end of a call whose caller another member of the group has answered: nobody has missed it. */
  endElsewhere(call: Call): void {
    this.#end(call, 'elsewhere', COMPLETED_ELSEWHERE, null);
  }

  #end(call: Call, input: CallInput, cause: Cause, terminatedBy: 'caller' | 'callee' | null): void {
    if (call.isOver) return;
    call.cause = cause;
    call.terminatedBy = terminatedBy;
    call.endedAt = this.#deps.clock.now();
    const lastState = call.phase === 'NEW' ? 'INITIAL' : call.phase;
    this.move(call, input);
    this.#deps.onEnded(call, lastState);
    this.#calls.delete(call.id);
    const own = this.#byCustomer.get(call.customerId);
    own?.delete(call);
    if (own?.size === 0) this.#byCustomer.delete(call.customerId);
    this.#watchers.delete(call);
    this.#note(call, 'call.closed', { cause: cause.text, q850: cause.q850, terminated_by: terminatedBy });
  }

  /** Gives an event that is not about the state of a call to all listeners, in the journal's order. */
  publish(build: (seq: number, id: string) => DomainEvent): void {
    const id = this.#eventIds.hex(32);
    const draft = build(this.#deps.journal.last + 1, id);
    const callId = draft.kind === 'sms' ? null : draft.callId;
    const name = draft.kind === 'call' ? draft.name : draft.kind === 'sms' ? 'sms.received' : 'call.dtmf';
    const { journal, wordsOf } = this.#deps;
    const data =
      wordsOf === undefined
        ? { name, id }
        : { size: WORDS_BYTES, toJSON: () => ({ name, id, payload: wordsOf(draft) }) };
    const seq = journal.append('event', { callId, customerId: draft.customerId, data });
    journal.within(seq, () => {
      for (const listener of this.#listeners) listener(draft);
    });
  }

  /** The facts that every event of a call carries, as they are now. */
  factsOf(call: Call): Omit<CallEvent, 'kind' | 'id' | 'name' | 'seq'> {
    const now = this.#deps.clock.now();
    return {
      at: now,
      customerId: call.customerId,
      callId: call.id,
      state: call.phase as CallState,
      startedAt: call.startedAt,
      connectedAt: call.connectedAt,
      context: eventContextOf(contextOf(call)),
      direction: call.direction,
      durationS: call.durationS(now),
      cause: call.cause?.text ?? '',
      clid: call.clid,
      src: endFacts(call.src),
      dst: endFacts(call.dst),
      srcHash: call.srcHash,
      info: '',
      terminatedBy: call.terminatedBy,
    };
  }

  #raise(call: Call, name: CallEventName): void {
    const facts = this.factsOf(call);
    this.publish((seq, id) => ({ kind: 'call', id, name, seq, ...facts }));
  }

  #note(call: Call, kind: string, data: Record<string, string | number | null>): number {
    return this.#deps.journal.append(kind, { callId: call.id, customerId: call.customerId, data });
  }
}

function endFacts(party: Party): EndFacts {
  return { number: party.number, name: party.name, id: party.userId ?? party.placeId ?? null };
}
