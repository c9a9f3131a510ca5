// Every operation of the control API, in the order of its document. Knows no routing.
import { carrierRows } from './operations/carrier.ts';
import { clockRows } from './operations/clock.ts';
import { customerRows } from './operations/customers.ts';
import { faultRows } from './operations/faults.ts';
import { journalRows } from './operations/journal.ts';
import { ladderRows } from './operations/ladders.ts';
import { messageRows } from './operations/messages.ts';
import { outboxRows } from './operations/outbox.ts';
import { phoneRows } from './operations/phones.ts';
import { queueRows } from './operations/queues.ts';
import { recordRows } from './operations/records.ts';
import { snapshotRows } from './operations/snapshots.ts';
import { trafficRows } from './operations/traffic.ts';
import { webhookRows } from './operations/webhooks.ts';
import { worldRows } from './operations/world.ts';
import type { ControlRow } from './row.ts';

export const controlRows: readonly ControlRow[] = [
  ...clockRows,
  ...phoneRows,
  ...carrierRows,
  ...webhookRows,
  ...faultRows,
  ...journalRows,
  ...ladderRows,
  ...recordRows,
  ...customerRows,
  ...queueRows,
  ...outboxRows,
  ...worldRows,
  ...messageRows,
  ...trafficRows,
  ...snapshotRows,
];
