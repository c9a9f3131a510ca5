// Call detail records: what each call has left. Knows no live call.
import { isOwnRecord } from '../access.ts';
import { findRecord, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome, one } from '../request.ts';
import { pcapFile, traceFile } from '../trace-files.ts';

function listCdrs(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'cdrs', store.cdrs, isOwnRecord);
  return page.ok ? many(page.value) : page;
}

function getCdr(request: ApiRequest, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  if (!found.ok) return found;
  const { root } = request;
  const { id, user_id } = found.value;
  const self = `${root}/cdrs/${id}`;
  return one(found.value, user_id > 0 ? { self, user: `${root}/users/${user_id}` } : { self });
}

function getCdrTrace(request: ApiRequest, { store, traces }: ApiDeps): Outcome {
  const found = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  return found.ok ? traceFile(traces.read(found.value.live_id), `cdr-${found.value.id}`) : found;
}

function getCdrPcap(request: ApiRequest, { store, traces }: ApiDeps): Outcome {
  const found = findRecord(request, 'cdrs', store.cdrs, isOwnRecord);
  return found.ok ? pcapFile(traces.read(found.value.live_id), `cdr-${found.value.id}`) : found;
}

export const cdrHandlers = { listCdrs, getCdr, getCdrTrace, getCdrPcap };
