// Queues: callers wait there for an agent.
import { listing, making, reading } from '../records.ts';

export const queueHandlers = {
  listQueues: listing('queues'),
  createQueue: making('queues'),
  getQueue: reading('queues'),
};
