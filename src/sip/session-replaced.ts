// Which session an INVITE with Replaces may take the place of, and what it is owed otherwise (RFC 3891, 3). Changes nothing.
import type { SipRequest } from './message.ts';
import { parseReplaces } from './replaces.ts';
import { sessionKey } from './session.ts';
import type { Replacement } from './user-agent-api.ts';
import type { Core } from './user-agent-core.ts';

/** How a peer that gave no tag is written in from-tag (RFC 3891, 3). */
const NO_TAG = '0';

export function replacementOf(core: Core, invite: SipRequest): Replacement {
  const lines = invite.headers.all('Replaces');
  const [line] = lines;
  if (line === undefined) return { kind: 'none' };
  const replaces = parseReplaces(line);
  if (lines.length > 1 || replaces === undefined || invite.headers.has('Join')) {
    return { kind: 'refused', status: 400, reason: 'One Replaces with both tags is needed' };
  }
  const session = core.sessions.get(sessionKey(replaces.callId, replaces.toTag));
  const theirs = session?.remoteTag === '' ? NO_TAG : session?.remoteTag;
  if (session === undefined || theirs !== replaces.fromTag) return { kind: 'refused', status: 481 };
  if (session.state === 'terminated') return { kind: 'refused', status: 603 };
  const early = session.state === 'calling' || session.state === 'early';
  // What rings here belongs to its caller: only the dialogs that we began may be picked up early.
  if (early && (session.role === 'uas' || session.dialog === undefined)) return { kind: 'refused', status: 481 };
  if (!early && replaces.earlyOnly) return { kind: 'refused', status: 486 };
  return { kind: 'found', session, early };
}
