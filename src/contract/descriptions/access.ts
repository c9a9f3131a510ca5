// Who may use an operation, in words: CHOICE-ACL. Knows no user.

import type { Operation } from '../operation.ts';
import type { OperationId } from '../operations.ts';

/** What restricted users may use; they reach only what is theirs. */
export const openToRestricted: ReadonlySet<OperationId> = new Set([
  'logout',
  'ping',
  'getMe',
  'listUsers',
  'getUser',
  'listUserCalls',
  'listUserCdrs',
  'exportUserCdrs',
  'listUserContacts',
  'listUserChatMessages',
  'listUserAudio',
  'listUserSmsThreads',
  'listUserSmsThreadsNested',
  'listCalls',
  'getCall',
  'createCall',
  'updateCall',
  'deleteCall',
  'getCallTrace',
  'listCallMonitors',
  'listMediaSessions',
  'getMediaSession',
  'listMediaSessionDictionaries',
  'listCdrs',
  'listCdrDictionaries',
  'getCdr',
  'getCdrTrace',
  'getCdrPcap',
  'listCdrNotes',
  'listMonitors',
  'getMonitor',
  'getMonitorAudio',
  'listMsdrs',
  'getMsdr',
  'listMsdrDictionaries',
  'getMsdrTrace',
  'getMsdrPcap',
  'listVoiceMessages',
  'getVoiceMessage',
  'getVoiceMessageAudio',
  'updateVoiceMessages',
]);

/** One sentence: who may use it. */
export function accessWords({ id, auth, effect }: Operation): string {
  if (auth === 'none') return 'No credentials are needed.';
  if (effect === 'destroy') return 'Root and administrators may use it.';
  if (!openToRestricted.has(id)) return 'Root, administrators and agents may use it.';
  return 'Every role may use it; restricted users reach only what is theirs.';
}
