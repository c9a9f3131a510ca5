// The records that past calls have left: CDR, recording, media session with its MSDR, web call. All ids agree. Invents no call.
import { codeOf, folderCodes } from '../../contract/codes.ts';
import { mp3Bytes } from '../../contract/recording-format.ts';
import type { Cdr } from '../../contract/resources/history.ts';
import type { IdBlocks } from '../../kernel/ids.ts';
import { utcText } from '../../kernel/time.ts';
import type { Store } from '../store.ts';
import { BEFORE_MESSAGE_S, type PastCall, type PastParty } from './past-calls.ts';

/** Every outside number of the seed world is a London one: per minute, as the exchange's tariff has it. */
const LONDON_RATE = 0.02;
const MIN_CHARGE = 0.01;
const CODEC = 'PCMU';
const PHONE = 'pbxsim-phone';
const NETWORK = 'pbxsim-carrier';
/** Greeting and tone of a voicemail box: the message begins after them. */
const GREETING_MS = 5400;
/** Each third answered call was recorded. */
const RECORDED = 3;

/** Whose history it is, and where live ids and SIP Call-IDs come from. */
export interface HistoryPlan {
  readonly store: Store;
  readonly customerId: number;
  readonly liveIds: IdBlocks;
  /** The SIP domain of the exchange. */
  readonly domain: string;
}

/** Writes what each call leaves, oldest first. Live ids come from `liveIds`, so that no live call takes one again. */
export function seedHistory(plan: HistoryPlan, calls: Iterable<PastCall>): void {
  const { store, customerId, liveIds } = plan;
  let answered = 0;
  let before: Cdr | undefined;
  for (const call of calls) {
    const parent = call.visit === undefined ? 0 : (before?.live_id ?? 0);
    const cdr = cdrOf(call, store.cdrs.nextId(customerId), liveIds.next(customerId), parent);
    store.cdrs.insert(customerId, cdr);
    before = cdr;
    if (call.destination === 'webcall') seedWebcall(store, customerId, call, cdr);
    if (call.talkS === 0) continue;
    if (call.visit === 'voicemail') {
      seedVoiceMessage(store, customerId, call, cdr);
      continue;
    }
    seedMedia(plan, call, cdr);
    if (answered % RECORDED === 0) seedRecording(store, customerId, call, cdr);
    answered += 1;
  }
}

function cdrOf(call: PastCall, id: number, liveId: number, parentLiveId: number): Cdr {
  const { src, dst, destination, talkS } = call;
  const isVoicemail = call.visit === 'voicemail';
  const userId = src.userId ?? dst.userId ?? 0;
  const rate = destination === 'in' ? 0 : LONDON_RATE;
  return {
    id,
    live_id: liveId,
    call_id: liveId,
    parent_live_id: parentLiveId,
    user_id: userId,
    sip_endpoint_id: userId,
    server_id: 1,
    type: destination !== 'in' ? 'O' : talkS > 0 ? 'I' : 'M',
    destination,
    disposition: call.disposition,
    context: contextOf(call),
    calldate: utcText(call.startedAt),
    duration: call.ringS + talkS,
    billsec: talkS,
    rate,
    charge: chargeFor(rate, talkS),
    t_cause: call.cause,
    info: '',
    clid: `"${src.name}" <${src.number}>`,
    src: src.number,
    src_id: idOf(src),
    src_name: src.name,
    src_ua: productOf(src),
    src_codec: talkS > 0 ? CODEC : '',
    dst: dst.number,
    dst_id: idOf(dst),
    dst_name: dst.name,
    dst_ua: call.disposition === 'INITIAL' || isVoicemail ? '' : productOf(dst),
    dst_codec: talkS > 0 && !isVoicemail ? CODEC : '',
  };
}

