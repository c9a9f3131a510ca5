// What operations do that their shape does not tell. Knows no handler.

import type { OperationId } from '../operations.ts';

const auth = {
  login:
    'Takes the right email and password for a `user_token` and a `user_id`, which together are the credentials of all ' +
    'other requests. A user with a second factor gets a `nonce` instead, and a code by email: `POST /login2fa` takes both.',
  loginTwoFactor:
    'The second step of a login: the `nonce` of the first step and the code that came by email. The simulator shows ' +
    'codes in its outbox, `GET /_sim/outbox`.',
  logout: 'Destroys the user token at once. Requests that still carry it get 401.',
  ping: 'Does nothing but restart the 15 minutes after which a user token dies. Every 5 minutes is often enough.',
  resendConfirmation: 'Sends the email again by which a user confirms the address. It goes to the outbox.',
  requestPasswordReset: 'Sends a token by email with which `POST /reset` sets a new password. It goes to the outbox.',
  resetPassword: 'Sets the password of the user whom the token was sent to. It works once.',
  listAclRoles: 'The roles that users may have; `_name` is what `roles` of a user holds.',
};

const calls = {
  listCalls: 'The calls that go on now. An ended call is no longer here, but among the call detail records.',
  createCall:
    'Click to call. The phone of `from` rings; when it is answered the call is ACCEPTED and `to` rings. ' +
    'The answer comes as soon as the first INVITE has left.\n\n' +
    'Follows: `call.initial`, `call.ringing`, `call.connected` and `call.hangup`, or `call.missed` or `call.failed` when ' +
    'nobody answers; then one CDR whose `live_id` is the `id` given here, and one MSDR for each answered user.',
  getCall: 'A call that goes on now; 404 as soon as it has ended.',
  updateCall:
    'What a body asks for becomes a SIP request to a phone, and the answer comes when it has been met:\n\n' +
    '| member | act | event |\n|---|---|---|\n' +
    '| `state: CONNECTED` | answers a ringing phone, or resumes | `call.connected`, `call.unhold` |\n' +
    '| `state: ON_HOLD` | holds | `call.hold` |\n' +
    '| `state: HANGUP` | ends | `call.hangup` |\n' +
    '| `dst` | transfers the other party to a number or an extension; the call goes on under its id | |\n' +
    '| `monitor_state` | starts, pauses or resumes the recording: 403 for a user without `rec_allowed`, 400 where nothing can be recorded | |\n' +
    '| `labels`, `action_url`, `action_text` | kept with the call | |',
  deleteCall:
    'Sends BYE (CANCEL while it rings) to every phone of the call. Follows: `call.hangup`, or `call.missed` or ' +
    '`call.failed` when it was not answered, and a CDR.',
  getCallTrace:
    'The SIP messages that have passed so far, as items beside the fields of the call. When the call has ended: ' +
    '`GET /cdrs/{id}.trace`.',
  listCallMonitors: 'The recordings of the call, as items beside the fields of the call.',
  createWebcall:
    'Calls `from`; when it answers, `to` is called and both are connected. Each leg has a price of its own. ' +
    'Follows: the events of a call, and a CDR with the destination webcall.',
  createLeadCall:
    'Calls the agent `to`; when the agent answers and has heard `tts`, calls the lead `caller_id` and connects both. ' +
    'Answers with the live call. Follows: the events of a call, and a CDR.',
  listMediaSessions: 'What carries audio: one for each answered leg of a user.',
};

const storage = {
  listSms: 'SMS sent and received.',
  createSms:
    'Sends a text; `result` then tells what became of it. An SMS to a number of any account here arrives there as received, ' +
    'with the event `sms.received`. Without `from` it comes from your own number.',
  createVmAnnouncement:
    'The audio comes as Base64 in `data`, at most 1 MiB with the rest of the body. Its first bytes must be those of an ' +
    'MP3, MP4, WAV or AAC file; anything else is 400.',
  updateVmAnnouncement: 'Changes the description, the user, or the audio: MP3, MP4, WAV or AAC.',
  listCannedResponses: 'Texts to answer SMS with, in the shape of an SMS: `from` is the name, `message` the text.',
  createCannedResponse: 'Keeps a text under a name. Read, the name is `from` and the text is `message`.',
};

