// What is left of media sessions: the signalling of the call that each was part of. Knows no RTP.
import { type Result, success } from '../../kernel/errors.ts';
import type { Trace } from '../../store/traces.ts';
import { isOwnMsdr } from '../access.ts';
import { findRecord } from '../reading.ts';
import { listing, reading } from '../records.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { pcapFile, traceFile, traceOfDialog } from '../trace-files.ts';

/** The ladder of the whole call: one leg alone would leave out why anything happened on it. */
function getMsdrTrace(request: ApiRequest, deps: ApiDeps): Outcome {
  const found = findTraced(request, deps);
  return found.ok ? traceFile(found.value.trace, found.value.name) : found;
}

/** The packets of the session's own leg. */
function getMsdrPcap(request: ApiRequest, deps: ApiDeps): Outcome {
  const found = findTraced(request, deps);
  return found.ok ? pcapFile(found.value.trace, found.value.name, found.value.dialog) : found;
}

interface Traced {
  readonly trace: Result<Trace>;
  readonly name: string;
  readonly dialog: string;
}

function findTraced(request: ApiRequest, { store, exchange, traces }: ApiDeps): Result<Traced> {
  const found = findRecord(request, 'msdrs', store.msdrs, isOwnMsdr);
  if (!found.ok) return found;
  const { id, call_id: dialog } = found.value;
  const trace = traceOfDialog({ exchange, traces }, dialog);
  return success({ trace, name: `msdr-${id}`, dialog });
}

export const msdrHandlers = {
  listMsdrs: listing('msdrs'),
  getMsdr: reading('msdrs'),
  listMsdrDictionaries: listing('msdrs'),
  getMsdrTrace,
  getMsdrPcap,
};
