// Choices about what an account's users leave behind: their history, its files, their reports, themselves. Knows no handler.

import type { Choice } from '../choice.ts';

export const accountChoices = [
  {
    id: 'CHOICE-USER-LEAVES',
    topic: 'removing a user',
    unspecified: 'Who may remove whom, and what goes with a user.',
    ours: "Another administrator removes a user; oneself and the last root user are 403. With the user go credentials, phones, live calls, contacts, announcements and voice messages; numbers and final destinations that led there lead nowhere, queues and groups lose the member. Call records, recordings, SMS and chats are the account's and stay.",
    why: 'An account that nobody can administer is of no use, and history is not undone.',
    operations: ['deleteUser'],
    accepts: ['400 or 409 in place of 403', 'contacts and messages stay'],
  },
  {
    id: 'CHOICE-CUSTOMER-LEAVES',
    topic: 'removing a customer account',
    unspecified: 'Whose account can be removed, and how soon it is gone.',
    ours: "One's own: another id is 404. Everything that belongs to it is gone when the answer leaves: records, credentials, phones, webhooks; live calls end and leave no record. No id comes again.",
    why: 'What belongs to nobody must not be found.',
    operations: ['deleteCustomer'],
    accepts: ['403 for another id', 'the removal takes effect later'],
  },
  {
    id: 'CHOICE-CDR-DELETE',
    topic: 'removing all call records',
    unspecified: 'What goes with them.',
    ours: 'Notes and labels go too; recordings, media session records and voice messages stay. Calls that are live leave their record when they end.',
    why: 'Each of these has a deletion of its own.',
    operations: ['deleteAllCdrs'],
    accepts: ['recordings go too'],
  },
  {
    id: 'CHOICE-CONTACT-CDRS',
    topic: 'call records of a contact',
    unspecified: 'Which calls are those of a contact.',
    ours: "Calls from or to any of its six numbers, written in any usual way (national ones in the account's country), and those that name contact:<id>.",
    why: 'Numbers in an address book are written by people.',
    operations: ['listContactCdrs'],
    accepts: ['numbers that are written exactly alike alone'],
  },
  {
    id: 'CHOICE-VOICE-FOLDERS',
    topic: 'folder and is_new of a voice message',
    unspecified: 'The folders, and whether moving a message makes it old.',
    ours: 'inbox, old and saved, as words or numbers. A message is new in the inbox and nowhere else; vm_new and vm_old of the user follow.',
    why: 'One sign of having listened is enough.',
    operations: ['updateVoiceMessages'],
    resources: ['voicemessages'],
    accepts: ['is_new stays as it was', 'other folders'],
  },
  {
    id: 'CHOICE-CSV',
    topic: 'rows and cells of the CSV export',
    unspecified: 'Which records the file has, and how its cells are written.',
    ours: 'All calls of the user, the oldest first, those that meet filter where it is given; with page, limit, sort or group_by one page of them. RFC 4180 in UTF-8. A text that a spreadsheet would compute (it begins with = + - @, a tab or a line break) gets an apostrophe before it; numbers such as +442079460101 do not.',
    why: 'An export that stops at a page is none; a caller chooses the name that an office program opens.',
    operations: ['exportUserCdrs'],
    accepts: ['a page as in a collection', 'cells as they are'],
  },
  {
    id: 'CHOICE-REPORT-RUNS',
    topic: 'when a report is sent',
    unspecified:
      'What time_of_day, day_of_week and day_of_month count, what next_run_at follows from, and when a schedule ends.',
    ours: 'time_of_day: hours of the day in timezone, fractions allowed (none: midnight). day_of_week: 1 Monday to 7 Sunday, 0 is Sunday too; day_of_month: 1 to 31, in a shorter month its last day; both lists must hold, empty ones hold always, but weekly and monthly then mean the day of start_at. once is sent once. Only active schedules (the default) have next_run_at; after the last run before end_at they are finished. Each run is a mail to each address, kept in the outbox.',
    why: 'The lists say the same whatever the word of type is.',
    operations: ['createReportSchedule', 'updateReportSchedule'],
    resources: ['reportschedules'],
    accepts: ['other runs'],
  },
] as const satisfies readonly Choice[];
