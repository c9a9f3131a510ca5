// Users of the account, what belongs to each of them, and their leaving. Knows no credentials.
import type { UpdateUsersBody } from '../../contract/resources/customer.ts';
import { type Cdr, CdrSchema } from '../../contract/resources/history.ts';
import { failure, type Result } from '../../kernel/errors.ts';
import { member } from '../../store/conditions.ts';
import { type Page, parseQuery, runQuery } from '../../store/query.ts';
import { readForm } from '../../store/records/read-form.ts';
import { removeRecord } from '../../store/records/record-book.ts';
import { collectionOf } from '../../store/store.ts';
import type { StoredResourceId } from '../../store/stored.ts';
import { isOwnAnnouncement, isOwnRecord, isOwnUser, ownerRuleOf, placesOf } from '../access.ts';
import { csvOf } from '../csv.ts';
import { findRecord, type Owns, readOf, readPage, sourceOf } from '../reading.ts';
import { changingMany, groundOf, listing } from '../records.ts';
import {
  type ApiDeps,
  type ApiRequest,
  fileInPieces,
  type Handler,
  manyWithin,
  nothing,
  type Outcome,
  one,
} from '../request.ts';

/** What a user has that is read below its path. */
const parts = ['calls', 'cdrs', 'contacts', 'chatmsgs', 'audio'] as const;

function getUser(request: ApiRequest, { store }: ApiDeps): Outcome {
  const user = findRecord(request, 'users', store.users, isOwnUser);
  if (!user.ok) return user;
  const self = `${request.root}/users/${user.value.id}`;
  return one(user.value, { self, ...Object.fromEntries(parts.map((part) => [part, `${self}/${part}`])) });
}

/** The user of the path, and a page of what is that user's (CHOICE-SUB-COLLECTIONS). */
function within(pageOf: (request: ApiRequest, deps: ApiDeps, userId: number) => Result<Page<object>>): Handler {
  return (request, deps) => {
    const user = findRecord(request, 'users', deps.store.users, isOwnUser);
    if (!user.ok) return user;
    const page = pageOf(request, deps, user.value.id);
    const { root, path } = request;
    const links = { self: root + path, user: `${root}/users/${user.value.id}` };
    return page.ok ? manyWithin(user.value, page.value, links) : page;
  };
}

/** `GET /users/{id}/things`, for things that are somebody's. */
function listingWithin(resource: StoredResourceId, owns: Owns<unknown> = ownerRuleOf(resource)): Handler {
  return within((request, { store }, userId) => readOf(request, resource, collectionOf(store, resource), userId, owns));
}

function callsOf(request: ApiRequest, { exchange }: ApiDeps, userId: number): Result<Page<object>> {
  const views = exchange.liveCalls(request.caller.customerId).filter(({ userIds }) => userIds.includes(userId));
  return readPage(request, 'calls', sourceOf(views.map(({ record }) => record)));
}

/** What went to and fro between the two numbers: CHOICE-SMS-THREADS. */
function threadOf(request: ApiRequest, { store }: ApiDeps, userId: number): Result<Page<object>> {
  const { params, caller } = request;
  const [one, other] = [bare(params.from ?? ''), bare(params.to ?? '')];
  const isBetween = (from: string, to: string): boolean => bare(from) === one && bare(to) === other;
  const forms = [one, other].flatMap((number) => [number, `+${number}`]);
  const source = store.sms.source(
    caller.customerId,
    ({ user_id, from, to }) => user_id === userId && (isBetween(from, to) || isBetween(to, from)),
    [['from', forms]],
  );
  return readPage(request, 'sms', source);
}

function bare(number: string): string {
  return number.replace(/^\+/, '');
}

const cdrColumns = Object.keys(CdrSchema.properties);

/** All of them, or a page where one is asked for: CHOICE-CSV. */
function exportUserCdrs(request: ApiRequest, { store }: ApiDeps): Outcome {
  const user = findRecord(request, 'users', store.users, isOwnUser);
  if (!user.ok) return user;
  const { query, caller } = request;
  const asked = parseQuery('cdrs', query);
  if (!asked.ok) return asked;
  const { id } = user.value;
  const own = (cdr: Cdr): boolean => isOwnRecord(cdr, id);
  const source = store.cdrs.source(caller.customerId, own, placesOf('cdrs', id));
  const isPage = ['page', 'limit', 'sort', 'group_by'].some((name) => query.has(name));
  const { conditions } = asked.value;
  const pieces = isPage
    ? csvOf(cdrColumns, runQuery(source, asked.value).items)
    : csvOf(cdrColumns, source.all(), (cdr) =>
        conditions.every(({ property, matches }) => matches(member(cdr, property))),
      );
  return fileInPieces(pieces, `user-${id}-cdrs.csv`);
}

const updateUsers = changingMany<UpdateUsersBody[number]>('users', ({ groups, ...element }) => ({
  ...readForm('users', element),
  ...(groups === undefined ? {} : { groups: [...new Set(groups.map(idOf))] }),
}));

/** Groups are named by their ids or by objects that have one: CHOICE-USER-BULK. */
function idOf(group: number | { readonly id: number }): number {
  return typeof group === 'number' ? group : group.id;
}

/** Nobody removes itself, and an account keeps its last root user: CHOICE-USER-LEAVES. */
function deleteUser(request: ApiRequest, deps: ApiDeps): Outcome {
  const { caller } = request;
  const { store } = deps;
  const found = findRecord(request, 'users', store.users, isOwnUser);
  if (!found.ok) return found;
  const { id, is_root } = found.value;
  if (id === caller.user.id) return failure('forbidden', 'Users do not remove themselves; another one does that.');
  const roots = [...store.users.list(caller.customerId)].filter((user) => user.is_root);
  if (is_root && roots.length === 1)
    return failure('forbidden', 'This is the last root user of the account, which is not removed before the account.');
  removeRecord(groundOf(request, deps), 'users', id);
  return nothing();
}

function resetUserAudio(request: ApiRequest, deps: ApiDeps): Outcome {
  const user = findRecord(request, 'users', deps.store.users, isOwnUser);
  if (!user.ok) return user;
  const ground = groundOf(request, deps);
  for (const { id } of deps.store.vmannouncements.find('extension', user.value.id, ground.customerId))
    removeRecord(ground, 'vmannouncements', id);
  return nothing();
}

export const userHandlers = {
  listUsers: listing('users'),
  getUser,
  updateUsers,
  deleteUser,
  listUserCalls: within(callsOf),
  listUserCdrs: listingWithin('cdrs'),
  exportUserCdrs,
  listUserContacts: listingWithin('contacts'),
  listUserChatMessages: listingWithin('chatmsgs'),
  listUserAudio: listingWithin('vmannouncements', isOwnAnnouncement),
  resetUserAudio,
  listUserSmsThreads: within(threadOf),
  listUserSmsThreadsNested: within(threadOf),
};
