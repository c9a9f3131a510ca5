// A script acted out on its stage, and what the exchange's journal then says of the call. Keeps nothing.
import type { Cdr } from '../contract/resources/history.ts';
import type { Result } from '../kernel/errors.ts';
import { success } from '../kernel/errors.ts';
import { dataOf, type JournalData, type JournalEntry } from '../kernel/journal.ts';
import type { ActName } from '../phones/acts.ts';
import type { Behaviour } from '../phones/behaviour.ts';
import { pastDialog } from '../store/past-dialog.ts';
import { noTrace, type PastParty, type PastScript } from './script.ts';
import { Stage, type StageNames } from './stage.ts';

/** Whoever is rung first of a call by command answers so soon, where there is time. */
const FIRST_ANSWERS_MS = 2000;

/**
 * Runs the script through the real exchange. The entries are those of the call, numbered from 1 within it. `not_found` when
 * what came of it is not what the record says: then nobody would believe the trace.
 */
export function actOut(script: PastScript, cdr: Cdr, names: StageNames): Result<readonly JournalEntry[]> {
  const stage = new Stage(script, names);
  try {
    perform(stage, script);
    const [acted] = stage.store.cdrs.find('live_id', script.liveId);
    const difference = acted === undefined ? 'no call can come of it' : differenceOf(acted, cdr);
    return difference === undefined ? success(entriesOf(stage, script, cdr, names)) : noTrace(difference);
  } finally {
    stage.close();
  }
}

function perform(stage: Stage, script: PastScript): void {
  const { clock } = stage;
  const { caller, callee, placedBy, startedAt, ringMs, end } = script;
  const firstMs = placedBy === 'command' ? Math.min(FIRST_ANSWERS_MS, Math.floor(ringMs / 2000) * 1000) : 0;
  stage.cast(caller, { on_call: 'answer', after_ms: firstMs });
  stage.cast(callee, behaviourIn(script, ringMs - firstMs), end !== 'absent');
  clock.settle();
  place(stage, script);
  clock.settle();
  const act = (party: PastParty, name: ActName): void => actAs(stage, script, party, name);
  const at = (ms: number): void => void clock.advanceTo(startedAt + ringMs + ms);
  if (typeof end === 'object') {
    const { talkMs, held } = end;
    if (held !== undefined) {
      const holder = callee.userId === null ? caller : callee;
      at(held.atMs);
      act(holder, 'hold');
      at(held.atMs + held.forMs);
      act(holder, 'resume');
    }
    at(talkMs);
    act(caller, 'hangup');
  } else {
    at(0);
    if (end === 'cancelled') act(caller, 'hangup');
  }
  clock.settle();
}

/** What the called party does, `afterMs` after its phone was rung. */
function behaviourIn({ end }: PastScript, afterMs: number): Behaviour {
  if (typeof end === 'object') return { on_call: 'answer', after_ms: afterMs };
  if (end === 'ring' || end === 'cancelled' || end === 'absent') return { on_call: 'ring' };
  return { on_call: end, after_ms: afterMs };
}

function place(stage: Stage, { placedBy, customerId, caller, callee, dialled }: PastScript): void {
  switch (placedBy) {
    case 'phone':
      stage.phones.act(customerId, caller.number, { act: 'call', to: callee.number });
      return;
    case 'network':
      stage.trunk.call({ from: caller.number, to: dialled });
      return;
    case 'command': {
      const userId = caller.userId ?? callee.userId ?? 0;
      stage.exchange.webCall({ customerId, userId, from: caller.number, to: callee.number });
    }
  }
}

function actAs(stage: Stage, { customerId }: PastScript, { userId, number }: PastParty, act: ActName): void {
  if (userId === null) stage.trunk.act(number, { act });
  else stage.phones.act(customerId, number, { act });
}

function differenceOf(acted: Cdr, cdr: Cdr): string | undefined {
  const told = ['duration', 'billsec', 't_cause', 'src_id', 'dst_id', 'destination', 'disposition'] as const;
  const other = told.find(
    (name) => acted[name] !== cdr[name] && !(name === 'disposition' && cdr.disposition === 'ON_HOLD'),
  );
  return other === undefined
    ? undefined
    : `a call as its record tells would have had ${other} ${acted[other]}, not ${cdr[other]}`;
}

function entriesOf(stage: Stage, { liveId }: PastScript, cdr: Cdr, { domain }: StageNames): JournalEntry[] {
  const entries = stage.journal.query({ callId: liveId });
  const numbers = new Map(entries.map(({ seq }, index) => [seq, index + 1]));
  // The leg whose media session the records name has the Call-ID that they name.
  const session = stage.store.mediasessions.find('user', cdr.user_id)[0]?.call_id;
  const rename = (data: JournalData): JournalData => {
    if (session === undefined || data.sip_call_id !== session) return data;
    const call_id = pastDialog(liveId, domain);
    return { ...data, sip_call_id: call_id, text: String(data.text).replaceAll(session, call_id) };
  };
  return entries.map((entry, index) => ({
    ...entry,
    seq: index + 1,
    cause: numbers.get(entry.cause ?? 0) ?? null,
    data: rename(dataOf(entry)),
  }));
}
