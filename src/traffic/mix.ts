// How often each kind of thing happens in a company by day. Data.
import type { SceneName } from './scenes.ts';

/** Weights; what cannot happen now leaves its share to the others. */
export const DAYTIME: Readonly<Record<SceneName, number>> = {
  inbound: 14,
  inboundEndedOutside: 10,
  missed: 4,
  givenUp: 3,
  busy: 2,
  declined: 1,
  hold: 5,
  transfer: 4,
  internal: 12,
  outbound: 14,
  outboundBusy: 2,
  outboundUnanswered: 2,
  outboundFailed: 1,
  group: 7,
  queue: 8,
  queueGivenUp: 1,
  menu: 6,
  room: 1,
  mailbox: 1,
  faxIn: 0.5,
  faxOut: 0.5,
  callMeBack: 1,
  chat: 1,
  smsIn: 2,
  smsOut: 2,
};
