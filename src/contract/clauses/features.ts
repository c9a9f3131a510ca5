// Clauses about what features do with calls beyond what is written of them: scenarios play them, and tell what they find.
import type { Clause } from '../clause.ts';

const list: ReadonlyArray<readonly [id: string, what: string, spec: string]> = [
  ['CONFERENCES', 'how callers come into a conference room, and what they hear of each other', 'Conference'],
  ['GROUPS', 'whom a ring group rings when, and what becomes of a call that nobody takes', 'Ring group'],
  ['MENUS', 'where the keys of an IVR lead, and where no key does', 'IVR'],
  ['MESSAGES', 'how texts and faxes go and come', 'SMS; Fax'],
  ['NETWORK', 'what becomes of calls whose messages are lost, late, refused or cross each other', 'Live Call'],
  ['QUEUES', 'whom a queue rings when, and how agents and callers leave it', 'Queue'],
  ['TRANSFERS', 'who talks to whom after a transfer, and what becomes of one that fails', 'Live Call'],
  ['USERS', 'what the settings of a user do to calls', 'User'],
  ['VOICEMAIL', 'how messages are left and listened to', 'Voice message'],
  ['WIDGETS', 'how web calls, lead calls and call-me-backs join two parties', 'Webcall; Call Me Back'],
];

export const featureClauses: readonly Clause[] = list.map(([id, what, spec]) => ({
  ...{ id: `FEATURE-${id}`, level: 'UNSPECIFIED', requirement: what, operations: [], playedByScenarios: true },
  spec: `Resources and their fields, ${spec} (behaviour not shown)`,
}));
