// Recordings of calls, and their sound. Knows no encoder.
import { isOwnRecord } from '../access.ts';
import { findRecord } from '../reading.ts';
import { emptying, listing, reading, removingMany } from '../records.ts';
import type { ApiDeps, ApiRequest, Outcome } from '../request.ts';
import { recordingFile } from '../sound-files.ts';

function getMonitorAudio(request: ApiRequest, { store, traces, recordings }: ApiDeps): Outcome | Promise<Outcome> {
  const found = findRecord(request, 'monitors', store.monitors, isOwnRecord);
  return found.ok ? recordingFile(recordings, traces, found.value) : found;
}

export const monitorHandlers = {
  listMonitors: listing('monitors'),
  getMonitor: reading('monitors'),
  getMonitorAudio,
  deleteMonitors: removingMany('monitors'),
  deleteAllMonitors: emptying('monitors'),
};
