// Voice messages as records: kept with their sound, told by mail, moved and removed by the rules of the store. Knows no prompt.
import { codeOf, folderCodes } from '../contract/codes.ts';
import type { User } from '../contract/resources/customer.ts';
import type { VoiceMessage } from '../contract/resources/history.ts';
import { utcText } from '../kernel/time.ts';
import { type Sound, samplesIn, soundOf } from '../media/sound.ts';
import type { Heard, Take } from '../media/takes.ts';
import { changeRecord, createRecord, removeRecord } from '../store/records/record-book.ts';
import type { Ground } from '../store/records/rules.ts';
import type { Call } from './call.ts';
import { voiceMessageLetters } from './mails.ts';
import type { Switchboard } from './switchboard.ts';

/** Messages that a box holds; whoever comes then is told that there is no room (CHOICE-VOICEMAIL). */
export const MAX_MESSAGES_IN_BOX = 1000;
/** Shorter ones are nobody's message: the caller hung up at the tone. */
export const SHORTEST_MESSAGE_MS = 1000;

const INBOX = codeOf(folderCodes, 'inbox');
const OLD = codeOf(folderCodes, 'old');
const SAVED = codeOf(folderCodes, 'saved');

/** What a caller has said after the tone. */
export interface Utterance {
  /** Where nothing was sent, as in memory, it is empty. */
  readonly take: Take;
  /** ms since 1970 on the clock. */
  readonly beganAt: number;
  readonly lengthMs: number;
}

/** Keeps what the caller said in the user's box. Undefined when it is too short, or the user is gone. */
export function keepMessage(
  board: Switchboard,
  call: Call,
  userId: number,
  spoken: Utterance,
): VoiceMessage | undefined {
  const user = board.store.users.get(userId);
  const customerId = board.store.users.customerOf(userId);
  if (spoken.lengthMs < SHORTEST_MESSAGE_MS || user === undefined || customerId === undefined) return undefined;
  const duration = Math.floor(spoken.lengthMs / 1000);
  const created = createRecord(groundOf(board, customerId), 'voicemessages', {
    extension_id: user.id,
    duration,
    live_id: call.id,
    parent_live_id: call.parentId,
    caller: call.src.number,
    callerid: call.clid,
    dialled: call.ddi ?? call.dst.number,
    transcript: user.vm_tts === 'Y' ? transcriptOf(duration, call.clid) : '',
    origtime: utcText(spoken.beganAt),
  });
  if (!created.ok) return undefined;
  const message = created.value as unknown as VoiceMessage;
  board.takes.keep(`voicemessage/${message.id}`, spoken.take);
  const data = { id: message.id, duration, user: user.id };
  board.journal.append('voicemessage.kept', { callId: call.id, customerId, data });
  for (const letter of voiceMessageLetters(user, message)) board.mail(letter);
  return message;
}

/** Nobody here understands speech: what is known of the message is put into words (CHOICE-VOICEMAIL-TRANSCRIPT). */
function transcriptOf(seconds: number, callerid: string): string {
  return `Voice message of ${seconds} s from ${callerid}.`;
}

/** What the box holds, in the order in which it is listened to: the new ones first, each kind the oldest first. */
export function messagesOf({ store }: Switchboard, userId: number): VoiceMessage[] {
  const all = store.voicemessages.find('extension_id', userId).toSorted((a, b) => a.id - b.id);
  return [...all.filter(({ is_new }) => is_new), ...all.filter(({ is_new }) => !is_new)];
}

export function hasRoom({ store }: Switchboard, { id }: Pick<User, 'id'>): boolean {
  const user = store.users.get(id);
  return user !== undefined && user.vm_new + user.vm_old < MAX_MESSAGES_IN_BOX;
}

/** It has been listened to: new no longer. */
export function markHeard(board: Switchboard, id: number): void {
  if (board.store.voicemessages.get(id)?.folder === INBOX) move(board, id, OLD);
}

export function saveMessage(board: Switchboard, id: number): void {
  move(board, id, SAVED);
}

function move(board: Switchboard, id: number, folder: number): void {
  const customerId = board.store.voicemessages.customerOf(id);
  if (customerId !== undefined) changeRecord(groundOf(board, customerId), 'voicemessages', id, { folder });
}

export function deleteMessage(board: Switchboard, id: number): void {
  const customerId = board.store.voicemessages.customerOf(id);
  if (customerId !== undefined) removeRecord(groundOf(board, customerId), 'voicemessages', id);
  board.takes.forget(`voicemessage/${id}`);
}

/** What one hears of a message: what was really said, or a melody as long as it. */
export function soundOfMessage({ takes, sounds }: Switchboard, { id, duration }: VoiceMessage): Sound {
  const name = `voicemessage/${id}`;
  const ms = duration * 1000;
  const take = takes.get(`voicemessage/${id}`);
  return take === undefined ? sounds.named(name, ms) : soundOf(name, ms, () => samplesOf(take, samplesIn(ms)));
}

function samplesOf(take: Heard, count: number): Int16Array {
  const whole = new Int16Array(count);
  let at = 0;
  for (const piece of take.samples(count))
    for (const sample of piece) {
      whole[at] = Math.round(sample * 32_767);
      at += 1;
    }
  return whole;
}

function groundOf({ store, clock }: Switchboard, customerId: number): Ground {
  return { store, customerId, nowMs: clock.now() };
}
