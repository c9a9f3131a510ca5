// Who may do what: the access matrix (CHOICE-ACL) and what counts as a user's own. Knows no request.
import type { Operation } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import type { MediaSession } from '../contract/resources/calls.ts';
import type { User } from '../contract/resources/customer.ts';
import type { Cdr, Monitor, Msdr, VoiceMessage } from '../contract/resources/history.ts';
import type { VmAnnouncement } from '../contract/resources/storage.ts';
import type { ResourceId } from '../contract/resources.ts';
import { openToRestricted } from '../contract/restricted.ts';
import type { LiveCallView } from '../pbx/face.ts';
import type { Places } from '../store/collection.ts';

export type Rank = 'administrator' | 'agent' | 'restricted';

export interface Reach {
  /** For messages: the role as users know it. */
  readonly title: string;
  /** The operations the rank may use: all, all but those that destroy for good, or the named ones. */
  readonly operations: 'all' | 'all but destroy' | ReadonlySet<OperationId>;
  /** Whose records it reaches: everybody's in the account, or its own. */
  readonly records: 'account' | 'own';
}

/** The access matrix. */
export const accessMatrix: Readonly<Record<Rank, Reach>> = {
  administrator: { title: 'administrator', operations: 'all', records: 'account' },
  agent: { title: 'agent', operations: 'all but destroy', records: 'account' },
  restricted: {
    title: 'restricted user',
    operations: openToRestricted,
    records: 'own',
  },
};

/** The rank that a user's ACL roles give; without a known one, the least. */
export function rankOf(user: Pick<User, 'is_root' | 'roles'>): Rank {
  if (user.is_root || user.roles.includes('ROLE_ADMIN')) return 'administrator';
  return user.roles.includes('ROLE_AGENT') ? 'agent' : 'restricted';
}

export function mayUse(rank: Rank, { id, effect }: Pick<Operation, 'id' | 'effect'>): boolean {
  const { operations } = accessMatrix[rank];
  if (operations === 'all') return true;
  return operations === 'all but destroy' ? effect !== 'destroy' : operations.has(id);
}

/** Contexts in which `dst_id` is no user's id, but a queue's, an IVR's and so on: ids of two kinds may be equal numbers. */
const destinationsThatAreNoUsers = new Set(['IVR', 'QUEUE', 'RING_GROUP', 'VOICEMAIL', 'CONFERENCE']);

/** A call that the user is party to. */
export function isOwnCall({ userIds }: Pick<LiveCallView, 'userIds'>, userId: number): boolean {
  return userIds.includes(userId);
}

/** A call record or recording of a call that the user was party to. */
export function isOwnRecord(
  record: Pick<Cdr | Monitor, 'user_id' | 'src_id' | 'dst_id' | 'context'>,
  userId: number,
): boolean {
  const id = String(userId);
  if (record.user_id === userId || record.src_id === id) return true;
  return record.dst_id === id && !destinationsThatAreNoUsers.has(record.context);
}

export function isOwnMediaSession(session: Pick<MediaSession, 'user'>, userId: number): boolean {
  return session.user === userId;
}

export function isOwnMsdr(record: Pick<Msdr, 'user_id'>, userId: number): boolean {
  return record.user_id === userId;
}

/** What makes a record of the resource a user's own; of the others, that its `user_id` says so. */
const ownerRules: Partial<Record<ResourceId, (record: never, userId: number) => boolean>> = {
  users: isOwnUser,
  cdrs: isOwnRecord,
  monitors: isOwnRecord,
  msdrs: isOwnMsdr,
  mediasessions: isOwnMediaSession,
  voicemessages: isOwnVoiceMessage,
};

/** Whether a record of the resource is a user's own. */
export function ownerRuleOf(resource: ResourceId): (record: unknown, userId: number) => boolean {
  return (ownerRules[resource] ?? isNamed) as (record: unknown, userId: number) => boolean;
}

/** Where a user's own records are, of kinds of which there may be a million. */
export function placesOf(resource: ResourceId, userId: number): Places | undefined {
  return ownPlaces[resource]?.(userId);
}

const ownPlaces: Partial<Record<ResourceId, (userId: number) => Places>> = {
  cdrs: (id) => [
    ['user_id', [id]],
    ['src_id', [String(id)]],
    ['dst_id', [String(id)]],
  ],
  msdrs: (id) => [['user_id', [id]]],
  mediasessions: (id) => [['user', [id]]],
  voicemessages: (id) => [['extension_id', [id]]],
  sms: (id) => [['user_id', [id]]],
  chatmsgs: (id) => [['user_id', [id]]],
};

function isNamed(record: { readonly user_id?: unknown }, userId: number): boolean {
  return record.user_id === userId;
}

/** A mailbox is its user's. */
export function isOwnVoiceMessage(message: Pick<VoiceMessage, 'extension_id'>, userId: number): boolean {
  return message.extension_id === userId;
}

/** An announcement is of the user whose extension it is for (CHOICE-ANNOUNCEMENT-EXTENSION). */
export function isOwnAnnouncement(announcement: unknown, userId: number): boolean {
  return (announcement as Pick<VmAnnouncement, 'extension'>).extension === userId;
}

export function isOwnUser(user: Pick<User, 'id'>, userId: number): boolean {
  return user.id === userId;
}
