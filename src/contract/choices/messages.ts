// Choices about what is no talk between two people: faxes, call-me-backs, chats, mails of a number. Knows no message flow.

import type { Choice } from '../choice.ts';

export const messageChoices = [
  {
    id: 'CHOICE-FAX',
    topic: 'how faxes are sent and received',
    unspecified:
      'All but the record: no operation sends one, none gives its file, and what fax_enabled does is not said.',
    ours: 'POST /_sim/faxes sends one from a number with fax_enabled, or has one arrive. A sent one is queued (0), waits for one of the channels of its number, and is sending (1) from the INVITE on; whoever answers is taken for a machine. The pages take 10 s and 30 s each, then the exchange hangs up: sent (2). Any other end is failed (4), without another attempt. charge is that of the call, a live call with a CDR like others (type O, src the number). A number with fax_enabled that leads nowhere answers every caller as a machine; one that leads somewhere does so for callers whose INVITE prefers sip.fax (RFC 6913) alone. What came in whole pages until the caller hung up is received (3), else failed with 0 pages; filename is fax-ID.pdf and fax_email gets a mail. It is a call with sound: no T.38 (488 in the call, which goes on; port 0 beside sound), and no picture is read out of it. The mail has a PDF with a sheet for each page that says what is known of it (GET /_sim/outbox/{id}/attachment); of a sent one there is no file. has_fax_password guards mail that is sent as fax, which there is not.',
    why: 'The record, its statuses and its call agree, and magic numbers give each ending.',
    operations: ['listFaxes'],
    resources: ['faxes', 'ddis'],
    accepts: ['other times', 'repeated attempts', 'other file names'],
  },
  {
    id: 'CHOICE-CALLMEBACK',
    topic: 'what a call-me-back widget does',
    unspecified: 'Who is called first, what the members of a setting do, and how a visitor asks: no operation does.',
    ours: 'POST /_sim/widgets/{id}/requests is a visitor of a setting. The visitor rings first and sees the number ddi; whoever answers is the caller of a call to what that number leads to (direction callmeback, src the visitor). Where nobody could answer there (no registered phone, do-not-disturb), no call is made. The visitor, and the call, are kept in the shape of the setting, name being the name and number given. allowed_countries limits the numbers that are called, by country code; with show_to_allowed_countries_only visitors from elsewhere, or from nowhere known, see no widget. A rate above max_call_rate (0: no limit) is not called. data_online is what the button says while somebody could answer, data_offline otherwise. Title, welcome message, culture, position and icon are looks.',
    why: 'A visitor who does not pick up costs nobody time, and each member does what its name says.',
    operations: ['listCallMeBackCdrs', 'listCallMeBackVisitors', 'createCallMeBackSetting', 'updateCallMeBackSetting'],
    resources: ['callmebacksettings', 'callmebackbuttons', 'callmebackcdrs', 'callmebackvisitors', 'cdrs'],
    accepts: ['the agent first', 'other names'],
  },
  {
    id: 'CHOICE-CHATS',
    topic: 'how chats come about',
    unspecified: 'The words of state, and who writes: no operation begins or answers a chat.',
    ours: 'POST /_sim/chats begins one with a message: waiting (0). The first operator who writes has it from then on: open (1). Closed (2) it takes no message, and duration counts whole seconds from its beginning.',
    why: 'The life of a chat is all that its published members tell.',
    operations: ['listChats', 'getChat'],
    resources: ['chats', 'chatmsgs'],
    accepts: ['any integers'],
  },
  {
    id: 'CHOICE-NUMBER-MAILS',
    topic: 'sms_email and fax_email of a number',
    unspecified: 'What they are for.',
    ours: 'Each SMS that the number receives, and each fax of at least one page, is told to that address; the mails are in the outbox of the control API.',
    why: 'It is what the names say.',
    resources: ['ddis'],
  },
] as const satisfies readonly Choice[];
