// Which calls are recorded by themselves, and which never: the settings of the users who talk. Pure.
import type { User } from '../contract/resources/customer.ts';
import type { Call } from './call.ts';
import type { Directory } from './directory.ts';
import type { Party } from './party.ts';

/** Whose settings (`monitor`) want the conversation of these two recorded: the callee's before the caller's. */
export function recordedFor(directory: Directory, call: Call): User | undefined {
  if (!mayBeRecorded(directory, call)) return undefined;
  const callee = userAt(directory, call.dst) ?? forwardingUser(directory, call);
  if (callee !== undefined && (callee.monitor === 'A' || callee.monitor === 'I')) return callee;
  const caller = userAt(directory, call.src);
  return caller !== undefined && (caller.monitor === 'A' || caller.monitor === 'O') ? caller : undefined;
}

/** A user may wish that calls between extensions are never recorded, by itself or by hand (`rec_never_internal`). */
export function mayBeRecorded(directory: Directory, { src, dst }: Pick<Call, 'src' | 'dst'>): boolean {
  const caller = userAt(directory, src);
  const callee = userAt(directory, dst);
  if (caller === undefined || callee === undefined) return true;
  return !caller.rec_never_internal && !callee.rec_never_internal;
}

function userAt(directory: Directory, { kind, userId }: Party): User | undefined {
  return kind === 'user' && userId !== null ? directory.user(userId) : undefined;
}

/** Who is reached elsewhere was called all the same. */
function forwardingUser(directory: Directory, { forUserId }: Call): User | undefined {
  return forUserId === undefined ? undefined : directory.user(forUserId);
}