const settings = {
  listTrackedDdis: 'The numbers that are in a campaign.',
  updateTrackedDdis:
    'Puts each number into a campaign, or out of its own with `campaign_id` 0. All of them or none. ' +
    'Answers with the numbers in the order of the request.',
  createCampaign: 'Makes a campaign, read in the shape of a number: `name` is its name and `uri` its address.',
  listCallTrackingDdis: 'The numbers that are in a campaign, as `GET /calltracking/ddis` lists them.',
  getDdi: 'One number by its digits, with or without plus, as a list of one.',
  listRingGroups: 'With `include=ddis,users` each group also carries its numbers and its members.',
  createRingGroup:
    'Makes a ring group and leads the numbers of `ddis` to it; calls to them ring its members from now on.',
  updateRingGroup:
    'Changes what the body names. `users` and `ddis` replace what was there; numbers left out are free again.',
  deleteRingGroup: 'Removes the ring group; its numbers are free again.',
  createRoutingRule:
    'Makes a rule. Rules are tried in the order of `pos`, and the first that fits a call decides: block it, or send it ' +
    'elsewhere. It holds from the next call on.',
  updateRoutingRule: 'Changes what the body names, from the next call on. The direction stays as it was made.',
  getMoh: 'The music that callers hear while they wait; queues and ring groups name it.',
};

const customer = {
  deleteCustomer:
    'Removes the account with all that it owns: its calls end, its users can no longer log in. Only the own account can ' +
    'be removed.',
  listContactCdrs: 'The call detail records of calls with a contact, as items beside the fields of the contact.',
  updateUsers:
    'Changes location and groups of several users in one request: all of them or, when one element cannot be met, none.',
  deleteUser: 'Removes the user: phones are no longer registered, tokens and key are refused. Records of calls stay.',
  getMe: 'Who the credentials belong to, and the balance of the account: a list of one. A good first request.',
  listUsers: 'The users of the account; a restricted user sees only itself.',
  listUserCalls: 'The live calls that a user takes part in, as items beside the fields of the user.',
  listUserCdrs: 'The call detail records of a user, as items beside the fields of the user.',
  resetUserAudio: "Removes the user's announcements; the standard ones play again.",
  listUserSmsThreads:
    'The SMS between two numbers in both directions, the oldest first, as items beside the fields of the user.',
  listUserSmsThreadsNested: 'The same as `GET /users/{id}/smsthreads/{from}/{to}`.',
};

const history = {
  listCdrs:
    'One record for each call that has ended. To find that of a live call or an event, filter by `live_id`; to find those ' +
    'of a day, by `calldate` with `gte` and `lt`.',
  updateCdrs: 'Writes remarks, adds notes (`GET /cdrs/{id}/notes`) and labels: to all the records named, or to none.',
  getCdrTrace: 'A ladder of the call, then every SIP message with its time, as text.',
  getCdrPcap: 'The SIP messages as packets, for Wireshark or tshark.',
  getMsdrTrace: 'The ladder and the SIP messages of the call that the media session was part of, as text.',
  getMsdrPcap: "The SIP messages of the media session's leg as packets, for Wireshark or tshark.",
  listCallTrackingCdrs: 'The call detail records of calls to numbers in a campaign.',
  listTrackedCalls: 'Calls to numbers in a campaign, in the shape of a number as it is published.',
  listCdrNotes: 'The notes on one call detail record.',
  listMonitors: 'The recordings. To find those of a call, filter by `live_id`.',
  getMonitorAudio: 'The recording as MP3; `size` of the recording is its length in bytes.',
  getVoiceMessageAudio: 'What the caller left in the mailbox, as MP3.',
  updateVoiceMessages: 'Moves messages between the folders inbox, old and saved: all of them or none.',
  exportUserCdrs: 'The call detail records of a user as CSV: a header line, then the fields of a record as columns.',
  deleteAllStatements: 'Removes the statements of the account. No operation reads them.',
  getChat: 'One conversation with a visitor of a website.',
};

const callMeBack = {
  createCallMeBackButton: 'Makes a button. What it shows is kept and not read back.',
  updateCallMeBackButton: 'Changes what the body names. What the button shows is kept and not read back.',
  listCallMeBackCdrs: 'The calls that visitors asked for, in the shape of a setting as it is published.',
  listCallMeBackVisitors: 'The visitors who saw a widget, in the shape of a setting as it is published.',
};

/** By operation; for all others the shape of the operation says it all. */
export const operationWords: Readonly<Partial<Record<OperationId, string>>> = {
  ...auth,
  ...calls,
  ...storage,
  ...settings,
  ...customer,
  ...history,
  ...callMeBack,
};
