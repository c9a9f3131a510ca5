// Queue groups: queues that are looked at together.
import { changing, listing, making, reading, removing } from '../records.ts';

export const queueGroupHandlers = {
  listQueueGroups: listing('queuegroups'),
  createQueueGroup: making('queuegroups'),
  getQueueGroup: reading('queuegroups'),
  updateQueueGroup: changing('queuegroups'),
  deleteQueueGroup: removing('queuegroups'),
};
