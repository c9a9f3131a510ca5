// What users are mailed about calls: missed ones, and voice messages. Words the letters; who sends them is somebody else.
import type { User } from '../contract/resources/customer.ts';
import type { VoiceMessage } from '../contract/resources/history.ts';
import type { Letter } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import { isUnlogged, partyId, typeOf } from './call-record.ts';

/** Addresses that one message goes to; more are left out. */
const MAX_ADDRESSES = 20;

/** For a user who wants to hear of calls that it missed; none while the caller is led on to where the user is followed. */
export function missedCallLetters(store: Store, call: Call): Letter[] {
  const { dst, src, isForwarded } = call;
  const isUsers = dst.kind === 'user' || dst.kind === 'follow-me';
  const user = isUsers && dst.userId !== null ? store.users.get(dst.userId) : undefined;
  const outcome = { type: typeOf(call), dst_id: partyId(dst) };
  if (user === undefined || isForwarded || outcome.type !== 'M' || isUnlogged(store, call.isForGroup, outcome))
    return [];
  const subject = `Missed call from ${call.clid}`;
  const facts = { from: src.number, call_id: call.id };
  return addressesOf(user).map((to) => ({ kind: 'missed_call', to, subject, ...facts }));
}

/** A voice message, for users who have them mailed (`vm_to_email`): to `vm_emails`, or to the user where there are none. */
export function voiceMessageLetters(user: User, message: VoiceMessage): Letter[] {
  if (!user.vm_to_email) return [];
  const { id, callerid, caller, live_id, duration, transcript } = message;
  const facts = { from: caller, call_id: live_id, voicemessage_id: id, duration };
  const subject = `Voice message from ${callerid}`;
  const addresses = user.vm_emails.length > 0 ? user.vm_emails : [user.email];
  const text = transcript === '' ? {} : { text: transcript };
  return unlike(addresses).map((to) => ({ kind: 'voicemail', to, subject, ...facts, ...text }));
}

/** `email_missed`: N or nothing for none, an address or several with commas, anything else for the user's own (CHOICE-MISSED-MAILS). */
function addressesOf({ email_missed, email }: User): string[] {
  if (email_missed === '' || email_missed === 'N') return [];
  return email_missed.includes('@') ? unlike(email_missed.split(',').map((one) => one.trim())) : unlike([email]);
}

function unlike(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].filter((one) => one.includes('@')).slice(0, MAX_ADDRESSES);
}
