// What the stories of checks have in common: the call that is under way, its records afterwards, its events. Knows no clause.
import { type CategoryRow, categories, terminalEvents } from '../../../contract/events.ts';
import type { PhoneMessage } from '../../drivers/phone-driver.ts';
import { valueAt } from '../../matching.ts';
import type { Delivery } from '../../run/inbox.ts';
import type { TargetUser } from '../../target/target.ts';
import type { CallStage } from '../call-stage.ts';
import type { Bench, Members } from '../check.ts';
import { blocked, CheckEnd } from '../finding.ts';

/** A webhook for each category, by the name of the category. */
export const everyCategory: Readonly<Record<CategoryRow['id'], readonly CategoryRow['id'][]>> = Object.fromEntries(
  categories.map(({ id }) => [id, [id]]),
) as Record<CategoryRow['id'], [CategoryRow['id']]>;
/** The one that gets every call event. */
export const CHANGES = 'call_state_change';

export const SECOND_MS = 1000;
/** What follows a call in real time may take so long. */
export const AFTERWARDS_MS = 10_000;

/** A call that has been, from all sides. */
export interface CallFacts {
  /** Its id at the API; undefined when GET /calls never showed it. */
  readonly id: unknown;
  /** As GET /calls/{id} showed it, at what time of the story. */
  readonly live: Readonly<Partial<Record<'ringing' | 'connected' | 'held' | 'resumed', Members>>>;
  /** What GET /calls/{id} answered when it was over, and whether GET /calls still listed it. */
  readonly after: { readonly status: number; readonly isListed: boolean };
  readonly cdrs: readonly Members[];
  readonly monitors: readonly Members[];
  /** Everything that came while the story was played, by arrival. */
  readonly deliveries: readonly Delivery[];
  readonly messages: Readonly<Record<string, readonly PhoneMessage[]>>;
  /** ms since 1970 on the target's clock. */
  readonly times: { readonly begun: number; readonly answered?: number; readonly ended: number; readonly over: number };
  readonly caller: TargetUser | undefined;
  readonly callee: TargetUser | undefined;
}

export function digits(value: unknown): string {
  return String(value).replace(/\D/g, '');
}

function namesOf(user: TargetUser): string[] {
  return [user.ext, user.number, user.id].filter((one) => one !== undefined).map(digits);
}

/**
 * The call at the user's phone, as GET /calls lists it; undefined when it lists none. `known`: calls that were there before.
 * `parties`: numbers of all who play; others may call each other meanwhile.
 */
export async function callTo(
  bench: Bench,
  user: TargetUser,
  known: ReadonlySet<unknown>,
  parties: readonly string[] = [],
): Promise<Members | undefined> {
  const calls = await bench.list('/calls', { limit: 1000 });
  const isOurs = ({ src, dst }: Members): boolean => areOf(parties, src, dst);
  const all = calls.filter(({ id }) => !known.has(id));
  const isNew = all.some(isOurs) ? all.filter(isOurs) : all;
  const names = namesOf(user);
  const isAt = (value: unknown): boolean => names.includes(digits(value));
  return (
    isNew.find(({ dst }) => isAt(dst)) ??
    isNew.find(({ dst_id: id }) => isAt(id)) ??
    isNew.find(({ src, src_id: id }) => isAt(src) || isAt(id))
  );
}

/** Ids of the calls that are under way. */
export async function callsBefore(bench: Bench): Promise<ReadonlySet<unknown>> {
  return new Set((await bench.list('/calls', { limit: 1000 })).map(({ id }) => id));
}

/** The call as GET /calls/{id} shows it; undefined when it does not. */
export async function liveCall(bench: Bench, id: unknown): Promise<Members | undefined> {
  if (id === undefined) return undefined;
  const { status, body } = await bench.ask('getCall', { path: { id } });
  const data = valueAt(body, '/data');
  return status === 200 && typeof data === 'object' && data !== null ? (data as Members) : undefined;
}

/** Ends the check as blocked when the call is not there: nothing can be done to it. */
export async function knownCall(bench: Bench, user: TargetUser, known: ReadonlySet<unknown>): Promise<Members> {
  const call = await callTo(bench, user, known);
  if (call !== undefined) return call;
  throw new CheckEnd(blocked('GET /calls does not list the call that is under way.'));
}

/** Records of a call, by the filter of the related lookups. */
export async function historyOf(bench: Bench, path: '/cdrs' | '/monitors', id: unknown): Promise<readonly Members[]> {
  if (id === undefined) return [];
  const filter = [{ property: 'live_id', operator: 'eq', value: id }];
  return bench.list(path, { filter, limit: 100 });
}

/** What is there when a call is over; waits for the last event, and a little longer for what should not come. */
export async function aftermath(
  bench: Bench,
  stage: CallStage,
  id: unknown,
  webhook: string | undefined = CHANGES,
): Promise<Pick<CallFacts, 'after' | 'cdrs' | 'monitors'> & { readonly over: number }> {
  const isOver = (): boolean =>
    webhook === undefined ||
    stage.deliveries.some(
      (one) =>
        one.webhook === webhook &&
        (terminalEvents as readonly string[]).includes(one.event) &&
        String(one.body?.call_id) === String(id),
    );
  // In manual time everything is there as soon as it is quiet; what does not come then never does.
  await stage.until(isOver, bench.target.time === 'manual' ? SECOND_MS : AFTERWARDS_MS);
  await stage.pass(SECOND_MS);
  const status = id === undefined ? 404 : (await bench.ask('getCall', { path: { id } })).status;
  const listed = (await bench.list('/calls', { limit: 1000 })).some((one) => one.id === id);
  const cdrs = await historyOf(bench, '/cdrs', id);
  const monitors = bench.target.lacks?.includes('recordings') === true ? [] : await historyOf(bench, '/monitors', id);
  return { after: { status, isListed: listed }, cdrs, monitors, over: await stage.now() };
}

/** The id of the call to or from that number that an event speaks of, where the API did not show it; one between the parties first. */
export function idInEvents(deliveries: readonly Delivery[], number: string, parties: readonly string[]): unknown {
  const isAt = (value: unknown): boolean => digits(value) === digits(number);
  const told = deliveries.filter(({ webhook, body }) => webhook === CHANGES && (isAt(body?.dst) || isAt(body?.src)));
  const ours = told.find(({ body }) => areOf(parties, body?.src, body?.dst));
  return (ours ?? told[0])?.body?.call_id;
}

/** The ids of all calls between the parties that events speak of. */
export function idsInEvents(deliveries: readonly Delivery[], parties: readonly string[]): unknown[] {
  return deliveries.flatMap(({ webhook, body }) =>
    webhook === CHANGES && areOf(parties, body?.src, body?.dst) ? [body?.call_id] : [],
  );
}

/** Both ends of a call are among those numbers. */
function areOf(parties: readonly string[], src: unknown, dst: unknown): boolean {
  const names = parties.map(digits);
  return names.includes(digits(src)) && names.includes(digits(dst));
}
