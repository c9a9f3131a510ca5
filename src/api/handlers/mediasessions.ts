// Media sessions: what a user's phone sent and received. Knows no RTP.
import { isOwnMediaSession } from '../access.ts';
import { findRecord } from '../reading.ts';
import { listing } from '../records.ts';
import { type ApiDeps, type ApiRequest, type Outcome, one } from '../request.ts';

/** Whose session it is stands in `user`. */
function getMediaSession(request: ApiRequest, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'mediasessions', store.mediasessions, isOwnMediaSession);
  if (!found.ok) return found;
  const { root } = request;
  const { id, user } = found.value;
  const self = `${root}/mediasessions/${id}`;
  return one(found.value, user > 0 ? { self, user: `${root}/users/${user}` } : { self });
}

export const mediaSessionHandlers = {
  listMediaSessions: listing('mediasessions'),
  listMediaSessionDictionaries: listing('mediasessions'),
  getMediaSession,
};
