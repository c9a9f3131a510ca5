// The rules of every kind of record, by resource. A kind without an entry of its own needs none beyond its schema.
import type { StoredResourceId } from '../stored.ts';
import { buttonRules, callMeBackRules } from './kinds/callmeback.ts';
import { campaignRules, trackedCallRules } from './kinds/campaigns.ts';
import { cdrNoteRules, cdrRules } from './kinds/cdrs.ts';
import { chatMessageRules, chatRules } from './kinds/chats.ts';
import { conferenceRules } from './kinds/conferences.ts';
import { contactRules } from './kinds/contacts.ts';
import { ddiRules } from './kinds/ddis.ts';
import { ivrRules } from './kinds/ivrs.ts';
import { mediaSessionRules, monitorRules, msdrRules } from './kinds/media.ts';
import { queueGroupRules } from './kinds/queuegroups.ts';
import { queueRules } from './kinds/queues.ts';
import { reportScheduleRules } from './kinds/reportschedules.ts';
import { ringGroupRules } from './kinds/ringgroups.ts';
import { routingRuleRules } from './kinds/routingrules.ts';
import { cannedResponseRules, smsRules } from './kinds/sms.ts';
import { userGroupRules } from './kinds/usergroups.ts';
import { userRules } from './kinds/users.ts';
import { vmAnnouncementRules } from './kinds/vmannouncements.ts';
import { voiceMessageRules } from './kinds/voicemessages.ts';
import type { RecordRules } from './rules.ts';

const schemaAlone: RecordRules = {};
const named: RecordRules = { required: ['name'] };

/** What each kind demands. */
export const recordRules: Readonly<Record<StoredResourceId, RecordRules>> = {
  aclroles: { required: ['_name', 'name'] },
  users: userRules,
  usergroups: userGroupRules,
  usergrouppolicies: named,
  queuegroups: queueGroupRules,
  ddis: ddiRules,
  campaigns: campaignRules,
  trackedcalls: trackedCallRules,
  contacts: contactRules,
  conferences: conferenceRules,
  queues: queueRules,
  ringgroups: ringGroupRules,
  pickupgroups: schemaAlone,
  routingrules: routingRuleRules,
  ivrs: ivrRules,
  mohs: schemaAlone,
  webcalls: schemaAlone,
  mediasessions: mediaSessionRules,
  calllabels: named,
  sms: smsRules,
  cannedresponses: cannedResponseRules,
  faxes: schemaAlone,
  vmannouncements: vmAnnouncementRules,
  chats: chatRules,
  chatmsgs: chatMessageRules,
  cdrs: cdrRules,
  cdrnotes: cdrNoteRules,
  monitors: monitorRules,
  msdrs: msdrRules,
  voicemessages: voiceMessageRules,
  callmebackwebsites: callMeBackRules,
  callmebacksettings: callMeBackRules,
  callmebackbuttons: buttonRules,
  callmebackcdrs: callMeBackRules,
  callmebackvisitors: callMeBackRules,
  reportschedules: reportScheduleRules,
};
