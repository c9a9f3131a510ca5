// How often each kind of thing happens in a company by day. Data.
import type { SceneName } from './scenes.ts';

/** Weights; what cannot happen now leaves its share to the others. */
export const DAYTIME: Readonly<Record<SceneName, number>> = {
  // Calls from outside to one user.
  inbound: 13,
  inboundEndedOutside: 9,
  missed: 6,
  givenUp: 3,
  busy: 1.5,
  declined: 1,
  redirected: 0.5,
  followMe: 1.5,
  pickedUp: 1,
  campaign: 1,
  // What becomes of them.
  hold: 4,
  transfer: 2,
  transferRefused: 0.5,
  transferAsked: 1.5,
  transferRinging: 0.5,
  transferByCommand: 0.5,
  parked: 0.7,
  recorded: 0.8,
  // Calls of users.
  internal: 11,
  outbound: 14,
  outboundBusy: 1.5,
  outboundUnanswered: 2,
  outboundFailed: 1,
  clickToCall: 1.5,
  webCall: 0.5,
  leadCall: 0.5,
  mailbox: 1,
  // Calls to no user in particular.
  group: 6,
  queue: 8,
  queueGivenUp: 1,
  queueLeft: 0.5,
  menu: 5,
  menuExtension: 1,
  menuUnanswered: 0.5,
  room: 0.7,
  // No talk at all.
  faxIn: 0.5,
  faxOut: 0.5,
  callMeBack: 1,
  chat: 1,
  smsIn: 2,
  smsOut: 2,
};
