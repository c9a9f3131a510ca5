// What the document says of itself and of each module. Knows no operation.

import type { Module } from '../operation.ts';

export const moduleWords: Readonly<Record<Module, { readonly title: string; readonly text: string }>> = {
  auth: {
    title: 'Auth',
    text: 'Logins, user tokens and the roles of access control. Five operations here need no credentials.',
  },
  calls: {
    title: 'Calls',
    text:
      'Live calls, as they are now: placing, answering, holding, transferring and ending them acts by SIP. A call leaves ' +
      'when it ends; what stays is in the module history.',
  },
  storage: { title: 'Storage', text: 'SMS and texts to answer them with, faxes, voicemail announcements.' },
  settings: {
    title: 'Settings',
    text:
      'What the exchange does with calls: numbers and where they lead, queues, ring groups, IVRs, conferences, routing ' +
      'rules; and contacts and call tracking.',
  },
  customer: { title: 'Customer', text: 'The account, its users, and the groups of users and of queues.' },
  history: {
    title: 'History',
    text:
      'What calls leave: call detail records, recordings, media session records, voice messages, traces and packets; ' +
      'chats. The `live_id` of a record is the `id` of its live call and the `call_id` of its events.',
  },
  callmeback: { title: 'Call Me Back', text: 'Widgets on websites by which visitors ask to be called.' },
  reports: { title: 'Reports', text: 'When which report is made, and who gets it.' },
};

export const credentialsWords = [
  'HTTP Basic. Before the colon stands the `user_id`, after it one of two secrets:',
  '',
  '- a **user token** from `POST /login` (with a second factor, then `POST /login2fa`). It dies after 15 minutes without a ' +
    'request; `GET /ping` keeps it alive, `POST /logout` ends it;',
  "- the user's **API key**, which needs no login.",
  '',
  'The simulator prints user ids and API keys of its seeded users when it starts (`--json`: as data).',
].join('\n');

export const introduction = [
  'A hosted telephone system: calls, their records and recordings, messages, settings, and webhooks that tell what happens.',
  '',
  '**Paths** begin with `/v1.1/pbx` or `/v1.2/pbx`. **Bodies** are JSON, and so are answers, but for paths that end in ' +
    '`.mp3`, `.pcap`, `.trace` or `.csv`.',
  '',
  '| answer | members |',
  '|---|---|',
  '| collection | `data`: an array, `total`: how many match |',
  '| single record | `data`: an object, `links`: paths of related resources |',
  '| any error | `message`: a sentence, `errors`: a list of sentences that begin with the property in question |',
  '',
  '**Collections** take `page`, `limit`, `filter`, `group_by` and `sort`. **Times** are UTC. **Numbers** are in E.164 with a ' +
    'plus; requests may leave it out.',
  '',
  'A first call: `POST /calls {"to":"102"}` rings your own phone, then the colleague; `GET /calls` shows the call; ' +
    '`PATCH /calls/{id} {"state":"ON_HOLD"}` holds it; `DELETE /calls/{id}` ends it; `GET /cdrs` with the filter ' +
    '`[{"property":"live_id","operator":"eq","value":<id>}]` reads what stays.',
  '',
  'Where the specification is silent or says two things, a row named CHOICE-... tells what is done here and why; ' +
    'another implementation may differ there.',
].join('\n');
