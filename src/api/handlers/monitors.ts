// Recordings of calls, as records. Knows no audio.
import { isOwnRecord } from '../access.ts';
import { findRecord, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome, one } from '../request.ts';

function listMonitors(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'monitors', store.monitors, isOwnRecord);
  return page.ok ? many(page.value) : page;
}

function getMonitor(request: ApiRequest, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'monitors', store.monitors, isOwnRecord);
  if (!found.ok) return found;
  const { root } = request;
  const { id, user_id } = found.value;
  const self = `${root}/monitors/${id}`;
  return one(found.value, user_id > 0 ? { self, user: `${root}/users/${user_id}` } : { self });
}

export const monitorHandlers = { listMonitors, getMonitor };