/** The SIP Call-ID tells of its call, for no live call is left to ask. */
function seedMedia({ store, customerId, domain }: HistoryPlan, call: PastCall, cdr: Cdr): void {
  const answeredAt = call.startedAt + call.ringS * 1000;
  const callId = `past-${cdr.live_id}@${domain}`;
  const ends = { call_id: callId, type: 'audio', duration: cdr.billsec, created_at: utcText(answeredAt) };
  const parties = { src_id: cdr.src_id, src_ua: cdr.src_ua, dst_id: cdr.dst_id, dst_ua: cdr.dst_ua };
  const session = store.mediasessions.insert(customerId, {
    ...ends,
    ...parties,
    id: store.mediasessions.nextId(customerId),
    status: 'ended',
    updated_at: utcText(answeredAt + call.talkS * 1000),
    user: cdr.user_id,
  });
  store.msdrs.insert(customerId, {
    ...ends,
    ...parties,
    id: store.msdrs.nextId(customerId),
    media_session_id: session.id,
    user_id: cdr.user_id,
    src: cdr.src,
    dst: cdr.dst,
    t_cause: cdr.t_cause,
  });
}

function seedRecording(store: Store, customerId: number, call: PastCall, cdr: Cdr): void {
  store.monitors.insert(customerId, {
    id: store.monitors.nextId(customerId),
    live_id: cdr.live_id,
    user_id: cdr.user_id,
    sip_endpoint_id: cdr.sip_endpoint_id,
    duration: cdr.billsec,
    size: mp3Bytes(cdr.billsec),
    caller: cdr.src,
    called: cdr.dst,
    src_id: cdr.src_id,
    dst_id: cdr.dst_id,
    dst_name: cdr.dst_name,
    context: cdr.context,
    type: cdr.type,
    sentiment: '',
    summary: '',
    transcript: '',
    timestamp: utcText(call.startedAt + call.ringS * 1000),
  });
}

/** Every other message has been listened to. */
function seedVoiceMessage(store: Store, customerId: number, call: PastCall, cdr: Cdr): void {
  const id = store.voicemessages.nextId(customerId);
  const isNew = id % 2 === 0;
  store.voicemessages.insert(customerId, {
    id,
    duration: cdr.billsec - BEFORE_MESSAGE_S,
    extension_id: cdr.user_id,
    live_id: cdr.live_id,
    parent_live_id: cdr.parent_live_id,
    caller: cdr.src,
    callerid: cdr.clid,
    dialled: cdr.dst,
    transcript: '',
    folder: codeOf(folderCodes, isNew ? 'inbox' : 'old'),
    is_new: isNew,
    origtime: utcText(call.startedAt + GREETING_MS),
  });
  const user = store.users.get(cdr.user_id);
  if (user === undefined) return;
  store.users.update(user.id, isNew ? { vm_new: user.vm_new + 1 } : { vm_old: user.vm_old + 1 });
}

/** Both of its legs were called: the user's inside the house for nothing, the other one on the public network. */
function seedWebcall(store: Store, customerId: number, call: PastCall, cdr: Cdr): void {
  store.webcalls.insert(customerId, {
    id: store.webcalls.nextId(customerId),
    calldate: cdr.calldate,
    from: cdr.src,
    to: cdr.dst,
    from_duration: call.ringS + call.talkS,
    to_duration: call.talkS,
    from_rate: 0,
    to_rate: cdr.rate,
    from_charge: 0,
    to_charge: cdr.charge,
    charge: cdr.charge,
  });
}

function chargeFor(ratePerMinute: number, billsec: number): number {
  if (ratePerMinute === 0 || billsec === 0) return 0;
  return Math.max(MIN_CHARGE, Math.round(((ratePerMinute * billsec) / 60) * 10_000) / 10_000);
}

function contextOf({ src, dst, visit }: PastCall): string {
  if (visit === 'voicemail') return 'VOICEMAIL';
  return src.userId === null || dst.userId === null ? 'PSTN_CALL' : 'USER_LOCAL';
}

function idOf(party: PastParty): string {
  return party.userId === null ? '' : String(party.userId);
}

function productOf(party: PastParty): string {
  return party.userId === null ? NETWORK : PHONE;
}
