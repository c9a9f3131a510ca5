// User groups and user group policies, of one shape.
import { changing, listing, making, reading, removing } from '../records.ts';

export const userGroupHandlers = {
  listUserGroups: listing('usergroups'),
  createUserGroup: making('usergroups'),
  getUserGroup: reading('usergroups'),
  updateUserGroup: changing('usergroups'),
  deleteUserGroup: removing('usergroups'),
  listUserGroupPolicies: listing('usergrouppolicies'),
  createUserGroupPolicy: making('usergrouppolicies'),
  getUserGroupPolicy: reading('usergrouppolicies'),
  updateUserGroupPolicy: changing('usergrouppolicies'),
  deleteUserGroupPolicy: removing('usergrouppolicies'),
};
