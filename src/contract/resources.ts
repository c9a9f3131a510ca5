// The resources of the specification by their id: the name that routes, store and control API use. Knows no operation.

import type { ResourceRow } from './resource.ts';
import { authResources } from './resources/auth.ts';
import { callMeBackResources } from './resources/callmeback.ts';
import { callsResources } from './resources/calls.ts';
import { customerResources } from './resources/customer.ts';
import { historyResources } from './resources/history.ts';
import { reportsResources } from './resources/reports.ts';
import { settingsResources } from './resources/settings.ts';
import { storageResources } from './resources/storage.ts';

const rows = {
  ...callsResources,
  ...storageResources,
  ...settingsResources,
  ...authResources,
  ...customerResources,
  ...historyResources,
  ...callMeBackResources,
  ...reportsResources,
};

export type ResourceId = keyof typeof rows;

export interface Resource extends ResourceRow {
  readonly id: ResourceId;
}

/** Every resource by id. */
export const resources: Readonly<Record<ResourceId, ResourceRow>> = rows;

/** Every resource, in the order of the specification. */
export const resourceList: readonly Resource[] = (Object.keys(rows) as ResourceId[]).map((id) => ({ id, ...rows[id] }));
