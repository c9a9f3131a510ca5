// Traces of calls that nobody has seen, because they are of the history that the simulator started with: made when asked for.
import type { Cdr } from '../contract/resources/history.ts';
import { type Result, success } from '../kernel/errors.ts';
import type { Store } from '../store/store.ts';
import type { Past, Trace } from '../store/traces.ts';
import { actOut } from './act-out.ts';
import { type PastScript, scriptOf } from './script.ts';
import type { StageNames } from './stage.ts';

/** Traces that are kept, those last asked for: some 30 KB each. */
export const KEPT_TRACES = 256;
/** Where a call from outside came in when its user has no number any more: reserved for fiction. */
const SOME_NUMBER = '+442079460000';

export interface PastTracesDeps extends StageNames {
  readonly store: Store;
}

export class PastTraces implements Past {
  readonly #deps: PastTracesDeps;
  /** By the facts that they are made of; the one last asked for comes last. */
  readonly #kept = new Map<string, Result<Trace>>();

  constructor(deps: PastTracesDeps) {
    this.#deps = deps;
  }

  /** Whether a record has that live id. */
  has(liveId: number): boolean {
    return this.#deps.store.cdrs.find('live_id', liveId).length > 0;
  }

  /** The trace of a call by its record, the same each time. Undefined when no record has that live id. */
  read(liveId: number): Result<Trace> | undefined {
    const { cdrs } = this.#deps.store;
    const [cdr] = cdrs.find('live_id', liveId);
    const customerId = cdr === undefined ? undefined : cdrs.customerOf(cdr.id);
    return cdr === undefined || customerId === undefined ? undefined : this.#traceOf(customerId, cdr);
  }

  #traceOf(customerId: number, cdr: Cdr): Result<Trace> {
    const script = scriptOf(customerId, cdr, (userId) => this.#numberOf(userId));
    if (!script.ok) return script;
    const key = JSON.stringify(script.value);
    const trace = this.#kept.get(key) ?? this.#made(script.value, cdr);
    this.#kept.delete(key);
    this.#kept.set(key, trace);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > KEPT_TRACES && oldest !== undefined) this.#kept.delete(oldest);
    return trace;
  }

  #made(script: PastScript, cdr: Cdr): Result<Trace> {
    const acted = actOut(script, cdr, this.#deps);
    if (!acted.ok) return acted;
    const { liveId: callId, customerId } = script;
    return success({ callId, customerId, entries: acted.value, leftOut: 0, ended: true });
  }

  #numberOf(userId: number): string {
    return this.#deps.store.ddis.find('target_id', userId)[0]?.e164 ?? SOME_NUMBER;
  }
}
