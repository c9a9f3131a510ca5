// Clauses about webhooks themselves: how one comes to be, is changed and switched off, and what becomes of a delivery that fails.
import type { Clause } from '../clause.ts';

type Row = readonly [id: string, level: Clause['level'], requirement: string, spec: string];

const RULES = 'Events, Configuration rules';
const DELIVERY = 'Events, Delivery (not shown)';

const list: readonly Row[] = [
  ['HOOK-HTTPS', 'MUST', 'a webhook with an http: URL is not saved', `${RULES}, 2`],
  ['HOOK-TEST-EVENT', 'MUST', 'a test event comes to the URL when the webhook is saved', `${RULES}, 3`],
  ['HOOK-TEST-BODY', 'UNSPECIFIED', 'what the test event holds', `${RULES}, 3 (not shown)`],
  ['HOOK-NO-ANSWER', 'MUST', 'a webhook whose URL does not respond is not saved', `${RULES}, 3`],
  [
    'HOOK-REFUSING-URL',
    'UNSPECIFIED',
    'whether a URL that responds with an error may be saved',
    `${RULES}, 3 (not shown)`,
  ],
  ['HOOK-EDIT', 'MUST', 'a webhook may be edited: events go where it leads then', `${RULES}, 4`],
  ['HOOK-EDIT-CATEGORIES', 'MUST', 'the categories of a webhook may be edited', `${RULES}, 1 and 4`],
  ['HOOK-DEACTIVATED', 'MUST', 'a webhook that is deactivated gets nothing', `${RULES}, 4`],
  ['HOOK-ACTIVATED', 'SHOULD', 'one that is activated again gets events again', `${RULES}, 4`],
  ['HOOK-SEVERAL', 'MUST', 'each of several webhooks gets the events', `${RULES}, 1`],
  ['HOOK-SAME-ID', 'SHOULD', 'one event has the same id at each of several webhooks', 'Events, Call event payload'],
  ['HOOK-RETRY', 'UNSPECIFIED', 'whether a delivery that was answered 500 comes again', DELIVERY],
  [
    'HOOK-RETRY-ID',
    'SHOULD',
    'a delivery that comes again is the same event, with the same id',
    'Events, Call event payload',
  ],
  ['HOOK-RESET', 'UNSPECIFIED', 'whether a delivery whose connection was reset comes again', DELIVERY],
  ['HOOK-REDIRECT', 'UNSPECIFIED', 'whether a delivery follows a redirect', DELIVERY],
  ['HOOK-SLOW', 'UNSPECIFIED', 'whether a delivery that is answered after 300 ms counts', DELIVERY],
];

export const webhookClauses: readonly Clause[] = list.map(([id, level, requirement, spec]) => ({
  ...{ id, level, requirement, spec, operations: [], capability: 'webhooks' as const },
}));
