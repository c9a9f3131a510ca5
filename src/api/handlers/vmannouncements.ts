// Voicemail announcements: what callers hear before they speak. An upload is what its bytes are, or it is refused.
import type { CreateVmAnnouncementBody, UpdateVmAnnouncementBody } from '../../contract/resources/storage.ts';
import { failure, type Result, success } from '../../kernel/errors.ts';
import { sniffAudio } from '../../media/sniff.ts';
import { readForm } from '../../store/records/read-form.ts';
import type { Members } from '../../store/records/rules.ts';
import { changing, listing, making, reading, removing } from '../records.ts';

/** Base64 without anything around it, in whole groups of four (RFC 4648, 4). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The members as they are kept: the sound in one line, and what it was found to be. */
function withSound(body: UpdateVmAnnouncementBody): Result<Members> {
  const members = readForm('vmannouncements', body);
  if (body.data === undefined) return success(members);
  const data = body.data.replace(/\s+/g, '');
  if (!BASE64.test(data)) return notValid('data: expected Base64 in whole groups of four characters');
  const sound = sniffAudio(Buffer.from(data, 'base64'));
  return sound.ok
    ? success({ ...members, data, audio_type: sound.value.type })
    : notValid(`data: ${sound.failure.message}`);
}

function notValid(problem: string): Result<never> {
  return failure('invalid', 'The voicemail announcement is not valid.', [problem]);
}

export const vmAnnouncementHandlers = {
  listVmAnnouncements: listing('vmannouncements'),
  /** Of the caller, unless it is said whose it is (CHOICE-ANNOUNCEMENT-EXTENSION). */
  createVmAnnouncement: making<CreateVmAnnouncementBody>('vmannouncements', ({ body, caller }) => {
    const sound = withSound(body);
    return sound.ok ? success({ extension: caller.user.id, ...sound.value }) : sound;
  }),
  getVmAnnouncement: reading('vmannouncements'),
  updateVmAnnouncement: changing<UpdateVmAnnouncementBody>('vmannouncements', ({ body }) => withSound(body)),
  deleteVmAnnouncement: removing('vmannouncements'),
};
