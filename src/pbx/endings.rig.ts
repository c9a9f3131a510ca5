// How calls ended, in the words of everything that tells of it; tests of endings compare them with literals.
import { expect } from 'vitest';
import { dataOf } from '../kernel/journal.ts';
import type { Rig } from './exchange.rig.ts';

export type By = 'caller' | 'callee' | null;
/** What is told of an end: event, cause, Q.850, who. */
export type Told = readonly [name: string, cause: string, q850: number, by: By];
export interface Ended {
  readonly rig: Rig;
  /** Nothing is left, and nothing was broken. */
  readonly over: () => void;
}

/** How the calls ended, in order. The events, the journal and the CDRs must say the same. */
export function endsOf({ rig }: Pick<Ended, 'rig'>): Told[] {
  const cdrs = [...rig.store.cdrs.list(rig.customer.customerId)];
  return rig.journal.query({ kind: 'call.closed' }).map((entry) => {
    const { cause, q850, terminated_by: by } = dataOf(entry) as { cause: string; q850: number; terminated_by: By };
    const last = rig.events.findLast((event) => event.kind === 'call' && event.callId === entry.callId);
    if (last?.kind !== 'call') throw new Error(`call ${entry.callId} has no event`);
    expect(last).toMatchObject({ cause, terminatedBy: by });
    expect(cdrs.find(({ live_id }) => live_id === entry.callId)).toMatchObject({ t_cause: cause });
    return [last.name, cause, q850, by];
  });
}

/** `t_cause` of the media sessions, in the order in which they ended. */
export function causesOfMedia({ rig }: Pick<Ended, 'rig'>): string[] {
  return [...rig.store.msdrs.list(rig.customer.customerId)].map(({ t_cause }) => t_cause);
}
