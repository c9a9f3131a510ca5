// Which operations this release works on; the others answer 501 with a clear message. Knows no handler.

import { type OperationId, operations } from './operations.ts';

const alsoBuilt: readonly OperationId[] = [
  'getMe',
  'listUsers',
  'getUser',
  'listUserCalls',
  'listCdrs',
  'getCdr',
  'getCdrTrace',
  'getCdrPcap',
  'getMsdrTrace',
  'getMsdrPcap',
  'listMonitors',
  'getMonitor',
];

/** The Auth module, the Calls module, and the reads around a call. */
export const builtOperations: ReadonlySet<OperationId> = new Set([
  ...operations.filter(({ module }) => module === 'auth' || module === 'calls').map(({ id }) => id),
  ...alsoBuilt,
]);
