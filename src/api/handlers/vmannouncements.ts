// Voicemail announcements: what callers hear before they speak.
import { listing, reading, removing } from '../records.ts';

export const vmAnnouncementHandlers = {
  listVmAnnouncements: listing('vmannouncements'),
  getVmAnnouncement: reading('vmannouncements'),
  deleteVmAnnouncement: removing('vmannouncements'),
};
