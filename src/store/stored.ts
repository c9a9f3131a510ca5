// What is stored of each resource: the published members and those that are written and never read. Knows no collection.
import type { AclRole } from '../contract/resources/auth.ts';
import type { CallMeBack, KeptOfButton } from '../contract/resources/callmeback.ts';
import type { CallLabel, MediaSession, Webcall } from '../contract/resources/calls.ts';
import type { KeptOfUser, QueueGroup, User, UserGroup } from '../contract/resources/customer.ts';
import type { Cdr, CdrNote, Chat, ChatMessage, Monitor, Msdr, VoiceMessage } from '../contract/resources/history.ts';
import type { KeptOfQueue, Queue } from '../contract/resources/queues.ts';
import type { ReportSchedule } from '../contract/resources/reports.ts';
import type {
  Conference,
  Contact,
  Ddi,
  Ivr,
  KeptOfCampaign,
  KeptOfContact,
  KeptOfDdi,
  KeptOfRingGroup,
  KeptOfTrackedCall,
  Moh,
  PickupGroup,
  RingGroup,
  RoutingRule,
} from '../contract/resources/settings.ts';
import type { CannedResponse, Fax, KeptOfVmAnnouncement, Sms, VmAnnouncement } from '../contract/resources/storage.ts';
import type { ResourceId } from '../contract/resources.ts';

/** The record of each resource. Users and numbers that nobody has put anywhere lack what is kept of that. */
export interface Stored {
  readonly aclroles: AclRole;
  readonly users: User & Partial<KeptOfUser>;
  readonly usergroups: UserGroup;
  readonly usergrouppolicies: UserGroup;
  readonly queuegroups: QueueGroup;
  readonly ddis: Ddi & Partial<KeptOfDdi>;
  readonly campaigns: Ddi & KeptOfCampaign;
  readonly trackedcalls: Ddi & KeptOfTrackedCall;
  readonly contacts: Contact & KeptOfContact;
  readonly conferences: Conference;
  readonly queues: Queue & KeptOfQueue;
  readonly ringgroups: RingGroup & KeptOfRingGroup;
  readonly pickupgroups: PickupGroup;
  readonly routingrules: RoutingRule;
  readonly ivrs: Ivr;
  readonly mohs: Moh;
  readonly webcalls: Webcall;
  readonly mediasessions: MediaSession;
  readonly calllabels: CallLabel;
  readonly sms: Sms;
  readonly cannedresponses: CannedResponse;
  readonly faxes: Fax;
  readonly vmannouncements: VmAnnouncement & KeptOfVmAnnouncement;
  readonly chats: Chat;
  readonly chatmsgs: ChatMessage;
  readonly cdrs: Cdr;
  readonly cdrnotes: CdrNote;
  readonly monitors: Monitor;
  readonly msdrs: Msdr;
  readonly voicemessages: VoiceMessage;
  readonly callmebackwebsites: CallMeBack;
  readonly callmebacksettings: CallMeBack;
  readonly callmebackbuttons: CallMeBack & KeptOfButton;
  readonly callmebackcdrs: CallMeBack;
  readonly callmebackvisitors: CallMeBack;
  readonly reportschedules: ReportSchedule;
}

/** Live calls are the exchange's, the other two are made when they are read. */
export type StoredResourceId = Exclude<ResourceId, 'calls' | 'calltraces' | 'me'>;
