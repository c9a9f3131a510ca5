// Media sessions: what a user's phone sent and received. Knows no RTP.
import { isOwnMediaSession } from '../access.ts';
import { findRecord, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome, one } from '../request.ts';

function listMediaSessions(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'mediasessions', store.mediasessions, isOwnMediaSession);
  return page.ok ? many(page.value) : page;
}

function getMediaSession(request: ApiRequest, { store }: ApiDeps): Outcome {
  const found = findRecord(request, 'mediasessions', store.mediasessions, isOwnMediaSession);
  if (!found.ok) return found;
  const { root } = request;
  const { id, user } = found.value;
  const self = `${root}/mediasessions/${id}`;
  return one(found.value, user > 0 ? { self, user: `${root}/users/${user}` } : { self });
}

export const mediaSessionHandlers = { listMediaSessions, getMediaSession };
