// The roles that access control knows. Knows no user.

import { all, findRecord, readCollection } from '../reading.ts';
import { type ApiDeps, type ApiRequest, many, type Outcome, one } from '../request.ts';

function listAclRoles(request: ApiRequest, { store }: ApiDeps): Outcome {
  const page = readCollection(request, 'aclroles', store.aclroles, all);
  return page.ok ? many(page.value) : page;
}

function getAclRole(request: ApiRequest, { store }: ApiDeps): Outcome {
  const role = findRecord(request, 'aclroles', store.aclroles, all);
  return role.ok ? one(role.value, { self: `${request.root}/aclroles/${role.value.id}` }) : role;
}

export const aclRoleHandlers = { listAclRoles, getAclRole };
