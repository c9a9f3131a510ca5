// Users of the account, and the live calls of one of them. Knows no credentials.
import { isOwnUser } from '../access.ts';
import { findRecord, readCollection, readPage, sourceOf } from '../reading.ts';
import { type ApiDeps, type ApiRequest, type Links, many, manyWithin, type Outcome, one } from '../request.ts';

function listUsers(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'users', store.users, isOwnUser);
  return page.ok ? many(page.value) : page;
}

function getUser(request: ApiRequest, { store }: ApiDeps): Outcome {
  const user = findRecord(request, 'users', store.users, isOwnUser);
  return user.ok ? one(user.value, userLinks(request.root, user.value.id)) : user;
}

function listUserCalls(request: ApiRequest, { store, exchange }: ApiDeps): Outcome {
  const user = findRecord(request, 'users', store.users, isOwnUser);
  if (!user.ok) return user;
  const { id } = user.value;
  const views = exchange.liveCalls(request.caller.customerId).filter(({ userIds }) => userIds.includes(id));
  const page = readPage(request, 'calls', sourceOf(views.map(({ record }) => record)));
  const { self, calls } = userLinks(request.root, id);
  return page.ok ? manyWithin(user.value, page.value, { self: calls, user: self }) : page;
}

function userLinks(root: string, id: number): Links & { readonly self: string; readonly calls: string } {
  return { self: `${root}/users/${id}`, calls: `${root}/users/${id}/calls` };
}

export const userHandlers = { listUsers, getUser, listUserCalls };
