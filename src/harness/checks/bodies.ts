// The least body that means something to each operation, and the same with one member of a wrong type. Knows no target's ids but those it is given.
import { folderCodes, wordOf } from '../../contract/codes.ts';
import { bodyExamples } from '../../contract/examples/bodies.ts';
import type { OperationId } from '../../contract/operations.ts';

/** What a body may name of the target. */
export interface BodyFacts {
  /** Of the record that is changed. */
  readonly id: unknown;
  /** What that record holds, where it is known. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly e164: string;
  /** Somebody who can be called within the account, and somebody outside. */
  readonly extension: string;
  readonly outside: string;
  readonly email: string;
  readonly password: string;
}

type Body = (facts: BodyFacts) => unknown;

/** A WAV file of eight silent samples. */
const SILENCE = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA';

const named: Body = () => ({ name: 'Made by a check' });
const renamed: Body = () => ({ name: 'Changed by a check' });

const bodies: Readonly<Partial<Record<OperationId, Body>>> = {
  login: ({ email, password }) => ({ email, password }),
  resendConfirmation: ({ email }) => ({ email }),
  requestPasswordReset: ({ email }) => ({ email }),
  createCall: ({ extension }) => ({ to: extension }),
  updateCall: () => ({ labels: ['checked'] }),
  createWebcall: ({ e164, extension }) => ({ from: e164, to: extension }),
  createLeadCall: ({ outside, extension }) => ({ caller_id: outside, to: extension }),
  createCallLabel: named,
  updateCallLabel: renamed,
  createSms: ({ outside }) => ({ to: outside, message: 'A check says hello.' }),
  createVmAnnouncement: () => ({ data: SILENCE, description: 'Made by a check' }),
  updateVmAnnouncement: () => ({ description: 'Changed by a check' }),
  createCannedResponse: () => ({ name: 'Made by a check', text: 'A check says hello.' }),
  updateCannedResponse: () => ({ text: 'Changed by a check' }),
  updateTrackedDdis: ({ e164, record }) => [{ e164, ...taken(record, 'campaign_id') }],
  createCampaign: () => ({ name: 'Made by a check', url: 'https://checks.example/' }),
  createContact: () => ({ first_name: 'Made by a check' }),
  updateContacts: ({ id }) => [{ id, group_name: 'Changed by a check' }],
  updateContact: () => ({ notes: 'Changed by a check' }),
  createConference: named,
  updateConference: renamed,
  createQueue: named,
  createRingGroup: named,
  updateRingGroup: renamed,
  // Of somebody who never calls: checks with phones come after this one.
  createRoutingRule: () => ({ action: 'block', direction: 'in', source: ['+442079460990'] }),
  updateRoutingRule: ({ record }) => ({ pos: record.pos === 1 ? 2 : 1 }),
  createIvr: named,
  updateIvr: renamed,
  createQueueGroup: named,
  updateQueueGroup: renamed,
  updateUsers: ({ id, record }) => [{ id, ...taken(record, 'location_id') }],
  createUserGroup: () => ({ name: 'Made by a check', color: 'teal' }),
  updateUserGroup: renamed,
  createUserGroupPolicy: () => ({ name: 'Made by a check', color: 'teal' }),
  updateUserGroupPolicy: renamed,
  updateCdrs: ({ id, record }) => [{ id, info: record.info ?? '' }],
  updateVoiceMessages: ({ id, record }) => [{ id, folder: folderWord(record.folder) }],
  createCallMeBackSetting: named,
  updateCallMeBackSetting: renamed,
  createCallMeBackButton: named,
  updateCallMeBackButton: renamed,
  createReportSchedule: () => ({ name: 'Made by a check', report_id: 1 }),
  updateReportSchedule: () => ({ description: 'Changed by a check' }),
};

function taken(record: BodyFacts['record'], name: string): object {
  return record[name] === undefined ? {} : { [name]: record[name] };
}

/** The word that is written for the folder that is read. Which words there are is open: these are the simulator's. */
function folderWord(folder: unknown): string {
  return typeof folder === 'number' ? (wordOf(folderCodes, folder) ?? String(folder)) : String(folder ?? 'saved');
}

/** Undefined for an operation without a body, and for those that take what was sent by email. */
export function leastBody(operation: OperationId, facts: BodyFacts): unknown {
  return bodies[operation]?.(facts);
}

/** Everything that is published for the operation, where it has more than the least; undefined where its body is not shown. */
export function fullBody(operation: OperationId, facts: BodyFacts): unknown {
  const least = leastBody(operation, facts);
  const [example] = Object.values(bodyExamples[operation] ?? {});
  if (least === undefined || Array.isArray(least) || typeof example !== 'object' || example === null) return undefined;
  return { ...plainMembers(example), ...(least as object) };
}

/** Members that name no other record: an example's ids are nobody's. */
function plainMembers(example: object): object {
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => !/(^|_)(id|ids|users|ddis|groups)$/.test(name) && value !== null),
  );
}

/** A body with an object where its first member has something else; for a list, in its first element. */
export function wrongBody(body: unknown): unknown {
  if (Array.isArray(body)) return [wrongBody(body[0]), ...body.slice(1)];
  const [first] = Object.keys((body ?? { name: '' }) as object);
  return { ...(body as object), [first ?? 'name']: { wrong: true } };
}
