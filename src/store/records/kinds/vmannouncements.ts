// Voicemail announcements: whose they are, and how many an account may have. Knows no sound.
import type { Stored } from '../../stored.ts';
import { type Ground, rulesFor } from '../rules.ts';

type Announcement = Stored['vmannouncements'];

/** Announcements of an account, and what their Base64 has in all: CHOICE-ANNOUNCEMENT-LIMITS. */
export const MAX_ANNOUNCEMENTS = 1000;
export const MAX_ANNOUNCEMENT_BYTES = 100 * 1024 * 1024;

export const vmAnnouncementRules = rulesFor<Announcement>({
  references: { extension: 'users' },
  problems: (ground, after, before) => (after.data === before?.data ? [] : tooMuch(ground, after, before)),
});

function tooMuch({ store, customerId }: Ground, after: Announcement, before: Announcement | undefined): string[] {
  const others = [...store.vmannouncements.list(customerId)].filter(({ id }) => id !== before?.id);
  if (others.length >= MAX_ANNOUNCEMENTS)
    return [`data: the account has ${MAX_ANNOUNCEMENTS} announcements, the most that it may have`];
  const bytes = others.reduce((sum, { data }) => sum + data.length, after.data.length);
  if (bytes <= MAX_ANNOUNCEMENT_BYTES) return [];
  return [
    `data: the announcements of the account would have ${bytes} bytes, expected ${MAX_ANNOUNCEMENT_BYTES} at most`,
  ];
}
